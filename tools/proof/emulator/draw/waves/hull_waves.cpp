// SPDX-License-Identifier: MIT
//
// A group has one LS thread for each input vertex of its patches, and one HS thread for each output vertex. Both are
// packed without gaps: thread = patch * vertices + vertex. On GFX9, waves have threads of both kinds, and there are as
// many waves as the larger number needs. On GFX8, the LS waves of a group end before its HS waves start. All waves
// share the group's LDS.
// Sources: Mesa, si_emit_derived_tess_state (groups, VGT_LS_HS_CONFIG, LDS), radv_emit_tess_factor_ring (buffers),
// si_write_tess_factors (factors and GFX8's control word).
#include "tools/proof/emulator/draw/waves/hull_waves.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/primitives/input_assembly.h"
#include "tools/proof/emulator/draw/waves/merged_launch.h"
#include <algorithm>
#include <cstring>

namespace dovetail::emulator {

namespace {

constexpr uint32_t LdsGranule = 512;          // bytes
constexpr uint32_t MaxLdsBytes = 64 * 1024;   // of a group
constexpr uint32_t ScratchGranule = 1024;     // bytes
constexpr uint32_t OffchipBlockDwords = 8192; // for OFFCHIP_GRANULARITY 0; each further value halves it

// Dwords that HS writes to the tess-factor buffer for each patch, by VGT_TF_PARAM.TYPE: isolines, triangles, quads.
constexpr uint32_t FactorDwords[] = {2, 4, 6};

} // namespace

Result<HullState> readHullState(Generation generation, const Draw &command) {
  using namespace field;
  auto value = [&](uint32_t address) { return registerValue(command.registers, address); };
  const bool isGfx9 = generation == Generation::Gfx9;
  HullState state;

  const uint32_t config = value(reg::VGT_LS_HS_CONFIG);
  state.patchesPerGroup = VGT_LS_HS_CONFIG::NUM_PATCHES.get(config);
  state.inputVertices = VGT_LS_HS_CONFIG::HS_NUM_INPUT_CP.get(config);
  state.outputVertices = VGT_LS_HS_CONFIG::HS_NUM_OUTPUT_CP.get(config);
  if (state.patchesPerGroup == 0 || state.inputVertices == 0 || state.outputVertices == 0)
    return makeError(ErrorCode::StateMismatch, "VGT_LS_HS_CONFIG {:#x} makes empty groups", config);
  if (state.inputVertices != command.scene.state.patchControlPoints)
    return makeError(ErrorCode::StateMismatch, "VGT_LS_HS_CONFIG has patches of {} vertices, the draw of {}",
                     state.inputVertices, command.scene.state.patchControlPoints);
  const uint32_t threads = state.patchesPerGroup * std::max(state.inputVertices, state.outputVertices);
  if (threads > MergedGroupWaves * WaveSize)
    return makeError(ErrorCode::StateMismatch, "VGT_LS_HS_CONFIG {:#x} makes groups of {} threads", config, threads);

  const uint32_t granules = isGfx9 ? SPI_SHADER_PGM_RSRC2_HS::LDS_SIZE.get(value(reg::SPI_SHADER_PGM_RSRC2_HS))
                                   : SPI_SHADER_PGM_RSRC2_LS::LDS_SIZE.get(value(reg::SPI_SHADER_PGM_RSRC2_LS));
  state.ldsBytes = granules * LdsGranule;
  if (state.ldsBytes > MaxLdsBytes)
    return makeError(ErrorCode::StateMismatch, "LS-HS groups have {} bytes of LDS", state.ldsBytes);

  const uint32_t type = VGT_TF_PARAM::TYPE.get(value(reg::VGT_TF_PARAM));
  if (type >= std::size(FactorDwords))
    return makeError(ErrorCode::StateMismatch, "VGT_TF_PARAM has no domain {}", type);
  state.factorDwords = FactorDwords[type];
  state.controlDwords = isGfx9 ? 0 : 1;
  state.factorBuffer = uint64_t(value(reg::VGT_TF_MEMORY_BASE)) << 8;
  state.factorBufferDwords = value(reg::VGT_TF_RING_SIZE);
  const uint32_t offchip = value(reg::VGT_HS_OFFCHIP_PARAM);
  state.offchipBlocks = VGT_HS_OFFCHIP_PARAM::OFFCHIP_BUFFERING.get(offchip) + 1;
  state.offchipBlockBytes = OffchipBlockDwords * 4 >> VGT_HS_OFFCHIP_PARAM::OFFCHIP_GRANULARITY.get(offchip);
  return state;
}

Result<std::vector<HullGroup>> makeHullGroups(const HullState &state, const Scene &scene) {
  if (scene.state.topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    return makeError(ErrorCode::StateMismatch, "tessellation is on, but topology {} has no patches",
                     int(scene.state.topology));
  const std::vector<uint32_t> indices = DOVETAIL_TRY(vertexIndices(scene));

  std::vector<HullGroup> groups;
  const uint32_t patches = scene.vertexCount / state.inputVertices;
  for (uint32_t instance = 0; instance < scene.instanceCount; ++instance)
    for (uint32_t number = 0; number < patches; ++number) {
      if (groups.empty() || groups.back().patches.size() == state.patchesPerGroup)
        groups.emplace_back();
      HullPatch &patch = groups.back().patches.emplace_back(HullPatch{{}, instance, number});
      const auto first = indices.begin() + int64_t(number) * state.inputVertices;
      patch.indices.assign(first, first + state.inputVertices);
    }

  // The hardware would reuse the blocks of finished groups. Here all groups run before the first evaluation shader.
  uint32_t factorOffset = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].offchipOffset = uint32_t(i) * state.offchipBlockBytes;
    groups[i].tessFactorOffset = factorOffset;
    factorOffset += state.factorBytes(groups[i].patches.size());
  }
  if (groups.size() > state.offchipBlocks)
    return makeError(ErrorCode::StateMismatch, "{} groups of patches do not fit into {} off-chip blocks", groups.size(),
                     state.offchipBlocks);
  if (factorOffset > uint64_t(state.factorBufferDwords) * 4)
    return makeError(ErrorCode::StateMismatch, "{} bytes of factors do not fit into a buffer of {} dwords",
                     factorOffset, state.factorBufferDwords);
  return groups;
}

Result<HullWaves> HullWaves::make(Gpu &gpu, const Draw &command, const HullState &state) {
  using namespace field;
  auto value = [&](uint32_t address) { return registerValue(command.registers, address); };
  HullWaves waves(gpu, command, state);
  const uint32_t hs1 = value(reg::SPI_SHADER_PGM_RSRC1_HS), hs2 = value(reg::SPI_SHADER_PGM_RSRC2_HS);
  waves.m_hs = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Hs, command.program(HardwareStage::Hs), hs1, hs2));
  waves.m_hsHasScratch = hasScratch(hs2);
  waves.m_scratchBytes = SPI_TMPRING_SIZE::WAVESIZE.get(value(reg::SPI_TMPRING_SIZE)) * ScratchGranule;
  if (gpu.generation() == Generation::Gfx9) {
    waves.m_lastLsVgpr = SPI_SHADER_PGM_RSRC1_HS::LS_VGPR_COMP_CNT.get(hs1);
    return waves;
  }
  const uint32_t ls1 = value(reg::SPI_SHADER_PGM_RSRC1_LS), ls2 = value(reg::SPI_SHADER_PGM_RSRC2_LS);
  waves.m_ls = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Ls, command.program(HardwareStage::Ls), ls1, ls2));
  waves.m_lsHasScratch = hasScratch(ls2);
  waves.m_lastLsVgpr = SPI_SHADER_PGM_RSRC1_LS::VGPR_COMP_CNT.get(ls1);
  if (SPI_SHADER_PGM_RSRC2_HS::OC_LDS_EN.get(hs2) == 0)
    return makeError(ErrorCode::StateMismatch, "RSRC2_HS has no off-chip buffer; on-chip tessellation is not modelled");
  return waves;
}

// The content of LDS is undefined when a group starts.
Workgroup HullWaves::makeLds() const {
  Workgroup group;
  group.lds.resize(m_state.ldsBytes);
  for (size_t i = 0; i < group.lds.size(); i += sizeof(UndefinedValue))
    std::memcpy(&group.lds[i], &UndefinedValue, sizeof(UndefinedValue));
  return group;
}

std::vector<std::optional<Lanes>> HullWaves::lsVgprs(const HullGroup &group, size_t wave, unsigned lastVgpr) const {
  const size_t threads = group.patches.size() * m_state.inputVertices;
  std::array<Lanes, 4> lanes;
  lanes.fill(lanesOfNobody());
  for (unsigned lane = 0; lane < threadsOfWave(threads, wave); ++lane) {
    const auto thread = uint32_t(wave * WaveSize + lane);
    const HullPatch &patch = group.patches[thread / m_state.inputVertices];
    lanes[0][lane] = patch.indices[thread % m_state.inputVertices];
    lanes[1][lane] = thread;
    lanes[2][lane] = steppedInstance(m_command.registers, patch.instance);
    lanes[3][lane] = patch.instance;
  }
  return {lanes.begin(), lanes.begin() + lastVgpr + 1};
}

std::vector<std::optional<Lanes>> HullWaves::hsVgprs(const HullGroup &group, size_t wave) const {
  const size_t threads = group.patches.size() * m_state.outputVertices;
  std::array<Lanes, 2> lanes;
  lanes.fill(lanesOfNobody());
  for (unsigned lane = 0; lane < threadsOfWave(threads, wave); ++lane) {
    const auto thread = uint32_t(wave * WaveSize + lane);
    const uint32_t patch = thread / m_state.outputVertices, invocation = thread % m_state.outputVertices;
    lanes[0][lane] = group.patches[patch].number;
    lanes[1][lane] = patch | invocation << 8;
  }
  return {lanes.begin(), lanes.end()};
}

Result<void> HullWaves::launch(Workgroup &group, std::vector<WaveSetup> setups, bool hasBarriers) {
  std::vector<Wave> waves;
  for (const WaveSetup &setup : setups)
    waves.emplace_back(m_gpu.generation(), m_gpu.memory(), group, setup);
  const bool mustWait = hasBarriers && !m_command.program(HardwareStage::Hs).trustsLdsOrder;
  return runWaves(m_gpu, waves, {.endedWavesArrive = hasBarriers, .handsOverInLds = mustWait, .shuffled = true});
}

Result<void> HullWaves::runMerged(const HullGroup &group) {
  const size_t lsThreads = group.patches.size() * m_state.inputVertices;
  const size_t hsThreads = group.patches.size() * m_state.outputVertices;
  const size_t waves = (std::max(lsThreads, hsThreads) + WaveSize - 1) / WaveSize;
  std::vector<WaveSetup> setups;
  for (size_t wave = 0; wave < waves; ++wave) {
    const unsigned lsLanes = threadsOfWave(lsThreads, wave), hsLanes = threadsOfWave(hsThreads, wave);
    WaveSetup &setup = setups.emplace_back(m_hs);
    // Eight system SGPRs before the user SGPRs (src/abi/entry_registers.h, mergedSystemSgprs).
    std::vector<std::optional<uint32_t>> sgprs(8);
    setUserDataAddress(m_command.registers, reg::SPI_SHADER_USER_DATA_ADDR_LO_HS, sgprs);
    sgprs[2] = group.offchipOffset;
    sgprs[3] = mergedWaveInfo(lsLanes, hsLanes, 0, unsigned(wave));
    sgprs[4] = group.tessFactorOffset;
    if (m_hsHasScratch)
      sgprs[5] = uint32_t(wave) * m_scratchBytes;
    setup.sgprs.insert(setup.sgprs.begin(), sgprs.begin(), sgprs.end());

    // On the first GFX9 chips, a wave without HS threads has its LS VGPRs in the place of the HS VGPRs (LLVM,
    // SIMachineFunctionInfo and Mesa, has_ls_vgpr_init_bug).
    if (!m_gpu.chip().hasLsVgprInitBug || hsLanes != 0)
      setup.vgprs = hsVgprs(group, wave);
    const std::vector<std::optional<Lanes>> ls = lsVgprs(group, wave, m_lastLsVgpr);
    setup.vgprs.insert(setup.vgprs.end(), ls.begin(), ls.end());
    setup.halves = MergedHalves{laneMask(lsLanes), laneMask(hsLanes)};
  }
  Workgroup lds = makeLds();
  return launch(lds, std::move(setups), true);
}

Result<void> HullWaves::runLsThenHs(const HullGroup &group) {
  auto makeSetups = [&](const WaveSetup &common, size_t threads, bool withScratch,
                        const std::vector<uint32_t> &systemSgprs) {
    std::vector<WaveSetup> setups;
    for (size_t wave = 0; wave * WaveSize < threads; ++wave) {
      WaveSetup &setup = setups.emplace_back(common);
      setup.sgprs.insert(setup.sgprs.end(), systemSgprs.begin(), systemSgprs.end());
      if (withScratch)
        setup.sgprs.push_back(uint32_t(wave) * m_scratchBytes);
      setup.exec = laneMask(threadsOfWave(threads, wave));
    }
    return setups;
  };

  std::vector<WaveSetup> ls = makeSetups(m_ls, group.patches.size() * m_state.inputVertices, m_lsHasScratch, {});
  for (size_t wave = 0; wave < ls.size(); ++wave)
    ls[wave].vgprs = lsVgprs(group, wave, m_lastLsVgpr);
  std::vector<WaveSetup> hs = makeSetups(m_hs, group.patches.size() * m_state.outputVertices, m_hsHasScratch,
                                         {group.offchipOffset, group.tessFactorOffset});
  for (size_t wave = 0; wave < hs.size(); ++wave)
    hs[wave].vgprs = hsVgprs(group, wave);

  Workgroup lds = makeLds();
  DOVETAIL_CHECK(launch(lds, std::move(ls), false));
  return launch(lds, std::move(hs), true);
}

Result<void> HullWaves::run(const HullGroup &group) {
  return m_gpu.generation() == Generation::Gfx9 ? runMerged(group) : runLsThenHs(group);
}

} // namespace dovetail::emulator
