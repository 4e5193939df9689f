// SPDX-License-Identifier: MIT
#include "tests/gfx9-merged/halves_by_hand.h"
#include <doctest/doctest.h>
#include <fmt/format.h>

namespace dovetail::test {

using enum ValueKind;

namespace {

// Puts the address of the lane's record into a VGPR.
std::string recordAddress(unsigned vgpr, unsigned baseSgpr) {
  return fmt::format("v_mbcnt_lo_u32_b32 v{0}, -1, 0\n v_mbcnt_hi_u32_b32 v{0}, -1, v{0}\n"
                     "v_lshlrev_b32_e32 v{0}, 6, v{0}\n v_add_u32_e32 v{0}, s{1}, v{0}\n",
                     vgpr, baseSgpr);
}

std::string writeVgpr(unsigned address, unsigned vgpr, unsigned dword) {
  return fmt::format("ds_write_b32 v{}, v{} offset:{}\n", address, vgpr, dword * 4);
}

std::string writeSgpr(unsigned address, unsigned temporary, unsigned sgprIndex, unsigned dword) {
  return fmt::format("v_mov_b32_e32 v{}, s{}\n", temporary, sgprIndex) + writeVgpr(address, temporary, dword) +
         "s_waitcnt lgkmcnt(0)\n";
}

// Leaves other values in the registers that it uses, as a main part does.
std::string clobber(unsigned sgprs, unsigned vgprs) {
  std::string text = "s_waitcnt lgkmcnt(0)\n";
  for (unsigned i = 1; i < sgprs; ++i)
    text += fmt::format("s_movk_i32 s{}, 0x{:x}\n", i, 0x7700 + i);
  for (unsigned i = 0; i < vgprs; ++i)
    text += fmt::format("v_mov_b32_e32 v{}, 0x{:x}\n", i, 0x5500 + i);
  return text;
}

Part half(PartKind kind, HardwareStage stage, const std::string &assembly, std::vector<Binding> inputs,
          unsigned userSgprs, unsigned vgprs) {
  Part part = makePart(kind, assembly);
  ShaderInterface interface;
  interface.hardwareStage = stage;
  interface.userSgprCount = userSgprs;
  interface.inputs = std::move(inputs);
  part.contract.inputs = interface.inputs;
  part.usage.sgprs = uint16_t(part.usage.numberedSgprs + 2);
  part.usage.vgprs = uint16_t(vgprs);
  part.interface = interface;
  return part;
}

// A first half hands on the global table to the next part.
void handOn(Part &part) {
  part.contract.outputs = {{valueOf(GlobalTable), sgpr(0)}};
  part.interface->outputs = part.contract.outputs;
}

} // namespace

Part lsHalf() {
  std::string text = recordAddress(4, 1) + writeVgpr(4, 0, 0) + writeVgpr(4, 1, 1) + writeVgpr(4, 3, 2);
  text +=
      writeSgpr(4, 5, 1, 3) + "s_getreg_b32 s6, hwreg(HW_REG_MODE, 0, 8)\n" + writeSgpr(4, 5, 6, 4) + clobber(16, 10);
  Part part = half(PartKind::VertexMain, HardwareStage::Ls, text,
                   {{valueOf(GlobalTable), sgpr(0)},
                    {valueOf(PushConstant, 0), sgpr(1)},
                    {valueOf(ScratchOffset), sgpr(2)},
                    {valueOf(VertexId), vgpr(0)},
                    {valueOf(RelVertexId), vgpr(1)},
                    {valueOf(InstanceId), vgpr(3)}},
                   2, 10);
  part.interface->vertex.usesInstanceId = true;
  part.interface->outputSlots = 3;
  handOn(part);
  return part;
}

Part hsHalf() {
  std::string text = recordAddress(3, 1) + writeVgpr(3, 0, 0) + writeVgpr(3, 1, 1);
  const unsigned sgprs[] = {0, 2, 3, 4};
  for (unsigned i = 0; i < 4; ++i)
    text += writeSgpr(3, 4, sgprs[i], 2 + i);
  text += "s_getreg_b32 s6, hwreg(HW_REG_MODE, 0, 8)\n" + writeSgpr(3, 4, 6, 6);
  text += recordAddress(5, 2) + "ds_read_b32 v5, v5\n s_waitcnt lgkmcnt(0)\n" + writeVgpr(3, 5, 7) + "s_endpgm\n";
  Part part = half(PartKind::TessControlMain, HardwareStage::Hs, text,
                   {{valueOf(GlobalTable), sgpr(0)},
                    {valueOf(PushConstant, 1), sgpr(1)},
                    {valueOf(PushConstant, 2), sgpr(2)},
                    {valueOf(OffchipOffset), sgpr(3)},
                    {valueOf(TessFactorOffset), sgpr(4)},
                    {valueOf(ScratchOffset), sgpr(5)},
                    {valueOf(PatchId), vgpr(0)},
                    {valueOf(RelIds), vgpr(1)}},
                   3, 6);
  part.contract.endsProgram = true;
  part.interface->inputSlots = 3;
  part.interface->outputSlots = 1;
  part.interface->preRaster.usesPrimitiveId = true;
  part.interface->tessellation.outputVertices = 3;
  return part;
}

Part esHalf() {
  std::string text =
      recordAddress(4, 1) + writeVgpr(4, 0, 0) + writeVgpr(4, 3, 1) + writeSgpr(4, 5, 2, 2) + clobber(16, 10);
  Part part = half(PartKind::VertexMain, HardwareStage::Es, text,
                   {{valueOf(GlobalTable), sgpr(0)},
                    {valueOf(PushConstant, 0), sgpr(1)},
                    {valueOf(Es2GsOffset), sgpr(2)},
                    {valueOf(ScratchOffset), sgpr(3)},
                    {valueOf(VertexId), vgpr(0)},
                    {valueOf(InstanceId), vgpr(3)}},
                   2, 10);
  part.interface->vertex.usesInstanceId = true;
  part.interface->outputSlots = 3;
  handOn(part);
  return part;
}

Part tessEvalEsHalf() {
  std::string text = recordAddress(4, 1);
  for (unsigned i = 0; i < 4; ++i)
    text += writeVgpr(4, i, i);
  text += writeSgpr(4, 5, 2, 4) + writeSgpr(4, 5, 4, 5) + clobber(8, 6);
  Part part = half(PartKind::TessEvalMain, HardwareStage::Es, text,
                   {{valueOf(GlobalTable), sgpr(0)},
                    {valueOf(PushConstant, 0), sgpr(1)},
                    {valueOf(OffchipOffset), sgpr(2)},
                    {valueOf(Es2GsOffset), sgpr(4)},
                    {valueOf(TessCoord, 0), vgpr(0)},
                    {valueOf(TessCoord, 1), vgpr(1)},
                    {valueOf(RelPatchId), vgpr(2)},
                    {valueOf(PatchId), vgpr(3)}},
                   2, 6);
  part.interface->source = VertexSource::TessEval;
  part.interface->tessellation.primitive = TessPrimitive::Triangles;
  part.interface->outputSlots = 3;
  handOn(part);
  return part;
}

Part gsHalf() {
  std::string text = recordAddress(8, 1);
  for (unsigned i = 0; i < 8; ++i)
    text += writeVgpr(8, i, i);
  text += writeSgpr(8, 9, 2, 8) + writeSgpr(8, 9, 3, 9);
  text += "s_mov_b32 m0, s3\n s_nop 0\n s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n s_endpgm\n";
  Part part = half(PartKind::GeometryMain, HardwareStage::Gs, text,
                   {{valueOf(GlobalTable), sgpr(0)},
                    {valueOf(PushConstant, 1), sgpr(1)},
                    {valueOf(Gs2VsOffset), sgpr(2)},
                    {valueOf(GsWaveId), sgpr(3)},
                    {valueOf(GsVertexOffset, 0), vgpr(0)},
                    {valueOf(GsVertexOffset, 1), vgpr(1)},
                    {valueOf(GsPrimitiveId), vgpr(2)},
                    {valueOf(GsVertexOffset, 2), vgpr(3)},
                    {valueOf(GsVertexOffset, 3), vgpr(4)},
                    {valueOf(GsVertexOffset, 4), vgpr(5)},
                    {valueOf(GsVertexOffset, 5), vgpr(6)},
                    {valueOf(GsInvocationId), vgpr(7)}},
                   2, 10);
  part.contract.endsProgram = true;
  part.interface->inputSlots = 3;
  part.interface->geometry.input = GeometryInput::TrianglesAdjacency;
  part.interface->geometry.maxVertices = 4;
  part.interface->geometry.outputs = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};
  part.interface->geometry.usesPrimitiveId = part.interface->geometry.usesInvocationId = true;
  return part;
}

Part tessEvalMain() {
  Part part =
      half(PartKind::TessEvalMain, HardwareStage::Vs, "v_mov_b32_e32 v2, 0\n exp pos0 v0, v1, v2, v2 done\n s_endpgm\n",
           {{valueOf(GlobalTable), sgpr(0)},
            {valueOf(StreamoutConfig), sgpr(1)},
            {valueOf(OffchipOffset), sgpr(2)},
            {valueOf(TessCoord, 0), vgpr(0)},
            {valueOf(TessCoord, 1), vgpr(1)}},
           1, 4);
  part.contract.endsProgram = true;
  part.interface->source = VertexSource::TessEval;
  part.interface->inputSlots = 1;
  part.interface->tessellation.primitive = TessPrimitive::Triangles;
  part.interface->preRaster.positionExports = 1;
  return part;
}

Part copyMain() {
  Part part =
      half(PartKind::GeometryCopy, HardwareStage::Vs, "v_mov_b32_e32 v1, 0\n exp pos0 v0, v1, v1, v1 done\n s_endpgm\n",
           {{valueOf(GlobalTable), sgpr(0)}, {valueOf(VertexId), vgpr(0)}}, 1, 2);
  part.contract.endsProgram = true;
  part.interface->preRaster.positionExports = 1;
  return part;
}

PartRef share(Part part) {
  return std::make_shared<const Part>(std::move(part));
}

TargetInfo mergedTarget(bool hasLsVgprInitBug) {
  TargetInfo result = target();
  result.hasLsVgprInitBug = hasLsVgprInitBug;
  return result;
}

StageParts merge(HardwareStage stage, std::vector<Part> first, std::vector<Part> second, const TargetInfo &target) {
  std::vector<PartRef> firstParts, secondParts;
  for (Part &part : first)
    firstParts.push_back(share(std::move(part)));
  for (Part &part : second)
    secondParts.push_back(share(std::move(part)));
  PartCache cache;
  Result<StageParts> merged = mergeHalves(stage, firstParts, secondParts, target, cache);
  INFO((merged ? std::string() : merged.error().text));
  REQUIRE(merged);
  return *merged;
}

Result<ImageRef> joinMerged(StageParts merged, const TargetInfo &target) {
  std::vector<StageParts> stages = {merged};
  stages.push_back(stageOf(HardwareStage::Vs, {merged.stage == HardwareStage::Hs ? tessEvalMain() : copyMain()}));
  stages.push_back(nullFragmentStage());
  const UserDataNodes layout = {{UserDataNodeType::PushConstants, 0, 0, 0, 4}};
  return join({stages, state(), target, {}, std::make_shared<const ResourceLayout>(layout)});
}

} // namespace dovetail::test
