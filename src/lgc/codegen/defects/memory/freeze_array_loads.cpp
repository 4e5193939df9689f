// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace lgc {

namespace {

bool isArrayLoad(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && load->getPointerAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS;
}

// The operands that LLVM notes: the indices of an address, or a stored value.
iterator_range<User::op_iterator> notedOperands(Instruction &inst) {
  auto *address = dyn_cast<GetElementPtrInst>(&inst);
  if (address && address->getAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS)
    return address->indices();
  auto *store = dyn_cast<StoreInst>(&inst);
  if (store && store->getPointerAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS)
    return make_range(store->op_begin(), store->op_begin() + 1);
  return make_range(inst.op_end(), inst.op_end());
}

} // namespace

PreservedAnalyses FreezeArrayLoadsPass::run(Function &function, FunctionAnalysisManager &) {
  if (none_of(function.getEntryBlock(), [](const Instruction &inst) { return isa<AllocaInst>(inst); }))
    return PreservedAnalyses::all();
  bool hasChanged = false;
  for (Instruction &inst : instructions(function))
    for (Use &operand : notedOperands(inst)) {
      if (!isArrayLoad(operand))
        continue;
      operand.set(IRBuilder<>(&inst).CreateFreeze(operand));
      hasChanged = true;
    }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
