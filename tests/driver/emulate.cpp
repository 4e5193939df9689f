// SPDX-License-Identifier: MIT
#include "tests/driver/emulate.h"
#include "src/abi/entry_registers.h"
#include "src/abi/pal_metadata.h"
#include "src/abi/registers.h"
#include "tests/driver/bound_resources.h"
#include "tests/driver/global_table.h"
#include "tests/emulator/draw/draw.h"
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

using emulator::Gpu;
using emulator::HardwareProgram;
using emulator::HardwareRegisters;
using emulator::PartEnd;

constexpr uint64_t WaveLanes = 64;
constexpr uint64_t ScratchGranule = 1024; // of COMPUTE_TMPRING_SIZE.WAVESIZE, in bytes

uint64_t scratchOfWave(const ImageStage &stage) {
  uint64_t bytes = stage.usage.scratchBytes * WaveLanes;
  return (bytes + ScratchGranule - 1) / ScratchGranule * ScratchGranule;
}

class Driver {
public:
  Driver(Gpu &gpu, const Scene &scene, const ShaderSet &shaders, const Image &image)
      : m_gpu(gpu), m_scene(scene), m_shaders(shaders), m_image(image) {}

  Result<SceneResult> run() {
    mapCode();
    m_bound = DOVETAIL_TRY(bindResources(m_gpu, m_scene, m_shaders));
    makeTables();
    for (const RegisterValue &value : m_image.registers)
      m_registers[value.address] = value.value;
    // Everything that the programs can reach is in memory now.

    SceneResult result;
    if (const ImageStage *cs = m_image.findStage(HardwareStage::Cs)) {
      m_registers[reg::COMPUTE_TMPRING_SIZE] =
          field::COMPUTE_TMPRING_SIZE::WAVESIZE(uint32_t(scratchOfWave(*cs) / ScratchGranule));
      HardwareProgram program = DOVETAIL_TRY(programOf(*cs));
      DOVETAIL_CHECK(emulator::dispatch(m_gpu, {m_scene.workgroups, m_registers, std::move(program)}));
    } else {
      emulator::Draw command{m_scene, m_registers};
      for (const ImageStage &stage : m_image.stages)
        command.program(stage.stage) = DOVETAIL_TRY(programOf(stage));
      result = DOVETAIL_TRY(emulator::draw(m_gpu, command));
    }
    readResources(m_gpu, m_scene, m_bound, result);
    return result;
  }

private:
  void mapCode() {
    m_code = m_gpu.memory().map("code", m_image.code, std::max<uint64_t>(256, m_image.constantsAlignment), false);
    applyLoadAddress(m_image, m_gpu.memory().region(m_code), m_code);
  }

  void makeTables() {
    GlobalTableNeeds needs;
    needs.samples = m_scene.state.rasterizationSamples;
    for (const ImageStage &stage : m_image.stages) {
      if (stage.stage == HardwareStage::Cs) {
        const std::array<uint32_t, 3> &size = stage.interface->workgroupSize;
        uint64_t waves = (uint64_t(size[0]) * size[1] * size[2] + WaveLanes - 1) / WaveLanes;
        needs.computeScratchBytes = scratchOfWave(stage) * waves;
      } else {
        needs.graphicsScratchBytes = std::max(needs.graphicsScratchBytes, scratchOfWave(stage));
      }
    }
    m_globalTable = makeGlobalTable(m_gpu, needs);

    std::vector<uint8_t> counts(sizeof(m_scene.workgroups));
    std::memcpy(counts.data(), m_scene.workgroups.data(), counts.size());
    m_workgroupCount = static_cast<uint32_t>(m_gpu.memory().map("workgroup count", std::move(counts), 256, false));
  }

  // Where a stage begins and ends, what must hold at its seams, and its user SGPRs.
  Result<HardwareProgram> programOf(const ImageStage &stage) const {
    HardwareProgram program;
    program.address = m_code + stage.entry;
    program.codeEnd = program.address + stage.size;
    for (unsigned i = 0; i + 1 < stage.partCount; ++i) {
      const ImagePart &part = m_image.parts[stage.firstPart + i];
      // A fragment shader may have lost pixels, but not won any: helper lanes are off again before colours leave.
      bool mayShrink = part.part->key.kind == PartKind::FragmentMain;
      program.partEnds.push_back({m_code + part.offset + part.size,
                                  mayShrink ? PartEnd::Exec::SubsetOfLaunch : PartEnd::Exec::SameAsAtLaunch});
    }
    for (unsigned i = 0; i < stage.userSgprCount; ++i)
      program.userSgprs.push_back(DOVETAIL_TRY(userSgpr(stage.userDataMap[i])));
    return program;
  }

  // `what` is an entry of an image's user-data map: a root dword's number or one of PAL's values.
  Result<uint32_t> userSgpr(uint32_t what) const {
    struct Row {
      ValueKind kind;
      uint32_t value;
    };
    const bool isIndexed = !m_scene.indices.empty();
    const Row rows[] = {
        {ValueKind::GlobalTable, m_globalTable},
        {ValueKind::VertexBufferTable, m_bound.vertexBufferTable},
        {ValueKind::SpillTable, m_bound.spillTable},
        {ValueKind::BaseVertex, isIndexed ? static_cast<uint32_t>(m_scene.vertexOffset) : m_scene.firstVertex},
        {ValueKind::BaseInstance, m_scene.firstInstance},
        {ValueKind::DrawIndex, 0}, // a scene is one draw
        {ValueKind::WorkgroupCount, m_workgroupCount},
        {ValueKind::AlphaReference, std::bit_cast<uint32_t>(m_scene.alphaReference)},
        {ValueKind::UserDataPadding, 0},
    };
    for (const Row &row : rows)
      if (palUserData({row.kind}) == what)
        return row.value;
    if (what < m_bound.root.size())
      return m_bound.root[what];
    return makeError(ErrorCode::StateMismatch, "a user SGPR wants {:#x}, which the driver does not have", what);
  }

  Gpu &m_gpu;
  const Scene &m_scene;
  const ShaderSet &m_shaders;
  const Image &m_image;
  uint64_t m_code = 0;
  BoundResources m_bound;
  uint32_t m_globalTable = 0, m_workgroupCount = 0;
  HardwareRegisters m_registers;
};

} // namespace

Result<SceneResult> emulate(const Scene &scene, const ShaderSet &shaders, const Image &image,
                            EmulationStatistics *statistics, uint64_t roundingNoise) {
  const bool isGfx8 = image.gpuName.starts_with("gfx8");
  Gpu gpu(isGfx8 ? emulator::Generation::Gfx8 : emulator::Generation::Gfx9);
  gpu.roundingNoise = roundingNoise;
  Result<SceneResult> result = Driver(gpu, scene, shaders, image).run();
  if (statistics) {
    statistics->waves += gpu.wavesRun;
    statistics->instructions += gpu.instructionsRun;
  }
  return result;
}

} // namespace dovetail
