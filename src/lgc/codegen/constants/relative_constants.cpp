// SPDX-License-Identifier: MIT
//
// The read of the program counter and the addition of the distance must stay together, because the distance counts from
// the place of the read. No LLVM instruction expresses that, so they are one piece of inline assembly with a fixed pair
// of SGPRs; the register allocator copies the result to its place. One such piece serves a whole function.
#include "src/lgc/codegen/constants/relative_constants.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace lgc {

namespace {

// s[40:41] lie above all user SGPRs and within the SGPRs that cost no occupancy. The distances count from the literals,
// which lie 4 and 12 bytes behind the counter's value.
constexpr char AddressAssembly[] = "s_getpc_b64 s[40:41]\n"
                                   "s_add_u32 s40, s40, ${1:c}@rel32@lo+4\n"
                                   "s_addc_u32 s41, s41, ${1:c}@rel32@hi+12";
constexpr char AddressConstraints[] = "={s[40:41]},i,~{scc}";

Value *makeAddress(Function &function, GlobalVariable &constant) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto *type = FunctionType::get(builder.getInt64Ty(), {constant.getType()}, false);
  InlineAsm *assembly = InlineAsm::get(type, AddressAssembly, AddressConstraints, /*hasSideEffects=*/false);
  CallInst *address = builder.CreateCall(assembly, {&constant});
  address->setDoesNotAccessMemory();
  address->setDoesNotThrow();
  return builder.CreateIntToPtr(address, constant.getType(), constant.getName());
}

bool makeRelative(GlobalVariable &constant) {
  convertUsersOfConstantsToInstructions({&constant});
  MapVector<Function *, Value *> addresses;
  SmallVector<Use *, 8> uses;
  for (Use &use : constant.uses())
    uses.push_back(&use);
  for (Use *use : uses) {
    auto *user = dyn_cast<Instruction>(use->getUser());
    if (!user)
      continue; // llvm.used and the like
    Value *&address = addresses[user->getFunction()];
    if (!address)
      address = makeAddress(*user->getFunction(), constant);
    use->set(address);
  }
  return !addresses.empty();
}

} // namespace

bool isAddressAssembly(const InlineAsm &assembly) {
  return StringRef(assembly.getAsmString()) == AddressAssembly &&
         StringRef(assembly.getConstraintString()) == AddressConstraints;
}

PreservedAnalyses RelativeConstantsPass::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  unsigned number = 0;
  for (GlobalVariable &global : module.globals()) {
    if (!global.isConstant() || !global.hasInitializer() || global.getAddressSpace() == AMDGPUAS::LOCAL_ADDRESS)
      continue;
    // The assembler reads the name, and must not take it for a register or an expression.
    global.setName("dovetail.constant." + Twine(number++));
    changed |= makeRelative(global);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
