// SPDX-License-Identifier: MIT
//
// Transform feedback. An output variable or block member with an Offset is captured: its components lie one behind the
// other in the buffer's vertex, from that offset on, doubles at multiples of 8 bytes. An output that the shader never
// stores to has no value and is not captured. Nor is an output with an Offset but no XfbStride (Vulkan wants both).
#include "src/spirv/translate/interface/output_leaf.h"
#include <algorithm>
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

constexpr uint32_t MaxStride = 2048; // bytes; Vulkan's maxTransformFeedbackBufferDataStride is at least 512

constexpr uint32_t alignUp(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace

uint32_t Translator::captureAlignment(const TypeInfo &info) const {
  switch (info.kind) {
  case TypeKind::Vector:
  case TypeKind::Matrix:
  case TypeKind::Array:
    return captureAlignment(type(info.element));
  case TypeKind::Struct: {
    uint32_t alignment = 1;
    for (const StructMember &member : info.members)
      alignment = std::max(alignment, captureAlignment(type(member.type)));
    return alignment;
  }
  default:
    return std::max(info.width / 8, 1u);
  }
}

// In bytes.
uint32_t Translator::captureSize(const TypeInfo &info) const {
  switch (info.kind) {
  case TypeKind::Vector:
  case TypeKind::Matrix:
  case TypeKind::Array:
    return info.count * captureSize(type(info.element));
  case TypeKind::Struct: {
    uint32_t size = 0;
    for (const StructMember &member : info.members)
      size = alignUp(size, captureAlignment(type(member.type))) + captureSize(type(member.type));
    return alignUp(size, captureAlignment(info));
  }
  default:
    return info.width / 8;
  }
}

// The place where a member is captured: at its own Offset, or inside a captured structure, behind the members before
// it.
void Translator::enterCapturedMember(const TypeInfo &info, uint32_t member, InterfacePlace &place) const {
  if (!place.xfbOffset || findDecoration(m_module.memberDecorations(info.id, member), spv::Decoration::Offset))
    return;
  uint32_t offset = 0;
  for (uint32_t i = 0; i < member; ++i)
    offset = alignUp(offset, captureAlignment(type(info.members[i].type))) + captureSize(type(info.members[i].type));
  *place.xfbOffset += alignUp(offset, captureAlignment(type(info.members[member].type)));
}

Result<void> Translator::captureOutputs() {
  if (!m_builder.shaderModes().transformFeedback)
    return {};
  for (const std::unique_ptr<Variable> &variable : m_variables) {
    if (variable->writtenMasks.empty())
      continue;
    DOVETAIL_CHECK(visitOutputLeaves(*variable, [&](const OutputLeaf &leaf) {
      return captureLeaf(*variable, leaf, variable->writtenMasks[leaf.number]);
    }));
  }
  return {};
}

Result<void> Translator::captureLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
  const InterfacePlace &place = leaf.place;
  if (mask == 0 || !place.xfbOffset || place.xfbStride == 0)
    return {};
  const TypeInfo &element = leaf.type->kind == TypeKind::Vector ? type(leaf.type->element) : *leaf.type;
  if (element.width < 32)
    return makeError(ErrorCode::Unsupported, "OpVariable %{}: transform feedback of {}-bit values is not supported",
                     variable.id, element.width);
  uint32_t words = componentsOf(element);
  for (uint32_t i = 0; mask >> i; ++i) {
    if (!(mask >> i & 1))
      continue;
    for (uint32_t word = i * words; word < (i + 1) * words; ++word) {
      uint32_t offset = *place.xfbOffset + word * 4;
      if (place.xfbBuffer >= MaxXfbBuffers || place.xfbStride > MaxStride || offset + 4 > place.xfbStride)
        return makeError(ErrorCode::Unsupported,
                         "OpVariable %{}: transform feedback to offset {} of stride {} in buffer {} is not supported",
                         variable.id, offset, place.xfbStride, place.xfbBuffer);
      unsigned first = place.builtIn ? static_cast<unsigned>(*place.builtIn) : place.location;
      unsigned component = place.component + word;
      if (place.builtIn && place.arrayIndex)
        component += llvm::cast<llvm::ConstantInt>(place.arrayIndex)->getZExtValue();
      else if (!place.builtIn) {
        first += component / 4;
        component %= 4;
      }
      m_builder.CreateCaptureOutput(place.builtIn.has_value(), first, component, place.xfbBuffer, place.xfbStride,
                                    offset, place.stream);
    }
  }
  return {};
}

} // namespace dovetail::spirv
