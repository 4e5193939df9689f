// SPDX-License-Identifier: MIT
//
// Converts coordinates and texels to the form of image instructions. GFX9 lays 1D images out as 2D ones. The hardware
// takes a cube's coordinates as a face and a place on it, and returns only texels of f32 or f16.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include <llvm/ADT/SmallVector.h>

namespace lgc {

struct ImageAddress {
  llvm::StringRef dim;                     // the dimension's part of an intrinsic's name
  llvm::SmallVector<Value *, 4> coords;    // f32 for sampling, i32 for texel accesses
  llvm::SmallVector<Value *, 6> gradients; // all by x, then all by y
};

// The address of sampling, gathering and level-of-detail queries; without a layer if `hasLayer` is false.
ImageAddress sampleAddress(BuilderImpl &builder, ImageDim dim, Value *coord, OptionalValue gradX, OptionalValue gradY,
                           bool hasLayer = true);

// The address of loads, stores and atomics. `sample` matters for Msaa dims only.
ImageAddress texelAddress(BuilderImpl &builder, ImageDim dim, Value *coord, OptionalValue sample);

bool isMultisampled(ImageDim dim);

// The type in which instructions carry a texel: integers travel as floats of the same width, 64-bit components as two
// dwords of a texel that has only one component.
Type *hardwareTexelType(BuilderImpl &builder, Type *texelType);
Value *toHardwareTexel(BuilderImpl &builder, Value *texel);
Value *fromHardwareTexel(BuilderImpl &builder, Value *hardwareTexel, Type *texelType);
// One bit for each component of a hardware texel.
llvm::ConstantInt *texelMask(BuilderImpl &builder, Type *hardwareTexelType);

// The result of an instruction: a texel, or for a structure { texel, i32 } the texel and whether it is resident. (TFE,
// "Vega" ISA manual, section 8.2.4: a dword behind the texel that is not 0 if a page was missing.)
class TexelResult {
public:
  TexelResult(BuilderImpl &builder, Type *resultType);

  Type *texelType() const { return m_texelType; }
  Type *hardwareType() const { return m_hardwareType; } // of the intrinsic
  llvm::ConstantInt *mask() const { return texelMask(m_builder, m_hardwareTexelType); }
  llvm::ConstantInt *failureReport() const; // the intrinsic's operand
  // Makes a value of the requested type; `change` is applied to the texel.
  Value *finish(Value *returned, llvm::function_ref<Value *(Value *texel)> change = nullptr) const;

private:
  BuilderImpl &m_builder;
  Type *m_resultType;
  Type *m_texelType;
  Type *m_hardwareTexelType;
  Type *m_hardwareType;
};

// Whether the descriptor may differ between lanes. `flags`: of ImageFlags.
inline bool isNonUniform(unsigned flags) {
  return (flags & NonUniformImage) != 0;
}

// Makes the descriptor for loads, stores and atomics of a cube from the descriptor that is bound.
Value *cubeAccessDesc(BuilderImpl &builder, ImageDim dim, Value *imageDesc);

} // namespace lgc
