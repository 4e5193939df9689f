// SPDX-License-Identifier: MIT
#include "src/first/read/read_program.h"
#include "src/abi/entry_registers.h"
#include "src/first/read/reader.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <llvm/ADT/Hashing.h>
#include <llvm/IR/Constants.h>

namespace dovetail::first {

Reader::Reader(const llvm::Function &function, const BlockOrder &order, const TargetInfo &target, uint32_t pixelInputs)
    : m_function(function), m_order(order), m_target(target), m_pixelInputs(pixelInputs) {
  m_program.nodes.reserve(1024);
  m_table.assign(1024, NoNode);
}

// How many registers the program may use: what the driver says, what so many waves leave, and what lets a workgroup run
// on one compute unit of four SIMDs.
void Reader::readLimits() {
  auto numbers = [&](const char *name) -> std::pair<unsigned, unsigned> {
    const llvm::StringRef text = m_function.getFnAttribute(name).getValueAsString();
    const auto [first, second] = text.split(',');
    unsigned low = 0, high = 0;
    if (first.getAsInteger(10, low))
      return {0, 0};
    return {low, second.getAsInteger(10, high) ? low : high};
  };
  constexpr unsigned specialSgprs = 6, simds = 4, lanes = 64, granule = 4, sgprGranule = 16;
  auto limit = [](unsigned &known, unsigned most) { known = std::min(known, most); };
  if (const unsigned vgprs = numbers("amdgpu-num-vgpr").first)
    limit(m_program.maxVgprs, vgprs);
  if (const unsigned sgprs = numbers("amdgpu-num-sgpr").first)
    limit(m_program.maxSgprs, sgprs > specialSgprs ? sgprs - specialSgprs : 0);
  unsigned waves = numbers("amdgpu-waves-per-eu").first;
  const unsigned group = numbers("amdgpu-flat-work-group-size").second;
  waves = std::max(waves, (group + lanes * simds - 1) / (lanes * simds));
  if (waves > 1) {
    limit(m_program.maxVgprs, m_target.vgprsPerSimd / waves / granule * granule);
    limit(m_program.maxSgprs, m_target.sgprsPerSimd / waves / sgprGranule * sgprGranule - specialSgprs);
  }
}

bool Reader::read() {
  readLimits();
  m_program.isFragment = m_function.getCallingConv() == llvm::CallingConv::AMDGPU_PS;
  m_program.endsProgram = m_function.getReturnType()->isVoidTy();
  if (const auto *results = llvm::dyn_cast<llvm::StructType>(m_function.getReturnType()))
    for (const llvm::Type *type : results->elements()) {
      m_program.scalarResults += type->isIntegerTy();
      if (!isDwords(type))
        refuse("the type of a result");
    }
  m_program.blocks = m_order.programBlocks;
  m_program.loops = m_order.programLoops;
  m_isDivergentBranch.resize(m_program.blocks.size());
  m_isDivergentLoop.resize(m_program.loops.size());
  constexpr uint32_t computeOffset = 16;
  if (m_function.getCallingConv() == llvm::CallingConv::AMDGPU_CS)
    m_program.scratchDescriptorOffset = computeOffset;
  m_scratchAtEnd.resize(m_program.blocks.size());
  readArguments();
  findWholeWaves();
  for (uint16_t block = 0; block < m_program.blocks.size() && m_refusal.empty(); ++block)
    readBlock(block);
  if (m_refusal.empty()) {
    fillPhis();
    if (m_mustRepeat)
      spreadLessons();
    dropIdleBranches();
  }
  m_program.countsLanes = m_readsLanes && m_endsLanes;
  return m_refusal.empty() && !m_mustRepeat;
}

void Reader::readArguments() {
  uint32_t sgpr = 0, vgpr = 0;
  unsigned index = 0; // among the arguments in VGPRs
  for (const llvm::Argument &argument : m_function.args()) {
    const bool isScalar = argument.hasInRegAttr();
    const unsigned count = partsOf(argument.getType());
    if (!count || narrowBits(argument.getType()))
      return refuse("an argument's type");
    if (!isScalar && m_program.isFragment && index < PsInputCount && !(m_pixelInputs >> index++ & 1))
      continue;
    Nodes nodes;
    for (unsigned i = 0; i < count; ++i) {
      Node node;
      node.op = Op::Argument;
      node.bank = isScalar ? Bank::Scalar : Bank::Vector;
      node.isDivergent = !isScalar;
      node.imm = isScalar ? sgpr++ : vgpr++;
      m_program.nodes.push_back(node);
      nodes.push_back(NodeId(m_program.nodes.size() - 1));
    }
    set(&argument, nodes);
  }
  Node offset; // behind all other SGPRs (ShaderInterface::inputs)
  offset.op = Op::Argument;
  offset.imm = sgpr;
  m_program.nodes.push_back(offset);
  m_scratchOffset = NodeId(m_program.nodes.size() - 1);
}

void Reader::readBlock(uint16_t number) {
  m_block = number;
  m_program.blocks[number].firstNode = uint32_t(m_program.nodes.size());
  beginScratch(number);
  if (const llvm::BasicBlock *source = m_order.blocks[number]) {
    readPhis(number);
    for (const llvm::Instruction &instruction : *source) {
      if (!m_refusal.empty())
        return;
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) {
        m_instruction = &instruction;
        if (m_wholeWaves.contains(&instruction))
          readOfWholeWave(instruction);
        else
          readInstruction(instruction);
      }
    }
    if (!m_refusal.empty())
      return;
    const llvm::Instruction *end = source->getTerminator();
    Block &block = m_program.blocks[number];
    if (block.terminator == Terminator::Branch) {
      const NodeId condition = valueOf1(end->getOperand(0));
      Block &at = m_program.blocks[number];
      at.condition = condition;
      const Node &node = m_program.nodes[condition];
      // A comparison in vector registers is a mask even if all lanes agree.
      m_isDivergentBranch[number] = node.bank == Bank::Vector || leavesLoopApart(condition);
      if (m_isDivergentBranch[number])
        for (unsigned i = 0; i < 2; ++i)
          for (uint16_t loop = at.loop; loop != UINT16_MAX; loop = m_program.loops[loop].parent)
            if (at.successors[i] < m_program.loops[loop].header || at.successors[i] > m_program.loops[loop].last)
              m_isDivergentLoop[loop] = true;
    } else if (block.terminator == Terminator::End && end->getNumOperands()) {
      Nodes results = valuesOf(end->getOperand(0));
      for (unsigned i = 0; i < m_program.scalarResults && i < results.size(); ++i)
        results[i] = uniform(results[i]);
      m_program.blocks[number].results.assign(results.begin(), results.end());
    }
  }
  readLeaving(number);
  m_program.blocks[number].endNode = uint32_t(m_program.nodes.size());
}

// Lanes arrive here on different ways if a branch behind the dominator has sent them there.
bool Reader::isDivergentJoin(uint16_t number) const {
  const Block &block = m_program.blocks[number];
  unsigned forward = 0;
  for (uint16_t predecessor : block.predecessors)
    forward += predecessor < number;
  if (forward < 2)
    return false;
  for (uint16_t i = block.dominator; i < number; ++i)
    if (m_isDivergentBranch[i])
      return true;
  return false;
}

void Reader::readPhis(uint16_t number) {
  bool isDivergentJoinHere = isDivergentJoin(number);
  // Lanes that leave a loop at different times bring values of different times.
  for (uint16_t predecessor : m_program.blocks[number].predecessors)
    for (uint16_t loop = m_program.blocks[predecessor].loop; loop != UINT16_MAX; loop = m_program.loops[loop].parent)
      isDivergentJoinHere |=
          m_isDivergentLoop[loop] && (number < m_program.loops[loop].header || number > m_program.loops[loop].last);
  for (const llvm::PHINode &phi : m_order.blocks[number]->phis()) {
    const unsigned count = partsOf(phi.getType());
    if (!count)
      return refuse("a phi's type");
    Nodes nodes;
    llvm::SmallVector<bool, 4> bools;
    findBools(phi.getType(), bools);
    const bool isVector = isDivergentJoinHere || m_lessons.vectorPhis.contains(&phi);
    m_phis.push_back({&phi, uint32_t(m_program.nodes.size())});
    for (unsigned i = 0; i < count; ++i) {
      Node node;
      node.op = Op::Phi;
      node.block = number;
      node.isBool = bools[i];
      node.bank = isVector ? Bank::Vector : Bank::Scalar;
      node.isDivergent = isVector && (isDivergentJoinHere || m_lessons.vectorPhis.lookup(&phi) == 2);
      m_program.nodes.push_back(node);
      nodes.push_back(NodeId(m_program.nodes.size() - 1));
    }
    for (NodeId node : nodes)
      m_program.blocks[number].phis.push_back(node);
    if (!m_program.blocks[number].isLoopHeader)
      for (unsigned i = 0; i < count; ++i)
        if (const NodeId same = sameOnAllWays(phi, number, i); same != NoNode)
          nodes[i] = same;
    set(&phi, nodes);
  }
}

// The value that all ways bring for a part of a phi, if it is one and known here.
NodeId Reader::sameOnAllWays(const llvm::PHINode &phi, uint16_t number, unsigned part) const {
  NodeId same = NoNode;
  for (uint16_t predecessor : m_program.blocks[number].predecessors) {
    const auto leaving = m_leaving.find({&phi, predecessor});
    if (leaving == m_leaving.end() || (same != NoNode && leaving->second[part] != same))
      return NoNode;
    same = leaving->second[part];
  }
  return same != NoNode && !leavesLoopApart(same) && m_program.dominates(nodeOf(same).block, number) ? same : NoNode;
}

// What the block hands over to phis is read while nodes can still be put into it.
void Reader::readLeaving(uint16_t number) {
  const Block &block = m_program.blocks[number];
  const llvm::BasicBlock *source = m_order.blocks[number];
  if (!source)
    source = m_order.blocks[block.dominator];
  for (unsigned s = 0; s < block.successorCount(); ++s)
    if (const llvm::BasicBlock *successor = m_order.blocks[block.successors[s]])
      for (const llvm::PHINode &phi : successor->phis()) {
        Nodes nodes = valuesOf(phi.getIncomingValueForBlock(source));
        for (NodeId &node : nodes)
          if (nodeOf(node).isBool)
            node = decided(number, s, node);
        m_leaving[{&phi, number}] = nodes;
      }
  m_scratchAtEnd[number] = m_scratchKnown;
}

// A bool on the way to a successor, where the branch in front of that way may say what it is.
NodeId Reader::decided(uint16_t number, unsigned successor, NodeId value) {
  const Block *block = &m_program.blocks[number];
  if (block->terminator == Terminator::Jump && block->predecessors.size() == 1 && block->predecessors[0] < number) {
    block = &m_program.blocks[block->predecessors[0]];
    successor = block->successors[0] == number ? 0 : 1;
  }
  if (block->terminator != Terminator::Branch)
    return value;
  auto isOpposite = [&](NodeId one, NodeId other) {
    return nodeOf(one).op == Op::BoolNot && nodeOf(one).a[0] == other;
  };
  if (value == block->condition)
    return boolConstant(successor == 0);
  if (isOpposite(value, block->condition) || isOpposite(block->condition, value))
    return boolConstant(successor == 1);
  return value;
}

// A branch over a block that does nothing, to where it makes no difference which way lanes have come, is none.
void Reader::dropIdleBranches() {
  for (uint16_t i = 0; i < m_program.blocks.size(); ++i) {
    if (m_program.blocks[i].terminator != Terminator::Branch)
      continue;
    for (unsigned s = 0; s < 2; ++s) {
      const uint16_t over = m_program.blocks[i].successors[s], to = m_program.blocks[i].successors[1 - s];
      const Block &idle = m_program.blocks[over], &end = m_program.blocks[to];
      if (over <= i || to <= over || idle.terminator != Terminator::Jump || idle.successors[0] != to ||
          idle.predecessors.size() != 1 || !idle.effects.empty())
        continue;
      auto ordinal = [&](uint16_t predecessor) {
        return size_t(std::ranges::find(end.predecessors, predecessor) - end.predecessors.begin());
      };
      const size_t one = ordinal(i), other = ordinal(over);
      const bool isSame = std::ranges::all_of(end.phis, [&](NodeId phi) {
        const auto operands = m_program.operandsOf(nodeOf(phi));
        return operands[one] == operands[other];
      });
      if (!isSame)
        continue;
      m_program.blocks[i].condition = boolConstant(s == 1);
      break;
    }
  }
}

// Incoming values are known at last. A phi that was taken for a scalar, or for the same in all lanes, may turn out not
// to be; then all is read again.
void Reader::fillPhis() {
  for (auto [phi, first] : m_phis) {
    const uint16_t number = m_program.nodes[first].block;
    const unsigned count = partsOf(phi->getType());
    llvm::SmallVector<Nodes, 4> incoming;
    for (uint16_t predecessor : m_program.blocks[number].predecessors)
      incoming.push_back(m_leaving.lookup({phi, predecessor}));
    for (unsigned i = 0; i < count; ++i) {
      bool isVector = false, isDivergent = false;
      Nodes operands;
      for (size_t k = 0; k < incoming.size(); ++k) {
        m_block = m_program.blocks[number].predecessors[k];
        const Node &operand = m_program.nodes[incoming[k][i]];
        isVector |= operand.bank == Bank::Vector || leavesLoopApart(incoming[k][i]);
        isDivergent |= operand.isDivergent || leavesLoopApart(incoming[k][i]);
        operands.push_back(incoming[k][i]);
      }
      Node &node = m_program.nodes[first + i];
      if ((isVector && node.bank == Bank::Scalar) || (isDivergent && !node.isDivergent)) {
        uint32_t &known = m_lessons.vectorPhis[phi];
        known = std::max(known, isDivergent ? 2u : 1u);
        m_mustRepeat = true;
      }
      node.count = uint16_t(operands.size());
      node.a[0] = uint32_t(m_program.lists.size());
      m_program.lists.insert(m_program.lists.end(), operands.begin(), operands.end());
    }
  }
}

// What is known of one phi is soon known of those that are made of it. The next reading finds out what is made of it
// in front of its end; what phis hand on to each other from one pass of a loop to the next, each reading would find one
// step further.
void Reader::spreadLessons() {
  constexpr unsigned maxRounds = 32;
  std::vector<uint32_t> becomes(m_program.nodes.size()); // as in Lessons::vectorPhis
  auto isMadeOfOperands = [](const Node &node) {         // operation() gives it their bank
    return node.count == 0 &&
           ((node.op >= Op::Add && node.op <= Op::Select) || (node.op >= Op::AddF && node.op <= Op::UintOfF));
  };
  bool isChanged = true;
  for (unsigned round = 0; round < maxRounds && isChanged; ++round) {
    isChanged = false;
    for (auto [phi, first] : m_phis)
      if (const uint32_t known = m_lessons.vectorPhis.lookup(phi))
        std::fill_n(becomes.begin() + first, partsOf(phi->getType()), known);
    for (NodeId id = 0; id < m_program.nodes.size(); ++id)
      if (const Node &node = nodeOf(id); isMadeOfOperands(node))
        for (NodeId operand : m_program.operandsOf(node))
          becomes[id] = std::max(becomes[id], becomes[operand]);
    for (auto [phi, first] : m_phis) {
      uint32_t known = 0;
      for (unsigned i = 0; i < partsOf(phi->getType()); ++i)
        for (NodeId operand : m_program.operandsOf(nodeOf(first + i)))
          known = std::max(known, becomes[operand]);
      if (known > m_lessons.vectorPhis.lookup(phi)) {
        m_lessons.vectorPhis[phi] = known;
        isChanged = true;
      }
    }
  }
}

} // namespace dovetail::first
