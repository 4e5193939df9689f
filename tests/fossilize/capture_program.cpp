// SPDX-License-Identifier: MIT
#include "tests/fossilize/capture_program.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/inputs/glsl.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <stdexcept>

namespace dovetail {

namespace {

using spirv::DescriptorKind;

VkDescriptorType typeOf(DescriptorKind kind) {
  switch (kind) {
  case DescriptorKind::UniformBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  case DescriptorKind::StorageBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  case DescriptorKind::UniformTexelBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  case DescriptorKind::StorageTexelBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  case DescriptorKind::SampledImage:
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  case DescriptorKind::StorageImage:
    return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  case DescriptorKind::InputAttachment:
    return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  case DescriptorKind::Sampler:
    return VK_DESCRIPTOR_TYPE_SAMPLER;
  case DescriptorKind::CombinedImageSampler:
    return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  }
  return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

VkShaderStageFlagBits bitOf(lgc::ShaderStage stage) {
  constexpr VkShaderStageFlagBits Bits[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                            VK_SHADER_STAGE_GEOMETRY_BIT,
                                            VK_SHADER_STAGE_FRAGMENT_BIT,
                                            VK_SHADER_STAGE_COMPUTE_BIT};
  return Bits[size_t(stage)];
}

template <typename Value> Value must(Result<Value> result) {
  if (!result)
    throw std::runtime_error(result.error().text);
  return std::move(*result);
}

ShaderRef shaderOf(lgc::ShaderStage stage, const char *text, std::vector<spirv::SpecConstant> constants = {}) {
  return must(
      createShader({"test", must(translateGlsl({{stage, "test", text}})).front(), "main", stage, constants, {}}));
}

} // namespace

CapturedProgram::CapturedProgram(const std::vector<ShaderRef> &refs) {
  for (const ShaderRef &shader : refs) {
    pushConstantBytes = std::max(pushConstantBytes, shader->reflection.pushConstantBytes);
    for (const spirv::DescriptorBinding &descriptor : shader->reflection.descriptors) {
      if (layouts.size() <= descriptor.set)
        layouts.resize(descriptor.set + 1);
      auto &bindings = layouts[descriptor.set].bindings;
      if (std::ranges::find(bindings, descriptor.binding, &fossilize::LayoutBinding::binding) == bindings.end())
        bindings.push_back({typeOf(descriptor.kind), descriptor.arraySize ? descriptor.arraySize : RuntimeArrayElements,
                            VK_SHADER_STAGE_ALL, descriptor.binding, std::nullopt});
    }
  }
  fossilize::PipelineLayout layout;
  layout.pushConstantRanges.push_back({VK_SHADER_STAGE_ALL, pushConstantBytes, 0});
  std::vector<const fossilize::DescriptorSetLayout *> sets;
  for (const fossilize::DescriptorSetLayout &set : layouts)
    sets.push_back(&set);
  shaders = must(makeShaderSet(refs, must(fossilize::layOutRootTable(layout, sets)).nodes));
}

fossilize::CapturedPipeline CapturedProgram::capture(const PipelineState &state) const {
  fossilize::CapturedPipeline captured;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader)
      continue;
    const ShaderDescription &from = shader->description;
    fossilize::CapturedStage &stage = captured.stages.emplace_back();
    stage = {bitOf(from.stage), from.words, from.entryPoint, {}};
    for (const spirv::SpecConstant &constant : from.specConstants)
      stage.specConstants.push_back({constant.id, constant.value});
  }
  for (const fossilize::DescriptorSetLayout &layout : layouts)
    captured.setLayouts.push_back({&layout});
  captured.pushConstantBytes = pushConstantBytes;
  captured.state = state;
  return captured;
}

std::vector<ShaderRef> simpleShaders() {
  return {shaderOf(lgc::ShaderStage::Vertex, R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
layout(constant_id = 3) const int times = 1;
layout(set = 0, binding = 1) uniform Block { vec4 offset; };
layout(push_constant) uniform Constants { mat4 matrix; };
void main() { gl_Position = matrix * position + offset * times; place = position.xy; }
)",
                   {{3, 2}}),
          shaderOf(lgc::ShaderStage::Fragment, R"(#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(constant_id = 7) const float bright = 1;
layout(set = 1, binding = 0) uniform sampler2D image;
void main() { color = texture(image, place) * bright; }
)",
                   {{7, 0x3f000000}})};
}

ShaderRef simpleComputeShader() {
  return shaderOf(lgc::ShaderStage::Compute, R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] *= 3; }
)");
}

} // namespace dovetail
