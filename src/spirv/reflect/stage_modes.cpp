// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/stage_modes.h"
#include "src/spirv/module/visible_module.h"

namespace dovetail::spirv {

namespace {

constexpr uint32_t MaxGeometryVertices = 256;    // Vulkan's maxGeometryOutputVertices of every AMD driver
constexpr uint32_t MaxGeometryInvocations = 127; // VGT_GS_INSTANCE_CNT has 7 bits

lgc::FpDenormMode &denormMode(lgc::CommonShaderMode &mode, uint32_t width) {
  return width == 16 ? mode.fp16DenormMode : width == 64 ? mode.fp64DenormMode : mode.fp32DenormMode;
}

lgc::FpRoundMode &roundMode(lgc::CommonShaderMode &mode, uint32_t width) {
  return width == 16 ? mode.fp16RoundMode : width == 64 ? mode.fp64RoundMode : mode.fp32RoundMode;
}

} // namespace

std::optional<lgc::ShaderStage> stageOf(spv::ExecutionModel model) {
  static_assert(unsigned(spv::ExecutionModel::GLCompute) == unsigned(lgc::ShaderStage::Compute)); // the same order
  return model <= spv::ExecutionModel::GLCompute ? std::optional(static_cast<lgc::ShaderStage>(model)) : std::nullopt;
}

Result<const EntryPoint *> findEntryPoint(const Module &module, std::string_view name, lgc::ShaderStage stage) {
  for (const EntryPoint &entry : module.entryPoints)
    if (entry.name == name && stageOf(entry.model) == stage)
      return &entry;
  return makeError(ErrorCode::InvalidInput, "the module has no entry point \"{}\" of the wanted stage", name);
}

Result<bool> takeMode(const ExecutionMode &mode, lgc::ShaderModes &modes) {
  using enum spv::ExecutionMode;
  const bool isGeometry = modes.stage == lgc::ShaderStage::Geometry;
  const uint32_t operand = mode.operands.empty() ? 0 : mode.operands[0];
  const auto outOfRange = [&](std::string_view what, uint32_t most) {
    return makeError(ErrorCode::Unsupported, "OpExecutionMode at word {}: {} {} are not supported (at most {})",
                     mode.wordOffset, operand, what, most);
  };
  switch (uint32_t(mode.mode)) { // not all modes are in the header's enumeration (visible_module.h)
#define SPIRV_IGNORED(mode)                                                                                            \
  case uint32_t(mode):                                                                                                 \
    return true;
#define SPIRV_MODE(mode, ...)                                                                                          \
  case uint32_t(mode):                                                                                                 \
    __VA_ARGS__;                                                                                                       \
    return true;
#include "src/spirv/reflect/execution_modes.def"
#undef SPIRV_MODE
#undef SPIRV_IGNORED
  // The shape of a patch, or the input primitive.
  case uint32_t(Triangles):
    if (isGeometry)
      modes.geometry.input = GeometryInput::Triangles;
    else
      modes.tessellation.primitive = TessPrimitive::Triangles;
    return true;
  // The size of the output patch, or the most vertices that are emitted.
  case uint32_t(OutputVertices):
    if (const uint32_t most = isGeometry ? MaxGeometryVertices : MaxPatchVertices; operand > most)
      return outOfRange("output vertices", most);
    (isGeometry ? modes.geometry.maxVertices : modes.tessellation.outputVertices) = operand;
    return true;
  case uint32_t(Invocations):
    if (operand > MaxGeometryInvocations)
      return outOfRange("invocations", MaxGeometryInvocations);
    modes.geometry.invocations = operand;
    return true;
  default:
    return false;
  }
}

} // namespace dovetail::spirv
