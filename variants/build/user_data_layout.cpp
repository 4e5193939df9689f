// SPDX-License-Identifier: MIT
#include "variants/build/user_data_layout.h"
#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <map>

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
  DescriptorShape shape;
  uint32_t arraySize = 1; // 0: a runtime array
  bool hasFmask = false;
};

bool readsFmask(const spirv::DescriptorBinding &descriptor) {
  return descriptor.image.isMultisampled && descriptor.kind != DescriptorKind::StorageImage;
}

// An image and a sampler of the same binding are the two halves of a combined descriptor; everything else must agree.
Result<DescriptorShape> combine(const SetAndBinding &place, const DescriptorShape &one, const DescriptorShape &other) {
  if (one.type == other.type)
    return one;
  auto isImageOrSampler = [](const DescriptorShape &shape) {
    return shape.type == UserDataNodeType::Image || shape.type == UserDataNodeType::Sampler ||
           shape.type == UserDataNodeType::CombinedImageSampler;
  };
  if (isImageOrSampler(one) && isImageOrSampler(other))
    return shapeOf(DescriptorKind::CombinedImageSampler);
  return makeError(ErrorCode::StateMismatch, "set {} binding {} is used as two kinds of descriptor", place.set,
                   place.binding);
}

Result<std::map<SetAndBinding, BindingUse>> collectBindings(std::span<const spirv::Reflection *const> shaders) {
  std::map<SetAndBinding, BindingUse> uses;
  for (const spirv::Reflection *shader : shaders)
    for (const spirv::DescriptorBinding &descriptor : shader->descriptors) {
      SetAndBinding place{descriptor.set, descriptor.binding};
      auto [found, isNew] =
          uses.try_emplace(place, BindingUse{shapeOf(descriptor.kind), descriptor.arraySize, readsFmask(descriptor)});
      if (isNew)
        continue;
      found->second.shape = DOVETAIL_TRY(combine(place, found->second.shape, shapeOf(descriptor.kind)));
      found->second.hasFmask |= readsFmask(descriptor);
      bool isRuntime = found->second.arraySize == 0 || descriptor.arraySize == 0;
      found->second.arraySize = isRuntime ? 0 : std::max(found->second.arraySize, descriptor.arraySize);
    }
  return uses;
}

} // namespace

Result<UserDataNodes> layOutUserData(std::span<const spirv::Reflection *const> shaders) {
  std::map<SetAndBinding, BindingUse> uses = DOVETAIL_TRY(collectBindings(shaders));
  UserDataNodes tables, elements;
  uint32_t root = 0;
  for (auto use = uses.begin(); use != uses.end();) {
    uint32_t set = use->first.set;
    uint64_t offset = 0;
    UserDataNodes runtimeArrays;
    for (; use != uses.end() && use->first.set == set; ++use) {
      // The FMASK descriptors of an array of images follow those of the images.
      boost::container::static_vector<DescriptorShape, 2> shapes = {use->second.shape};
      if (use->second.hasFmask)
        shapes.push_back({UserDataNodeType::Fmask, 8});
      for (const DescriptorShape &shape : shapes) {
        UserDataNode node;
        node.type = shape.type;
        node.set = set;
        node.binding = use->first.binding;
        node.strideInDwords = shape.dwords;
        uint64_t size = uint64_t(shape.dwords) * (use->second.arraySize ? use->second.arraySize : RuntimeArrayElements);
        if (offset + size > UINT32_MAX / 4)
          return makeError(ErrorCode::Unsupported, "set {} binding {}: the descriptors of the set exceed 4 GiB", set,
                           node.binding);
        node.sizeInDwords = static_cast<uint32_t>(size);
        if (use->second.arraySize == 0) {
          runtimeArrays.push_back(node);
          continue;
        }
        node.offsetInDwords = static_cast<uint32_t>(offset);
        offset += size;
        elements.push_back(node);
      }
    }
    for (UserDataNode &node : runtimeArrays) {
      node.offsetInDwords = static_cast<uint32_t>(offset);
      offset += node.sizeInDwords;
      elements.push_back(node);
    }
    UserDataNode table;
    table.type = UserDataNodeType::DescriptorTable;
    table.set = set;
    table.offsetInDwords = root++;
    tables.push_back(table);
  }

  uint32_t pushConstantBytes = 0;
  for (const spirv::Reflection *shader : shaders)
    pushConstantBytes = std::max(pushConstantBytes, shader->pushConstantBytes);
  if (pushConstantBytes > 0) {
    UserDataNode node;
    node.type = UserDataNodeType::PushConstants;
    node.offsetInDwords = root;
    node.sizeInDwords = (pushConstantBytes + 3) / 4;
    tables.push_back(node);
  }
  tables.insert(tables.end(), elements.begin(), elements.end());
  return tables;
}

ResourceForms resourceFormsOf(const spirv::Reflection &shader, const UserDataNodes &nodes) {
  ResourceForms forms;
  auto hasNode = [&](UserDataNodeType type, const spirv::DescriptorBinding &descriptor) {
    return std::ranges::any_of(nodes, [&](const UserDataNode &node) {
      return node.type == type && node.set == descriptor.set && node.binding == descriptor.binding;
    });
  };
  for (const spirv::DescriptorBinding &descriptor : shader.descriptors) {
    if (readsFmask(descriptor) && !hasNode(UserDataNodeType::Fmask, descriptor))
      forms.push_back({descriptor.set, descriptor.binding, ResourceFormKind::NoFmask});
    if (descriptor.kind != DescriptorKind::UniformBuffer && descriptor.kind != DescriptorKind::StorageBuffer)
      continue;
    for (const auto &[type, form] : {std::pair(UserDataNodeType::CompactBuffer, ResourceFormKind::CompactBuffer),
                                     {UserDataNodeType::InlineUniforms, ResourceFormKind::InlineUniforms},
                                     {UserDataNodeType::RootBuffer, ResourceFormKind::RootBuffer},
                                     {UserDataNodeType::DynamicOffset, ResourceFormKind::DynamicOffset}})
      if (hasNode(type, descriptor))
        forms.push_back({descriptor.set, descriptor.binding, form});
  }
  std::ranges::sort(forms);
  forms.erase(std::ranges::unique(forms).begin(), forms.end());
  return forms;
}

} // namespace dovetail
