// SPDX-License-Identifier: MIT
//
// Values of whole waves: reductions and scans, which all 64 lanes compute, also those that do not run. IR says where
// such a value begins (llvm.amdgcn.set.inactive) and where it ends (llvm.amdgcn.strict.wwm). What stands between the
// two is read as nodes of the whole wave, and once more as ordinary nodes if ordinary code uses it, too. So no ordinary
// node has an operand of the whole wave but where it ends.
#include "src/first/read/reader.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <utility>

namespace dovetail::first {

namespace Intrinsic = llvm::Intrinsic;

namespace {

bool isEnd(const llvm::Function &callee) {
  return callee.getIntrinsicID() == Intrinsic::amdgcn_strict_wwm || callee.getIntrinsicID() == Intrinsic::amdgcn_wwm;
}

// Whether all lanes can compute it: it needs nothing that only some lanes have, and asks for no lanes that run.
bool isOfWholeWave(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.mayReadOrWriteMemory())
    return false;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call)
    return true;
  switch (call->getIntrinsicID()) {
  case Intrinsic::not_intrinsic:
  case Intrinsic::amdgcn_ballot:
  case Intrinsic::amdgcn_interp_mov:
  case Intrinsic::amdgcn_interp_p1:
  case Intrinsic::amdgcn_interp_p1_f16:
  case Intrinsic::amdgcn_interp_p2:
  case Intrinsic::amdgcn_interp_p2_f16:
  case Intrinsic::amdgcn_live_mask:
  case Intrinsic::amdgcn_ps_live:
  case Intrinsic::amdgcn_readfirstlane:
  case Intrinsic::amdgcn_softwqm:
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_wqm_vote:
    return false;
  default:
    return true;
  }
}

} // namespace

void Reader::findWholeWaves() {
  llvm::SmallVector<const llvm::Value *, 32> waiting;
  for (const llvm::Function &callee : *m_function.getParent())
    if (isEnd(callee))
      for (const llvm::User *end : callee.users())
        waiting.push_back(llvm::cast<llvm::CallInst>(end)->getArgOperand(0));
  while (!waiting.empty()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(waiting.pop_back_val());
    if (!instruction || !m_wholeWaves.insert(instruction).second)
      continue;
    const auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
    if (call && call->getIntrinsicID() == Intrinsic::amdgcn_set_inactive) {
      waiting.push_back(call->getArgOperand(1));
      continue;
    }
    if (!isOfWholeWave(*instruction))
      return refuse("what only some lanes have, in a value of the whole wave");
    waiting.append(instruction->op_begin(), instruction->op_end());
  }
}

void Reader::readOfWholeWave(const llvm::Instruction &instruction) {
  m_isWhole = true;
  readInstruction(instruction);
  m_isWhole = false;
  const bool isUsedElsewhere = llvm::any_of(instruction.users(), [&](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    return !m_wholeWaves.contains(llvm::cast<llvm::Instruction>(user)) &&
           !(call && call->getCalledFunction() && isEnd(*call->getCalledFunction()));
  });
  if (isUsedElsewhere && m_refusal.empty())
    readInstruction(instruction);
}

Reader::Nodes Reader::wholeValuesOf(const llvm::Value *value) {
  const bool before = std::exchange(m_isWhole, true);
  const Nodes nodes = valuesOf(value);
  m_isWhole = before;
  return nodes;
}

// Which lanes run is not the same elsewhere, so this is no operation that equal ones share.
void Reader::readSetInactive(const llvm::CallInst &call) {
  const bool isWhole = std::exchange(m_isWhole, false);
  const Nodes values = valuesOf(call.getArgOperand(0));
  m_isWhole = isWhole;
  if (!isWhole)
    return set(&call, values);
  const Nodes others = valuesOf(call.getArgOperand(1));
  m_readsLanes = true;
  Nodes result;
  for (size_t i = 0; i < values.size(); ++i) {
    if (nodeOf(values[i]).isBool || nodeOf(others[i]).bank == Bank::Vector)
      return refuse("a value of the whole wave of another kind");
    Node node;
    node.op = Op::SetInactive;
    node.bank = Bank::Vector;
    node.isWhole = node.isDivergent = true;
    node.block = m_block;
    node.a = {values[i], others[i], NoNode};
    m_program.nodes.push_back(node);
    result.push_back(NodeId(m_program.nodes.size() - 1));
  }
  set(&call, result);
}

void Reader::readLeaveWhole(const llvm::CallInst &call) {
  Nodes nodes = wholeValuesOf(call.getArgOperand(0));
  for (NodeId &node : nodes) {
    if (nodeOf(node).isBool)
      return refuse("a value of the whole wave of another kind");
    if (nodeOf(node).bank == Bank::Vector)
      node = operation(Op::LeaveWhole, {node});
  }
  set(&call, nodes);
}

// Returns whether it was taken: permutations of quads with ordinary values, all moves in whole waves.
bool Reader::readDpp(const llvm::CallInst &call) {
  constexpr uint32_t quadPermutations = 256, rowMirror = 0x140, rowHalfMirror = 0x141, all = 15;
  const NodeId old = valueOf1(call.getArgOperand(0));
  NodeId source = valueOf1(call.getArgOperand(1));
  const uint32_t control = numberAt(call, 2), rows = numberAt(call, 3), banks = numberAt(call, 4);
  const bool isOfAll = rows == all && banks == all, isKept = nodeOf(old).op != Op::Undefined;
  if (!m_isWhole && (control >= quadPermutations || !isOfAll || isKept))
    return false;
  uint32_t imm = control | rows << DppRows | banks << DppBanks;
  const bool isZero = isConstant(old) && valueOf(old) == 0 && isOfAll;
  if (isZero || (numberAt(call, 5) && isOfAll))
    imm |= DppBound;
  if (nodeOf(source).bank == Bank::Scalar) {
    if (!m_isWhole) {
      set(&call, {source});
      return true;
    }
    source = operation(Op::CopyToVector, {source});
  }
  m_program.needsQuads |= m_program.isFragment && !m_isWhole;
  const bool haveSources = control < quadPermutations || control == rowMirror || control == rowHalfMirror;
  if (isKept && (!isOfAll || (!haveSources && !(imm & DppBound))))
    set(&call, {operation(Op::Dpp, {source, old}, imm)});
  else
    set(&call, {operation(Op::Dpp, {source}, imm)});
  return true;
}

} // namespace dovetail::first
