// SPDX-License-Identifier: MIT
//
// The result types that rows of the op table name, computed from operands.
#pragma once

#include "src/lgc/ops/op_types.h"

namespace llvm {
class LLVMContext;
class Type;
class Value;
} // namespace llvm

namespace lgc::result_types {

llvm::Type *typeOf(const llvm::Value *value);
// The element of a vector or matrix, or the type itself.
llvm::Type *scalarOf(const llvm::Value *value);
// i1 with as many elements as the value.
llvm::Type *boolLike(const llvm::Value *value);
// i32 (i16 for f16) with as many elements as the value.
llvm::Type *exponentTypeOf(const llvm::Value *value);
llvm::Type *transposeOf(const llvm::Value *matrix);
// The vector type of one column: as many elements as there are rows.
llvm::Type *columnOf(const llvm::Value *matrix);
// The vector type of one row: as many elements as there are columns.
llvm::Type *rowOf(const llvm::Value *matrix);
llvm::Type *productOf(const llvm::Value *a, const llvm::Value *b);
llvm::Type *outerProductOf(const llvm::Value *column, const llvm::Value *row);
llvm::Type *i32Vector(llvm::LLVMContext &context, unsigned count);
llvm::Type *f32Vector(llvm::LLVMContext &context, unsigned count);
// i32 or a vector of i32: one element per dimension of the size of an image, layers included.
llvm::Type *imageSizeType(llvm::LLVMContext &context, ImageDim dim);

} // namespace lgc::result_types
