// SPDX-License-Identifier: MIT
//
// Sampling and gathering: implicit or explicit level, projection, depth comparison, residency.
#include "src/spirv/translate/ops/image_instruction.h"

using namespace llvm;

namespace dovetail::spirv {

using lgc::ImageDim;
using spv::Op;

namespace {

// What a sampling or gathering instruction does apart from its image operands.
struct SampleForm {
  bool isProjective;
  bool isComparison;
};

SampleForm sampleForm(Op opcode) {
  switch (opcode) {
  case Op::OpImageSampleDrefImplicitLod:
  case Op::OpImageSampleDrefExplicitLod:
    return {false, true};
  case Op::OpImageSampleProjImplicitLod:
  case Op::OpImageSampleProjExplicitLod:
    return {true, false};
  case Op::OpImageSampleProjDrefImplicitLod:
  case Op::OpImageSampleProjDrefExplicitLod:
    return {true, true};
  default:
    return {false, false};
  }
}

} // namespace

Result<void> Translator::ImageInstruction::sample() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  if (!m_image.sampler)
    return m_translator.unsupported(m_instruction, "the image has no sampler");
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (m_type->isMultisampled)
    return m_translator.unsupported(m_instruction, "sampling of multisampled images");
  SampleForm form = sampleForm(m_opcode);

  unsigned dimensions = dimensionCount(*m_type);
  Value *coord = toFloat(m_builder, DOVETAIL_TRY(value(1)));
  Value *dref = nullptr;
  if (form.isComparison)
    dref = toFloat(m_builder, DOVETAIL_TRY(value(2)));
  if (form.isProjective) {
    if (m_type->isArrayed || componentCount(coord) <= dimensions)
      return m_translator.unsupported(m_instruction, "projective sampling of this image");
    Value *q = m_builder.CreateExtractElement(coord, dimensions);
    coord = firstComponents(m_builder, coord, dimensions);
    Value *divisor = dimensions == 1 ? q : m_builder.CreateVectorSplat(dimensions, q);
    coord = m_builder.CreateFDiv(coord, divisor);
    if (dref)
      dref = m_builder.CreateFDiv(dref, q);
  }
  unsigned wanted = dimensions + m_type->isArrayed;
  if (componentCount(coord) < wanted)
    return m_translator.unsupported(m_instruction, "too few coordinates");
  coord = firstComponents(m_builder, coord, wanted);

  ImageOperands operands = DOVETAIL_TRY(readOperands(form.isComparison ? 3 : 2, true));
  if (operands.offset)
    operands.offset = firstComponents(m_builder, operands.offset, dimensions);
  Type *resultType = operationType(DOVETAIL_TRY(texelType()));
  return finish(m_builder.CreateImageSample(resultType, dim, m_image.image, m_image.sampler, coord, dref, operands.bias,
                                            operands.lod, operands.gradX, operands.gradY, operands.offset,
                                            operands.minLod, operands.flags));
}

Result<void> Translator::ImageInstruction::gather() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  if (!m_image.sampler)
    return m_translator.unsupported(m_instruction, "the image has no sampler");
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (dim != ImageDim::Dim2D && dim != ImageDim::Array2D && dim != ImageDim::Cube && dim != ImageDim::CubeArray)
    return m_translator.unsupported(m_instruction, "gathering from images of this dimension");
  unsigned dimensions = dimensionCount(*m_type);
  Value *coord = toFloat(m_builder, DOVETAIL_TRY(value(1)));
  if (componentCount(coord) < dimensions + m_type->isArrayed)
    return m_translator.unsupported(m_instruction, "too few coordinates");
  coord = firstComponents(m_builder, coord, dimensions + m_type->isArrayed);

  Value *dref = nullptr;
  unsigned component = 0;
  Value *third = DOVETAIL_TRY(value(2));
  if (m_opcode == Op::OpImageDrefGather) {
    dref = toFloat(m_builder, third);
  } else {
    auto *constant = dyn_cast<ConstantInt>(third);
    if (!constant)
      return m_translator.unsupported(m_instruction, "a gathered component that is not a constant");
    if (constant->getValue().ugt(3))
      return m_translator.unsupported(m_instruction, "the gathered component is not in 0 to 3");
    component = static_cast<unsigned>(constant->getZExtValue());
  }

  ImageOperands operands = DOVETAIL_TRY(readOperands(3, true));
  Type *texels = DOVETAIL_TRY(texelType());
  if (!isa<FixedVectorType>(texels))
    return m_translator.unsupported(m_instruction, "a result of this type");
  Type *resultType = operationType(texels);
  auto gatherAt = [&](Value *offset) {
    return m_builder.CreateImageGather(resultType, dim, m_image.image, m_image.sampler, coord, component, dref,
                                       operands.bias, operands.lod, offset, operands.flags);
  };
  if (!operands.offsets)
    return finish(gatherAt(operands.offset));

  // Each of the four places contributes the texel (i0, j0), which is the last result of a gather.
  auto *array = dyn_cast<ArrayType>(operands.offsets->getType());
  if (!array || array->getNumElements() != 4)
    return m_translator.unsupported(m_instruction, "the offsets are not an array of four");
  Value *result = PoisonValue::get(texels);
  Value *residency = m_builder.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *four = gatherAt(toInt(m_builder, m_builder.CreateExtractValue(operands.offsets, i)));
    if (m_isSparse) {
      residency = m_builder.CreateOr(residency, m_builder.CreateExtractValue(four, 1));
      four = m_builder.CreateExtractValue(four, 0);
    }
    result = m_builder.CreateInsertElement(result, m_builder.CreateExtractElement(four, 3), i);
  }
  if (!m_isSparse)
    return finish(result);
  Value *both = m_builder.CreateInsertValue(PoisonValue::get(resultType), result, 0);
  return finish(m_builder.CreateInsertValue(both, residency, 1));
}

} // namespace dovetail::spirv
