// SPDX-License-Identifier: MIT
//
// The hardware has no integer division. LLVM's expansions are wrong for some operands: unsigned ones below 2^24, narrow
// signed ones, and 64-bit ones that are narrowed, where the smallest number is divided by -1 (llvm-project #201186,
// #203436, #204469). So this pass expands each division and remainder itself. Only divisions by constants of up to 32
// bits, and by powers of two, are left to LLVM, which turns them into multiplications and shifts.
//
// The hardware's reciprocal may be wrong by one unit in the last place, and each operation before and after it may
// round either way. The expansions are right for all such errors:
//
//   Dividend below 2^20, divisor up to 2^24: q = floor((n + 0.5) / d) as floats. The exact quotient is at least 0.5 / d
//   away from each integer. All errors together are below 2^-22 of the quotient, which is below 2^20 / d.
//
//   32 bits: z is a little less than 2^32 / d. One step of Newton's method squares its relative error. The estimate
//   umulh(n, z) of the quotient is then too small by at most two, and never too large.
//
//   64 bits: the same with z a little less than 2^64 / d, and two steps.
//
// tests/divisions executes the expansions and compares them with C++. `tools/soak divisions` proves them in the
// emulator, also with reciprocals that are off by one unit in either direction, and with other roundings. It covers:
// - all operands of 16 bits, of 20 by 24 bits, of 24 bits, and unsigned ones of 32 bits
// - random divisors and all dividends of signed ones of 32 bits and of 64 bits
// - random pairs
//
// tests/divisions/division_proof.h says why few dividends speak for all.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ExpandDivisionsPass : public llvm::PassInfoMixin<ExpandDivisionsPass> {
public:
  // `keepsConstants`: whether the code generator turns divisions by constants into multiplications.
  explicit ExpandDivisionsPass(bool keepsConstants) : m_keepsConstants(keepsConstants) {}

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  bool m_keepsConstants;
};

} // namespace lgc
