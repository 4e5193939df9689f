// SPDX-License-Identifier: MIT
//
// Tells what formats may be used as, from the table that keys of prologs and epilogs are made with.
#include "src/abi/get_target.h"
#include "src/state/format_table.h"
#include "src/state/ycbcr_conversion.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/sized_struct.h"

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

// A value of an enumeration of Vulkan's, or its largest possible value, which has no meaning.
template <typename Enum> Enum known(uint32_t value) {
  return static_cast<Enum>(std::min(value, uint32_t(VK_FORMAT_MAX_ENUM)));
}

} // namespace

dovetail_status dovetail_ycbcr_conversion_get_dword(const dovetail_ycbcr_conversion *conversion, uint32_t *dword,
                                                    dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const auto given = DOVETAIL_C_TRY(readSized(conversion, dovetail_ycbcr_conversion{}, "conversion"));
    DOVETAIL_C_CHECK(checkNotNull(dword, "dword"));
    DOVETAIL_C_CHECK(checkReserved(given.reserved, "conversion->reserved"));
    const auto component = [&](int i) { return known<VkComponentSwizzle>(given.components[i]); };
    const VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = known<VkFormat>(given.format),
        .ycbcrModel = known<VkSamplerYcbcrModelConversion>(given.model),
        .ycbcrRange = known<VkSamplerYcbcrRange>(given.range),
        .components = {component(0), component(1), component(2), component(3)},
        .xChromaOffset = known<VkChromaLocation>(given.x_chroma_offset),
        .yChromaOffset = known<VkChromaLocation>(given.y_chroma_offset),
        .chromaFilter = known<VkFilter>(given.chroma_filter),
        .forceExplicitReconstruction = given.force_explicit_reconstruction};
    *dword = toDword(
        DOVETAIL_C_TRY(ycbcrConversionOf(info, known<VkFilter>(given.mag_filter), known<VkFilter>(given.min_filter))));
    return {};
  });
}

dovetail_status dovetail_format_get_info(const char *gpu, uint32_t format, dovetail_format_info *info,
                                         dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(gpu, "gpu"));
    // All known GPUs have the same formats.
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
