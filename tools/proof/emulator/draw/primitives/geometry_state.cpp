// SPDX-License-Identifier: MIT
//
// The GSVS ring of a wave has a part for each stream. A part consists of blocks of 16 lanes. A block has every dword of
// every vertex, with the values of the 16 lanes side by side. So dword d of a lane's vertex k is item d * maxVertices +
// k, and the place of the first item is enough to find a vertex. The hardware takes the sizes from registers, and
// passes this place to the copy shader. Source: si_preload_gs_rings and si_generate_gs_copy_shader in Mesa's
// si_shader_llvm_gs.c, si_shader_gs in si_state_shaders.cpp.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/primitives/geometry_state.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

constexpr unsigned RingLanes = 16; // number of lanes side by side in the GSVS ring
constexpr uint32_t RingGranule = 256, LdsGranule = 512;
constexpr unsigned GeometryScenario = 3; // VGT_GS_MODE.MODE

// GFX8's hardware has its own limits for the vertices and primitives that wait for each other; programs cannot see
// them. The values here make groups of several waves, with the last waves not full.
constexpr unsigned SeparateGroupVertices = 160, SeparateGroupPrimitives = 100, SeparateGroupThreads = 300;

template <typename... Args> auto mismatch(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::StateMismatch, "{}", fmt::format(format, std::forward<Args>(args)...));
}

Result<void> readOutputs(const HardwareRegisters &registers, GeometryState &state) {
  using namespace field::VGT_GS_OUT_PRIM_TYPE;
  const uint32_t types = registerValue(registers, reg::VGT_GS_OUT_PRIM_TYPE);
  const bool unique = UNIQUE_TYPE_PER_STREAM.get(types) != 0;
  const RegisterField fields[] = {OUTPRIM_TYPE, OUTPRIM_TYPE_1, OUTPRIM_TYPE_2, OUTPRIM_TYPE_3};
  for (unsigned stream = 0; stream < VertexStreams; ++stream) {
    const uint32_t type = fields[unique ? stream : 0].get(types);
    if (type > uint32_t(GsOutput::TriangleStrip))
      return mismatch("VGT_GS_OUT_PRIM_TYPE {:#x}: stream {} has no such primitives", types, stream);
    state.outputs[stream] = GsOutput(type);
  }
  return {};
}

Result<void> readGsvsRing(const HardwareRegisters &registers, GeometryState &state) {
  state.vertexDwords = {
      registerValue(registers, reg::VGT_GS_VERT_ITEMSIZE), registerValue(registers, reg::VGT_GS_VERT_ITEMSIZE_1),
      registerValue(registers, reg::VGT_GS_VERT_ITEMSIZE_2), registerValue(registers, reg::VGT_GS_VERT_ITEMSIZE_3)};
  state.streamBase = {0, registerValue(registers, reg::VGT_GSVS_RING_OFFSET_1),
                      registerValue(registers, reg::VGT_GSVS_RING_OFFSET_2),
                      registerValue(registers, reg::VGT_GSVS_RING_OFFSET_3)};
  state.laneDwords = registerValue(registers, reg::VGT_GSVS_RING_ITEMSIZE);
  state.gsvsRingBytes = registerValue(registers, reg::VGT_GSVS_RING_SIZE) * RingGranule;
  for (unsigned stream = 0; stream < VertexStreams; ++stream) {
    const uint32_t size = state.vertexDwords[stream] * state.maxVertices;
    const uint32_t end = stream + 1 < VertexStreams ? state.streamBase[stream + 1] : state.laneDwords;
    if (size != 0 && state.streamBase[stream] + size > end)
      return mismatch("the GSVS ring has {} to {} dwords of a lane for stream {}, which takes {}",
                      state.streamBase[stream], end, stream, size);
  }
  return {};
}

Result<void> readMergedGroups(const HardwareRegisters &registers, GeometryState &state) {
  using namespace field;
  const uint32_t control = registerValue(registers, reg::VGT_GS_ONCHIP_CNTL);
  state.groupVertices = VGT_GS_ONCHIP_CNTL::ES_VERTS_PER_SUBGRP.get(control);
  state.groupPrimitives = VGT_GS_ONCHIP_CNTL::GS_PRIMS_PER_SUBGRP.get(control);
  const unsigned threads = VGT_GS_ONCHIP_CNTL::GS_INST_PRIMS_IN_SUBGRP.get(control);
  if (state.groupVertices == 0 || state.groupPrimitives == 0)
    return mismatch("VGT_GS_ONCHIP_CNTL {:#x}: a group holds nothing", control);
  if (threads != state.groupPrimitives * state.invocations)
    return mismatch("VGT_GS_ONCHIP_CNTL {:#x}: {} primitives of a group with {} invocations are not {}", control,
                    state.groupPrimitives, state.invocations, threads);
  const uint32_t outputs = registerValue(registers, reg::VGT_GS_MAX_PRIMS_PER_SUBGROUP);
  if (outputs < threads * state.maxVertices)
    return mismatch("VGT_GS_MAX_PRIMS_PER_SUBGROUP is {}, but {} threads emit {} vertices each", outputs, threads,
                    state.maxVertices);
  const uint32_t rsrc2 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_GS);
  state.ldsBytes = SPI_SHADER_PGM_RSRC2_GS::LDS_SIZE.get(rsrc2) * LdsGranule;
  return {};
}

} // namespace

uint32_t GeometryState::vertexOffset(uint32_t gs2VsOffset, unsigned stream, unsigned lane, unsigned number) const {
  const uint32_t ofLane = vertexDwords[stream] * maxVertices;
  return gs2VsOffset / 4 + streamBase[stream] * WaveSize + lane / RingLanes * RingLanes * ofLane + number * RingLanes +
         lane % RingLanes;
}

Result<GeometryState> readGeometryState(Generation generation, const HardwareRegisters &registers) {
  using namespace field;
  GeometryState state;
  const uint32_t instances = registerValue(registers, reg::VGT_GS_INSTANCE_CNT);
  if (VGT_GS_INSTANCE_CNT::ENABLE.get(instances) != 0)
    state.invocations = VGT_GS_INSTANCE_CNT::CNT.get(instances);
  state.maxVertices = registerValue(registers, reg::VGT_GS_MAX_VERT_OUT);
  state.esVertexDwords = registerValue(registers, reg::VGT_ESGS_RING_ITEMSIZE);
  if (state.invocations == 0 || state.maxVertices == 0)
    return mismatch("geometry with {} invocations of {} vertices", state.invocations, state.maxVertices);

  const uint32_t mode = registerValue(registers, reg::VGT_GS_MODE);
  const bool isMerged = generation == Generation::Gfx9;
  if (VGT_GS_MODE::MODE.get(mode) != GeometryScenario || (VGT_GS_MODE::ONCHIP.get(mode) != 0) != isMerged)
    return mismatch("VGT_GS_MODE {:#x} is not that of a geometry shader", mode);
  const unsigned cutLimit = 1024u >> VGT_GS_MODE::CUT_MODE.get(mode);
  if (state.maxVertices > cutLimit)
    return mismatch("VGT_GS_MODE {:#x}: cuts among {} vertices, but there are {}", mode, cutLimit, state.maxVertices);

  DOVETAIL_CHECK(readOutputs(registers, state));
  DOVETAIL_CHECK(readGsvsRing(registers, state));
  if (isMerged) {
    DOVETAIL_CHECK(readMergedGroups(registers, state));
  } else {
    state.groupVertices = SeparateGroupVertices;
    state.groupPrimitives = std::clamp(SeparateGroupThreads / state.invocations, 1u, SeparateGroupPrimitives);
    state.esgsRingBytes = registerValue(registers, reg::VGT_ESGS_RING_SIZE) * RingGranule;
  }
  return state;
}

} // namespace dovetail::emulator
