// SPDX-License-Identifier: MIT
//
// RADV uploads tables for a draw near the beginning of a memory of their own, so their pointers are small numbers that
// look alike. RADV's order tells them apart (radv_shader_args.c, radv_declare_shader_args): the table of vertex buffers
// comes in front of the first vertex, then the sets or the table of their pointers, then push constants, and the table
// of transform feedback last.
#include "tools/proof/radv/radv_user_data.h"
#include "src/abi/registers/registers.h"
#include <array>
#include <optional>

namespace dovetail {

namespace {

using Kind = RadvUserSgpr::Kind;

constexpr uint32_t MaxPushConstants = 64; // dwords

// The meaning of a value that is a mark itself.
std::optional<RadvUserSgpr> readMark(uint32_t value) {
  switch (value) {
  case marked::FirstVertex:
    return RadvUserSgpr{Kind::BaseVertex};
  case marked::FirstInstance:
    return RadvUserSgpr{Kind::BaseInstance};
  case marked::LastDraw:
    return RadvUserSgpr{Kind::DrawId};
  case marked::GridSizeAddress:
    return RadvUserSgpr{Kind::GridSizeLow};
  default:
    break;
  }
  if (value >= marked::FirstPushConstant && value < marked::FirstPushConstant + MaxPushConstants)
    return RadvUserSgpr{Kind::PushConstant, value - marked::FirstPushConstant};
  const uint32_t part = value / marked::DescriptorSetPart;
  if (part >= 1 && part <= marked::MaxDescriptorSets)
    return RadvUserSgpr{Kind::DescriptorSet, part - 1};
  return std::nullopt;
}

} // namespace

RadvProgramRegisters registersOf(HardwareStage stage, bool isMerged) {
  switch (stage) {
  case HardwareStage::Ls:
    return {reg::SPI_SHADER_PGM_LO_LS, reg::SPI_SHADER_PGM_RSRC1_LS, reg::SPI_SHADER_PGM_RSRC2_LS,
            reg::SPI_SHADER_USER_DATA_LS_0};
  case HardwareStage::Hs:
    return {isMerged ? reg::SPI_SHADER_PGM_LO_LS_GFX9 : reg::SPI_SHADER_PGM_LO_HS, reg::SPI_SHADER_PGM_RSRC1_HS,
            reg::SPI_SHADER_PGM_RSRC2_HS, reg::SPI_SHADER_USER_DATA_HS_0};
  case HardwareStage::Es:
    return {reg::SPI_SHADER_PGM_LO_ES, reg::SPI_SHADER_PGM_RSRC1_ES, reg::SPI_SHADER_PGM_RSRC2_ES,
            reg::SPI_SHADER_USER_DATA_ES_0};
  case HardwareStage::Gs:
    return {isMerged ? reg::SPI_SHADER_PGM_LO_ES_GFX9 : reg::SPI_SHADER_PGM_LO_GS, reg::SPI_SHADER_PGM_RSRC1_GS,
            reg::SPI_SHADER_PGM_RSRC2_GS, isMerged ? reg::SPI_SHADER_USER_DATA_ES_0 : reg::SPI_SHADER_USER_DATA_GS_0};
  case HardwareStage::Vs:
    return {reg::SPI_SHADER_PGM_LO_VS, reg::SPI_SHADER_PGM_RSRC1_VS, reg::SPI_SHADER_PGM_RSRC2_VS,
            reg::SPI_SHADER_USER_DATA_VS_0};
  case HardwareStage::Ps:
    return {reg::SPI_SHADER_PGM_LO_PS, reg::SPI_SHADER_PGM_RSRC1_PS, reg::SPI_SHADER_PGM_RSRC2_PS,
            reg::SPI_SHADER_USER_DATA_PS_0};
  case HardwareStage::Cs:
    break;
  }
  return {reg::COMPUTE_PGM_LO, reg::COMPUTE_PGM_RSRC1, reg::COMPUTE_PGM_RSRC2, reg::COMPUTE_USER_DATA_0};
}

Result<std::vector<RadvUserSgpr>> readUserSgprs(const RadvProgramFacts &program, const RegisterValues &registers) {
  using namespace field::SPI_SHADER_PGM_RSRC2_VS; // the same in all stages
  const RadvProgramRegisters of = registersOf(program.stage, program.isMerged);
  auto valueOf = [&](uint32_t address) -> std::optional<uint32_t> {
    auto found = registers.find(address);
    return found == registers.end() ? std::nullopt : std::optional(found->second);
  };
  const uint32_t rsrc2 = valueOf(of.rsrc2).value_or(0);
  const uint32_t count = USER_SGPR.get(rsrc2) | USER_SGPR_MSB.get(rsrc2) << 5;

  std::vector<RadvUserSgpr> sgprs;
  if (!program.isMerged) // merged programs have it in s[0:1], and their user SGPRs from s8 on
    sgprs = {{Kind::RingTableLow}, {Kind::RingTableHigh}};
  bool hasSets = !program.usesSets;
  for (uint32_t i = uint32_t(sgprs.size()); i < count; ++i) {
    const std::optional<uint32_t> value = valueOf(of.userData + i);
    if (!value)
      return makeError(ErrorCode::CheckFailed, "RADV writes nothing into user SGPR {} of {} of its {} program", i,
                       count, toString(program.stage));
    const std::optional<RadvUserSgpr> mark = readMark(*value);
    if (!sgprs.empty() && sgprs.back().kind == Kind::GridSizeLow)
      sgprs.push_back({Kind::GridSizeHigh});
    else if (mark)
      sgprs.push_back(*mark);
    else if (i + 1 < count && valueOf(of.userData + i + 1) == marked::FirstVertex)
      sgprs.push_back({Kind::VertexBuffers});
    else if (program.writesXfb && i + 1 == count)
      sgprs.push_back({Kind::StreamoutTable});
    else if (!hasSets)
      sgprs.push_back({Kind::DescriptorSetTable});
    else
      sgprs.push_back({Kind::PushConstantTable});
    hasSets |= sgprs.back().kind == Kind::DescriptorSet || sgprs.back().kind == Kind::DescriptorSetTable;
  }
  return sgprs;
}

} // namespace dovetail
