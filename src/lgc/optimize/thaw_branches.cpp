// SPDX-License-Identifier: MIT
//
// Finds the values that may be undefined as a smallest fixpoint: a value is defined unless one of the rules below says
// otherwise. LLVM's own isGuaranteedNotToBeUndefOrPoison() works in the opposite direction and gives up on loops and
// calls.
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace lgc {

namespace {

bool isDefined(const Constant &constant) {
  if (constant.isNullValue() || isa<ConstantDataSequential>(constant))
    return true;
  if (isa<ConstantAggregate>(constant))
    return all_of(constant.operands(), [](const Use &part) { return isDefined(*cast<Constant>(part)); });
  return isGuaranteedNotToBeUndefOrPoison(&constant);
}

// The number of parts of an aggregate that are inserted one by one.
unsigned partCount(const Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  return type->isStructTy() ? type->getStructNumElements() : static_cast<unsigned>(type->getArrayNumElements());
}

// The place at which an instruction inserts a part into an aggregate; std::nullopt for other instructions.
std::optional<uint64_t> insertedPart(const Instruction &inst) {
  if (auto *value = dyn_cast<InsertValueInst>(&inst))
    return value->getNumIndices() == 1 ? std::optional<uint64_t>(value->getIndices()[0]) : std::nullopt;
  auto *element = dyn_cast<InsertElementInst>(&inst);
  auto *index = element ? dyn_cast<ConstantInt>(element->getOperand(2)) : nullptr;
  return index && index->getValue().ult(partCount(inst.getType())) ? std::optional(index->getZExtValue())
                                                                   : std::nullopt;
}

class UndefinedValues {
public:
  // Looks at those values that the roots are made of.
  explicit UndefinedValues(ArrayRef<FreezeInst *> roots) {
    const SmallVector<const Instruction *, 64> sources = sourcesOf(roots);
    for (bool isComplete = false; !isComplete;) {
      isComplete = true;
      for (const Instruction *inst : sources)
        if (!m_found.contains(inst) && becomesUndefined(*inst)) {
          m_found.insert(inst);
          isComplete = false;
        }
    }
  }

  bool contains(const Value *value) const {
    if (auto *constant = dyn_cast<Constant>(value))
      return !isDefined(*constant);
    auto *inst = dyn_cast<Instruction>(value);
    return inst && m_found.contains(inst);
  }

private:
  // The instructions from which the operands of the roots are computed, operands before their users wherever there is
  // no loop.
  static SmallVector<const Instruction *, 64> sourcesOf(ArrayRef<FreezeInst *> roots) {
    SmallVector<const Instruction *, 64> sources;
    SmallPtrSet<const Instruction *, 32> seen;
    SmallVector<std::pair<const Instruction *, unsigned>, 32> path; // with the number of the next operand
    for (const FreezeInst *root : roots) {
      path.push_back({root, 0});
      while (!path.empty()) {
        auto &[inst, next] = path.back();
        if (next == inst->getNumOperands()) {
          sources.push_back(inst);
          path.pop_back();
          continue;
        }
        const auto *operand = dyn_cast<Instruction>(inst->getOperand(next++));
        if (operand && !isa<FreezeInst, AllocaInst>(operand) && seen.insert(operand).second)
          path.push_back({operand, 0});
      }
    }
    return sources;
  }

  bool anyIn(iterator_range<User::const_op_iterator> operands) const {
    return any_of(operands, [&](const Use &operand) { return contains(operand); });
  }

  bool becomesUndefined(const Instruction &inst) const {
    if (isa<FreezeInst, AllocaInst>(inst) || inst.getType()->isVoidTy())
      return false;
    if (insertedPart(inst))
      return isAnyPartUndefined(inst);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst))
      return isAnyElementUndefined(*shuffle);
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return mayReadUndefined(*load) || contains(load->getPointerOperand());
    if (auto *op = dyn_cast<Op>(&inst))
      return any_of(op->args(), [&](const Use &operand) {
        const Value *present = operand_codec::decodeOptional(operand.get());
        return present && contains(present);
      });
    if (auto *call = dyn_cast<CallBase>(&inst)) {
      // The target's intrinsics return what the hardware returns, which is defined.
      auto *intrinsic = dyn_cast<IntrinsicInst>(call);
      bool isGeneral = intrinsic && !intrinsic->getCalledFunction()->isTargetIntrinsic();
      return (isGeneral && canCreateUndefOrPoison(cast<Operator>(call))) || anyIn(call->args());
    }
    // The driver promises that addresses are within bounds.
    bool areFlagsPromises = !isa<GetElementPtrInst>(inst);
    return canCreateUndefOrPoison(cast<Operator>(&inst), areFlagsPromises) || anyIn(inst.operands());
  }

  // Aggregates begin undefined, and code inserts part by part.
  bool isAnyPartUndefined(const Instruction &last) const {
    SmallBitVector isKnown(partCount(last.getType()));
    const Value *whole = &last;
    for (auto *inst = &last; inst; inst = dyn_cast<Instruction>(whole)) {
      std::optional<uint64_t> part = insertedPart(*inst);
      if (!part)
        break;
      if (!isKnown.test(static_cast<unsigned>(*part)) && contains(inst->getOperand(1)))
        return true;
      isKnown.set(static_cast<unsigned>(*part));
      whole = inst->getOperand(0);
    }
    // Parts that nobody inserted come from the constant at the beginning.
    auto *constant = dyn_cast<Constant>(whole);
    return any_of(isKnown.flip().set_bits(), [&](int part) {
      const Constant *rest = constant ? constant->getAggregateElement(static_cast<unsigned>(part)) : nullptr;
      return rest ? !isDefined(*rest) : contains(whole);
    });
  }

  bool isAnyElementUndefined(const ShuffleVectorInst &shuffle) const {
    int count = static_cast<int>(partCount(shuffle.getOperand(0)->getType()));
    return any_of(shuffle.getShuffleMask(),
                  [&](int place) { return place < 0 || contains(shuffle.getOperand(place < count ? 0 : 1)); });
  }

  // Whether the load may read an unwritten variable, or memory behind the end of a variable or of a table of constants.
  static bool mayReadUndefined(const LoadInst &load) {
    auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load.getPointerOperand()));
    return load.getPointerAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS || (table && table->isConstant());
  }

  SmallPtrSet<const Instruction *, 16> m_found;
};

} // namespace

PreservedAnalyses ThawBranchesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<FreezeInst *, 16> freezes;
  for (Instruction &inst : instructions(function))
    if (auto *freeze = dyn_cast<FreezeInst>(&inst);
        freeze && all_of(freeze->users(), [](const User *user) { return cast<Instruction>(user)->isTerminator(); }))
      freezes.push_back(freeze);
  if (freezes.empty())
    return PreservedAnalyses::all();

  const UndefinedValues undefined(freezes);
  for (FreezeInst *freeze : freezes)
    if (!undefined.contains(freeze->getOperand(0))) {
      freeze->replaceAllUsesWith(freeze->getOperand(0));
      freeze->eraseFromParent();
    }
  return preserveControlFlow(true);
}

} // namespace lgc
