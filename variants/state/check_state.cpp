// SPDX-License-Identifier: MIT
#include "variants/state/check_state.h"
#include "merge/group_layout.h"
#include "src/state/format_table.h"

namespace dovetail {

Result<void> checkState(const PipelineState &state) {
  for (const VertexAttribute &attribute : state.vertexAttributes)
    if (Result<const FormatInfo *> format = getVertexFormat(attribute.format); !format)
      return makeError(format.error().code, "vertex attribute at location {}: {}", attribute.location,
                       format.error().text);
  for (size_t target = 0; target < state.colorTargets.size(); ++target) {
    if (state.colorTargets[target].format == VK_FORMAT_UNDEFINED)
      continue;
    if (Result<const FormatInfo *> format = getColorFormat(state.colorTargets[target].format); !format)
      return makeError(format.error().code, "colour target {}: {}", target, format.error().text);
  }
  if (state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    DOVETAIL_CHECK(checkPatchControlPoints(state.patchControlPoints));
  return {};
}

} // namespace dovetail
