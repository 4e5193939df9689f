// SPDX-License-Identifier: MIT
#include "variants/optimize/inlinable_uniforms.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/optimize/find_inlinable_uniforms.h"
#include "src/spirv/translate/translate.h"
#include <algorithm>
#include <llvm/IR/LLVMContext.h>

namespace dovetail {

namespace {

// Whether bytes [offset, offset + 4) touch a member, including elements of runtime arrays.
bool touches(const spirv::BlockMember &member, uint64_t offset) {
  const uint64_t component = member.bits / 8;
  const uint32_t vectors = member.rowMajor ? member.rows : member.columns;
  const uint64_t vectorBytes = component * (member.rowMajor ? member.columns : member.rows);
  if (offset + 4 <= member.offset)
    return false;
  uint64_t at = offset < member.offset ? 0 : offset - member.offset;
  for (const spirv::ArrayDimension &dimension : member.arrays) {
    if (dimension.stride == 0)
      return false;
    if (dimension.count && at / dimension.stride >= dimension.count)
      return false;
    at %= dimension.stride;
  }
  const uint64_t stride = vectors > 1 ? member.matrixStride : vectorBytes;
  return stride && at / stride < vectors && at % stride < vectorBytes;
}

bool touchAny(const std::vector<spirv::BlockMember> &members, uint32_t offset) {
  return std::ranges::any_of(members, [&](const spirv::BlockMember &member) { return touches(member, offset); });
}

bool isUniformBuffer(const spirv::Reflection &shader, uint32_t set, uint32_t binding) {
  bool isFound = false;
  for (const spirv::DescriptorBinding &descriptor : shader.descriptors) {
    if (descriptor.set != set || descriptor.binding != binding)
      continue;
    if (descriptor.kind != spirv::DescriptorKind::UniformBuffer)
      return false; // a storage buffer at the same place may write it
    isFound = true;
  }
  return isFound;
}

} // namespace

std::vector<InlinableUniform> uniformsReachedBy(const spirv::Reflection &shader,
                                                std::span<const InlinableUniform> values) {
  std::vector<InlinableUniform> reached;
  std::ranges::copy_if(values, std::back_inserter(reached), [&](const InlinableUniform &value) {
    if (value.place == InlinableUniform::Place::PushConstants)
      return touchAny(shader.pushConstants, value.offset);
    return isUniformBuffer(shader, value.set, value.binding) &&
           std::ranges::any_of(shader.descriptors, [&](const spirv::DescriptorBinding &descriptor) {
             return descriptor.set == value.set && descriptor.binding == value.binding &&
                    touchAny(descriptor.members, value.offset);
           });
  });
  return reached;
}

Result<std::vector<UniformPlace>> inlinableUniforms(const Shader &shader, unsigned limit) {
  lgc::BuilderContext::initialize();
  llvm::LLVMContext context;
  // The result does not depend on the GPU, so any GPU will do.
  std::unique_ptr<lgc::BuilderContext> builderContext = DOVETAIL_TRY(lgc::BuilderContext::create(context, "gfx900"));
  spirv::TranslateOptions options;
  options.entryPoint = shader.description.entryPoint;
  options.stage = shader.description.stage;
  options.environment = shader.description.environment;
  options.specConstants = shader.description.specConstants;
  auto module = spirv::translate(shader.description.words, options, *builderContext);
  if (!module)
    return makeError(module.error().code, "{}: {}", shader.description.name, module.error().text);
  DOVETAIL_CHECK(lgc::verifyStructure(**module, "when it is translated"));
  return lgc::findInlinableUniforms(**module, limit, [&](uint32_t set, uint32_t binding) {
    return isUniformBuffer(shader.reflection, set, binding);
  });
}

} // namespace dovetail
