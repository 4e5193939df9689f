// SPDX-License-Identifier: MIT
//
// Texel accesses see a cube as an array of faces. GFX8 rejects a descriptor of TYPE cube for them, and its DEPTH counts
// cubes. So the descriptor becomes one of a 2D array, with a DEPTH of 6 * DEPTH + 5, the last layer's number (LLPC's
// ImageBuilder::patchCubeDescriptor). PAL binds cubes as they are. Drivers like RADV bind storage images as 2D arrays
// already (radv_image.c, radv_tex_dim); these descriptors, and null descriptors, stay as they are.
#include "src/lgc/builder/image/image_address.h"

using namespace llvm;

namespace lgc {

namespace {

// SQ_IMG_RSRC_WORD3: TYPE [31:28]; SQ_RSRC_IMG_CUBE is 11, SQ_RSRC_IMG_2D_ARRAY 13. SQ_IMG_RSRC_WORD4: DEPTH [12:0].
constexpr unsigned TypeShift = 28, TypeCube = 11, Type2DArray = 13;
constexpr unsigned DepthMask = 0x1fff;

} // namespace

Value *cubeAccessDesc(BuilderImpl &builder, ImageDim dim, Value *imageDesc) {
  if ((dim != ImageDim::Cube && dim != ImageDim::CubeArray) || !builder.targetInfo().accessesCubesAsArrays)
    return imageDesc;
  Value *word3 = builder.CreateExtractElement(imageDesc, 3);
  Value *word4 = builder.CreateExtractElement(imageDesc, 4);
  Value *isCube = builder.CreateICmpEQ(builder.CreateLShr(word3, TypeShift), builder.getInt32(TypeCube));
  Value *asArray = builder.CreateXor(word3, builder.getInt32((TypeCube ^ Type2DArray) << TypeShift));
  Value *depth = builder.CreateAnd(word4, builder.getInt32(DepthMask));
  Value *faces = builder.CreateAdd(builder.CreateMul(depth, builder.getInt32(6)), builder.getInt32(5));
  Value *withFaces = builder.CreateOr(builder.CreateAnd(word4, builder.getInt32(~DepthMask)), faces);
  imageDesc = builder.CreateInsertElement(imageDesc, builder.CreateSelect(isCube, asArray, word3), 3);
  return builder.CreateInsertElement(imageDesc, builder.CreateSelect(isCube, withFaces, word4), 4);
}

} // namespace lgc
