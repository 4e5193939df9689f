// SPDX-License-Identifier: MIT
//
// The hardware may test early if that cannot change the result: the shader neither kills pixels nor changes the tested
// values. Otherwise, EARLY_Z_THEN_LATE_Z adds an early test only to save work; so the emulator only tests late.
// Sources: the Vulkan specification, "Depth Test" and "Stencil Test"; Z_ORDER of AMD's register headers.
#include "tools/proof/emulator/draw/output/depth_stencil.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

constexpr uint32_t LateZ = 0;

bool compares(VkCompareOp op, float value, float stored) {
  switch (op) {
  case VK_COMPARE_OP_NEVER:
    return false;
  case VK_COMPARE_OP_LESS:
    return value < stored;
  case VK_COMPARE_OP_EQUAL:
    return value == stored;
  case VK_COMPARE_OP_LESS_OR_EQUAL:
    return value <= stored;
  case VK_COMPARE_OP_GREATER:
    return value > stored;
  case VK_COMPARE_OP_NOT_EQUAL:
    return value != stored;
  case VK_COMPARE_OP_GREATER_OR_EQUAL:
    return value >= stored;
  default:
    return true;
  }
}

} // namespace

DepthStencilTest::DepthStencilTest(const Scene &scene, const HardwareRegisters &registers) : m_scene(scene) {
  using namespace field::DB_SHADER_CONTROL;
  const uint32_t control = registerValue(registers, reg::DB_SHADER_CONTROL);
  const bool alphaToMask = scene.state.alphaToCoverageEnable && ALPHA_TO_MASK_DISABLE.get(control) == 0;
  const bool shaderDecides = KILL_ENABLE.get(control) != 0 || Z_EXPORT_ENABLE.get(control) != 0 ||
                             STENCIL_TEST_VAL_EXPORT_ENABLE.get(control) != 0 || MASK_EXPORT_ENABLE.get(control) != 0 ||
                             alphaToMask;
  m_isEarly = DEPTH_BEFORE_SHADER.get(control) != 0 || (Z_ORDER.get(control) != LateZ && !shaderDecides);
}

bool DepthStencilTest::test(Targets &targets, const SamplePlace &place, float depth, float minDepth, float maxDepth,
                            std::optional<uint8_t> stencil) const {
  if (m_scene.depthTestEnable && targets.hasDepth()) {
    depth = std::clamp(depth, 0.0f, 1.0f);
    if (m_scene.state.depthClampEnable)
      depth = std::clamp(depth, std::min(minDepth, maxDepth), std::max(minDepth, maxDepth));
    if (!compares(m_scene.depthCompareOp, targets.quantiseDepth(depth), targets.depth(place)))
      return false;
    if (m_scene.depthWriteEnable)
      targets.writeDepth(place, depth);
  }
  if (m_scene.stencilTestEnable && targets.hasStencil())
    targets.writeStencil(place, stencil.value_or(uint8_t(m_scene.stencilFront.reference)));
  return true;
}

} // namespace dovetail::emulator
