// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/descriptors.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace dovetail::spirv {

llvm::SmallVector<llvm::Value **, 3> Descriptors::partsOf(ImageValue &image) {
  llvm::SmallVector<llvm::Value **, 3> present;
  for (llvm::Value **descriptor : {&image.image, &image.fmask, &image.sampler})
    if (*descriptor)
      present.push_back(descriptor);
  return present;
}

ImageValue Descriptors::null(const TypeInfo &info) const {
  auto zeros = [&](unsigned count) {
    return llvm::Constant::getNullValue(
        llvm::FixedVectorType::get(llvm::Type::getInt32Ty(m_context.llvmContext), count));
  };
  ImageValue result;
  if (info.kind != TypeKind::Image)
    result.sampler = zeros(4);
  if (info.kind == TypeKind::Sampler)
    return result;
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  const TypeInfo &image = m_context.type(result.imageType);
  result.image = zeros(image.dim == spv::Dim::Buffer ? 4 : 8);
  if (hasFmask(image))
    result.fmask = zeros(8);
  return result;
}

Result<ImageValue> Descriptors::load(const Instruction &inst, const Pointer &from, uint32_t resultTypeId) {
  const TypeInfo &info = m_context.type(resultTypeId);
  if (from.kind == Pointer::Kind::Memory && isOpaque(info) && from.pointee == resultTypeId)
    return loadFromMemory(from);
  if (from.kind != Pointer::Kind::Resource || !isOpaque(info))
    return unsupported(inst, "an image or sampler that is not a variable is not supported");
  const Variable &variable = *from.variable;
  llvm::Value *index = from.offset ? from.offset : m_builder.getInt32(0);
  ImageValue result;
  result.flags = from.flags | (inst.result ? m_context.resourceFlags(inst.result) : 0);
  if (m_context.hasDecoration(variable.id, spv::Decoration::NonWritable))
    result.flags |= lgc::ReadOnly;
  if (info.kind == TypeKind::Sampler) {
    result.sampler = m_builder.CreateLoadSamplerDesc(variable.set, variable.binding, index, result.flags);
    return result;
  }
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  if (m_context.type(result.imageType).dim == spv::Dim::Buffer) {
    result.image = m_builder.CreateLoadTexelBufferDesc(variable.set, variable.binding, index, result.flags);
    return result;
  }
  result.image = m_builder.CreateLoadImageDesc(variable.set, variable.binding, index, result.flags);
  if (hasFmask(m_context.type(result.imageType)))
    result.fmask = m_builder.CreateLoadFmaskDesc(variable.set, variable.binding, index, result.flags);
  if (info.kind == TypeKind::SampledImage)
    result.sampler = m_builder.CreateLoadSamplerDesc(variable.set, variable.binding, index, result.flags);
  return result;
}

void Descriptors::store(const Pointer &to, const ImageValue &image) {
  const auto store = [&](llvm::Value *descriptor, unsigned place) {
    if (descriptor)
      m_builder.CreateAlignedStore(descriptor, m_builder.CreateConstGEP1_32(m_builder.getInt32Ty(), to.base, place),
                                   llvm::Align(4));
  };
  store(image.image, 0);
  store(image.fmask, FmaskPlace);
  store(image.sampler, SamplerPlace);
}

// Lanes may have stored different descriptors, so these are non-uniform. The original variable is no longer known, so a
// storage image counts as one that other waves see.
ImageValue Descriptors::loadFromMemory(const Pointer &from) {
  const auto load = [&](unsigned place, unsigned dwords) {
    llvm::Value *at = m_builder.CreateConstGEP1_32(m_builder.getInt32Ty(), from.base, place);
    return m_builder.CreateAlignedLoad(llvm::FixedVectorType::get(m_builder.getInt32Ty(), dwords), at, llvm::Align(4));
  };
  const TypeInfo &info = m_context.type(from.pointee);
  ImageValue result;
  result.flags = lgc::NonUniformImage | lgc::NonUniformSampler;
  if (info.kind != TypeKind::Image)
    result.sampler = load(SamplerPlace, 4);
  if (info.kind == TypeKind::Sampler)
    return result;
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  const TypeInfo &image = m_context.type(result.imageType);
  constexpr uint32_t isStorage = 2;
  if (image.sampled == isStorage)
    result.flags |= lgc::Coherent;
  result.image = load(0, image.dim == spv::Dim::Buffer ? 4 : 8);
  if (hasFmask(image))
    result.fmask = load(FmaskPlace, 8);
  return result;
}

} // namespace dovetail::spirv
