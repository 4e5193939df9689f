// SPDX-License-Identifier: MIT
//
// Gathers of integers on GPUs that misplace them (TargetInfo::misplacesIntegerGathers).
#pragma once

#include "src/lgc/builder/image/image_address.h"

namespace lgc {

// What a gather of integers needs there: made in front of the instruction, applied to its address and its result.
class IntegerGather {
public:
  // `lod` as in CreateImageGather. `flags`: NonUniformImage, SignedTexel and TexelCoordinates matter.
  IntegerGather(BuilderImpl &builder, ImageDim dim, Value *imageDesc, Value *samplerDesc, OptionalValue lod,
                unsigned flags);

  Value *imageDesc() const { return m_imageDesc; }
  void moveCoordinates(ImageAddress &address) const;
  // From what the instruction returned, a vector of integers, to the texels.
  Value *fixTexels(Value *texels) const;

private:
  BuilderImpl &m_builder;
  Value *m_imageDesc;
  bool m_isSigned;
  Value *m_shift[2] = {};
  Value *m_isScaled = nullptr; // i1, of cubes: the texels come as floats
};

} // namespace lgc
