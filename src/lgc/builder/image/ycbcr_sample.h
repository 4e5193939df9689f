// SPDX-License-Identifier: MIT
//
// Samples through a YCbCr conversion (src/state/ycbcr_conversion.h): a sample of each plane, then arithmetic.
#pragma once

#include "src/lgc/builder/image/image_address.h"
#include "src/state/ycbcr_conversion.h"

namespace lgc {

class YcbcrSample {
public:
  // `planeDescs`: the descriptors of all planes of the conversion.
  YcbcrSample(BuilderImpl &builder, const dovetail::YcbcrConversion &conversion, llvm::ArrayRef<Value *> planeDescs,
              Value *samplerDesc);

  using SamplePlane = llvm::function_ref<Value *(Type *resultType, Value *planeDesc, Value *samplerDesc, Value *coord)>;

  // Returns a texel of four floats or halves, or a structure { texel, i32 } (ops/image.def). `coord` begins with x and
  // y, normalized. `sample` makes the sample of one plane.
  Value *make(Type *resultType, Value *coord, SamplePlane sample);

private:
  using Color = std::array<Value *, 4>; // r, g, b, a

  bool isSmall(unsigned plane) const { return plane > 0 && (m_conversion.halfWidth || m_conversion.halfHeight); }
  Value *samplerOf(unsigned plane);
  Value *coordOf(unsigned plane, Value *coord);
  Value *halfTexel(unsigned firstBit);
  Color gather(llvm::ArrayRef<Value *> texels);
  Color swizzle(const Color &color);
  Color convert(const Color &color);

  BuilderImpl &m_builder;
  const dovetail::YcbcrConversion &m_conversion;
  llvm::SmallVector<Value *, 3> m_planeDescs;
  Value *m_samplerDesc;
};

} // namespace lgc
