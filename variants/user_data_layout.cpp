// SPDX-License-Identifier: MIT
#include "variants/user_data_layout.h"
#include "src/abi/interface/layout_constant.h"
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace dovetail {

namespace {

using spirv::DescriptorKind;

struct DescriptorShape {
  UserDataNodeType type;
  uint32_t dwords;
};

DescriptorShape shapeOf(DescriptorKind kind) {
  switch (kind) {
  case DescriptorKind::UniformBuffer:
  case DescriptorKind::StorageBuffer:
    return {UserDataNodeType::Buffer, 4};
  case DescriptorKind::UniformTexelBuffer:
  case DescriptorKind::StorageTexelBuffer:
    return {UserDataNodeType::TexelBuffer, 4};
  case DescriptorKind::SampledImage:
  case DescriptorKind::StorageImage:
  case DescriptorKind::InputAttachment:
    return {UserDataNodeType::Image, 8};
  case DescriptorKind::Sampler:
    return {UserDataNodeType::Sampler, 4};
  case DescriptorKind::CombinedImageSampler:
    return {UserDataNodeType::CombinedImageSampler, 12};
  }
  return {UserDataNodeType::Buffer, 4};
}

struct SetAndBinding {
  uint32_t set;
  uint32_t binding;
  auto operator<=>(const SetAndBinding &) const = default;
};

struct BindingUse {
  DescriptorKind kind;
  uint32_t arraySize = 1; // 0: a runtime array
  bool hasFmask = false;
};

bool readsFmask(const spirv::DescriptorBinding &descriptor) {
  return descriptor.image.isMultisampled && descriptor.kind != DescriptorKind::StorageImage;
}

Result<std::map<SetAndBinding, BindingUse>> collectBindings(std::span<const spirv::Reflection *const> shaders) {
  std::map<SetAndBinding, BindingUse> uses;
  for (const spirv::Reflection *shader : shaders)
    for (const spirv::DescriptorBinding &descriptor : shader->descriptors) {
      SetAndBinding place{descriptor.set, descriptor.binding};
      auto [found, isNew] =
          uses.try_emplace(place, BindingUse{descriptor.kind, descriptor.arraySize, readsFmask(descriptor)});
      if (isNew)
        continue;
      const std::optional<DescriptorKind> common = spirv::commonKind(found->second.kind, descriptor.kind);
      if (!common)
        return makeError(ErrorCode::StateMismatch, "set {} binding {} is used as {} by one stage and as {} by another",
                         place.set, place.binding, toString(found->second.kind), toString(descriptor.kind));
      found->second.kind = *common;
      found->second.hasFmask |= readsFmask(descriptor);
      bool isRuntime = found->second.arraySize == 0 || descriptor.arraySize == 0;
      found->second.arraySize = isRuntime ? 0 : std::max(found->second.arraySize, descriptor.arraySize);
    }
  return uses;
}

// The tables of one set's descriptors.
class SetLayout {
public:
  explicit SetLayout(uint32_t set) : m_set(set) {}

  // To be called in ascending order of the bindings. `next`: the next binding.
  void add(uint32_t binding, const BindingUse &use, std::optional<uint32_t> next) {
    place(binding, shapeOf(use.kind), use.arraySize, next);
    // Descriptors that do not fit into a slot lie behind all slots.
    if (use.hasFmask)
      m_behind.push_back(nodeOf(binding, {UserDataNodeType::Fmask, 8}, use.arraySize));
  }

  // Appends the nodes. Errors: Unsupported.
  Result<void> finish(UserDataNodes &nodes) {
    std::ranges::sort(m_behind, {}, [](const Sized &each) {
      return std::tuple(each.isRuntimeArray, each.node.binding, each.node.type);
    });
    for (Sized &each : m_behind) {
      if (m_end + each.dwords > UINT32_MAX / 4)
        return makeError(ErrorCode::Unsupported, "set {} binding {}: the descriptors of the set exceed 4 GiB", m_set,
                         each.node.binding);
      each.node.offsetInDwords = static_cast<uint32_t>(m_end);
      each.node.sizeInDwords = static_cast<uint32_t>(each.dwords);
      m_end += each.dwords;
      m_inSlots.push_back(each.node);
    }
    std::ranges::sort(m_inSlots, {}, [](const UserDataNode &node) { return std::pair(node.binding, node.type); });
    nodes.insert(nodes.end(), m_inSlots.begin(), m_inSlots.end());
    return {};
  }

private:
  struct Sized {
    UserDataNode node;
    uint64_t dwords;
    bool isRuntimeArray;
  };

  // A node without its place.
  Sized nodeOf(uint32_t binding, const DescriptorShape &shape, uint32_t arraySize) const {
    UserDataNode node;
    node.type = shape.type;
    node.set = m_set;
    node.binding = binding;
    node.strideInDwords = shape.dwords;
    return {node, uint64_t(shape.dwords) * (arraySize ? arraySize : RuntimeArrayElements), arraySize == 0};
  }

  void place(uint32_t binding, const DescriptorShape &shape, uint32_t arraySize, std::optional<uint32_t> next) {
    Sized sized = nodeOf(binding, shape, arraySize);
    const uint64_t offset = uint64_t(binding) * AutomaticSlotDwords;
    const uint64_t end = offset + sized.dwords;
    const bool isFree = !next || end <= uint64_t(*next) * AutomaticSlotDwords;
    if (sized.isRuntimeArray || !isFree || end * 4 > MaxScalarOffset) {
      m_behind.push_back(sized);
      return;
    }
    sized.node.offsetInDwords = static_cast<uint32_t>(offset);
    sized.node.sizeInDwords = static_cast<uint32_t>(sized.dwords);
    m_inSlots.push_back(sized.node);
    m_end = std::max(m_end, end);
  }

  uint32_t m_set;
  UserDataNodes m_inSlots;
  std::vector<Sized> m_behind; // nodes without a place
  uint64_t m_end = 0;          // dwords
};

// The first element that lies beyond the layout's dwords gets a dword that is no conversion; the compile then reports
// it.
void addConversions(const UserDataNode &node, std::span<const uint32_t> dwords, ResourceForms &forms) {
  constexpr uint32_t Missing = UINT32_MAX;
  for (uint32_t element = 0; element < std::max(elementsOf(node), 1u); ++element) {
    const uint64_t inNode = uint64_t(element) * strideOf(node), place = node.offsetInDwords + inNode;
    const bool isThere = inNode < node.sizeInDwords && place < dwords.size();
    forms.push_back(
        {node.set, node.binding, ResourceFormKind::YcbcrConversion, element, isThere ? dwords[place] : Missing});
    if (!isThere)
      return;
  }
}

} // namespace

Result<UserDataNodes> layOutUserData(std::span<const spirv::Reflection *const> shaders,
                                     const AutomaticLayout &options) {
  const std::map<SetAndBinding, BindingUse> uses = DOVETAIL_TRY(collectBindings(shaders));
  UserDataNodes nodes, dynamicOffsets, elements;
  uint32_t root = 0;
  for (auto use = uses.begin(); use != uses.end();) {
    const uint32_t set = use->first.set;
    nodes.push_back({UserDataNodeType::DescriptorTable, set, 0, root++});
    SetLayout layout(set);
    while (use != uses.end() && use->first.set == set) {
      const auto &[place, bound] = *use++;
      const bool hasNext = use != uses.end() && use->first.set == set;
      layout.add(place.binding, bound, hasNext ? std::optional(use->first.binding) : std::nullopt);
      if ((bound.kind == DescriptorKind::UniformBuffer && options.uniformBuffersAreDynamic) ||
          (bound.kind == DescriptorKind::StorageBuffer && options.storageBuffersAreDynamic))
        dynamicOffsets.push_back({UserDataNodeType::DynamicOffset, set, place.binding, 0,
                                  bound.arraySize ? bound.arraySize : RuntimeArrayElements, 1});
    }
    DOVETAIL_CHECK(layout.finish(elements));
  }
  for (UserDataNode &node : dynamicOffsets) {
    node.offsetInDwords = root;
    root += node.sizeInDwords;
    nodes.push_back(node);
  }

  uint32_t pushConstantBytes = 0;
  for (const spirv::Reflection *shader : shaders)
    pushConstantBytes = std::max(pushConstantBytes, shader->pushConstantBytes);
  if (pushConstantBytes > 0)
    nodes.push_back({UserDataNodeType::PushConstants, 0, 0, root, (pushConstantBytes + 3) / 4});
  nodes.insert(nodes.end(), elements.begin(), elements.end());
  return nodes;
}

ResourceForms resourceFormsOf(const spirv::Reflection &shader, const UserDataNodes &nodes,
                              std::span<const uint32_t> immutableSamplers) {
  ResourceForms forms;
  auto findNode = [&](UserDataNodeType type, const spirv::DescriptorBinding &descriptor) {
    const auto found = std::ranges::find_if(nodes, [&](const UserDataNode &node) {
      return node.type == type && node.set == descriptor.set && node.binding == descriptor.binding;
    });
    return found != nodes.end() ? &*found : nullptr;
  };
  for (const spirv::DescriptorBinding &descriptor : shader.descriptors) {
    if (readsFmask(descriptor) && !findNode(UserDataNodeType::Fmask, descriptor))
      forms.push_back({descriptor.set, descriptor.binding, ResourceFormKind::NoFmask});
    if (descriptor.kind == DescriptorKind::Sampler || descriptor.kind == DescriptorKind::CombinedImageSampler) {
      if (const UserDataNode *node = findNode(UserDataNodeType::ImmutableSampler, descriptor))
        forms.push_back({descriptor.set, descriptor.binding, ResourceFormKind::ImmutableSampler, 0,
                         node->sizeInDwords / shapeOf(DescriptorKind::Sampler).dwords});
      if (const UserDataNode *node = findNode(UserDataNodeType::YcbcrConversion, descriptor))
        addConversions(*node, immutableSamplers, forms);
    }
    if (descriptor.kind != DescriptorKind::UniformBuffer && descriptor.kind != DescriptorKind::StorageBuffer)
      continue;
    for (const auto &[type, form] : {std::pair(UserDataNodeType::CompactBuffer, ResourceFormKind::CompactBuffer),
                                     {UserDataNodeType::InlineUniforms, ResourceFormKind::InlineUniforms},
                                     {UserDataNodeType::RootBuffer, ResourceFormKind::RootBuffer},
                                     {UserDataNodeType::DynamicOffset, ResourceFormKind::DynamicOffset}})
      if (findNode(type, descriptor))
        forms.push_back({descriptor.set, descriptor.binding, form});
  }
  std::ranges::sort(forms);
  forms.erase(std::ranges::unique(forms).begin(), forms.end());
  return forms;
}

} // namespace dovetail
