// SPDX-License-Identifier: MIT
//
// Sampling and gathering: implicit or explicit level, projection, depth comparison, residency.
#include "src/spirv/translate/ops/image_instruction.h"

using namespace llvm;

namespace dovetail::spirv {

using lgc::ImageDim;

Result<void> ImageInstruction::sample() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  if (!m_image.sampler)
    return unsupported(m_inst, "the image has no sampler");
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (m_type->isMultisampled)
    return unsupported(m_inst, "sampling of multisampled images");

  unsigned dimensions = dimensionCount(*m_type);
  Value *coord = toFloat(m_builder, DOVETAIL_TRY(value(1)));
  Value *dref = nullptr;
  if (m_form.isComparison)
    dref = toFloat(m_builder, DOVETAIL_TRY(value(2)));
  if (m_form.isProjective) {
    if (m_type->isArrayed || componentCount(coord) <= dimensions)
      return unsupported(m_inst, "projective sampling of this image");
    Value *q = m_builder.CreateExtractElement(coord, dimensions);
    coord = firstComponents(m_builder, coord, dimensions);
    Value *divisor = dimensions == 1 ? q : m_builder.CreateVectorSplat(dimensions, q);
    coord = m_builder.CreateFDiv(coord, divisor);
    if (dref)
      dref = m_builder.CreateFDiv(dref, q);
  }
  unsigned wanted = dimensions + m_type->isArrayed;
  if (componentCount(coord) < wanted)
    return unsupported(m_inst, "too few coordinates");
  coord = firstComponents(m_builder, coord, wanted);

  ImageOperands operands = DOVETAIL_TRY(readOperands(m_form.isComparison ? 3 : 2, true));
  if (operands.offset)
    operands.offset = firstComponents(m_builder, operands.offset, dimensions);
  Type *resultType = operationType(DOVETAIL_TRY(texelType()));
  return finish(m_builder.CreateImageSample(resultType, dim, m_image.image, m_image.sampler, coord, dref, operands.bias,
                                            operands.lod, operands.gradX, operands.gradY, operands.offset,
                                            operands.minLod, operands.flags));
}

Result<void> ImageInstruction::gather() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  if (!m_image.sampler)
    return unsupported(m_inst, "the image has no sampler");
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (dim != ImageDim::Dim2D && dim != ImageDim::Array2D && dim != ImageDim::Cube && dim != ImageDim::CubeArray)
    return unsupported(m_inst, "gathering from images of this dimension");
  unsigned dimensions = dimensionCount(*m_type);
  Value *coord = toFloat(m_builder, DOVETAIL_TRY(value(1)));
  if (componentCount(coord) < dimensions + m_type->isArrayed)
    return unsupported(m_inst, "too few coordinates");
  coord = firstComponents(m_builder, coord, dimensions + m_type->isArrayed);

  Value *dref = nullptr;
  unsigned component = 0;
  Value *third = DOVETAIL_TRY(value(2));
  if (m_form.isComparison) {
    dref = toFloat(m_builder, third);
  } else {
    auto *constant = dyn_cast<ConstantInt>(third);
    if (!constant)
      return unsupported(m_inst, "a gathered component that is not a constant");
    if (constant->getValue().ugt(3))
      return unsupported(m_inst, "the gathered component is not in 0 to 3");
    component = static_cast<unsigned>(constant->getZExtValue());
  }

  ImageOperands operands = DOVETAIL_TRY(readOperands(3, true));
  Type *texels = DOVETAIL_TRY(texelType());
  if (!isa<FixedVectorType>(texels))
    return unsupported(m_inst, "a result of this type");
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
    return unsupported(m_inst, "the offsets are not an array of four");
  Value *result = PoisonValue::get(texels);
  Value *residency = m_builder.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *four = gatherAt(toInt(m_builder, m_builder.CreateExtractValue(operands.offsets, i)));
    if (m_form.isSparse) {
      residency = m_builder.CreateOr(residency, m_builder.CreateExtractValue(four, 1));
      four = m_builder.CreateExtractValue(four, 0);
    }
    result = m_builder.CreateInsertElement(result, m_builder.CreateExtractElement(four, 3), i);
  }
  if (!m_form.isSparse)
    return finish(result);
  Value *both = m_builder.CreateInsertValue(PoisonValue::get(resultType), result, 0);
  return finish(m_builder.CreateInsertValue(both, residency, 1));
}

} // namespace dovetail::spirv
