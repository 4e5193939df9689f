// SPDX-License-Identifier: MIT
#include "tests/lgc/builder/constant_evaluator.h"
#include "tests/lgc/builder/lowering.h"
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;
using lgc::test::Workbench;

namespace {

using Columns = std::vector<std::vector<double>>;

llvm::Constant *matrix(Workbench &bench, const Columns &columns) {
  std::vector<llvm::Constant *> vectors;
  for (const std::vector<double> &column : columns)
    vectors.push_back(bench.f32Vector(column));
  return llvm::ConstantArray::get(llvm::ArrayType::get(vectors[0]->getType(), vectors.size()), vectors);
}

Columns columnsOf(Workbench &bench, Value *value) {
  Columns columns;
  for (unsigned i = 0; i < value->getType()->getArrayNumElements(); ++i)
    columns.push_back(bench.numbers(bench.builder().CreateExtractValue(value, i)));
  return columns;
}

// Is a * b the unit matrix, to a few ulp?
void checkInverse(const Columns &columns) {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  Value *m = matrix(bench, columns);
  Columns product = columnsOf(bench, b.CreateMatrixTimesMatrix(m, b.CreateMatrixInverse(m)));
  for (unsigned column = 0; column < columns.size(); ++column)
    for (unsigned row = 0; row < columns.size(); ++row)
      CHECK(std::abs(product[column][row] - (column == row)) < 1e-5);
}

} // namespace

TEST_CASE("products follow SPIR-V: an array of columns") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  Value *m = matrix(bench, {{1, 2}, {3, 4}, {5, 6}}); // 3 columns, 2 rows
  CHECK(bench.numbers(b.CreateMatrixTimesVector(m, bench.f32Vector({1, 10, 100}))) == std::vector<double>{531, 642});
  CHECK(bench.numbers(b.CreateVectorTimesMatrix(bench.f32Vector({1, 10}), m)) == std::vector<double>{21, 43, 65});
  CHECK(columnsOf(bench, b.CreateTransposeMatrix(m)) == Columns{{1, 3, 5}, {2, 4, 6}});
  CHECK(columnsOf(bench, b.CreateMatrixTimesScalar(m, bench.f32(2))) == Columns{{2, 4}, {6, 8}, {10, 12}});
  CHECK(columnsOf(bench, b.CreateMatrixTimesMatrix(m, matrix(bench, {{1, 0, 2}, {0, 1, 0}}))) ==
        Columns{{11, 14}, {3, 4}});
  CHECK(columnsOf(bench, b.CreateOuterProduct(bench.f32Vector({1, 2}), bench.f32Vector({3, 4, 5}))) ==
        Columns{{3, 6}, {4, 8}, {5, 10}});
}

TEST_CASE("determinants") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  CHECK(bench.number(b.CreateDeterminant(matrix(bench, {{1, 2}, {3, 4}}))) == -2);
  CHECK(bench.number(b.CreateDeterminant(matrix(bench, {{2, 0, 1}, {1, 3, 2}, {1, 1, 4}}))) == 18);
  CHECK(bench.number(b.CreateDeterminant(matrix(bench, {{1, 0, 2, -1}, {3, 0, 0, 5}, {2, 1, 4, -3}, {1, 0, 5, 0}}))) ==
        30);
}

TEST_CASE("inverses") {
  checkInverse({{1, 2}, {3, 4}});
  checkInverse({{2, 0, 1}, {1, 3, 2}, {1, 1, 4}});
  checkInverse({{1, 0, 2, -1}, {3, 0, 0, 5}, {2, 1, 4, -3}, {1, 0, 5, 0}});
}

TEST_CASE("matrices of f16 and f64 compile in every shape") {
  for (unsigned bits : {16, 64})
    for (unsigned columns : {2, 3, 4})
      for (unsigned rows : {2, 3, 4}) {
        CAPTURE(bits);
        CAPTURE(columns);
        CAPTURE(rows);
        Lowered lowered = lower(ShaderStage::Vertex, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
          Type *element = bits == 16 ? b.getHalfTy() : b.getDoubleTy();
          auto *columnType = llvm::FixedVectorType::get(element, rows);
          auto *rowType = llvm::FixedVectorType::get(element, columns);
          Value *m = in.divergent(llvm::ArrayType::get(columnType, columns));
          std::vector<Value *> results = {b.CreateTransposeMatrix(m),
                                          b.CreateMatrixTimesScalar(m, in.divergent(element)),
                                          b.CreateMatrixTimesVector(m, in.divergent(rowType)),
                                          b.CreateVectorTimesMatrix(in.divergent(columnType), m),
                                          b.CreateMatrixTimesMatrix(m, b.CreateTransposeMatrix(m)),
                                          b.CreateOuterProduct(in.divergent(columnType), in.divergent(rowType))};
          if (columns == rows)
            results.insert(results.end(), {b.CreateDeterminant(m), b.CreateMatrixInverse(m)});
          return results;
        });
        CHECK(lowered.error == "");
      }
}
