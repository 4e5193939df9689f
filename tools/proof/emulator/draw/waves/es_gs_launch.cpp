// SPDX-License-Identifier: MIT
//
// Fills the registers with which waves start, by generation. Sources: si_shader.c and si_shader_llvm_gs.c in Mesa. The
// orders are those of src/abi/entry_registers.h; this file repeats them in order to check them.
//
// GFX9: threads t of the ES and of the GS are in wave t / 64. The vertices of a group follow each other in LDS. The GS
// gets their offsets in dwords, two in a register. GFX8: the vertices of an ES wave have a place in a ring in memory,
// swizzled over the 64 lanes, so the offset of lane 3's vertex is 3 dwords.
#include "tools/proof/emulator/draw/waves/es_gs_launch.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/waves/merged_launch.h"

namespace dovetail::emulator {

namespace {

constexpr uint32_t BytesOfDword = 4;
constexpr uint32_t NobodysOffset = 0xfffff000; // into a ring: far outside
constexpr unsigned FirstMergedUserSgpr = 8;

// Sets the VGPRs from `first` on, as many as the hardware loads.
void setVgprs(WaveSetup &setup, unsigned first, std::span<const Lanes> values, unsigned last) {
  if (setup.vgprs.size() < first + last + 1)
    setup.vgprs.resize(first + last + 1);
  for (unsigned i = 0; i <= last && i < values.size(); ++i)
    setup.vgprs[first + i] = values[i];
}

struct GsThread {
  const GroupPrimitive *primitive;
  uint32_t invocation;
};

GsThread threadOf(const GeometryGroup &group, const GeometryState &state, size_t thread) {
  return {&group.primitives[thread / state.invocations], uint32_t(thread % state.invocations)};
}

uint32_t scratchOfWave(const HardwareRegisters &registers) {
  constexpr uint32_t Granule = 1024;
  return field::SPI_TMPRING_SIZE::WAVESIZE.get(registerValue(registers, reg::SPI_TMPRING_SIZE)) * Granule;
}

} // namespace

Result<void> Ring::mustHold(size_t waves) const {
  if (m_waveBytes != 0 && waves > m_places)
    return makeError(ErrorCode::StateMismatch, "the {} ring has room for {} waves of {} bytes, but a group has {}",
                     m_name, m_places, m_waveBytes, waves);
  return {};
}

EsGsLaunch::EsGsLaunch(Gpu &gpu, const Draw &command, const GeometryState &state)
    : m_gpu(gpu), m_command(command), m_state(state),
      m_esgs("ESGS", state.esgsRingBytes, state.esVertexDwords * WaveSize * BytesOfDword),
      m_gsvs("GSVS", state.gsvsRingBytes, state.laneDwords * WaveSize * BytesOfDword) {}

Result<EsGsLaunch> EsGsLaunch::make(Gpu &gpu, const Draw &command, const GeometryState &state) {
  const HardwareRegisters &registers = command.registers;
  EsGsLaunch launch(gpu, command, state);
  launch.m_gs = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Gs, command.program(HardwareStage::Gs),
                                              registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_GS),
                                              registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_GS)));
  if (gpu.generation() == Generation::Gfx9)
    launch.m_gs.sgprs.insert(launch.m_gs.sgprs.begin(), FirstMergedUserSgpr, std::nullopt);
  else
    launch.m_es = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Es, command.program(HardwareStage::Es),
                                                registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_ES),
                                                registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_ES)));
  return launch;
}

// Makes `waves` waves. Those with threads get an id and a place in the GSVS ring.
std::vector<EsGsLaunch::GsWave> EsGsLaunch::takePlaces(size_t threads, size_t waves) {
  std::vector<GsWave> result(waves, GsWave{0xff, NobodysOffset, 0});
  for (size_t i = 0; i < waves; ++i) {
    result[i].threads = threadsOfWave(threads, i);
    if (result[i].threads != 0) {
      result[i].id = m_nextWaveId++ & 0xff;
      result[i].gs2VsOffset = m_gsvs.next();
    }
  }
  return result;
}

std::array<Lanes, 4> EsGsLaunch::esVgprs(const GeometryGroup &group, size_t wave) const {
  std::array<Lanes, 4> vgprs;
  vgprs.fill(lanesOfNobody());
  for (unsigned lane = 0; lane < threadsOfWave(group.vertices.size(), wave); ++lane)
    for (unsigned i = 0; i < vgprs.size(); ++i)
      vgprs[i][lane] = group.vertices[wave * WaveSize + lane].vgprs[i];
  return vgprs;
}

Result<void> EsGsLaunch::run(const GeometryGroup &group, const WaveDone &done) {
  if (m_gpu.generation() == Generation::Gfx9)
    return runMerged(group, done);
  const std::vector<uint32_t> es2GsOffsets = DOVETAIL_TRY(runEsWaves(group));
  return runGsWaves(group, es2GsOffsets, done);
}

Result<void> EsGsLaunch::runMerged(const GeometryGroup &group, const WaveDone &done) {
  using namespace field;
  const HardwareRegisters &registers = m_command.registers;
  const uint32_t rsrc1 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_GS);
  const uint32_t rsrc2 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_GS);
  const size_t esThreads = group.vertices.size(), gsThreads = group.primitives.size() * m_state.invocations;
  const size_t waveCount = (std::max(esThreads, gsThreads) + WaveSize - 1) / WaveSize;
  if (esThreads * m_state.esVertexDwords * BytesOfDword > m_state.ldsBytes)
    return makeError(ErrorCode::StateMismatch, "{} ES vertices of {} dwords do not fit into {} bytes of LDS", esThreads,
                     m_state.esVertexDwords, m_state.ldsBytes);
  if (waveCount > MergedGroupWaves)
    return makeError(ErrorCode::StateMismatch, "{} waves in an ES-GS group", waveCount);
  DOVETAIL_CHECK(m_gsvs.mustHold((gsThreads + WaveSize - 1) / WaveSize));
  const std::vector<GsWave> gsWaves = takePlaces(gsThreads, waveCount);

  std::vector<WaveSetup> setups; // waves refer to them
  for (size_t wave = 0; wave < waveCount; ++wave) {
    const GsWave &gs = gsWaves[wave];
    WaveSetup &setup = setups.emplace_back(m_gs);
    setUserDataAddress(registers, reg::SPI_SHADER_USER_DATA_ADDR_LO_GS, setup.sgprs);
    setup.sgprs[2] = gs.gs2VsOffset;
    setup.sgprs[3] = mergedWaveInfo(threadsOfWave(esThreads, wave), gs.threads, gs.id, unsigned(wave));
    if (SPI_SHADER_PGM_RSRC2_GS::OC_LDS_EN.get(rsrc2) != 0)
      setup.sgprs[4] = group.vertices.front().offchipOffset;
    if (hasScratch(rsrc2))
      setup.sgprs[5] = uint32_t(wave) * scratchOfWave(registers);

    // Offsets of vertices 0 and 1, 2 and 3, primitive, invocation, offsets of vertices 4 and 5.
    std::array<Lanes, 5> vgprs;
    vgprs.fill(lanesOfNobody());
    for (unsigned lane = 0; lane < gs.threads; ++lane) {
      const GsThread thread = threadOf(group, m_state, wave * WaveSize + lane);
      for (unsigned corner = 0; corner < thread.primitive->corners; ++corner) {
        Lanes &pair = vgprs[corner < 4 ? corner / 2 : 4];
        const uint32_t offset = thread.primitive->vertex[corner] * m_state.esVertexDwords;
        pair[lane] = corner % 2 == 0 ? (pair[lane] & 0xffff0000) | offset : (pair[lane] & 0xffff) | offset << 16;
      }
      vgprs[2][lane] = thread.primitive->number;
      vgprs[3][lane] = thread.invocation;
    }
    // More than four vertices: all are loaded, whatever GS_VGPR_COMP_CNT is.
    const bool loadsAll = group.primitives.front().corners > 4;
    setVgprs(setup, 0, vgprs, loadsAll ? 4 : SPI_SHADER_PGM_RSRC1_GS::GS_VGPR_COMP_CNT.get(rsrc1));
    setVgprs(setup, unsigned(vgprs.size()), esVgprs(group, wave), SPI_SHADER_PGM_RSRC2_GS::ES_VGPR_COMP_CNT.get(rsrc2));
    setup.exec = MergedLaunchExec;
    setup.halves = MergedHalves{laneMask(threadsOfWave(esThreads, wave)), laneMask(gs.threads)};
    setup.gsMessages = GsMessageRules{gs.id, gs.threads, m_state.maxVertices};
  }

  Workgroup shared;
  shared.lds.resize(m_state.ldsBytes, uint8_t(UndefinedValue));
  std::vector<Wave> waves;
  for (const WaveSetup &setup : setups)
    waves.emplace_back(m_gpu.generation(), m_gpu.memory(), shared, setup);
  DOVETAIL_CHECK(runWaves(m_gpu, waves, {.endedWavesArrive = true, .handsOverInLds = true, .shuffled = true}));
  for (size_t wave = 0; wave < waveCount; ++wave)
    if (gsWaves[wave].threads != 0)
      done(waves[wave], gsWaves[wave].gs2VsOffset);
  return {};
}

Result<std::vector<uint32_t>> EsGsLaunch::runEsWaves(const GeometryGroup &group) {
  using namespace field;
  const HardwareRegisters &registers = m_command.registers;
  const uint32_t rsrc1 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_ES);
  const uint32_t rsrc2 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_ES);
  const size_t waveCount = (group.vertices.size() + WaveSize - 1) / WaveSize;
  DOVETAIL_CHECK(m_esgs.mustHold(waveCount));
  std::vector<uint32_t> es2GsOffsets;
  for (size_t wave = 0; wave < waveCount; ++wave) {
    es2GsOffsets.push_back(m_esgs.next());
    WaveSetup setup = m_es;
    if (SPI_SHADER_PGM_RSRC2_ES::OC_LDS_EN.get(rsrc2) != 0) {
      setup.sgprs.push_back(group.vertices.front().offchipOffset);
      setup.sgprs.push_back(std::nullopt);
    }
    setup.sgprs.push_back(es2GsOffsets.back());
    if (hasScratch(rsrc2))
      setup.sgprs.push_back(0); // waves run one after the other
    setVgprs(setup, 0, esVgprs(group, wave), SPI_SHADER_PGM_RSRC1_ES::VGPR_COMP_CNT.get(rsrc1));
    setup.exec = laneMask(threadsOfWave(group.vertices.size(), wave));
    Workgroup alone;
    Wave esWave(m_gpu.generation(), m_gpu.memory(), alone, setup);
    DOVETAIL_CHECK(runWaves(m_gpu, std::span(&esWave, 1)));
  }
  return es2GsOffsets;
}

Result<void> EsGsLaunch::runGsWaves(const GeometryGroup &group, const std::vector<uint32_t> &es2GsOffsets,
                                    const WaveDone &done) {
  const uint32_t rsrc2 = registerValue(m_command.registers, reg::SPI_SHADER_PGM_RSRC2_GS);
  const size_t threads = group.primitives.size() * m_state.invocations;
  const size_t waveCount = (threads + WaveSize - 1) / WaveSize;
  DOVETAIL_CHECK(m_gsvs.mustHold(waveCount));
  const std::vector<GsWave> gsWaves = takePlaces(threads, waveCount);
  for (size_t wave = 0; wave < waveCount; ++wave) {
    const GsWave &gs = gsWaves[wave];
    WaveSetup setup = m_gs;
    setup.sgprs.push_back(gs.gs2VsOffset);
    setup.sgprs.push_back(gs.id);
    if (hasScratch(rsrc2))
      setup.sgprs.push_back(0); // waves run one after the other

    // Offsets of vertices 0 and 1, primitive, offsets of vertices 2 to 5, invocation: all are always loaded.
    constexpr unsigned OffsetVgpr[] = {0, 1, 3, 4, 5, 6}, PrimitiveVgpr = 2, InvocationVgpr = 7;
    std::array<Lanes, 8> vgprs;
    vgprs.fill(lanesOfNobody());
    for (unsigned lane = 0; lane < gs.threads; ++lane) {
      const GsThread thread = threadOf(group, m_state, wave * WaveSize + lane);
      for (unsigned corner = 0; corner < thread.primitive->corners; ++corner) {
        const uint32_t vertex = thread.primitive->vertex[corner];
        vgprs[OffsetVgpr[corner]][lane] = es2GsOffsets[vertex / WaveSize] / BytesOfDword + vertex % WaveSize;
      }
      vgprs[PrimitiveVgpr][lane] = thread.primitive->number;
      vgprs[InvocationVgpr][lane] = thread.invocation;
    }
    setVgprs(setup, 0, vgprs, unsigned(vgprs.size()) - 1);
    setup.exec = laneMask(gs.threads);
    setup.gsMessages = GsMessageRules{gs.id, gs.threads, m_state.maxVertices};
    Workgroup alone;
    Wave gsWave(m_gpu.generation(), m_gpu.memory(), alone, setup);
    DOVETAIL_CHECK(runWaves(m_gpu, std::span(&gsWave, 1)));
    done(gsWave, gs.gs2VsOffset);
  }
  return {};
}

} // namespace dovetail::emulator
