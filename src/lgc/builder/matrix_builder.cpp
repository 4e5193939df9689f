// SPDX-License-Identifier: MIT
//
// Matrices, as arrays of column vectors. All operations become element-wise vector arithmetic. Determinants are
// expanded by minors of 2x2 blocks, and inverses are adjugates divided by the determinant, as in GLSL implementations.
#include "src/lgc/builder/builder_impl.h"

using namespace llvm;

namespace lgc {

namespace {

// A matrix as its scalars, for operations that mix rows and columns.
struct Scalars {
  unsigned columns = 0;
  unsigned rows = 0;
  SmallVector<Value *, 16> elements; // column by column

  Value *&at(unsigned column, unsigned row) { return elements[column * rows + row]; }
};

unsigned columnsOf(Value *matrix) {
  return cast<ArrayType>(matrix->getType())->getNumElements();
}

FixedVectorType *columnTypeOf(Value *matrix) {
  return cast<FixedVectorType>(cast<ArrayType>(matrix->getType())->getElementType());
}

Scalars scalarsOf(IRBuilderBase &builder, Value *matrix) {
  Scalars scalars{columnsOf(matrix), columnTypeOf(matrix)->getNumElements(), {}};
  for (unsigned column = 0; column < scalars.columns; ++column) {
    Value *vector = builder.CreateExtractValue(matrix, column);
    for (unsigned row = 0; row < scalars.rows; ++row)
      scalars.elements.push_back(builder.CreateExtractElement(vector, row));
  }
  return scalars;
}

Value *matrixOf(IRBuilderBase &builder, Scalars &scalars) {
  auto *columnType = FixedVectorType::get(scalars.elements[0]->getType(), scalars.rows);
  Value *matrix = PoisonValue::get(ArrayType::get(columnType, scalars.columns));
  for (unsigned column = 0; column < scalars.columns; ++column) {
    Value *vector = PoisonValue::get(columnType);
    for (unsigned row = 0; row < scalars.rows; ++row)
      vector = builder.CreateInsertElement(vector, scalars.at(column, row), row);
    matrix = builder.CreateInsertValue(matrix, vector, column);
  }
  return matrix;
}

// a * b - c * d
Value *crossTerm(BuilderImpl &builder, Value *a, Value *b, Value *c, Value *d) {
  return builder.CreateFma(builder.CreateFNeg(c), d, builder.CreateFMul(a, b));
}

// The matrix without one column and one row.
Scalars without(Scalars &matrix, unsigned column, unsigned row) {
  Scalars minor{matrix.columns - 1, matrix.rows - 1, {}};
  for (unsigned c = 0; c < matrix.columns; ++c)
    for (unsigned r = 0; r < matrix.rows; ++r)
      if (c != column && r != row)
        minor.elements.push_back(matrix.at(c, r));
  return minor;
}

Value *determinantOf(BuilderImpl &builder, Scalars &matrix) {
  if (matrix.columns == 2)
    return crossTerm(builder, matrix.at(0, 0), matrix.at(1, 1), matrix.at(1, 0), matrix.at(0, 1));

  // Laplace's expansion along the first row.
  Value *sum = nullptr;
  for (unsigned column = 0; column < matrix.columns; ++column) {
    Scalars minor = without(matrix, column, 0);
    Value *cofactor = determinantOf(builder, minor);
    Value *element = matrix.at(column, 0);
    if (column % 2)
      element = builder.CreateFNeg(element);
    sum = sum ? builder.CreateFma(element, cofactor, sum) : builder.CreateFMul(element, cofactor);
  }
  return sum;
}

} // namespace

Value *BuilderImpl::CreateTransposeMatrix(Value *matrix, const Twine &) {
  Scalars from = scalarsOf(*this, matrix);
  Scalars to{from.rows, from.columns, SmallVector<Value *, 16>(from.elements.size())};
  for (unsigned column = 0; column < from.columns; ++column)
    for (unsigned row = 0; row < from.rows; ++row)
      to.at(row, column) = from.at(column, row);
  return matrixOf(*this, to);
}

Value *BuilderImpl::CreateMatrixTimesScalar(Value *matrix, Value *scalar, const Twine &) {
  Value *factor = CreateVectorSplat(columnTypeOf(matrix)->getNumElements(), scalar);
  Value *result = PoisonValue::get(matrix->getType());
  for (unsigned column = 0; column < columnsOf(matrix); ++column)
    result = CreateInsertValue(result, CreateFMul(CreateExtractValue(matrix, column), factor), column);
  return result;
}

Value *BuilderImpl::CreateVectorTimesMatrix(Value *vector, Value *matrix, const Twine &) {
  unsigned columns = columnsOf(matrix);
  Value *result = PoisonValue::get(FixedVectorType::get(columnTypeOf(matrix)->getElementType(), columns));
  for (unsigned column = 0; column < columns; ++column)
    result = CreateInsertElement(result, CreateDotProduct(vector, CreateExtractValue(matrix, column)), column);
  return result;
}

Value *BuilderImpl::CreateMatrixTimesVector(Value *matrix, Value *vector, const Twine &) {
  unsigned rows = columnTypeOf(matrix)->getNumElements();
  Value *sum = nullptr;
  for (unsigned column = 0; column < columnsOf(matrix); ++column) {
    Value *factor = CreateVectorSplat(rows, CreateExtractElement(vector, column));
    Value *term = CreateExtractValue(matrix, column);
    sum = sum ? CreateFma(term, factor, sum) : CreateFMul(term, factor);
  }
  return sum;
}

Value *BuilderImpl::CreateMatrixTimesMatrix(Value *a, Value *b, const Twine &) {
  Value *result = PoisonValue::get(ArrayType::get(columnTypeOf(a), columnsOf(b)));
  for (unsigned column = 0; column < columnsOf(b); ++column)
    result = CreateInsertValue(result, CreateMatrixTimesVector(a, CreateExtractValue(b, column)), column);
  return result;
}

Value *BuilderImpl::CreateOuterProduct(Value *column, Value *row, const Twine &) {
  unsigned columns = cast<FixedVectorType>(row->getType())->getNumElements();
  unsigned rows = cast<FixedVectorType>(column->getType())->getNumElements();
  Value *result = PoisonValue::get(ArrayType::get(column->getType(), columns));
  for (unsigned i = 0; i < columns; ++i) {
    Value *factor = CreateVectorSplat(rows, CreateExtractElement(row, i));
    result = CreateInsertValue(result, CreateFMul(column, factor), i);
  }
  return result;
}

Value *BuilderImpl::CreateDeterminant(Value *matrix, const Twine &) {
  Scalars scalars = scalarsOf(*this, matrix);
  return determinantOf(*this, scalars);
}

Value *BuilderImpl::CreateMatrixInverse(Value *matrix, const Twine &) {
  Scalars scalars = scalarsOf(*this, matrix);
  unsigned size = scalars.columns;
  // Element (column, row) of the inverse is the cofactor of element (row, column), divided by the determinant.
  Scalars inverse{size, size, SmallVector<Value *, 16>(size * size)};
  for (unsigned column = 0; column < size; ++column) {
    for (unsigned row = 0; row < size; ++row) {
      Scalars minor = without(scalars, row, column);
      Value *cofactor = size == 2 ? minor.at(0, 0) : determinantOf(*this, minor);
      inverse.at(column, row) = (column + row) % 2 ? CreateFNeg(cofactor) : cofactor;
    }
  }
  Value *determinant = nullptr;
  for (unsigned i = 0; i < size; ++i) {
    Value *element = scalars.at(i, 0);
    Value *cofactor = inverse.at(0, i);
    determinant = determinant ? CreateFma(element, cofactor, determinant) : CreateFMul(element, cofactor);
  }
  Value *reciprocal = divide(ConstantFP::get(determinant->getType(), 1.0), determinant);
  for (Value *&element : inverse.elements)
    element = CreateFMul(element, reciprocal);
  return matrixOf(*this, inverse);
}

} // namespace lgc
