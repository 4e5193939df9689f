// SPDX-License-Identifier: MIT
#include "variants/c_api/arguments.h"
#include <cstring>

namespace dovetail::c_api {

static_assert(int(lgc::UserDataNodeType::DescriptorTable) == DOVETAIL_NODE_DESCRIPTOR_TABLE &&
              int(lgc::UserDataNodeType::PushConstants) == DOVETAIL_NODE_PUSH_CONSTANTS &&
              int(lgc::UserDataNodeType::Image) == DOVETAIL_NODE_IMAGE &&
              int(lgc::UserDataNodeType::Sampler) == DOVETAIL_NODE_SAMPLER &&
              int(lgc::UserDataNodeType::CombinedImageSampler) == DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER &&
              int(lgc::UserDataNodeType::TexelBuffer) == DOVETAIL_NODE_TEXEL_BUFFER &&
              int(lgc::UserDataNodeType::Buffer) == DOVETAIL_NODE_BUFFER);

Outcome<lgc::UserDataNodes> readLayout(const dovetail_layout_node *nodes, size_t count, std::string_view name) {
  lgc::UserDataNodes layout;
  for (const dovetail_layout_node &node : DOVETAIL_C_TRY(readArray(nodes, count, name))) {
    const std::string type = fmt::format("{}[{}].type", name, layout.size());
    layout.push_back({.type = DOVETAIL_C_TRY(readEnum(node.type, lgc::UserDataNodeType::Buffer, type)),
                      .set = node.set,
                      .binding = node.binding,
                      .offsetInDwords = node.offset_in_dwords,
                      .sizeInDwords = node.size_in_dwords,
                      .strideInDwords = node.stride_in_dwords});
  }
  return layout;
}

Outcome<void> handOut(std::span<const std::byte> bytes, void *buffer, size_t *size) {
  const size_t room = *size;
  *size = bytes.size();
  if (!buffer)
    return {};
  if (room < bytes.size())
    return tl::unexpected<Failure>(
        Failure(DOVETAIL_BUFFER_TOO_SMALL, fmt::format("the buffer has {} bytes, {} are needed", room, bytes.size())));
  std::memcpy(buffer, bytes.data(), bytes.size());
  return {};
}

} // namespace dovetail::c_api
