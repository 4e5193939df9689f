// SPDX-License-Identifier: MIT
//
// Coordinates and texels as image instructions take them. GFX9 lays 1D images out as 2D ones. The hardware wants the
// coordinates of cubes as a face and a place on it, and returns texels of f32 or f16 only.
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

// Texels on their way to and from the instructions: integers travel as floats of the same width, 64-bit components as
// two dwords of a texel that has only one component.
Type *hardwareTexelType(BuilderImpl &builder, Type *texelType);
Value *toHardwareTexel(BuilderImpl &builder, Value *texel);
Value *fromHardwareTexel(BuilderImpl &builder, Value *hardwareTexel, Type *texelType);
// One bit for each component of a hardware texel.
llvm::ConstantInt *texelMask(BuilderImpl &builder, Type *hardwareTexelType);

} // namespace lgc
