// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>
#include <numeric>

using namespace llvm;

namespace lgc {

namespace {

// LLVM itself rounds three elements up.
constexpr unsigned MaxRoundedUp = 4;

// The type to load instead; nullptr if the load can stay as it is.
Type *widerType(const IntrinsicInst &load) {
  const auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (!type || load.getIntrinsicID() != Intrinsic::amdgcn_s_buffer_load)
    return nullptr;
  const unsigned count = type->getNumElements();
  if (count <= MaxRoundedUp || isPowerOf2_32(count))
    return nullptr;
  return FixedVectorType::get(type->getElementType(), unsigned(PowerOf2Ceil(count)));
}

void widen(IntrinsicInst &load, Type *type) {
  IRBuilder<> builder(&load);
  Value *wide = builder.CreateIntrinsic(Intrinsic::amdgcn_s_buffer_load, type,
                                        {load.getArgOperand(0), load.getArgOperand(1), load.getArgOperand(2)});
  SmallVector<int, 16> elements(cast<FixedVectorType>(load.getType())->getNumElements());
  std::iota(elements.begin(), elements.end(), 0);
  load.replaceAllUsesWith(builder.CreateShuffleVector(wide, elements));
  load.eraseFromParent();
}

} // namespace

PreservedAnalyses WidenScalarLoadsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *load = dyn_cast<IntrinsicInst>(&inst))
      if (Type *type = widerType(*load)) {
        widen(*load, type);
        hasChanged = true;
      }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
