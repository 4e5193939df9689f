// SPDX-License-Identifier: MIT
//
// Compressed multisampled images store fewer colours than samples: fragments. FMASK is an image that says which
// fragment each sample has. It has one value per pixel; the texture unit returns one nibble per sample, the number of
// its fragment. Source: Mesa's ac_llvm_build.c, ac_apply_fmask_to_sample, and aco_instruction_selection.cpp
// (nir_texop_fragment_mask_fetch_amd); LLPC's ImageBuilder::CreateImageLoadWithFmask.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned DataFormatMask = 0x3fu << 20; // of SQ_IMG_RSRC_WORD1; 0 in the descriptor of an image without FMASK
constexpr unsigned EachItsOwn = 0x76543210;
// Bit 3 of a nibble means that the fragment is not known (EQAA); fragment 0 is read then.
constexpr unsigned FragmentMask = 0x7;

} // namespace

Value *BuilderImpl::CreateImageFragmentMask(ImageDim dim, Value *fmaskDesc, Value *coord, unsigned flags,
                                            const Twine &) {
  auto *constant = dyn_cast<Constant>(fmaskDesc);
  if (constant && constant->isNullValue()) // the layout has no FMASK
    return getInt32(EachItsOwn);
  const ImageDim fmaskDim = dim == ImageDim::MsaaArray2D ? ImageDim::Array2D : ImageDim::Dim2D;
  Value *fragments = CreateImageLoad(getInt32Ty(), fmaskDim, fmaskDesc, coord, nullptr, nullptr, flags);
  Value *word1 = CreateExtractElement(fmaskDesc, 1);
  Value *hasFmask = CreateICmpNE(CreateAnd(word1, getInt32(DataFormatMask)), getInt32(0));
  return CreateSelect(hasFmask, fragments, getInt32(EachItsOwn));
}

Value *BuilderImpl::CreateImageLoadWithFmask(Type *resultType, ImageDim dim, Value *imageDesc, Value *fmaskDesc,
                                             Value *coord, Value *sample, unsigned flags, const Twine &instName) {
  auto *constant = dyn_cast<Constant>(fmaskDesc);
  if (constant && constant->isNullValue()) // the layout has no FMASK
    return CreateImageLoad(resultType, dim, imageDesc, coord, nullptr, sample, flags, instName);
  Value *fragments = CreateImageFragmentMask(dim, fmaskDesc, coord, flags);
  Value *fragment = CreateLShr(fragments, CreateShl(sample, getInt32(2)));
  fragment = CreateAnd(fragment, getInt32(FragmentMask));
  return CreateImageLoad(resultType, dim, imageDesc, coord, nullptr, fragment, flags, instName);
}

} // namespace lgc
