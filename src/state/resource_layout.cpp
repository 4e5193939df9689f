// SPDX-License-Identifier: MIT
#include "src/state/resource_layout.h"
#include "src/abi/interface/root_value.h"
#include "src/base/enumerators.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr uint32_t DwordBytes = 4;
constexpr uint32_t SamplerOfCombined = 8; // dwords
constexpr uint32_t SamplerDwords = 4;

constexpr uint64_t join(uint32_t set, uint32_t binding) {
  return uint64_t(set) << 32 | binding;
}

// Whether a node serves a shader that reads its binding as this kind.
bool serves(UserDataNodeType type, ResourceKind resource) {
  using enum UserDataNodeType;
  static constexpr UserDataNodeType Types[] = {
      Image,          Sampler,    TexelBuffer,   Buffer,           Fmask,       CompactBuffer,
      InlineUniforms, RootBuffer, DynamicOffset, ImmutableSampler, ImagePlane1, ImagePlane2,
  };
  static_assert(std::size(Types) == enumeratorCount<ResourceKind>());
  const bool isHalf = resource == ResourceKind::Image || resource == ResourceKind::Sampler;
  return type == Types[size_t(resource)] || (isHalf && type == CombinedImageSampler);
}

} // namespace

ResourceLayout::ResourceLayout(UserDataNodes nodes, std::vector<uint32_t> immutableSamplers)
    : m_nodes(std::move(nodes)), m_immutableSamplers(std::move(immutableSamplers)) {
  for (uint32_t i = 0; i < m_nodes.size(); ++i) {
    const UserDataNode &node = m_nodes[i];
    if (node.type == UserDataNodeType::PushConstants)
      m_pushConstants = m_pushConstants ? m_pushConstants : &node;
    else if (node.type == UserDataNodeType::DescriptorTable)
      m_tables.push_back({join(node.set, 0), i});
    else
      m_places.push_back({join(node.set, node.binding), i});
  }
  std::ranges::sort(m_places);
  std::ranges::sort(m_tables);
}

const UserDataNode *ResourceLayout::findTable(uint32_t set) const {
  for (const Place &table : m_tables)
    if (table.setAndBinding == join(set, 0))
      return &m_nodes[table.node];
  return nullptr;
}

Result<const UserDataNode *> ResourceLayout::find(ResourceKind resource, uint32_t set, uint32_t binding) const {
  const uint64_t wanted = join(set, binding);
  for (auto place = std::ranges::lower_bound(m_places, wanted, {}, &Place::setAndBinding);
       place != m_places.end() && place->setAndBinding == wanted; ++place)
    if (serves(m_nodes[place->node].type, resource))
      return &m_nodes[place->node];
  return makeError(ErrorCode::StateMismatch, "set {} binding {} is not among the user data nodes, or of another type",
                   set, binding);
}

Result<uint32_t> ResourceLayout::valueOf(const LayoutConstant &constant) const {
  switch (constant.quantity) {
  case LayoutQuantity::SetPointer:
    return DOVETAIL_TRY(rootDwordOf({ValueKind::DescriptorSet, uint8_t(constant.set)})) * DwordBytes + constant.addend;
  case LayoutQuantity::PushConstants:
    return DOVETAIL_TRY(rootDwordOf({ValueKind::PushConstant, 0})) * DwordBytes + constant.addend;
  case LayoutQuantity::Offset:
  case LayoutQuantity::Stride:
  case LayoutQuantity::Size:
  case LayoutQuantity::Content:
    break;
  }
  const UserDataNode *node = DOVETAIL_TRY(find(constant.resource, constant.set, constant.binding));
  if (constant.quantity == LayoutQuantity::Size)
    return node->sizeInDwords * DwordBytes + constant.addend;
  if (constant.quantity == LayoutQuantity::Content) {
    const uint64_t dword = uint64_t(constant.element) * SamplerDwords + constant.addend / DwordBytes;
    const uint64_t place = node->offsetInDwords + dword;
    if (dword >= node->sizeInDwords || place >= m_immutableSamplers.size())
      return makeError(ErrorCode::StateMismatch,
                       "set {} binding {}: the layout lacks dword {} of the immutable sampler", constant.set,
                       constant.binding, dword);
    return m_immutableSamplers[place];
  }
  const uint32_t stride = strideOf(*node);
  if (constant.quantity == LayoutQuantity::Stride)
    return stride * DwordBytes + constant.addend;
  const bool isBehindImage =
      constant.resource == ResourceKind::Sampler && node->type == UserDataNodeType::CombinedImageSampler;
  const uint32_t dwords = node->offsetInDwords + constant.element * stride + (isBehindImage ? SamplerOfCombined : 0);
  return dwords * DwordBytes + constant.addend;
}

Result<uint32_t> ResourceLayout::rootDwordOf(const ValueName &value) const {
  if (value.kind == ValueKind::PushConstant) {
    if (!m_pushConstants)
      return makeError(ErrorCode::StateMismatch, "the shader reads push constants, but the user data nodes have none");
    return m_pushConstants->offsetInDwords + value.index;
  }
  if (value.kind == ValueKind::RootBuffer || value.kind == ValueKind::DynamicOffset) {
    const RootPlace place = rootPlaceOf(value);
    const ResourceKind kind =
        value.kind == ValueKind::RootBuffer ? ResourceKind::RootBuffer : ResourceKind::DynamicOffset;
    return DOVETAIL_TRY(find(kind, place.set, place.binding))->offsetInDwords + place.dword;
  }
  const UserDataNode *table = findTable(value.index);
  if (!table)
    return makeError(ErrorCode::StateMismatch, "the user data nodes have no table for set {}", value.index);
  return table->offsetInDwords;
}

} // namespace dovetail
