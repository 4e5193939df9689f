// SPDX-License-Identifier: MIT
//
// The values that fields of a state may have. Every reader of states from outside asks here: C's structs, state files,
// metadata. A field's type says what it may be; a plain number has a row here if it is limited.
#pragma once

#include "src/state/format_table.h"
#include "src/state/pipeline_state.h"
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

// Vulkan's last enumerators, or, for enums that extensions add to, a bound to which they may grow: code that uses a
// value looks it up.
DOVETAIL_LAST(VkFormat, VK_FORMAT_MAX_ENUM)
DOVETAIL_LAST(VkPrimitiveTopology, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
DOVETAIL_LAST(VkVertexInputRate, VK_VERTEX_INPUT_RATE_INSTANCE)
DOVETAIL_LAST(VkBlendFactor, VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA)
DOVETAIL_LAST(VkBlendOp, VK_BLEND_OP_MAX)
DOVETAIL_LAST(VkCompareOp, VK_COMPARE_OP_ALWAYS)

namespace dovetail {

constexpr uint32_t MaxVertexBindings = 32;
constexpr uint32_t MaxRasterizationSamples = 16;

// The largest value of a field; its name matters for plain numbers only.
template <typename Field> constexpr uint32_t lastValueOf(std::string_view name) {
  if constexpr (std::is_same_v<Field, bool>)
    return 1;
  else if constexpr (std::is_enum_v<Field>)
    return static_cast<uint32_t>(lastOf(Field()));
  else
    return name == "location"               ? MaxVertexAttributes - 1
           : name == "writeMask"            ? 0xf
           : name == "clipDistanceEnable"   ? 0xff
           : name == "rasterizationSamples" ? MaxRasterizationSamples
                                            : std::numeric_limits<uint32_t>::max();
}

// Why a field cannot have this value, as the end of "<name> is 7; it …"; nothing if it can.
template <typename Field> std::optional<std::string> refuseValue(std::string_view name, uint32_t value) {
  const uint32_t last = lastValueOf<Field>(name);
  if constexpr (std::is_same_v<Field, VkFormat>) {
    if (value != VK_FORMAT_UNDEFINED && !isVkFormat(value))
      return "is no VkFormat";
  } else if (name == "rasterizationSamples") {
    if (value > last || !std::has_single_bit(value))
      return "is to be 1, 2, 4, 8 or 16";
  } else if (value > last) {
    return std::is_enum_v<Field> ? fmt::format("belongs to an enumeration that ends with {}", last)
                                 : fmt::format("is to be at most {}", last);
  }
  return std::nullopt;
}

} // namespace dovetail
