// SPDX-License-Identifier: MIT
#include "tests/merge/parts_by_hand.h"
#include "parts/kinds/null_fragment.h"
#include "src/abi/target_info.h"
#include "src/isa/hazard_summary.h"
#include "src/isa/register_use.h"
#include "src/mc/disassembler.h"
#include "tests/merge/assembler.h"
#include <doctest/doctest.h>
#include <utility>

namespace dovetail::test {

using enum ValueKind;

void setCode(Part &part, std::string_view assembly) {
  part.code = assemble(assembly);
  auto disassembler = mc::Disassembler::forGpu(target().gpuName);
  REQUIRE(disassembler);
  auto instructions = (*disassembler)->decodeAll(part.code);
  REQUIRE(instructions);
  auto summary = isa::summarizeHazards(*instructions, target());
  REQUIRE(summary);
  part.hazards = *summary;
  const isa::RegisterUse use = isa::registersUsed(*instructions);
  part.usage.numberedSgprs = use.numberedSgprs;
  part.usage.specialSgprs = use.specialSgprs;
}

Part makePart(PartKind kind, std::string_view assembly) {
  Part part{};
  part.key = {kind, hashBytes(std::as_bytes(std::span(assembly)))};
  setCode(part, assembly);
  return part;
}

Part vertexProlog() {
  Part part = makePart(PartKind::VertexProlog, R"(
    s_getpc_b64 s[8:9]
    s_mov_b32 s8, s1
    s_load_dwordx4 s[12:15], s[8:9], 0x0
    v_add_u32_e32 v5, s2, v0
    s_waitcnt lgkmcnt(0)
    tbuffer_load_format_xy v[4:5], v5, s[12:15], 0 format:116 idxen
    s_waitcnt vmcnt(0)
  )");
  part.contract.inputs = {
      {valueOf(VertexBufferTable), sgpr(1)}, {valueOf(BaseVertex), sgpr(2)}, {valueOf(VertexId), vgpr(0)}};
  part.contract.outputs = {{valueOf(Attribute, 0, 0), vgpr(4)}, {valueOf(Attribute, 0, 1), vgpr(5)}};
  part.contract.preservedSgprs = 8;
  part.contract.preservedVgprs = 4;
  part.usage.sgprs = 18;
  part.usage.vgprs = 6;
  return part;
}

Part vertexMain() {
  Part part = makePart(PartKind::VertexMain, R"(
    v_mov_b32_e32 v6, 0
    v_mov_b32_e32 v7, 1.0
    exp pos0 v4, v5, v6, v7 done
    exp param0 v4, v5, off, off
    s_endpgm
  )");
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Vs;
  interface.userSgprCount = 4;
  interface.inputs = {{valueOf(GlobalTable), sgpr(0)},    {valueOf(VertexBufferTable), sgpr(1)},
                      {valueOf(BaseVertex), sgpr(2)},     {valueOf(BaseInstance), sgpr(3)},
                      {valueOf(ScratchOffset), sgpr(4)},  {valueOf(Attribute, 0, 0), vgpr(4)},
                      {valueOf(Attribute, 0, 1), vgpr(5)}};
  interface.vertex.inputs = {{0, 3, NumericClass::Float, 32}};
  interface.preRaster.parameters = {{3, 0}};
  interface.preRaster.positionExports = 1;
  part.contract.inputs = interface.inputs;
  part.contract.endsProgram = true;
  part.usage.sgprs = 8;
  part.usage.vgprs = 8;
  part.interface = interface;
  return part;
}

Part fragmentMain() {
  Part part = makePart(PartKind::FragmentMain, R"(
    s_mov_b32 m0, s2
    s_nop 0
    v_interp_p1_f32_e32 v2, v0, attr0.x
    v_interp_p1_f32_e32 v3, v0, attr0.y
    v_interp_p2_f32_e32 v2, v1, attr0.x
    v_interp_p2_f32_e32 v3, v1, attr0.y
    v_mov_b32_e32 v0, v2
    v_mov_b32_e32 v1, v3
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 1.0
  )");
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Ps;
  interface.userSgprCount = 2;
  interface.inputs = {{valueOf(GlobalTable), sgpr(0)},       {valueOf(AlphaReference), sgpr(1)},
                      {valueOf(PrimMask), sgpr(2)},          {valueOf(ScratchOffset), sgpr(3)},
                      {valueOf(PerspCenter, 0, 0), vgpr(0)}, {valueOf(PerspCenter, 0, 1), vgpr(1)}};
  interface.outputs = {{valueOf(GlobalTable), sgpr(0)}, {valueOf(AlphaReference), sgpr(1)},
                       {valueOf(Color, 0, 0), vgpr(0)}, {valueOf(Color, 0, 1), vgpr(1)},
                       {valueOf(Color, 0, 2), vgpr(2)}, {valueOf(Color, 0, 3), vgpr(3)}};
  interface.fragment.inputs = {{3, false, false}};
  interface.fragment.colors = {{0, 0, 0xf, NumericClass::Float}};
  part.contract.inputs = interface.inputs;
  part.contract.outputs = interface.outputs;
  part.usage.sgprs = 6;
  part.usage.vgprs = 4;
  part.usage.psInputEna = 0x2;
  part.usage.psInputAddr = 0x2;
  part.interface = interface;
  return part;
}

Part fragmentEpilog() {
  Part part = makePart(PartKind::FragmentEpilog, R"(
    v_cvt_pkrtz_f16_f32 v0, v0, v1
    v_cvt_pkrtz_f16_f32 v1, v2, v3
    exp mrt0 v0, v0, v1, v1 done compr vm
    s_endpgm
  )");
  part.contract.inputs = {{valueOf(Color, 0, 0), vgpr(0)},
                          {valueOf(Color, 0, 1), vgpr(1)},
                          {valueOf(Color, 0, 2), vgpr(2)},
                          {valueOf(Color, 0, 3), vgpr(3)}};
  part.contract.endsProgram = true;
  part.usage.sgprs = 4;
  part.usage.vgprs = 4;
  part.fragmentExports = FragmentExports{.colFormat = 4, .cbShaderMask = 0xf};
  return part;
}

Part computeMain(std::string_view assembly) {
  Part part = makePart(PartKind::ComputeMain, assembly);
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Cs;
  interface.userSgprCount = 16;
  interface.inputs.push_back({valueOf(GlobalTable), sgpr(0)});
  for (uint8_t i = 1; i < 16; ++i)
    interface.inputs.push_back({valueOf(PushConstant, uint8_t(i - 1)), sgpr(i)});
  interface.inputs.push_back({valueOf(LocalInvocationId), vgpr(0)});
  interface.compute.workgroupSize = {64, 1, 1};
  part.contract.endsProgram = true;
  part.usage.sgprs = 32;
  part.usage.vgprs = 16;
  part.interface = interface;
  return part;
}

Part computePiece(std::string_view assembly) {
  Part part = makePart(PartKind::Glue, assembly);
  part.usage.sgprs = 32;
  part.usage.vgprs = 16;
  return part;
}

std::vector<uint32_t> farBranch(int64_t distance) {
  return {0xbe841c00,                           // s_getpc_b64 s[4:5]
          0x8004ff04, uint32_t(distance),       // s_add_u32 s4, s4, low half
          0x8205ff05, uint32_t(distance >> 32), // s_addc_u32 s5, s5, high half
          0xbe801d04};                          // s_setpc_b64 s[4:5]
}

StageParts stageOf(HardwareStage stage, std::vector<Part> parts) {
  StageParts result;
  result.stage = stage;
  for (Part &part : parts)
    result.parts.push_back(std::make_shared<const Part>(std::move(part)));
  return result;
}

const TargetInfo &target() {
  return *findTarget("gfx900");
}

const PipelineState &state() {
  static const PipelineState state;
  return state;
}

StageParts nullFragmentStage() {
  StageParts stage{.stage = HardwareStage::Ps};
  stage.parts.push_back(makeNullFragment({std::string(target().gpuName)}).value());
  return stage;
}

Result<ImageRef> joinStages(std::vector<StageParts> stages, const PipelineState &pipelineState, UserDataNodes layout) {
  return join({stages, pipelineState, target(), {}, std::make_shared<const ResourceLayout>(std::move(layout))});
}

Result<ImageRef> joinCompute(std::vector<Part> parts) {
  return joinStages({stageOf(HardwareStage::Cs, std::move(parts))});
}

std::vector<StageParts> drawStages() {
  return {stageOf(HardwareStage::Vs, {vertexProlog(), vertexMain()}),
          stageOf(HardwareStage::Ps, {fragmentMain(), fragmentEpilog()})};
}

void replacePart(Image &image, unsigned index, const Part &part) {
  PartRef &place = image.parts[index].part;
  const PartRef old = std::exchange(place, std::make_shared<const Part>(part));
  for (ImageStage &stage : image.stages)
    if (old->fragmentExports && stage.fragmentExports == &*old->fragmentExports)
      stage.fragmentExports = &*place->fragmentExports;
}

} // namespace dovetail::test
