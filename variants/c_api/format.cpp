// SPDX-License-Identifier: MIT
//
// What formats serve as, from the table that keys of prologs and epilogs are made with.
#include "src/abi/get_target.h"
#include "src/state/format_table.h"
#include "variants/c_api/arguments.h"
#include "variants/c_api/sized_struct.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

uint32_t numericClassOf(const FormatInfo &format) {
  switch (format.numeric) {
  case FormatNumeric::Uint:
    return DOVETAIL_NUMERIC_UINT;
  case FormatNumeric::Sint:
    return DOVETAIL_NUMERIC_SINT;
  default:
    return DOVETAIL_NUMERIC_FLOAT;
  }
}

} // namespace

dovetail_status dovetail_format_get_info(const char *gpu, uint32_t format, dovetail_format_info *info,
                                         dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(gpu, "gpu"));
    // All GPUs that are known have the same formats.
    DOVETAIL_C_CHECK(getTarget(gpu));
    dovetail_format_info answer = {};
    const FormatInfo *row = format <= VK_FORMAT_MAX_ENUM ? findFormat(static_cast<VkFormat>(format)) : nullptr;
    if (row && (row->canBeFetched() || row->canBeColorTarget())) {
      answer.is_vertex_format = row->canBeFetched();
      answer.is_color_format = row->canBeColorTarget();
      answer.is_blendable = row->canBlend();
      answer.numeric_class = numericClassOf(*row);
      answer.component_count = row->componentCount;
      answer.component_bits = row->bits[0];
      answer.element_bytes = row->bytes;
    }
    return writeSized(answer, info, "info");
  });
}
