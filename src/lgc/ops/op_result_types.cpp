// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op_result_types.h"
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Value.h>

using namespace llvm;

namespace lgc::result_types {

namespace {

struct MatrixShape {
  Type *element;
  unsigned columns;
  unsigned rows;
};

MatrixShape shapeOf(const Value *matrix) {
  auto *array = cast<ArrayType>(matrix->getType());
  auto *column = cast<FixedVectorType>(array->getElementType());
  return {column->getElementType(), static_cast<unsigned>(array->getNumElements()), column->getNumElements()};
}

Type *matrixType(Type *element, unsigned columns, unsigned rows) {
  return ArrayType::get(FixedVectorType::get(element, rows), columns);
}

// `element`, as a vector if `like` is one.
Type *shapedLike(const Value *like, Type *element) {
  if (auto *vector = dyn_cast<FixedVectorType>(like->getType()))
    return FixedVectorType::get(element, vector->getNumElements());
  return element;
}

} // namespace

Type *typeOf(const Value *value) {
  return value->getType();
}

Type *scalarOf(const Value *value) {
  if (auto *array = dyn_cast<ArrayType>(value->getType()))
    return array->getElementType()->getScalarType();
  return value->getType()->getScalarType();
}

Type *boolLike(const Value *value) {
  return shapedLike(value, Type::getInt1Ty(value->getContext()));
}

Type *exponentTypeOf(const Value *value) {
  bool isHalf = value->getType()->getScalarType()->isHalfTy();
  return shapedLike(value, Type::getIntNTy(value->getContext(), isHalf ? 16 : 32));
}

Type *transposeOf(const Value *matrix) {
  MatrixShape shape = shapeOf(matrix);
  return matrixType(shape.element, shape.rows, shape.columns);
}

Type *columnOf(const Value *matrix) {
  MatrixShape shape = shapeOf(matrix);
  return FixedVectorType::get(shape.element, shape.rows);
}

Type *rowOf(const Value *matrix) {
  MatrixShape shape = shapeOf(matrix);
  return FixedVectorType::get(shape.element, shape.columns);
}

Type *productOf(const Value *a, const Value *b) {
  return matrixType(shapeOf(a).element, shapeOf(b).columns, shapeOf(a).rows);
}

Type *outerProductOf(const Value *column, const Value *row) {
  auto *columnType = cast<FixedVectorType>(column->getType());
  auto *rowType = cast<FixedVectorType>(row->getType());
  return matrixType(columnType->getElementType(), rowType->getNumElements(), columnType->getNumElements());
}

Type *i32Vector(LLVMContext &context, unsigned count) {
  return FixedVectorType::get(Type::getInt32Ty(context), count);
}

Type *f32Vector(LLVMContext &context, unsigned count) {
  return FixedVectorType::get(Type::getFloatTy(context), count);
}

Type *imageSizeType(LLVMContext &context, ImageDim dim) {
  switch (dim) {
  case ImageDim::Dim1D:
    return Type::getInt32Ty(context);
  case ImageDim::Dim2D:
  case ImageDim::Cube:
  case ImageDim::Array1D:
  case ImageDim::Msaa2D:
    return i32Vector(context, 2);
  case ImageDim::Dim3D:
  case ImageDim::Array2D:
  case ImageDim::CubeArray:
  case ImageDim::MsaaArray2D:
    return i32Vector(context, 3);
  }
  llvm_unreachable("unknown image dimension");
}

} // namespace lgc::result_types
