// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/root_table.h"
#include "src/state/ycbcr_conversion.h"
#include "tools/common/fossilize/sampler_words.h"
#include <algorithm>

namespace dovetail::fossilize {

namespace {

constexpr uint64_t MaxTableDwords = uint64_t(64) << 20;
// In layouts of up to so many sets, push constants begin at the same place.
constexpr uint32_t RootSets = 8;
// The longest array in which an index can select (src/lgc/lowering/lower_user_data.cpp).
constexpr size_t MaxImmutableSamplers = 64;

constexpr uint32_t SamplerDwords = 4;

struct Shape {
  UserDataNodeType type;
  uint32_t dwords;
};

Shape shapeOf(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return {UserDataNodeType::Sampler, SamplerDwords};
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return {UserDataNodeType::CombinedImageSampler, 12};
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return {UserDataNodeType::Image, 8};
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return {UserDataNodeType::TexelBuffer, 4};
  default: // a type without a node of its own gets a node that fits no shader
    return {UserDataNodeType::Buffer, 4};
  }
}

// The descriptors of a binding's immutable samplers; none if the samplers have their place in the set.
std::vector<uint32_t> immutableWords(const LayoutBinding &binding, const Samplers &samplers) {
  const bool hasSampler = binding.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                          binding.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  std::vector<uint32_t> words;
  if (!hasSampler || !binding.immutableSamplers || binding.immutableSamplers->size() != binding.descriptorCount ||
      binding.descriptorCount > MaxImmutableSamplers)
    return words;
  for (ObjectHash hash : *binding.immutableSamplers) {
    const auto found = samplers.find(hash);
    if (found == samplers.end())
      return {};
    std::ranges::copy(samplerWords(found->second), std::back_inserter(words));
  }
  return words;
}

Result<YcbcrConversion> conversionOf(const Sampler &sampler) {
  if (!sampler.ycbcrConversion)
    return ycbcrConversionOf(toDword(YcbcrConversion()));
  const SamplerYcbcrConversion &from = *sampler.ycbcrConversion;
  std::array<VkComponentSwizzle, 4> components = {};
  for (size_t i = 0; i < std::min(components.size(), from.components.size()); ++i)
    components[i] = VkComponentSwizzle(std::min<uint32_t>(from.components[i], VK_COMPONENT_SWIZZLE_MAX_ENUM));
  const VkSamplerYcbcrConversionCreateInfo info = {
      .format = from.format,
      .ycbcrModel = from.ycbcrModel,
      .ycbcrRange = from.ycbcrRange,
      .components = {components[0], components[1], components[2], components[3]},
      .xChromaOffset = from.xChromaOffset,
      .yChromaOffset = from.yChromaOffset,
      .chromaFilter = from.chromaFilter,
      .forceExplicitReconstruction = from.forceExplicitReconstruction};
  return ycbcrConversionOf(info, sampler.magFilter, sampler.minFilter);
}

// The conversions of a binding's immutable samplers; none if no sampler converts. An unknown sampler does not convert.
Result<std::vector<YcbcrConversion>> conversionsOf(const LayoutBinding &binding, const Samplers &samplers) {
  std::vector<YcbcrConversion> conversions;
  bool converts = false;
  for (ObjectHash hash : binding.immutableSamplers.value_or(std::vector<ObjectHash>())) {
    const auto found = samplers.find(hash);
    const Sampler sampler = found != samplers.end() ? found->second : Sampler();
    converts |= sampler.ycbcrConversion.has_value();
    conversions.push_back(DOVETAIL_TRY(conversionOf(sampler)));
  }
  if (!converts)
    conversions.clear();
  return conversions;
}

} // namespace

Result<RootTable> layOutRootTable(const PipelineLayout &layout, const std::vector<const DescriptorSetLayout *> &sets,
                                  const Samplers &samplers) {
  RootTable table;
  UserDataNodes &nodes = table.nodes;
  UserDataNodes elements;
  for (uint32_t set = 0; set < sets.size(); ++set) {
    if (!sets[set])
      continue;
    std::vector<LayoutBinding> bindings = sets[set]->bindings;
    std::ranges::stable_sort(bindings, {}, &LayoutBinding::binding);
    uint64_t offset = 0;
    for (const LayoutBinding &binding : bindings) {
      if (binding.descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
        return makeError(ErrorCode::Unsupported, "set {} binding {}: a mutable descriptor", set, binding.binding);
      Shape shape = shapeOf(binding.descriptorType);
      const uint64_t count =
          binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : binding.descriptorCount;
      const Result<std::vector<YcbcrConversion>> conversions = conversionsOf(binding, samplers);
      if (!conversions)
        return makeError(conversions.error().code, "set {} binding {}: {}", set, binding.binding,
                         conversions.error().text);
      if (!conversions->empty())
        elements.push_back({UserDataNodeType::YcbcrConversion, set, binding.binding,
                            uint32_t(table.immutableSamplers.size()), uint32_t(conversions->size()), 1});
      for (const YcbcrConversion &conversion : *conversions)
        table.immutableSamplers.push_back(toDword(conversion));
      if (const std::vector<uint32_t> words = immutableWords(binding, samplers); !words.empty()) {
        elements.push_back({UserDataNodeType::ImmutableSampler, set, binding.binding,
                            uint32_t(table.immutableSamplers.size()), uint32_t(words.size()), SamplerDwords});
        table.immutableSamplers.insert(table.immutableSamplers.end(), words.begin(), words.end());
        if (shape.type == UserDataNodeType::Sampler)
          continue;
        shape = shapeOf(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
      }
      std::vector<Shape> shapes = {shape};
      for (const auto &[type, planes] :
           {std::pair(UserDataNodeType::ImagePlane1, 2), {UserDataNodeType::ImagePlane2, 3}})
        if (std::ranges::any_of(*conversions, [&](const auto &conversion) { return conversion.planes >= planes; }))
          shapes.push_back({type, shapeOf(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE).dwords});
      for (const auto &[type, stride] : shapes) {
        const uint64_t dwords = stride * count;
        if (dwords == 0)
          continue;
        if (offset + dwords > MaxTableDwords)
          return makeError(ErrorCode::Unsupported, "set {} binding {}: the descriptors of the set exceed 256 MiB", set,
                           binding.binding);
        elements.push_back({type, set, binding.binding, uint32_t(offset), uint32_t(dwords), stride});
        offset += dwords;
      }
    }
    if (offset > 0)
      nodes.push_back({.type = UserDataNodeType::DescriptorTable, .set = set, .offsetInDwords = set});
  }
  uint64_t pushBytes = 0;
  for (const PushConstantRange &range : layout.pushConstantRanges)
    pushBytes = std::max(pushBytes, uint64_t(range.offset) + range.size);
  if (pushBytes > MaxTableDwords)
    return makeError(ErrorCode::Unsupported, "{} bytes of push constants", pushBytes);
  if (pushBytes > 0)
    nodes.push_back({.type = UserDataNodeType::PushConstants,
                     .offsetInDwords = std::max(RootSets, uint32_t(sets.size())),
                     .sizeInDwords = uint32_t((pushBytes + 3) / 4)});
  nodes.insert(nodes.end(), elements.begin(), elements.end());
  return table;
}

} // namespace dovetail::fossilize
