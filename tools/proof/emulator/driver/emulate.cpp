// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/driver/emulate.h"
#include "src/abi/entry_registers.h"
#include "src/abi/metadata/pal_metadata.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/draw.h"
#include "tools/proof/emulator/draw/waves/pixel_waves.h"
#include "tools/proof/emulator/driver/bound_resources.h"
#include "tools/proof/emulator/driver/global_table.h"
#include "tools/proof/emulator/driver/kept_registers.h"
#include "tools/proof/emulator/driver/rings.h"
#include "tools/proof/emulator/driver/written_registers.h"
#include <bit>
#include <cstring>
#include <ctime>

namespace dovetail {

namespace {

using emulator::Gpu;
using emulator::HardwareProgram;
using emulator::HardwareRegisters;
using emulator::PartEnd;

constexpr uint64_t ScratchGranule = 1024; // of COMPUTE_TMPRING_SIZE.WAVESIZE, in bytes

uint64_t scratchOfWave(const ImageStage &stage) {
  uint64_t bytes = stage.usage.scratchBytes * uint64_t(emulator::WaveSize);
  return (bytes + ScratchGranule - 1) / ScratchGranule * ScratchGranule;
}

// Outside of the window of all 32-bit addresses.
constexpr uint64_t WorkgroupCountAddress = emulator::MemoryWindow * 9 + 0x123400;

// SGPRs at the end of a wave's allocation: VCC, and XNACK_MASK in front of it if accesses may be replayed. Source:
// LLVM, AMDGPUBaseInfo.cpp, getNumExtraSGPRs.
constexpr unsigned VccSgprs = 2, XnackMaskSgprs = 2;

double cpuSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

// Waves of an LS-HS or ES-GS group; they run at the same time.
constexpr uint64_t MaxGroupWaves = 16;

class Driver {
public:
  Driver(Gpu &gpu, const Scene &scene, const ShaderSet &shaders, const Image &image, const SceneResult *before)
      : m_gpu(gpu), m_scene(scene), m_shaders(shaders), m_image(image), m_before(before) {}

  Result<SceneResult> run() {
    mapCode();
    m_bound = DOVETAIL_TRY(bindResources(m_gpu, m_scene, m_shaders));
    // Registers begin with garbage, which depends on the image's size: equal for the same image, mostly different for
    // others.
    m_registers = keptRegisters(m_gpu.generation(), uint32_t(m_image.code.size()));
    DOVETAIL_CHECK(writeRegistersOf(m_image, m_gpu.generation(), m_registers));
    DOVETAIL_CHECK(makeTables());
    DOVETAIL_CHECK(bindTransformFeedback());
    // All memory that the programs can reach is mapped.

    SceneResult result;
    if (const ImageStage *cs = m_image.findStage(HardwareStage::Cs)) {
      m_registers[reg::COMPUTE_TMPRING_SIZE] =
          field::COMPUTE_TMPRING_SIZE::WAVESIZE(uint32_t(scratchOfWave(*cs) / ScratchGranule));
      HardwareProgram program = DOVETAIL_TRY(programOf(*cs));
      DOVETAIL_CHECK(emulator::dispatch(m_gpu, {m_scene.workgroups, m_registers, std::move(program)}));
    } else {
      result = DOVETAIL_TRY(drawViews());
    }
    readResources(m_gpu, m_scene, m_bound, result);
    return result;
  }

private:
  // Draws each view separately, into targets that begin at the view's layer.
  Result<SceneResult> drawViews() {
    SceneResult result;
    const SceneResult *before = m_before;
    uint32_t views = m_scene.viewMask != 0 ? m_scene.viewMask : 1;
    for (; views != 0; views &= views - 1) {
      m_view = uint32_t(std::countr_zero(views));
      emulator::Draw command{m_scene, m_registers};
      command.firstLayer = m_view;
      command.before = before;
      for (const ImageStage &stage : m_image.stages)
        command.program(stage.stage) = DOVETAIL_TRY(programOf(stage));
      result = DOVETAIL_TRY(emulator::draw(m_gpu, command));
      before = &result;
    }
    return result;
  }

  void mapCode() {
    m_code = m_gpu.memory().map("code", {m_image.code.begin(), m_image.code.end()},
                                std::max<uint64_t>(256, m_image.constantsAlignment), false);
    applyLoadAddress(m_image, m_gpu.memory().region(m_code), m_code);
  }

  Result<void> makeTables() {
    GlobalTableNeeds needs;
    uint64_t scratchOfGraphicsWave = 0, graphicsWaves = 1;
    for (const ImageStage &stage : m_image.stages) {
      if (stage.stage == HardwareStage::Cs) {
        const std::array<uint32_t, 3> &size = stage.interface->compute.workgroupSize;
        uint64_t waves =
            (uint64_t(size[0]) * size[1] * size[2] + uint64_t(emulator::WaveSize) - 1) / uint64_t(emulator::WaveSize);
        needs.computeScratchBytes = scratchOfWave(stage) * waves;
      } else {
        const bool isGroup = stage.stage == HardwareStage::Hs || stage.stage == HardwareStage::Gs;
        scratchOfGraphicsWave = std::max(scratchOfGraphicsWave, scratchOfWave(stage));
        const bool isOrdered = stage.interface->fragment.interlock != FragmentInterlock::None;
        const uint64_t waves = isGroup ? MaxGroupWaves : isOrdered ? emulator::MaxOrderedWaves : 1;
        graphicsWaves = std::max(graphicsWaves, waves);
      }
    }
    needs.graphicsScratchBytes = scratchOfGraphicsWave * graphicsWaves;
    m_registers[reg::SPI_TMPRING_SIZE] =
        field::SPI_TMPRING_SIZE::WAVESIZE(uint32_t(scratchOfGraphicsWave / ScratchGranule));
    needs.rings = DOVETAIL_TRY(makeRings(m_gpu, m_scene, m_image, m_registers));
    m_globalTable = makeGlobalTable(m_gpu, needs);

    // The arguments of an indirect dispatch are in the application's memory.
    std::vector<uint8_t> counts(sizeof(m_scene.workgroups));
    std::memcpy(counts.data(), m_scene.workgroups.data(), counts.size());
    m_gpu.memory().mapAt(WorkgroupCountAddress, "workgroup count", std::move(counts), false);
    return {};
  }

  // Makes the table of transform feedback buffers, and sets the hardware's registers for them. Without buffers nothing
  // fits, so nothing is written.
  Result<void> bindTransformFeedback() {
    constexpr uint32_t RegistersOfBuffer = reg::VGT_STRMOUT_BUFFER_SIZE_1 - reg::VGT_STRMOUT_BUFFER_SIZE_0;
    // Descriptors begin in front of the buffers, so that a program that forgets the offset is found.
    constexpr uint32_t OffsetStep = 64; // bytes
    std::array<BufferView, MaxXfbBuffers> table = {};
    const std::vector<uint32_t> &bound = m_scene.transformFeedbackBuffers;
    for (uint32_t i = 0; i < MaxXfbBuffers; ++i) {
      uint64_t size = 0;
      const uint32_t offset = OffsetStep * (i + 1);
      if (i < bound.size() && bound[i] != NoSceneBuffer) {
        if (bound[i] >= m_scene.buffers.size())
          return makeError(ErrorCode::StateMismatch, "transform feedback buffer {} is buffer {} of {}", i, bound[i],
                           m_scene.buffers.size());
        size = offset + m_scene.buffers[bound[i]].size();
        const uint32_t strideDwords = m_registers[reg::VGT_STRMOUT_VTX_STRIDE_0 + i * RegistersOfBuffer];
        table[i] = streamoutView(m_gpu.generation(), m_bound.buffers[bound[i]] - offset,
                                 strideDwords * uint32_t(sizeof(uint32_t)));
      }
      m_registers[reg::VGT_STRMOUT_BUFFER_SIZE_0 + i * RegistersOfBuffer] = uint32_t(size / sizeof(uint32_t));
      m_registers[reg::VGT_STRMOUT_BUFFER_OFFSET_0 + i * RegistersOfBuffer] = offset / sizeof(uint32_t);
    }
    std::vector<uint8_t> bytes(sizeof(table));
    std::memcpy(bytes.data(), table.data(), bytes.size());
    m_streamoutTable = static_cast<uint32_t>(m_gpu.memory().map("streamout table", std::move(bytes), 256, false));
    return {};
  }

  // The lanes that must be on at the end of part `number` of a stage.
  static PartEnd::Exec execAtEnd(const ImageStage &stage, unsigned number) {
    if (stage.secondHalf != 0)
      return number < stage.secondHalf ? PartEnd::Exec::FirstHalf : PartEnd::Exec::SecondHalf;
    // A pixel program may lose pixels, but not win any: helper lanes are off again before colours are exported.
    return stage.stage == HardwareStage::Ps ? PartEnd::Exec::SubsetOfLaunch : PartEnd::Exec::SameAsAtLaunch;
  }

  // Describes a stage's program: where it begins and ends, the conditions at its seams, and its user SGPRs.
  Result<HardwareProgram> programOf(const ImageStage &stage) const {
    HardwareProgram program;
    program.address = m_code + stage.entry;
    program.codeEnd = program.address + stage.size;
    for (unsigned i = 0; i + 1 < stage.partCount; ++i) {
      const ImagePart &part = m_image.parts[stage.firstPart + i];
      program.partEnds.push_back({m_code + part.offset + part.size, execAtEnd(stage, i)});
    }
    for (unsigned i = 0; i < stage.userSgprCount; ++i)
      if (i != 0 && stage.userDataMap[i - 1] == palUserData({ValueKind::WorkgroupCount}))
        program.userSgprs.push_back(uint32_t(WorkgroupCountAddress >> 32));
      else
        program.userSgprs.push_back(DOVETAIL_TRY(userSgpr(stage.userDataMap[i])));
    return program;
  }

  // `what`: an entry of an image's user-data map, which is a root dword's number or one of PAL's values.
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
        {ValueKind::StreamoutTable, m_streamoutTable},
        {ValueKind::DrawIndex, 0}, // a scene is one draw
        {ValueKind::WorkgroupCount, uint32_t(WorkgroupCountAddress)},
        {ValueKind::ViewIndex, m_view},
        {ValueKind::DeviceIndex, m_scene.deviceIndex},
        {ValueKind::AlphaReference, std::bit_cast<uint32_t>(m_scene.alphaReference)},
        // In a scene's targets, the first row is the highest.
        {ValueKind::FragCoordYScale, std::bit_cast<uint32_t>(-1.0f)},
        {ValueKind::FragCoordYBias, std::bit_cast<uint32_t>(float(m_scene.height))},
        {ValueKind::UserDataPadding, 0},
    };
    for (const Row &row : rows)
      if (palUserData({row.kind}) == what)
        return row.value;
    for (uint8_t level = 0; level < m_scene.defaultTessLevels.size(); ++level)
      if (palUserData({ValueKind::DefaultTessLevel, level}) == what)
        return std::bit_cast<uint32_t>(m_scene.defaultTessLevels[level]);
    if (what < m_bound.root.size())
      return m_bound.root[what];
    return makeError(ErrorCode::StateMismatch, "a user SGPR wants {:#x}, which the driver does not have", what);
  }

  Gpu &m_gpu;
  const Scene &m_scene;
  const ShaderSet &m_shaders;
  const Image &m_image;
  const SceneResult *m_before;
  uint64_t m_code = 0;
  BoundResources m_bound;
  uint32_t m_globalTable = 0, m_streamoutTable = 0;
  uint32_t m_view = 0;
  HardwareRegisters m_registers;
};

} // namespace

Result<SceneResult> emulate(const Scene &scene, const ShaderSet &shaders, const Image &image,
                            EmulationStatistics *statistics, const emulator::Variation &variation,
                            const SceneResult *before) {
  const double start = cpuSeconds();
  Gpu gpu(emulator::chipOf(image.gpuName));
  gpu.variation = variation;
  gpu.reservedSgprs = VccSgprs + (gpu.chip().replaysMemory ? XnackMaskSgprs : 0);
  Result<SceneResult> result = Driver(gpu, scene, shaders, image, before).run();
  if (statistics) {
    statistics->waves += gpu.wavesRun;
    statistics->instructions += gpu.instructionsRun;
    statistics->seconds += cpuSeconds() - start;
    for (unsigned event = 0; event < emulator::UndefinedEventCount; ++event)
      statistics->undefinedEvents[event] += gpu.undefinedEvents[event];
  }
  return result;
}

} // namespace dovetail
