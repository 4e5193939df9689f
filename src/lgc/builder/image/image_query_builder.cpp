// SPDX-License-Identifier: MIT
//
// Queries of an image's size, levels and samples. Levels and samples are in dword 3 of the descriptor,
// SQ_IMG_RSRC_WORD3: BASE_LEVEL [15:12], LAST_LEVEL [19:16] (for multisampled images the binary logarithm of the number
// of samples), TYPE [31:28]. The texture unit returns the size of a level.
#include "src/base/enumerators.h"
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

// By ImageDim: the dimension that the instruction needs, and the requested components of (width, height, depth or
// layers); layers follow the sizes.
struct SizeQuery {
  StringLiteral name;
  unsigned count;
  int components[3];
};
constexpr SizeQuery SizeQueries[] = {
    {"1d", 1, {0}},         {"2d", 2, {0, 1}},      {"3d", 3, {0, 1, 2}},
    {"cube", 2, {0, 1}},    {"1darray", 2, {0, 1}}, {"2darray", 3, {0, 1, 2}},
    {"cube", 3, {0, 1, 2}}, {"2dmsaa", 2, {0, 1}},  {"2darraymsaa", 3, {0, 1, 2}},
};
static_assert(std::size(SizeQueries) == dovetail::enumeratorCount<ImageDim>());

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
  const SizeQuery &query = SizeQueries[size_t(dim)];
  StringRef name = query.name;
  SmallVector<int, 3> components(ArrayRef(query.components).take_front(query.count));
  if (!m_targetInfo.has1DImages && dim == ImageDim::Dim1D)
    name = "2d";
  if (!m_targetInfo.has1DImages && dim == ImageDim::Array1D) {
    name = "2darray";
    components[1] = 2;
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
