// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned FactorBits = 24; // of the hardware's 24-bit multiplications

// The low and the high half of a product.
struct Halves {
  Intrinsic::ID low, high;
};
constexpr Halves UnsignedHalves = {Intrinsic::amdgcn_mul_u24, Intrinsic::amdgcn_mulhi_u24};
constexpr Halves SignedHalves = {Intrinsic::amdgcn_mul_i24, Intrinsic::amdgcn_mulhi_i24};

const Halves *halvesOf(const Instruction &product) {
  const DataLayout &layout = product.getModule()->getDataLayout();
  auto isUnsigned = [&](const Value *factor) {
    return computeKnownBits(factor, layout, nullptr, &product).countMaxActiveBits() <= FactorBits;
  };
  auto isSigned = [&](const Value *factor) {
    return ComputeNumSignBits(factor, layout, nullptr, &product) > 64 - FactorBits;
  };
  if (all_of(product.operands(), isUnsigned))
    return &UnsignedHalves;
  return all_of(product.operands(), isSigned) ? &SignedHalves : nullptr;
}

} // namespace

PreservedAnalyses SplitWideProductsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (inst.getOpcode() != Instruction::Mul || !inst.getType()->isIntegerTy(64))
      continue;
    const Halves *halves = halvesOf(inst);
    if (!halves)
      continue;
    IRBuilder<> builder(&inst);
    Type *half = builder.getInt32Ty(), *whole = inst.getType();
    Value *a = builder.CreateTrunc(inst.getOperand(0), half), *b = builder.CreateTrunc(inst.getOperand(1), half);
    Value *low = builder.CreateZExt(builder.CreateIntrinsic(halves->low, {half}, {a, b}), whole);
    Value *high = builder.CreateZExt(builder.CreateIntrinsic(halves->high, {}, {a, b}), whole);
    inst.replaceAllUsesWith(builder.CreateOr(builder.CreateShl(high, 32), low));
    inst.eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
