// SPDX-License-Identifier: MIT
#include "parts/kinds/refused_early.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace dovetail {

namespace {

// Operations of whole waves.
bool isRefused(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::amdgcn_set_inactive;
}

} // namespace

std::string findEarlyRefusal(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (isRefused(instruction))
        return llvm::cast<llvm::CallInst>(instruction).getCalledFunction()->getName().str();
  return {};
}

} // namespace dovetail
