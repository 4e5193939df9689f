// SPDX-License-Identifier: MIT
//
// Queries of an image's size, levels and samples. Levels and samples are in dword 3 of the descriptor,
// SQ_IMG_RSRC_WORD3: BASE_LEVEL [15:12], LAST_LEVEL [19:16] (for multisampled images the binary logarithm of the number
// of samples), TYPE [31:28]. The texture unit returns the size of a level.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// Values of TYPE: SQ_RSRC_IMG_2D_MSAA is 14, SQ_RSRC_IMG_2D_MSAA_ARRAY 15.
constexpr unsigned FirstMsaaType = 14;

Value *bitField(IRBuilderBase &builder, Value *dword, unsigned first, unsigned count) {
  return builder.CreateAnd(builder.CreateLShr(dword, builder.getInt32(first)), builder.getInt32((1u << count) - 1));
}

} // namespace

Value *BuilderImpl::CreateImageQueryLevels(ImageDim dim, Value *imageDesc, const Twine &) {
  if (isMultisampled(dim))
    return getInt32(1);
  Value *word3 = CreateExtractElement(imageDesc, 3);
  Value *difference = CreateSub(bitField(*this, word3, 16, 4), bitField(*this, word3, 12, 4));
  return CreateAdd(difference, getInt32(1));
}

// A shader may declare an image as multisampled although it is bound with one sample. It is bound as an ordinary 2D
// image then.
Value *BuilderImpl::CreateImageQuerySamples(ImageDim, Value *imageDesc, const Twine &) {
  Value *word3 = CreateExtractElement(imageDesc, 3);
  Value *samples = CreateShl(getInt32(1), bitField(*this, word3, 16, 4));
  Value *isMsaa = CreateICmpUGE(bitField(*this, word3, 28, 4), getInt32(FirstMsaaType));
  return CreateSelect(isMsaa, samples, getInt32(1));
}

Value *BuilderImpl::CreateImageQuerySize(ImageDim dim, Value *imageDesc, OptionalValue lod, const Twine &) {
  // The requested components of (width, height, depth or layers), and the dimension that the instruction needs for
  // them.
  StringRef name;
  SmallVector<int, 3> components;
  switch (dim) {
  case ImageDim::Dim1D:
    name = m_targetInfo.has1DImages ? "1d" : "2d";
    components = {0};
    break;
  case ImageDim::Dim2D:
    name = "2d";
    components = {0, 1};
    break;
  case ImageDim::Dim3D:
    name = "3d";
    components = {0, 1, 2};
    break;
  case ImageDim::Cube:
    name = "cube";
    components = {0, 1};
    break;
  case ImageDim::CubeArray:
    name = "cube";
    components = {0, 1, 2};
    break;
  case ImageDim::Array1D:
    name = m_targetInfo.has1DImages ? "1darray" : "2darray";
    components = {0, m_targetInfo.has1DImages ? 1 : 2}; // layers follow the sizes
    break;
  case ImageDim::Array2D:
    name = "2darray";
    components = {0, 1, 2};
    break;
  case ImageDim::Msaa2D:
    name = "2dmsaa";
    components = {0, 1};
    break;
  case ImageDim::MsaaArray2D:
    name = "2darraymsaa";
    components = {0, 1, 2};
    break;
  }
  Value *level = lod && !isMultisampled(dim) ? static_cast<Value *>(lod) : getInt32(0);
  Type *floats = FixedVectorType::get(getFloatTy(), 4);
  std::string fullName = ("llvm.amdgcn.image.getresinfo." + name).str();
  Value *info = callByName(fullName, floats, {getInt32(0xf), level, imageDesc, getInt32(0), getInt32(0)});
  info = CreateBitCast(info, FixedVectorType::get(getInt32Ty(), 4));
  if (dim == ImageDim::CubeArray) {
    // The instruction counts faces.
    Value *cubes = CreateUDiv(CreateExtractElement(info, 2), getInt32(6));
    info = CreateInsertElement(info, cubes, 2);
  }
  if (components.size() == 1)
    return CreateExtractElement(info, components[0]);
  return CreateShuffleVector(info, components);
}

} // namespace lgc
