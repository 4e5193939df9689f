// SPDX-License-Identifier: MIT
//
// A gather takes the four texels that a linear filter would take. GFX8 does not filter integers; it gathers them as if
// the sampler were set to nearest, half a texel too far. So this moves the place back by half a texel: by 0.5 where the
// sampler has coordinates in texels, otherwise by 0.5 / size. Source: Mesa's ac_nir_to_llvm.c, lower_gather4_integer
// (with it aco_instruction_selection.cpp, tg4_integer_workarounds); LLPC's ImageBuilder::preprocessIntegerImageGather.
//
// On cubes that is not enough (both drivers; Mesa names 8_8_8_8). Their texels are read as floats of the same value,
// USCALED or SSCALED, and converted back. Floats cannot hold 32-bit integers, so for these formats the place on the
// cube is moved, too; LLPC makes the same distinction.
#include "src/lgc/builder/image/integer_gather.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// SQ_IMG_RSRC_WORD1: DATA_FORMAT [25:20], NUM_FORMAT [29:26]. The formats of 32 bits to a component are 4, 11 and 14.
constexpr unsigned DataFormatShift = 20, NumFormatShift = 26;
constexpr unsigned DataFormat32 = 4, DataFormat32_32 = 11, DataFormat32_32_32_32 = 14;
// IMG_NUM_FORMAT: UINT 4 and SINT 5; USCALED 2 and SSCALED 3.
constexpr unsigned FromScaledToInteger = 2;
// SQ_IMG_RSRC_WORD3: BASE_LEVEL [15:12], LAST_LEVEL [19:16]. SQ_IMG_SAMP_WORD0: FORCE_UNNORMALIZED [15]. WORD1: MIN_LOD
// [11:0], MAX_LOD [23:12]. WORD2: LOD_BIAS [13:0]. The last three are in 1/256 of a level.
constexpr unsigned BaseLevelShift = 12, LastLevelShift = 16, LevelBits = 0xf;
constexpr unsigned ForceUnnormalized = 1u << 15;
constexpr unsigned MaxLodShift = 12, LodBits = 0xfff, BiasBits = 14;
constexpr double LodStep = 1.0 / 256;

bool isCube(ImageDim dim) {
  return dim == ImageDim::Cube || dim == ImageDim::CubeArray;
}

// The level with the sampler's bias, within the sampler's limits.
Value *limitedLod(BuilderImpl &builder, Value *lod, Value *samplerDesc) {
  Type *floats = builder.getFloatTy();
  Constant *step = ConstantFP::get(floats, LodStep);
  Value *limits = builder.CreateExtractElement(samplerDesc, 1);
  auto limit = [&](Value *bits) {
    return builder.CreateFMul(builder.CreateUIToFP(builder.CreateAnd(bits, builder.getInt32(LodBits)), floats), step);
  };
  Value *most = limit(builder.CreateLShr(limits, builder.getInt32(MaxLodShift)));
  Constant *unused = builder.getInt32(32 - BiasBits);
  Value *bias = builder.CreateAShr(builder.CreateShl(builder.CreateExtractElement(samplerDesc, 2), unused), unused);
  lod = builder.CreateFAdd(builder.CreateFPCast(lod, floats),
                           builder.CreateFMul(builder.CreateSIToFP(bias, floats), step));
  return builder.CreateMaxNum(builder.CreateMinNum(lod, most), limit(limits));
}

// The level of a gather with a level: the nearest that the image has, counted from the base level.
Value *nearestLevel(BuilderImpl &builder, Value *imageDesc, Value *samplerDesc, OptionalValue lod) {
  if (!lod)
    return builder.getInt32(0);
  Value *word3 = builder.CreateExtractElement(imageDesc, 3);
  auto level = [&](unsigned shift) {
    return builder.CreateAnd(builder.CreateLShr(word3, shift), builder.getInt32(LevelBits));
  };
  Value *last = builder.CreateSub(level(LastLevelShift), level(BaseLevelShift));
  Value *wanted = limitedLod(builder, lod, samplerDesc); // not below 0
  wanted = builder.CreateMinNum(wanted, builder.CreateUIToFP(last, builder.getFloatTy()));
  return builder.CreateFPToUI(builder.CreateUnaryIntrinsic(Intrinsic::rint, wanted), builder.getInt32Ty());
}

} // namespace

IntegerGather::IntegerGather(BuilderImpl &builder, ImageDim dim, Value *imageDesc, Value *samplerDesc,
                             OptionalValue lod, unsigned flags)
    : m_builder(builder), m_imageDesc(imageDesc), m_isSigned(flags & SignedTexel) {
  // The size of a cube is that of an array: only width and height matter.
  Value *level = nearestLevel(builder, imageDesc, samplerDesc, lod);
  Value *size = builder.CreateImageQuerySize(isCube(dim) ? ImageDim::Cube : ImageDim::Dim2D, imageDesc, level);
  Constant *minusHalf = ConstantFP::get(builder.getFloatTy(), -0.5);
  for (uint64_t i = 0; i != 2; ++i) {
    Value *length = builder.CreateUIToFP(builder.CreateExtractElement(size, i), builder.getFloatTy());
    m_shift[i] = builder.divide(minusHalf, length);
  }
  if (dim == ImageDim::Dim2D) { // other images cannot be sampled with coordinates in texels
    Value *word0 = builder.CreateExtractElement(samplerDesc, uint64_t(0));
    Value *isInTexels =
        builder.CreateICmpNE(builder.CreateAnd(word0, builder.getInt32(ForceUnnormalized)), builder.getInt32(0));
    if (flags & TexelCoordinates)
      isInTexels = builder.getTrue();
    for (Value *&shift : m_shift)
      shift = builder.CreateSelect(isInTexels, minusHalf, shift);
  }
  if (!isCube(dim))
    return;
  Value *word1 = builder.CreateExtractElement(imageDesc, 1);
  Value *dataFormat = builder.CreateAnd(builder.CreateLShr(word1, DataFormatShift), builder.getInt32(0x3f));
  m_isScaled = builder.getTrue();
  for (unsigned format : {DataFormat32, DataFormat32_32, DataFormat32_32_32_32})
    m_isScaled = builder.CreateAnd(m_isScaled, builder.CreateICmpNE(dataFormat, builder.getInt32(format)));
  Value *scaled = builder.CreateSub(word1, builder.getInt32(FromScaledToInteger << NumFormatShift));
  m_imageDesc = builder.CreateInsertElement(imageDesc, builder.CreateSelect(m_isScaled, scaled, word1), 1);
  for (Value *&shift : m_shift)
    shift = builder.CreateSelect(m_isScaled, ConstantFP::get(builder.getFloatTy(), 0.0), shift);
}

void IntegerGather::moveCoordinates(ImageAddress &address) const {
  for (unsigned i = 0; i != 2; ++i)
    address.coords[i] = m_builder.CreateFAdd(address.coords[i], m_shift[i]);
}

Value *IntegerGather::fixTexels(Value *texels) const {
  if (!m_isScaled)
    return texels;
  Type *type = texels->getType();
  Value *floats = m_builder.CreateBitCast(texels, type->getWithNewType(m_builder.getFloatTy()));
  Value *converted = m_isSigned ? m_builder.CreateFPToSI(floats, type) : m_builder.CreateFPToUI(floats, type);
  return m_builder.CreateSelect(m_isScaled, converted, texels);
}

} // namespace lgc
