// SPDX-License-Identifier: MIT
#include "parts/kinds/refused_early.h"
#include <algorithm>
#include <array>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/raw_ostream.h>

namespace dovetail {

namespace {

// Operations of whole waves.
constexpr std::array<llvm::Intrinsic::ID, 3> RefusedCalls = {
    llvm::Intrinsic::amdgcn_set_inactive, llvm::Intrinsic::amdgcn_ds_bpermute, llvm::Intrinsic::amdgcn_ballot};

bool isRefused(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isDoubleTy() || scalar->isHalfTy() || scalar->isIntegerTy(8) || scalar->isIntegerTy(16);
}

bool isRefused(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return std::ranges::find(RefusedCalls, call->getIntrinsicID()) != RefusedCalls.end();
  if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::FPTruncInst, llvm::FPExtInst>(instruction)) {
    const auto isConstant = [](const llvm::Use &operand) {
      const auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(operand);
      return llvm::isa<llvm::Constant>(freeze ? freeze->getOperand(0) : operand.get());
    };
    const bool isFolded = std::ranges::all_of(instruction.operands(), isConstant);
    return !isFolded && (isRefused(instruction.getType()) || isRefused(instruction.getOperand(0)->getType()));
  }
  return llvm::isa<llvm::AtomicRMWInst>(instruction);
}

} // namespace

std::string findEarlyRefusal(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!isRefused(instruction))
        continue;
      if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        return call->getCalledFunction()->getName().str();
      std::string reason = std::string(instruction.getOpcodeName()) + " of ";
      llvm::raw_string_ostream out(reason);
      instruction.getType()->print(out);
      return reason;
    }
  return {};
}

} // namespace dovetail
