// SPDX-License-Identifier: MIT
#include "tests/radv/registers/driver_grouping.h"

namespace dovetail {

namespace {

bool isStrip(VkPrimitiveTopology topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY ||
         topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

// Whether the work must not be spread over the engines by groups of primitives.
bool switchesAtEndOfPacket(const RegisterComparison &comparison) {
  const VkPrimitiveTopology topology = comparison.state.topology;
  if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN || topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
    return true;
  if (!comparison.primitiveRestart)
    return false;
  // Polaris is the first GPU whose engines can restart primitives of these topologies. (radeonsi: strips of triangles,
  // too.)
  const bool isBeforePolaris = !comparison.target.hasMergedStages && !comparison.family.starts_with("polaris");
  return isBeforePolaris ||
         (topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST && topology != VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
}

} // namespace

uint32_t groupingRegister(const TargetInfo &target) {
  return target.hasMergedStages ? reg::IA_MULTI_VGT_PARAM : reg::IA_MULTI_VGT_PARAM_GFX8;
}

uint32_t groupingOfDraw(const RegisterComparison &comparison, uint32_t ofImage) {
  using namespace field::IA_MULTI_VGT_PARAM;
  uint32_t added = 0;
  if (switchesAtEndOfPacket(comparison))
    added |= WD_SWITCH_ON_EOP(1);
  else
    added |= SWITCH_ON_EOI(1); // of four engines
  const bool isGfx8 = !comparison.target.hasMergedStages;
  if (isGfx8 && SWITCH_ON_EOI.get(ofImage | added) != 0) {
    added |= PARTIAL_ES_WAVE_ON(1);
    if (comparison.image.findStage(HardwareStage::Gs))
      added |= PARTIAL_VS_WAVE_ON(1);
  }
  if (comparison.primitiveRestart && isStrip(comparison.state.topology))
    added |= PARTIAL_VS_WAVE_ON(1); // otherwise the front end hangs
  return added;
}

} // namespace dovetail
