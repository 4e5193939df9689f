// SPDX-License-Identifier: MIT
#include "src/spirv/translate/variables/variable_values.h"
#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// A read goes from stretch to stretch, and takes C++ stack where edges meet. Beyond this depth, it leaves a phi behind,
// which is completed later.
constexpr unsigned MaxReadDepth = 200;

} // namespace

LeafRange VariableValues::declare(const TypeInfo &type) {
  const auto first = static_cast<uint32_t>(m_types.size());
  const std::function<void(const TypeInfo &)> add = [&](const TypeInfo &part) {
    if (!part.hasParts())
      m_types.push_back(part.value);
    else
      for (uint32_t i = 0; i < part.partCount(); ++i)
        add(m_context.type(part.partType(i)));
  };
  add(type);
  m_lastWrites.resize(m_types.size());
  const LeafRange leaves = {first, static_cast<uint32_t>(m_types.size()) - first};
  for (uint32_t i = 0; i < leaves.count; ++i)
    write(first + i, llvm::UndefValue::get(m_types[first + i]));
  return leaves;
}

VariableValues::Stretch &VariableValues::create(llvm::BasicBlock *start, unsigned edges) {
  Stretch &stretch = m_stretches.emplace_back();
  stretch.start = start;
  stretch.openEdges = edges;
  return stretch;
}

void VariableValues::enter(Stretch &stretch) {
  m_current = &stretch;
  if (stretch.openEdges == 0 || stretch.isEnteredOpen)
    return;
  stretch.isEnteredOpen = true;
  m_openEntries.push_back({&stretch, ++m_time});
}

void VariableValues::findDominator(Stretch &stretch) {
  Stretch *common = stretch.edges.front().from;
  for (const Edge &edge : stretch.edges)
    for (Stretch *other = edge.from; common != other;) {
      if (!common || !other)
        return;
      Stretch *&lower = common->dominators > other->dominators ? common : other;
      lower = lower->dominator;
    }
  stretch.dominator = common;
  stretch.dominators = common->dominators + 1;
}

void VariableValues::goOn(llvm::Instruction *terminator) {
  Stretch &behind = create(m_builder.GetInsertBlock(), 1);
  branch(behind, terminator);
  enter(behind);
}

void VariableValues::branch(Stretch &to, llvm::Instruction *terminator) {
  to.edges.push_back({m_current, terminator});
  m_current->end = m_time;
  if (--to.openEdges == 0)
    close(to);
}

void VariableValues::close(Stretch &stretch) {
  stretch.openEdges = 0;
  if (stretch.isEnteredOpen)
    std::erase_if(m_openEntries, [&](const OpenEntry &entry) { return entry.stretch == &stretch; });
  else if (!stretch.edges.empty())
    findDominator(stretch);
  for (const auto &[leaf, phi] : std::exchange(stretch.openPhis, {}))
    completePhi(stretch, leaf, *phi);
}

void VariableValues::addNeverTaken(Stretch &loopHead, llvm::Instruction *terminator) {
  loopHead.neverTaken.push_back(terminator);
  if (loopHead.openEdges == 0)
    for (llvm::PHINode *phi : loopHead.phis)
      phi->addIncoming(llvm::PoisonValue::get(phi->getType()), terminator->getParent());
}

llvm::Value *VariableValues::read(Stretch &stretch, uint32_t leaf) {
  if (const auto found = stretch.values.find(leaf); found != stretch.values.end())
    return found->second;
  // Goes back as long as there is one way to come from. What lies between keeps no note of the value.
  Stretch *from = &stretch;
  llvm::Value *value = nullptr;
  while (!value) {
    const bool isFromOutside =
        from->isLoopHead && from->edges.size() >= from->outerEdges && from->outerEdges == 1 &&
        std::ranges::none_of(from->loopStores, [&](const LeafRange &stored) { return stored.contains(leaf); });
    if (isFromOutside || (!from->openEdges && from->edges.size() == 1)) {
      from = from->edges.front().from;
    } else if (Stretch *before = dominatorWithSame(*from, leaf)) {
      from = before;
    } else {
      value = readAtMeeting(*from, leaf);
      break;
    }
    if (const auto found = from->values.find(leaf); found != from->values.end())
      value = found->second;
  }
  return stretch.values[leaf] = value;
}

// The stretch's dominator, if surely nothing has been written to the leaf behind it: neither anywhere since then, nor
// in code that is still to come and leads here.
VariableValues::Stretch *VariableValues::dominatorWithSame(const Stretch &stretch, uint32_t leaf) const {
  Stretch *before = stretch.openEdges ? nullptr : stretch.dominator;
  const bool isSame = before && m_lastWrites[leaf] <= before->end &&
                      (m_openEntries.empty() || m_openEntries.back().time <= before->end);
  return isSame ? before : nullptr;
}

// Reads where several edges meet, or where no edge leads to: the value is undefined there.
llvm::Value *VariableValues::readAtMeeting(Stretch &stretch, uint32_t leaf) {
  if (stretch.openEdges) {
    llvm::PHINode *phi = makePhi(stretch, leaf);
    stretch.openPhis.emplace_back(leaf, phi);
    return phi;
  }
  if (stretch.edges.empty())
    return llvm::UndefValue::get(m_types[leaf]);
  if (m_depth >= MaxReadDepth) {
    llvm::PHINode *phi = makePhi(stretch, leaf);
    m_pending.push_back({&stretch, leaf, phi});
    return phi;
  }
  ++m_depth;
  llvm::Value *value = nullptr;
  if (stretch.isLoopHead) {
    llvm::PHINode *phi = makePhi(stretch, leaf);
    completePhi(stretch, leaf, *phi);
    value = phi;
  } else {
    llvm::SmallVector<llvm::Value *, 4> incoming;
    for (const Edge &edge : stretch.edges)
      incoming.push_back(read(*edge.from, leaf));
    if (llvm::all_equal(incoming)) {
      value = stretch.values[leaf] = incoming.front();
    } else {
      llvm::PHINode *phi = makePhi(stretch, leaf);
      completePhi(stretch, leaf, *phi);
      value = phi;
    }
  }
  while (m_depth == 1 && !m_pending.empty()) {
    const PendingPhi next = m_pending.back();
    m_pending.pop_back();
    completePhi(*next.stretch, next.leaf, *next.phi);
  }
  --m_depth;
  return value;
}

llvm::PHINode *VariableValues::makePhi(Stretch &stretch, uint32_t leaf) {
  auto *phi = llvm::PHINode::Create(m_types[leaf], static_cast<unsigned>(stretch.edges.size() + stretch.openEdges), "",
                                    stretch.start->begin());
  if (stretch.isLoopHead)
    stretch.phis.push_back(phi);
  stretch.values[leaf] = phi;
  return phi;
}

// A phi has no entries until it has all of them: operations ask what is known of values, and some entries would tell
// too much. LLVM wants an entry for each edge of a terminator; a switch may have several to one block.
void VariableValues::completePhi(Stretch &stretch, uint32_t leaf, llvm::PHINode &phi) {
  for (const Edge &edge : stretch.edges) {
    llvm::Value *incoming = read(*edge.from, leaf);
    for (unsigned i = 0; i < edge.terminator->getNumSuccessors(); ++i)
      if (edge.terminator->getSuccessor(i) == stretch.start)
        phi.addIncoming(incoming, edge.terminator->getParent());
  }
  for (llvm::Instruction *terminator : stretch.neverTaken)
    phi.addIncoming(llvm::PoisonValue::get(phi.getType()), terminator->getParent());
}

} // namespace dovetail::spirv
