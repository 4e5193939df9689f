// SPDX-License-Identifier: MIT
//
// The hardware keeps exported positions and parameters in separate memories, and takes their number from the registers.
// If an announced position or parameter is missing, it reads garbage; one too many overwrites another vertex. So this
// file compares the registers with the exports of each wave.
#include "tools/proof/emulator/draw/waves/vertex_waves.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <bit>

namespace dovetail::emulator {

namespace {

// Export targets, "Vega" ISA manual, section 13.9.1.
constexpr unsigned Position0 = 12, Parameter0 = 32;
constexpr unsigned MaxPositions = 4, MaxParameters = 32;
constexpr unsigned Channels = 4;

// StreamoutConfig: [22:16] vertices to write, [25:24] stream (Mesa, si_llvm_emit_streamout and
// si_generate_gs_copy_shader). Nothing documents its other bits
// (docs/hardware-facts.md).
constexpr uint32_t UndocumentedConfig = 0xa5a5;

uint32_t streamoutConfig(const StreamoutWave &wave) {
  return UndocumentedConfig | wave.vertices << 16 | wave.stream << 24;
}

// One exported vector of one wave: its values, and the lanes that exported it.
struct ExportedVector {
  uint64_t lanes = 0;
  std::array<Lanes, Channels> data = {};
};

class VertexExports {
public:
  VertexExports(Generation generation, const HardwareRegisters &registers) : m_generation(generation) {
    using namespace field;
    uint32_t formats = registerValue(registers, reg::SPI_SHADER_POS_FORMAT);
    while (m_positionCount < MaxPositions && (formats >> (4 * m_positionCount) & 0xf) != 0)
      ++m_positionCount;
    m_parameterCount = SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT.get(registerValue(registers, reg::SPI_VS_OUT_CONFIG)) + 1;
    m_outputs = registerValue(registers, reg::PA_CL_VS_OUT_CNTL);
  }

  Result<void> collect(const Wave &wave, uint64_t launched) {
    for (const Export &exported : wave.exports) {
      unsigned position = exported.target - Position0, parameter = exported.target - Parameter0;
      if (position < MaxPositions) {
        if (position >= m_positionCount)
          return bad("pos{} is exported, but SPI_SHADER_POS_FORMAT announces {} positions", position, m_positionCount);
        if (exported.enable != 0xf && position == 0)
          return bad("pos0 is exported without all of its channels");
        merge(exported, m_positions[position]);
      } else if (parameter < MaxParameters) {
        if (parameter >= m_parameterCount)
          return bad("param{} is exported, but SPI_VS_OUT_CONFIG announces {} parameters", parameter, m_parameterCount);
        merge(exported, m_parameters[parameter]);
      } else {
        return bad("a vertex shader has no export target {}", exported.target);
      }
    }
    for (unsigned i = 0; i < m_positionCount; ++i)
      if ((m_positions[i].lanes & launched) != launched)
        return bad("SPI_SHADER_POS_FORMAT announces pos{}, which not every vertex exports", i);
    return {};
  }

  ShadedVertex vertex(unsigned lane) const {
    using namespace field::PA_CL_VS_OUT_CNTL;
    auto asFloat = [&](const ExportedVector &vector, unsigned channel) {
      return std::bit_cast<float>(vector.data[channel][lane]);
    };
    ShadedVertex result;
    for (unsigned channel = 0; channel < Channels; ++channel)
      result.position[channel] = asFloat(m_positions[0], channel);

    // The enabled vectors follow pos0 without gaps.
    unsigned next = 1;
    if (VS_OUT_MISC_VEC_ENA.get(m_outputs) != 0 && next < MaxPositions) {
      const ExportedVector &misc = m_positions[next++];
      if (USE_VTX_POINT_SIZE.get(m_outputs) != 0)
        result.pointSize = asFloat(misc, 0);
      // GFX9 packs both into z; older chips have the viewport in w.
      const uint32_t z = misc.data[2][lane], w = misc.data[3][lane];
      if (USE_VTX_RENDER_TARGET_INDX.get(m_outputs) != 0)
        result.layer = z & 0x7ff;
      if (USE_VTX_VIEWPORT_INDX.get(m_outputs) != 0)
        result.viewport = m_generation == Generation::Gfx9 ? z >> 16 & 0xf : w & 0xf;
    }
    const bool hasDistances[] = {VS_OUT_CCDIST0_VEC_ENA.get(m_outputs) != 0,
                                 VS_OUT_CCDIST1_VEC_ENA.get(m_outputs) != 0};
    for (unsigned half = 0; half < 2; ++half)
      if (hasDistances[half] && next < MaxPositions) {
        for (unsigned channel = 0; channel < Channels; ++channel)
          result.distances[half * Channels + channel] = asFloat(m_positions[next], channel);
        ++next;
      }

    result.parameters.resize(m_parameterCount);
    for (unsigned i = 0; i < m_parameterCount; ++i) {
      result.exportedParameters |= uint32_t(m_parameters[i].lanes >> lane & 1) << i;
      for (unsigned channel = 0; channel < Channels; ++channel)
        result.parameters[i][channel] = m_parameters[i].data[channel][lane];
    }
    return result;
  }

  // PA_CL_VS_OUT_CNTL must not read more positions than are announced.
  Result<void> checkPositionCount() const {
    using namespace field::PA_CL_VS_OUT_CNTL;
    unsigned wanted = 1 + VS_OUT_MISC_VEC_ENA.get(m_outputs) + VS_OUT_CCDIST0_VEC_ENA.get(m_outputs) +
                      VS_OUT_CCDIST1_VEC_ENA.get(m_outputs);
    if (wanted > m_positionCount)
      return bad("PA_CL_VS_OUT_CNTL reads {} positions, but SPI_SHADER_POS_FORMAT announces {}", wanted,
                 m_positionCount);
    return {};
  }

private:
  template <typename... Args> static tl::unexpected<Error> bad(fmt::format_string<Args...> format, Args &&...args) {
    return makeError(ErrorCode::CheckFailed, "vertex shader: {}: {}", toString(TrapKind::BadExport),
                     fmt::format(format, std::forward<Args>(args)...));
  }

  static void merge(const Export &exported, ExportedVector &vector) {
    vector.lanes |= exported.exec;
    for (unsigned channel = 0; channel < Channels; ++channel)
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        if ((exported.enable >> channel & 1) != 0 && (exported.exec >> lane & 1) != 0)
          vector.data[channel][lane] = exported.data[channel][lane];
  }

  Generation m_generation;
  unsigned m_positionCount = 0, m_parameterCount = 0;
  uint32_t m_outputs = 0;
  std::array<ExportedVector, MaxPositions> m_positions;
  std::array<ExportedVector, MaxParameters> m_parameters;
};

} // namespace

Result<VertexWaves> VertexWaves::make(Gpu &gpu, const Draw &command) {
  const HardwareRegisters &registers = command.registers;
  VertexWaves waves(gpu, command, DOVETAIL_TRY(Streamout::make(registers)));
  waves.m_common = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Vs, command.program(HardwareStage::Vs),
                                                 registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_VS),
                                                 registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_VS)));
  return waves;
}

Result<void> VertexWaves::run(const VertexWave &vertexWave, std::vector<ShadedVertex> &results) {
  using namespace field;
  const HardwareRegisters &registers = m_command.registers;
  const uint32_t rsrc1 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC1_VS);
  const uint32_t rsrc2 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_VS);
  const unsigned lastVgpr = SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(rsrc1);
  const bool hasOffchip = SPI_SHADER_PGM_RSRC2_VS::OC_LDS_EN.get(rsrc2) != 0;
  const bool hasStreamout = SPI_SHADER_PGM_RSRC2_VS::SO_EN.get(rsrc2) != 0;
  const std::vector<FrontVertex> &vertices = vertexWave.vertices;

  WaveSetup setup = m_common;
  // Source of the order: si_shader.c of Mesa, declare_streamout_params and declare_tes_input_vgprs. Off-chip
  // tessellation has the streamout configuration's SGPR, too.
  if (hasStreamout || hasOffchip)
    setup.sgprs.push_back(streamoutConfig(vertexWave.streamout));
  if (hasStreamout) {
    setup.sgprs.push_back(vertexWave.streamout.writeIndex);
    for (unsigned buffer = 0; buffer < MaxStreamoutBuffers; ++buffer)
      if ((SPI_SHADER_PGM_RSRC2_VS::SO_BASE_EN.get(rsrc2) >> buffer & 1) != 0)
        setup.sgprs.push_back(m_streamout.offset(buffer));
  }
  if (hasOffchip)
    setup.sgprs.push_back(vertices.front().offchipOffset);
  if (hasScratch(rsrc2))
    setup.sgprs.push_back(0); // waves run one after the other, so all use the same scratch memory
  std::array<Lanes, 4> vgprs = {};
  for (unsigned lane = 0; lane < vertices.size(); ++lane)
    for (unsigned i = 0; i < vgprs.size(); ++i)
      vgprs[i][lane] = vertices[lane].vgprs[i];
  setup.vgprs.assign(vgprs.begin(), vgprs.begin() + lastVgpr + 1);
  setup.exec = vertices.size() == WaveSize ? ~uint64_t(0) : (uint64_t(1) << vertices.size()) - 1;
  setup.covered = setup.exec;
  setup.isRasterised = vertexWave.isRasterised;

  Workgroup group;
  Wave wave(m_gpu.generation(), m_gpu.memory(), group, setup);
  DOVETAIL_CHECK(runWaves(m_gpu, std::span(&wave, 1)));
  if (!vertexWave.isRasterised)
    return {};
  VertexExports exports(m_gpu.generation(), registers);
  DOVETAIL_CHECK(exports.checkPositionCount());
  DOVETAIL_CHECK(exports.collect(wave, setup.exec));
  for (unsigned lane = 0; lane < vertices.size(); ++lane)
    results.push_back(exports.vertex(lane));
  return {};
}

namespace {

// Fills waves as far as possible: a new one begins where the off-chip offset changes.
Result<void> runShared(VertexWaves &waves, const FrontDraw &front, ShadedDraw &shaded) {
  VertexWave wave;
  for (const FrontVertex &vertex : front.vertices) {
    if (!wave.vertices.empty() &&
        (wave.vertices.size() == WaveSize || wave.vertices.front().offchipOffset != vertex.offchipOffset)) {
      DOVETAIL_CHECK(waves.run(wave, shaded.vertices));
      wave.vertices.clear();
    }
    wave.vertices.push_back(vertex);
  }
  if (!wave.vertices.empty())
    DOVETAIL_CHECK(waves.run(wave, shaded.vertices));
  for (const FrontPrimitive &primitive : front.primitives)
    shaded.primitives.push_back(
        {primitive.corners, primitive.provoking, {primitive.vertex[0], primitive.vertex[1], primitive.vertex[2]}});
  return {};
}

// With transform feedback each primitive has lanes of its own, all in one wave.
Result<void> runListed(VertexWaves &waves, const FrontDraw &front, bool lastProvokes, ShadedDraw &shaded) {
  VertexWave wave;
  unsigned primitives = 0, corners = 0;
  auto flush = [&]() -> Result<void> {
    wave.streamout = waves.streamout().nextWave(0, primitives, corners);
    DOVETAIL_CHECK(waves.run(wave, shaded.vertices));
    wave.vertices.clear();
    primitives = 0;
    return {};
  };
  for (const FrontPrimitive &primitive : front.primitives) {
    corners = primitive.corners;
    if (primitives != 0 && (wave.vertices.size() + corners > WaveSize ||
                            wave.vertices.front().offchipOffset != front.vertices[primitive.vertex[0]].offchipOffset))
      DOVETAIL_CHECK(flush());
    const AssembledPrimitive shared = {
        primitive.corners, primitive.provoking, {primitive.vertex[0], primitive.vertex[1], primitive.vertex[2]}};
    const uint32_t first = uint32_t(shaded.vertices.size() + wave.vertices.size());
    const std::array<uint32_t, 3> order = writtenOrder(shared, lastProvokes);
    for (unsigned corner = 0; corner < corners; ++corner)
      wave.vertices.push_back(front.vertices[order[corner]]);
    shaded.primitives.push_back(listedPrimitive(shared, first, lastProvokes));
    ++primitives;
  }
  if (primitives != 0)
    DOVETAIL_CHECK(flush());
  return {};
}

} // namespace

Result<ShadedDraw> shadeVertices(Gpu &gpu, const Draw &command, const FrontDraw &front) {
  if (front.isTessellated)
    DOVETAIL_CHECK(checkTessEvalVgprs(field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(
        registerValue(command.registers, reg::SPI_SHADER_PGM_RSRC1_VS))));
  VertexWaves waves = DOVETAIL_TRY(VertexWaves::make(gpu, command));
  if (waves.streamout().rasterisedStream() != 0)
    return makeError(ErrorCode::Unsupported, "stream {} is rasterised, and there is no geometry",
                     waves.streamout().rasterisedStream());
  ShadedDraw shaded;
  if (waves.streamout().isOn(0))
    DOVETAIL_CHECK(runListed(waves, front, command.scene.state.flatProvokingVertexLast, shaded));
  else
    DOVETAIL_CHECK(runShared(waves, front, shaded));
  return shaded;
}

} // namespace dovetail::emulator
