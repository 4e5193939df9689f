// SPDX-License-Identifier: MIT
//
// Finds the export that a colour target needs, from the target's state. Blending matters in two ways. 16-bit normalised
// colours can be blended only if they arrive as 32-bit floats. And factors may read the source alpha although the
// target stores none.
#include "parts/kinds/around/fragment_epilog.h"

namespace dovetail {

namespace {

constexpr uint8_t RgbBits = 0x7;

bool readsSourceAlpha(VkBlendFactor factor) {
  switch (factor) {
  case VK_BLEND_FACTOR_SRC_ALPHA:
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
  case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
  case VK_BLEND_FACTOR_SRC1_ALPHA:
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
    return true;
  default:
    return false;
  }
}

bool readsSecondSource(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

// One half (colour or alpha) of a blend equation.
struct BlendEquation {
  VkBlendFactor source;
  VkBlendFactor destination;
  VkBlendOp op;

  bool usesFactors() const { return op != VK_BLEND_OP_MIN && op != VK_BLEND_OP_MAX; }
  // Whether the equation is the same as no blending.
  bool isCopy() const {
    return op == VK_BLEND_OP_ADD && source == VK_BLEND_FACTOR_ONE && destination == VK_BLEND_FACTOR_ZERO;
  }
  bool readsAlpha() const { return usesFactors() && (readsSourceAlpha(source) || readsSourceAlpha(destination)); }
  bool readsSecond() const { return usesFactors() && (readsSecondSource(source) || readsSecondSource(destination)); }
};

} // namespace

Result<ColorExportNeeds> findColorExportNeeds(const ColorTarget &target, bool alphaToCoverage) {
  ColorExportNeeds needs;
  if (target.format == VK_FORMAT_UNDEFINED) {
    // The hardware still takes the coverage from an exported alpha.
    if (alphaToCoverage)
      needs = {ExportFormat::Ar32, AlphaBit, false};
    return needs;
  }
  const FormatInfo *format = DOVETAIL_TRY(getColorFormat(target.format));
  uint8_t stored = format->componentMask() & target.writeMask;

  BlendEquation color{target.srcColorBlendFactor, target.dstColorBlendFactor, target.colorBlendOp};
  BlendEquation alpha{target.srcAlphaBlendFactor, target.dstAlphaBlendFactor, target.alphaBlendOp};
  bool blendsColor = stored & RgbBits && !color.isCopy();
  bool blendsAlpha = stored & AlphaBit && !alpha.isCopy();
  bool isBlendable = target.blendEnable && format->canBlend();
  bool blending = isBlendable && (blendsColor || blendsAlpha);
  bool needsAlpha = alphaToCoverage || (isBlendable && blendsColor && color.readsAlpha());
  // If factors read a second source, the hardware waits for it, even if none of it is stored.
  needs.dualSource = isBlendable && (color.readsSecond() || alpha.readsSecond());
  needs.showsSecondSource =
      isBlendable && ((blendsColor && color.readsSecond()) || (blendsAlpha && alpha.readsSecond()));

  needs.componentMask = stored | (needsAlpha ? AlphaBit : 0);
  if (needs.componentMask)
    needs.format = chooseExportFormat(*format, blending, needsAlpha);
  return needs;
}

} // namespace dovetail
