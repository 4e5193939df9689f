// SPDX-License-Identifier: MIT
//
// Sources of the descriptors' fields: AMD's register headers, SQ_IMG_RSRC_WORD2 (WIDTH [13:0], HEIGHT [27:14], both
// minus one) and SQ_IMG_SAMP_WORD2 (XY_MAG_FILTER [21:20], XY_MIN_FILTER [23:22]; 0 is point, 1 bilinear).
#include "src/lgc/builder/image/ycbcr_sample.h"
#include <cmath>

using namespace llvm;
using dovetail::ChromaFilter;
using dovetail::YcbcrConversion;

namespace lgc {

namespace {

constexpr unsigned ImageSizeWord = 2, WidthBit = 0, HeightBit = 14, SizeBits = 14;
constexpr unsigned FilterWord = 2;
constexpr uint32_t FilterMask = 0xf << 20, BilinearFilters = 1u << 20 | 1u << 22;

// Channels of luma and both chromas in a texel after the swizzle.
constexpr unsigned CrChannel = 0, LumaChannel = 1, CbChannel = 2;

// value = scale * texel + offset
struct Expansion {
  double scale = 1, offset = 0;
};

struct Expansions {
  Expansion luma, chroma;
};

Expansions expansionsOf(const YcbcrConversion &conversion) {
  const double steps = std::ldexp(1, conversion.bits) - 1; // of the whole range
  const double unit = std::ldexp(1, conversion.bits - 8);  // of the values below, which are for 8 bits
  if (conversion.range == VK_SAMPLER_YCBCR_RANGE_ITU_FULL)
    return {{}, {1, -128 * unit / steps}};
  return {{steps / (219 * unit), -16.0 / 219}, {steps / (224 * unit), -128.0 / 224}};
}

// The weights of red and blue in luma; green has the rest.
struct LumaWeights {
  double red, blue;
};

LumaWeights weightsOf(VkSamplerYcbcrModelConversion model) {
  switch (model) {
  case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709:
    return {0.2126, 0.0722};
  case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601:
    return {0.299, 0.114};
  default: // YCBCR_2020
    return {0.2627, 0.0593};
  }
}

// The weight of each channel of the texel in one colour of the result.
struct Row {
  double luma = 0, cb = 0, cr = 0;
};

} // namespace

YcbcrSample::YcbcrSample(BuilderImpl &builder, const YcbcrConversion &conversion, ArrayRef<Value *> planeDescs,
                         Value *samplerDesc)
    : m_builder(builder), m_conversion(conversion), m_planeDescs(planeDescs), m_samplerDesc(samplerDesc) {}

Value *YcbcrSample::make(Type *resultType, Value *coord, SamplePlane sample) {
  auto *structure = dyn_cast<StructType>(resultType);
  Type *texelType = structure ? structure->getElementType(0) : resultType;
  Type *planeTexel = FixedVectorType::get(m_builder.getFloatTy(), 4);
  Type *planeType = structure ? StructType::get(planeTexel, m_builder.getInt32Ty()) : planeTexel;

  SmallVector<Value *, 3> texels;
  Value *missing = nullptr; // whether any plane's texels were not resident
  for (unsigned plane = 0; plane < m_planeDescs.size(); ++plane) {
    Value *sampled = sample(planeType, m_planeDescs[plane], samplerOf(plane), coordOf(plane, coord));
    texels.push_back(structure ? m_builder.CreateExtractValue(sampled, 0) : sampled);
    if (structure) {
      Value *code = m_builder.CreateExtractValue(sampled, 1);
      missing = missing ? m_builder.CreateOr(missing, code) : code;
    }
  }
  const Color color = convert(swizzle(gather(texels)));
  Value *texel = PoisonValue::get(planeTexel);
  for (unsigned i = 0; i < color.size(); ++i)
    texel = m_builder.CreateInsertElement(texel, color[i], i);
  texel = m_builder.CreateFPCast(texel, texelType);
  if (!structure)
    return texel;
  Value *result = m_builder.CreateInsertValue(PoisonValue::get(resultType), texel, 0);
  return m_builder.CreateInsertValue(result, missing, 1);
}

// The sampler with the conversion's filter for chroma.
Value *YcbcrSample::samplerOf(unsigned plane) {
  if (!isSmall(plane) || m_conversion.chromaFilter == ChromaFilter::AsSampler)
    return m_samplerDesc;
  Value *word = m_builder.CreateExtractElement(m_samplerDesc, FilterWord);
  word = m_builder.CreateAnd(word, m_builder.getInt32(~FilterMask));
  if (m_conversion.chromaFilter == ChromaFilter::Linear)
    word = m_builder.CreateOr(word, m_builder.getInt32(BilinearFilters));
  return m_builder.CreateInsertElement(m_samplerDesc, word, FilterWord);
}

// With normalized coordinates, a texel of a half plane lies in the middle between two texels of the first plane. A
// cosited one lies half a texel of the first plane in front of that middle, so its coordinate moves on by half a texel.
Value *YcbcrSample::coordOf(unsigned plane, Value *coord) {
  if (!isSmall(plane))
    return coord;
  coord = m_builder.CreateFPCast(coord, coord->getType()->getWithNewType(m_builder.getFloatTy()));
  auto move = [&](unsigned axis, bool isHalf, VkChromaLocation location, unsigned sizeBit) {
    if (!isHalf || location != VK_CHROMA_LOCATION_COSITED_EVEN)
      return;
    Value *moved = m_builder.CreateFAdd(m_builder.CreateExtractElement(coord, axis), halfTexel(sizeBit));
    coord = m_builder.CreateInsertElement(coord, moved, axis);
  };
  move(0, m_conversion.halfWidth, m_conversion.xChromaOffset, WidthBit);
  move(1, m_conversion.halfHeight, m_conversion.yChromaOffset, HeightBit);
  return coord;
}

// Half a texel of the first plane, in normalized coordinates.
Value *YcbcrSample::halfTexel(unsigned firstBit) {
  Value *word = m_builder.CreateExtractElement(m_planeDescs[0], ImageSizeWord);
  Value *size = m_builder.CreateLShr(word, m_builder.getInt32(firstBit));
  size = m_builder.CreateAnd(size, m_builder.getInt32((1u << SizeBits) - 1));
  size = m_builder.CreateAdd(size, m_builder.getInt32(1));
  size = m_builder.CreateUIToFP(size, m_builder.getFloatTy());
  return m_builder.divide(ConstantFP::get(m_builder.getFloatTy(), 0.5), size);
}

// Takes one colour from the texels of all planes.
YcbcrSample::Color YcbcrSample::gather(ArrayRef<Value *> texels) {
  auto channel = [&](unsigned plane, uint64_t number) { return m_builder.CreateExtractElement(texels[plane], number); };
  if (texels.size() == 1)
    return {channel(0, 0), channel(0, 1), channel(0, 2), channel(0, 3)};
  Value *one = ConstantFP::get(m_builder.getFloatTy(), 1);
  if (texels.size() == 2)
    return {channel(1, 1), channel(0, 0), channel(1, 0), one};
  return {channel(2, 0), channel(0, 0), channel(1, 0), one};
}

YcbcrSample::Color YcbcrSample::swizzle(const Color &color) {
  Color result;
  for (unsigned i = 0; i < result.size(); ++i) {
    const VkComponentSwizzle from = m_conversion.components[i];
    result[i] = from == VK_COMPONENT_SWIZZLE_IDENTITY ? color[i]
                : from == VK_COMPONENT_SWIZZLE_ZERO   ? ConstantFP::get(m_builder.getFloatTy(), 0)
                : from == VK_COMPONENT_SWIZZLE_ONE    ? ConstantFP::get(m_builder.getFloatTy(), 1)
                                                      : color[from - VK_COMPONENT_SWIZZLE_R];
  }
  return result;
}

// The expansion of the range and the model together are one linear function.
YcbcrSample::Color YcbcrSample::convert(const Color &color) {
  if (m_conversion.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
    return color;
  std::array<Row, 3> rows; // of r, g and b
  rows[CrChannel].cr = rows[LumaChannel].luma = rows[CbChannel].cb = 1;
  if (m_conversion.model != VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY) {
    const auto [red, blue] = weightsOf(m_conversion.model);
    const double green = 1 - red - blue;
    rows = {Row{1, 0, 2 * (1 - red)}, Row{1, -2 * blue * (1 - blue) / green, -2 * red * (1 - red) / green},
            Row{1, 2 * (1 - blue), 0}};
  }

  IRBuilderBase::FastMathFlagGuard guard(m_builder);
  FastMathFlags flags = m_builder.getFastMathFlags();
  flags.setAllowContract(true); // no precision is promised
  m_builder.setFastMathFlags(flags);
  auto constant = [&](double value) { return ConstantFP::get(m_builder.getFloatTy(), value); };
  const auto [luma, chroma] = expansionsOf(m_conversion);
  Color result = color;
  for (unsigned i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    Value *sum = constant(row.luma * luma.offset + (row.cb + row.cr) * chroma.offset);
    for (const auto &[factor, channel] : {std::pair(row.luma * luma.scale, LumaChannel),
                                          {row.cb * chroma.scale, CbChannel},
                                          {row.cr * chroma.scale, CrChannel}})
      if (factor != 0)
        sum = m_builder.CreateFAdd(m_builder.CreateFMul(color[channel], constant(factor)), sum);
    result[i] = sum;
  }
  return result;
}

} // namespace lgc
