// SPDX-License-Identifier: MIT
//
// An image instruction on its way to the Builder's operations. This file has what instructions that sample
// (image_sample_ops.cpp) and instructions that access single texels or query (image_ops.cpp) have in common.
#pragma once

#include "src/spirv/translate/ops/handlers.h"
#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// The optional operands behind the Image Operands mask.
struct ImageOperands {
  llvm::Value *bias = nullptr;
  llvm::Value *lod = nullptr;
  llvm::Value *gradX = nullptr;
  llvm::Value *gradY = nullptr;
  llvm::Value *offset = nullptr;
  llvm::Value *offsets = nullptr; // array of four
  llvm::Value *sample = nullptr;
  llvm::Value *minLod = nullptr;
  unsigned flags = 0;
};

// The number of coordinates, without the layer.
inline unsigned dimensionCount(const TypeInfo &type) {
  switch (type.dim) {
  case spv::Dim::Dim1D:
  case spv::Dim::Buffer:
    return 1;
  case spv::Dim::Dim3D:
  case spv::Dim::Cube:
    return 3;
  default:
    return 2;
  }
}

inline bool isSubpass(const TypeInfo &type) {
  return type.dim == spv::Dim::SubpassData;
}

// The first `count` components; a scalar for one.
inline llvm::Value *firstComponents(lgc::Builder &builder, llvm::Value *value, unsigned count) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector || vector->getNumElements() <= count)
    return value;
  if (count == 1)
    return builder.CreateExtractElement(value, uint64_t(0));
  llvm::SmallVector<int, 4> lanes;
  for (unsigned i = 0; i < count; ++i)
    lanes.push_back(static_cast<int>(i));
  return builder.CreateShuffleVector(value, lanes);
}

inline llvm::Value *toFloat(lgc::Builder &builder, llvm::Value *value) {
  return builder.CreateFPCast(value, value->getType()->getWithNewType(builder.getFloatTy()));
}

inline llvm::Value *toInt(lgc::Builder &builder, llvm::Value *value) {
  return builder.CreateSExtOrTrunc(value, value->getType()->getWithNewType(builder.getInt32Ty()));
}

inline unsigned componentCount(const llvm::Value *value) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector ? vector->getNumElements() : 1;
}

// What an instruction does apart from its image operands.
struct ImageForm {
  bool isProjective = false;
  bool isComparison = false;
  bool isSparse = false; // the instruction also returns residency
};

// Each method translates an instruction of its kind and binds its result.
class ImageInstruction {
public:
  ImageInstruction(Services &services, const Instruction &inst, const ImageForm &form)
      : m_services(services), m_builder(services.builder), m_inst(inst), m_form(form) {}

  Result<void> sample();
  Result<void> gather();
  Result<void> fetchOrRead();
  Result<void> write();
  Result<void> querySize();
  Result<void> querySizeLod();
  Result<void> queryLevels();
  Result<void> querySamples();
  Result<void> queryLod();
  Result<void> texelPointer();
  Result<void> fragmentMask();
  Result<void> fragmentFetch();

private:
  // Reads operand `index` as an image with its type.
  Result<void> readImage(size_t index);
  Result<lgc::ImageDim> imageDim() const;
  // Refuses texels of types that the hardware's image instructions do not return. Texels of 64 bits must be integers.
  Result<void> checkTexelType();
  // Reads the image operands from operand `index` on, which is the mask if there is one.
  Result<ImageOperands> readOperands(size_t index, bool hasFloatLod);
  // Integer coordinates of a fetch, read, write or atomic.
  Result<llvm::Value *> texelCoordinate(size_t index);
  Result<llvm::Value *> value(unsigned index) { return m_services.operand(m_inst, index); }
  // Whether it is an input attachment of a framebuffer with layers, although the shader declares no layers.
  bool isLayered() const {
    return isSubpass(*m_type) && !m_type->isArrayed && m_services.options.layeredInputAttachments;
  }
  // The type of the texel that the instruction returns: its result, or the second member of its result.
  Result<llvm::Type *> texelType() const;
  // The type that the Builder's operation returns for such a texel: with its residency, if the instruction returns
  // that.
  llvm::Type *operationType(llvm::Type *texel) const;
  // Binds the result, cut or extended to the instruction's result type.
  Result<void> finish(llvm::Value *result);
  Result<llvm::Value *> fitted(llvm::Value *result, llvm::Type *type);

  Services &m_services;
  lgc::Builder &m_builder;
  const Instruction &m_inst;
  const ImageForm m_form;
  ImageValue m_image;
  const TypeInfo *m_type = nullptr; // of the image
};

} // namespace dovetail::spirv
