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

template <typename T> bool compares(VkCompareOp op, T value, T stored) {
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

uint8_t operate(VkStencilOp op, uint8_t stored, uint8_t reference) {
  switch (op) {
  case VK_STENCIL_OP_ZERO:
    return 0;
  case VK_STENCIL_OP_REPLACE:
    return reference;
  case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
    return stored == 0xff ? stored : uint8_t(stored + 1);
  case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
    return stored == 0 ? stored : uint8_t(stored - 1);
  case VK_STENCIL_OP_INVERT:
    return uint8_t(~stored);
  case VK_STENCIL_OP_INCREMENT_AND_WRAP:
    return uint8_t(stored + 1);
  case VK_STENCIL_OP_DECREMENT_AND_WRAP:
    return uint8_t(stored - 1);
  default:
    return stored;
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

bool DepthStencilTest::test(Targets &targets, const SamplePlace &place, const PixelPrimitive &primitive, float depth,
                            std::optional<uint8_t> exported) const {
  const bool testsStencil = m_scene.stencilTestEnable && targets.hasStencil();
  const SceneStencil &face = primitive.isFront ? m_scene.stencilFront : m_scene.stencilBack;
  const uint8_t stored = testsStencil ? targets.stencil(place) : 0;
  const uint8_t reference = exported.value_or(uint8_t(face.reference));
  auto updateStencil = [&](VkStencilOp op) {
    const auto mask = uint8_t(face.writeMask);
    if (testsStencil)
      targets.writeStencil(place, uint8_t((stored & ~mask) | (operate(op, stored, reference) & mask)));
  };
  if (testsStencil) {
    const auto mask = uint8_t(face.compareMask);
    if (!compares<uint8_t>(face.compareOp, reference & mask, stored & mask)) {
      updateStencil(face.failOp);
      return false;
    }
  }
  if (m_scene.depthTestEnable && targets.hasDepth()) {
    depth = std::clamp(depth, 0.0f, 1.0f);
    if (m_scene.state.depthClampEnable)
      depth = std::clamp(depth, std::min(primitive.minDepth, primitive.maxDepth),
                         std::max(primitive.minDepth, primitive.maxDepth));
    if (!compares(m_scene.depthCompareOp, targets.quantiseDepth(depth), targets.depth(place))) {
      updateStencil(face.depthFailOp);
      return false;
    }
    if (m_scene.depthWriteEnable)
      targets.writeDepth(place, depth);
  }
  updateStencil(face.passOp);
  return true;
}

} // namespace dovetail::emulator
