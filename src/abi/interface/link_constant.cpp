// SPDX-License-Identifier: MIT
#include "src/abi/interface/link_constant.h"
#include <iterator>

namespace dovetail {

static constexpr std::string_view Symbols[] = {
    "dovetail.ls_vertex_stride", "dovetail.patch_control_points", "dovetail.patches_per_group",
    "dovetail.tcs_output_base",  "dovetail.tcs_output_vertices",  "dovetail.offchip_patch_base",
    "dovetail.es_vertex_stride", "dovetail.sample_pattern",
};
static_assert(std::size(Symbols) == LinkConstantCount);

std::string_view symbolOf(LinkConstant constant) {
  return Symbols[static_cast<unsigned>(constant)];
}

std::optional<LinkConstant> linkConstantOf(std::string_view symbol) {
  for (unsigned i = 0; i < LinkConstantCount; ++i)
    if (Symbols[i] == symbol)
      return static_cast<LinkConstant>(i);
  return std::nullopt;
}

} // namespace dovetail
