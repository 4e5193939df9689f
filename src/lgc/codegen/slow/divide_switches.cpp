// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace lgc {

namespace {

// LLVM takes little time for shorter rows and smaller switches.
constexpr size_t MinRow = 24;
constexpr unsigned MaxIncoming = 1000;
// The number of cases that share a block, and of instructions in each. A branch to one of them would take about as many
// instructions.
constexpr size_t MaxShared = 4, MaxSharedInstructions = 8;

// A switch's successors in the order of its cases, the default last. A successor is the first block of a case if only
// the switch and other cases lead to it.
class Cases {
public:
  struct Case {
    SmallVector<ConstantInt *, 1> values;
    BasicBlock *fallsTo = nullptr; // the first block of another case
    bool isFallenTo = false;
    bool isDefault = false;
  };

  Cases(SwitchInst &switchInst, DominatorTree &dominators) : m_switch(switchInst) {
    for (auto &successor : switchInst.cases())
      m_cases[successor.getCaseSuccessor()].values.push_back(successor.getCaseValue());
    m_cases[switchInst.getDefaultDest()].isDefault = true;
    for (auto &[first, info] : m_cases)
      if (DomTreeNode *node = dominators.getNode(first); node && node->getIDom()->getBlock() == switchInst.getParent())
        for (DomTreeNode *inside : depth_first(node))
          m_caseOf[inside->getBlock()] = first;
    for (auto &[first, info] : m_cases)
      for (BasicBlock *from : predecessors(first))
        if (BasicBlock *other = caseOf(from); other && caseOf(first) == first && other != first) {
          info.isFallenTo = true;
          m_cases[other].fallsTo = first;
        }
  }

  MapVector<BasicBlock *, Case> &all() { return m_cases; }
  // The first block of the case to which a block belongs; nullptr if it is in front of, behind or between the cases.
  BasicBlock *caseOf(BasicBlock *block) const { return m_caseOf.lookup(block); }

  // Cases that each fall to the next one. No case falls to the first.
  SmallVector<BasicBlock *, 32> rowFrom(BasicBlock *first) {
    SmallVector<BasicBlock *, 32> row;
    for (BasicBlock *block = first; block && row.size() < m_cases.size(); block = m_cases[block].fallsTo)
      row.push_back(block);
    return row;
  }

  // Whether only the switch and the case before lead to each case of the row.
  bool isSound(ArrayRef<BasicBlock *> row) {
    for (size_t i = 0; i < row.size(); ++i)
      for (BasicBlock *from : predecessors(row[i]))
        if (from != m_switch.getParent() && (i == 0 || caseOf(from) != row[i - 1]))
          return false;
    return all_of(row, [&](BasicBlock *block) { return caseOf(block) == block; });
  }

private:
  SwitchInst &m_switch;
  MapVector<BasicBlock *, Case> m_cases;
  DenseMap<BasicBlock *, BasicBlock *> m_caseOf;
};

// A value that no case has, for the default.
ConstantInt *unusedValue(SwitchInst &switchInst) {
  auto *type = cast<IntegerType>(switchInst.getCondition()->getType());
  APInt value(type->getBitWidth(), 0);
  while (switchInst.findCaseValue(ConstantInt::get(type->getContext(), value)) != switchInst.case_default())
    ++value;
  return ConstantInt::get(type->getContext(), value);
}

Value *equalsAny(IRBuilder<> &builder, Value *selector, ArrayRef<ConstantInt *> values) {
  Value *any = nullptr;
  for (ConstantInt *value : values) {
    Value *isEqual = builder.CreateICmpEQ(selector, value);
    any = any ? builder.CreateOr(any, isEqual) : isEqual;
  }
  return any;
}

// In phis, replaces all edges from a block by one edge from a new block.
void takeEdgesTogether(BasicBlock &block, BasicBlock *from, BasicBlock *newFrom) {
  for (PHINode &phi : block.phis()) {
    Value *value = phi.getIncomingValueForBlock(from);
    while (phi.getBasicBlockIndex(from) >= 0)
      phi.removeIncomingValue(from, false);
    phi.addIncoming(value, newFrom);
  }
}

// Puts the row's cases behind conditions, one behind the other.
void makeRow(SwitchInst &switchInst, Cases &cases, ArrayRef<BasicBlock *> row) {
  BasicBlock *switchBlock = switchInst.getParent();
  Function &function = *switchBlock->getParent();
  Value *selector = switchInst.getCondition();
  ConstantInt *other = unusedValue(switchInst);
  IRBuilder<> builder(&switchInst);
  if (any_of(row, [&](BasicBlock *first) { return cases.all()[first].isDefault; })) {
    SmallVector<ConstantInt *, 64> values;
    for (auto &successor : switchInst.cases())
      values.push_back(successor.getCaseValue());
    selector = builder.CreateSelect(equalsAny(builder, selector, values), selector, other);
  }
  auto valuesOf = [&](BasicBlock *first) {
    Cases::Case &info = cases.all()[first];
    SmallVector<ConstantInt *, 1> values = info.values;
    if (info.isDefault)
      values.push_back(other);
    return values;
  };

  SmallVector<BasicBlock *, 32> tests;
  for (BasicBlock *first : row)
    tests.push_back(BasicBlock::Create(function.getContext(), "", &function, first));
  BasicBlock *previous = switchBlock;
  for (size_t i = 0; i < row.size(); ++i) {
    // Values that came from the switch now come from the test before.
    takeEdgesTogether(*row[i], switchBlock, previous);
    builder.SetInsertPoint(tests[i]);
    PHINode *left = builder.CreatePHI(selector->getType(), 2);
    left->addIncoming(selector, previous);
    for (BasicBlock *from : SmallVector<BasicBlock *, 4>(predecessors(row[i])))
      if (from != switchBlock && !is_contained(left->blocks(), from)) {
        const auto edges = count(successors(from), row[i]);
        for (auto edge = edges; edge > 0; --edge)
          left->addIncoming(valuesOf(row[i]).front(), from);
        from->getTerminator()->replaceSuccessorWith(row[i], tests[i]);
      }
    for (PHINode &phi : make_early_inc_range(row[i]->phis()))
      phi.moveBefore(*tests[i], tests[i]->getFirstNonPHIIt());
    builder.SetInsertPoint(tests[i]);
    if (i + 1 < row.size())
      builder.CreateCondBr(equalsAny(builder, left, valuesOf(row[i])), row[i], tests[i + 1]);
    else
      builder.CreateBr(row[i]);
    selector = left;
    previous = tests[i];
  }
  SmallPtrSet<BasicBlock *, 32> inRow(row.begin(), row.end());
  for (unsigned i = 0; i < switchInst.getNumSuccessors(); ++i)
    if (inRow.contains(switchInst.getSuccessor(i)))
      switchInst.setSuccessor(i, tests.front());
  // The first test's phis need an entry for each edge.
  const auto edges = count(successors(switchBlock), tests.front());
  for (PHINode &phi : tests.front()->phis())
    for (auto edge = edges; edge > 1; --edge)
      phi.addIncoming(phi.getIncomingValueForBlock(switchBlock), switchBlock);
}

// Cases of a switch that go on to one block, and to which only the switch leads.
struct PlainCase {
  BasicBlock *block = nullptr, *target = nullptr;
  SmallVector<ConstantInt *, 1> values;
};

BasicBlock *targetOf(BasicBlock &block, BasicBlock *switchBlock) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || branch->isConditional() || branch->getSuccessor(0) == &block ||
      block.getUniquePredecessor() != switchBlock)
    return nullptr;
  const bool areTrivial = all_of(block.phis(), [](PHINode &phi) { return phi.hasConstantValue() != nullptr; });
  return areTrivial ? branch->getSuccessor(0) : nullptr;
}

// The plain cases, sorted by their values.
SmallVector<PlainCase, 0> plainCases(SwitchInst &switchInst) {
  MapVector<BasicBlock *, PlainCase> found;
  for (auto &successor : switchInst.cases()) {
    BasicBlock *block = successor.getCaseSuccessor();
    BasicBlock *target = block == switchInst.getDefaultDest() ? nullptr : targetOf(*block, switchInst.getParent());
    if (!target)
      continue;
    PlainCase &one = found[block];
    one.block = block;
    one.target = target;
    one.values.push_back(successor.getCaseValue());
  }
  SmallVector<PlainCase, 0> cases;
  for (auto &[block, one] : found)
    cases.push_back(std::move(one));
  llvm::sort(cases, [](const PlainCase &a, const PlainCase &b) {
    return a.values.front()->getValue().slt(b.values.front()->getValue());
  });
  return cases;
}

void removeTrivialPhis(BasicBlock &block) {
  for (PHINode &phi : make_early_inc_range(block.phis())) {
    phi.replaceAllUsesWith(phi.hasConstantValue());
    phi.eraseFromParent();
  }
}

Instruction *findSame(const Instruction &inst, BasicBlock &block) {
  auto same = find_if(block, [&](const Instruction &other) { return other.isIdenticalTo(&inst); });
  return same == block.end() ? nullptr : &*same;
}

// Moves computations that cases begin with again and again, such as reading an input, in front of the switch. The first
// three cases show which these are.
void hoistCommon(SwitchInst &switchInst, ArrayRef<PlainCase> cases) {
  constexpr size_t Witnesses = 3, MaxLength = 64;
  auto isShort = [](const PlainCase &one) { return one.block->size() <= MaxLength; };
  if (cases.size() < Witnesses || !all_of(cases.take_front(Witnesses), isShort))
    return;
  BasicBlock *first = cases.front().block;
  for (Instruction &inst : make_early_inc_range(*first)) {
    const bool isInside = any_of(inst.operands(), [&](const Use &use) {
      auto *operand = dyn_cast<Instruction>(use.get());
      return operand && operand->getParent() == first;
    });
    if (inst.isTerminator() || isInside || !isSafeToSpeculativelyExecute(&inst) ||
        !all_of(cases.slice(1, Witnesses - 1), [&](const PlainCase &one) { return findSame(inst, *one.block); }))
      continue;
    inst.moveBefore(switchInst.getIterator());
    for (const PlainCase &one : cases.drop_front())
      if (Instruction *same = isShort(one) ? findSame(inst, *one.block) : nullptr) {
        same->replaceAllUsesWith(&inst);
        same->eraseFromParent();
      }
  }
}

bool isSmall(const PlainCase &one) {
  return one.block->size() <= MaxSharedInstructions + 1 && all_of(*one.block, [](const Instruction &inst) {
           return inst.isTerminator() || isSafeToSpeculativelyExecute(&inst);
         });
}

// The first case's block computes the values of all cases. The selector chooses those for the block behind.
void shareBlock(SwitchInst &switchInst, ArrayRef<PlainCase> cases) {
  BasicBlock *shared = cases.front().block;
  IRBuilder<> builder(shared->getTerminator());
  for (const PlainCase &one : cases.drop_front()) {
    BasicBlock *block = one.block;
    shared->splice(shared->getTerminator()->getIterator(), block, block->begin(),
                   block->getTerminator()->getIterator());
    Value *isChosen = nullptr;
    for (PHINode &phi : one.target->phis()) {
      Value *here = phi.getIncomingValueForBlock(block), *other = phi.getIncomingValueForBlock(shared);
      if (!isChosen && here != other)
        isChosen = equalsAny(builder, switchInst.getCondition(), one.values);
      if (here != other)
        phi.setIncomingValueForBlock(shared, builder.CreateSelect(isChosen, here, other));
      phi.removeIncomingValue(block, false);
    }
    for (unsigned i = 0; i < switchInst.getNumSuccessors(); ++i)
      if (switchInst.getSuccessor(i) == block)
        switchInst.setSuccessor(i, shared);
    block->eraseFromParent();
  }
}

// Lets neighbouring small cases of a very large switch share blocks.
bool shareBlocks(SwitchInst &switchInst) {
  if (switchInst.getNumSuccessors() <= MaxIncoming)
    return false;
  SmallVector<PlainCase, 0> cases = plainCases(switchInst);
  for (const PlainCase &one : cases)
    removeTrivialPhis(*one.block);
  hoistCommon(switchInst, cases);
  erase_if(cases, [](const PlainCase &one) { return !isSmall(one); });
  for (size_t i = 0; i < cases.size();) {
    size_t end = i + 1;
    while (end < std::min(i + MaxShared, cases.size()) && cases[end].target == cases[i].target)
      ++end;
    shareBlock(switchInst, ArrayRef(cases).slice(i, end - i));
    i = end;
  }
  return true;
}

// Passes values through memory where very many blocks bring them to one block.
bool demoteWidePhis(Function &function) {
  SmallVector<PHINode *, 16> wide;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (phi.getNumIncomingValues() > MaxIncoming)
        wide.push_back(&phi);
  for (PHINode *phi : wide) {
    AllocaInst *memory = DemotePHIToStack(phi);
    if (!memory)
      continue;                        // nothing used it
    for (User *user : memory->users()) // volatile: otherwise LLVM would make registers of it again
      if (auto *store = dyn_cast<StoreInst>(user))
        store->setVolatile(true);
      else if (auto *load = dyn_cast<LoadInst>(user))
        load->setVolatile(true);
  }
  return !wide.empty();
}

// Takes one row out of a switch. Returns whether there was one.
bool takeRow(SwitchInst &switchInst, DominatorTree &dominators) {
  Cases cases(switchInst, dominators);
  for (auto &[first, info] : cases.all()) {
    if (info.isFallenTo)
      continue;
    const SmallVector<BasicBlock *, 32> row = cases.rowFrom(first);
    if (row.size() < MinRow || !cases.isSound(row))
      continue;
    makeRow(switchInst, cases, row);
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses DivideSwitchesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<BasicBlock *, 4> blocks; // blocks with a switch that may have a row
  for (BasicBlock &block : function)
    if (auto *switchInst = dyn_cast<SwitchInst>(block.getTerminator());
        switchInst && switchInst->getNumSuccessors() >= MinRow)
      blocks.push_back(&block);
  if (blocks.empty())
    return PreservedAnalyses::all();

  DominatorTree dominators(function);
  bool isChanged = false;
  for (BasicBlock *block : blocks)
    while (isa<SwitchInst>(block->getTerminator()) && takeRow(cast<SwitchInst>(*block->getTerminator()), dominators)) {
      isChanged = true;
      ConstantFoldTerminator(block); // if the row was all of it
      dominators.recalculate(function);
    }
  for (BasicBlock *block : blocks)
    if (auto *switchInst = dyn_cast<SwitchInst>(block->getTerminator()))
      isChanged |= shareBlocks(*switchInst);
  isChanged |= demoteWidePhis(function);
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
