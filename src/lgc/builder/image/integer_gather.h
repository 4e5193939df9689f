// SPDX-License-Identifier: MIT
//
// Corrects gathers of integers on GPUs that misplace them (TargetInfo::misplacesIntegerGathers).
#pragma once

#include "src/lgc/builder/image/image_address.h"

namespace lgc {

// One gather of integers. The constructor makes IR in front of the instruction; the methods change the instruction's
// address and its result.
class IntegerGather {
public:
  // `lod` as in CreateImageGather. `flags`: NonUniformImage, SignedTexel and TexelCoordinates matter.
  IntegerGather(BuilderImpl &builder, ImageDim dim, Value *imageDesc, Value *samplerDesc, OptionalValue lod,
                unsigned flags);

  Value *imageDesc() const { return m_imageDesc; }
  void moveCoordinates(ImageAddress &address) const;
  // Makes the texels of the vector of integers that the instruction returned.
  Value *fixTexels(Value *texels) const;

private:
  BuilderImpl &m_builder;
  Value *m_imageDesc;
  bool m_isSigned;
  Value *m_shift[2] = {};
  Value *m_isScaled = nullptr; // i1, of cubes: the texels come as floats
};

} // namespace lgc
