// SPDX-License-Identifier: MIT
//
// Integer and floating-point arithmetic, operations on bits and bools. For some operands (division by zero, shifts by
// too much), SPIR-V has an undefined value where LLVM has undefined behaviour or poison. Such an operand is first
// brought into range; for constants, folding removes that.
#pragma once

#include "src/lgc/builder/builder.h"

namespace dovetail::spirv {

// A divisor that is not zero and does not overflow the quotient.
llvm::Value *safeDivisor(lgc::Builder &builder, llvm::Value *dividend, llvm::Value *divisor, bool isSigned);
// A shift that is less than the width of `base`.
llvm::Value *safeShift(lgc::Builder &builder, llvm::Value *base, llvm::Value *shift);
llvm::Value *signedModulo(lgc::Builder &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *floatQuotient(lgc::Builder &builder, llvm::Value *a, llvm::Value *b);

// A float that the builder does not fold: it rounds to nearest, even if the shader asks for another rounding
// (keep_rounding.cpp), and does not know whether the shader flushes denormals. LLVM's later passes know it.
llvm::Value *unfolded(lgc::Builder &builder, llvm::Value *value);
// The first of two operands, such that the builder does not fold an operation on both.
llvm::Value *unfolded(lgc::Builder &builder, llvm::Value *a, llvm::Value *b);

// Structures of two members: sum and carry, difference and borrow, low and high half of the product.
llvm::Value *sumWithCarry(lgc::Builder &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *differenceWithBorrow(lgc::Builder &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *wideProduct(lgc::Builder &builder, llvm::Value *a, llvm::Value *b, bool isSigned);

// Combines the components of a vector of bools one by one: an i1 vector has no register of its own on this target.
llvm::Value *reduceBools(lgc::Builder &builder, llvm::Value *vector, bool isAll);

} // namespace dovetail::spirv
