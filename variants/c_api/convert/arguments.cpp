// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/arguments.h"

namespace dovetail::c_api {

static_assert(int(UserDataNodeType::DescriptorTable) == DOVETAIL_NODE_DESCRIPTOR_TABLE &&
              int(UserDataNodeType::PushConstants) == DOVETAIL_NODE_PUSH_CONSTANTS &&
              int(UserDataNodeType::Image) == DOVETAIL_NODE_IMAGE &&
              int(UserDataNodeType::Sampler) == DOVETAIL_NODE_SAMPLER &&
              int(UserDataNodeType::CombinedImageSampler) == DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER &&
              int(UserDataNodeType::TexelBuffer) == DOVETAIL_NODE_TEXEL_BUFFER &&
              int(UserDataNodeType::Buffer) == DOVETAIL_NODE_BUFFER &&
              int(UserDataNodeType::Fmask) == DOVETAIL_NODE_FMASK &&
              int(UserDataNodeType::CompactBuffer) == DOVETAIL_NODE_COMPACT_BUFFER &&
              int(UserDataNodeType::InlineUniforms) == DOVETAIL_NODE_INLINE_UNIFORMS &&
              int(UserDataNodeType::RootBuffer) == DOVETAIL_NODE_ROOT_BUFFER &&
              int(UserDataNodeType::DynamicOffset) == DOVETAIL_NODE_DYNAMIC_OFFSET &&
              int(UserDataNodeType::ImmutableSampler) == DOVETAIL_NODE_IMMUTABLE_SAMPLER &&
              int(UserDataNodeType::YcbcrConversion) == DOVETAIL_NODE_YCBCR_CONVERSION &&
              int(UserDataNodeType::ImagePlane1) == DOVETAIL_NODE_IMAGE_PLANE_1 &&
              int(UserDataNodeType::ImagePlane2) == DOVETAIL_NODE_IMAGE_PLANE_2);

static_assert(AutomaticSlotDwords == DOVETAIL_AUTOMATIC_SLOT_DWORDS);

namespace {

// Offsets in code are in bytes, of 32 bits.
constexpr uint64_t MaxTableDwords = UINT32_MAX / 4;

} // namespace

Outcome<AutomaticLayout> readDynamicBuffers(uint32_t bits, std::string_view name) {
  constexpr uint32_t known = DOVETAIL_DYNAMIC_UNIFORM_BUFFERS | DOVETAIL_DYNAMIC_STORAGE_BUFFERS;
  if (bits & ~known)
    return badArgument("{} is 0x{:x}; the known bits are 0x{:x}", name, bits, known);
  return AutomaticLayout{.uniformBuffersAreDynamic = (bits & DOVETAIL_DYNAMIC_UNIFORM_BUFFERS) != 0,
                         .storageBuffersAreDynamic = (bits & DOVETAIL_DYNAMIC_STORAGE_BUFFERS) != 0};
}

Outcome<UserDataNodes> readLayout(const dovetail_layout_node *nodes, size_t count, std::string_view name) {
  UserDataNodes layout;
  for (const dovetail_layout_node &node : DOVETAIL_C_TRY(readArray(nodes, count, name))) {
    const std::string place = fmt::format("{}[{}]", name, layout.size());
    if (uint64_t(node.offset_in_dwords) + node.size_in_dwords > MaxTableDwords)
      return badArgument("{} ends beyond dword {} of its table", place, MaxTableDwords);
    layout.push_back({.type = DOVETAIL_C_TRY(readEnum(node.type, UserDataNodeType::ImagePlane2, place + ".type")),
                      .set = node.set,
                      .binding = node.binding,
                      .offsetInDwords = node.offset_in_dwords,
                      .sizeInDwords = node.size_in_dwords,
                      .strideInDwords = node.stride_in_dwords});
  }
  return layout;
}

} // namespace dovetail::c_api
