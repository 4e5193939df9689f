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

namespace {

// Scalar units have these.
bool hasScalarForm(Op op, bool isGfx9) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::ShiftRightSigned:
  case Op::MinI:
  case Op::MaxI:
  case Op::MinU:
  case Op::MaxU:
  case Op::CountBits:
  case Op::ReverseBits:
  case Op::FindLowBit:
  case Op::FindHighBit:
  case Op::CompareI:
  case Op::BoolAnd:
  case Op::BoolOr:
  case Op::BoolXor:
  case Op::BoolNot:
  case Op::BoolOf:
  case Op::Select:
  case Op::AddWide:
  case Op::ScalarLoad:
  case Op::ScalarBufferLoad:
  case Op::ReadFirstLane:
  case Op::Relocated:
  case Op::PcHigh:
    return true;
  case Op::MulHighU:
  case Op::MulHighI:
    return isGfx9;
  default:
    return false;
  }
}

uint32_t hashOf(const Node &node) {
  uint64_t hash = (uint64_t(node.op) << 32 | node.imm) * 0x9e3779b97f4a7c15;
  for (NodeId operand : node.a)
    hash = (std::rotl(hash, 21) ^ operand) * 0x9e3779b97f4a7c15;
  return uint32_t(hash >> 32);
}

bool isEqual(const Node &left, const Node &right) {
  return left.op == right.op && left.imm == right.imm && left.a == right.a && left.isBool == right.isBool &&
         left.isWhole == right.isWhole;
}

} // namespace

Reader::Reader(const llvm::Function &function, const TargetInfo &target, uint32_t pixelInputs)
    : m_function(function), m_target(target), m_pixelInputs(pixelInputs) {
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
  if (std::string reason = orderBlocks(m_function, m_program, m_order); !reason.empty()) {
    refuse(std::move(reason));
    return false;
  }
  m_isDivergentBranch.resize(m_program.blocks.size());
  m_isDivergentLoop.resize(m_program.loops.size());
  m_scratchAtEnd.resize(m_program.blocks.size());
  readArguments();
  findWholeWaves();
  for (uint16_t block = 0; block < m_program.blocks.size() && m_refusal.empty(); ++block)
    readBlock(block);
  if (m_refusal.empty()) {
    fillPhis();
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

bool Reader::leavesLoopApart(NodeId id) const {
  if (m_program.loops.empty())
    return false;
  const Node &node = m_program.nodes[id];
  if (node.op == Op::Constant || node.op == Op::Undefined || node.op == Op::Argument || node.op == Op::True)
    return false;
  for (uint16_t loop = m_program.blocks[node.block].loop; loop != UINT16_MAX; loop = m_program.loops[loop].parent)
    if (m_isDivergentLoop[loop] && (m_block < m_program.loops[loop].header || m_block > m_program.loops[loop].last))
      return true;
  return false;
}

NodeId Reader::constant(uint32_t value) {
  Node node;
  node.op = Op::Constant;
  node.imm = value;
  return make(node);
}

NodeId Reader::boolConstant(bool value) {
  Node node;
  node.op = Op::True;
  node.isBool = true;
  node.imm = value;
  return make(node);
}

NodeId Reader::undefined(bool isBool) {
  NodeId &known = m_undefined[isBool];
  if (known == NoNode) {
    Node node;
    node.isBool = isBool;
    known = NodeId(m_program.nodes.size());
    m_program.nodes.push_back(node);
  }
  return known;
}

NodeId Reader::relocated(uint32_t index) {
  Node node;
  node.op = Op::Relocated;
  node.imm = index;
  node.block = m_block;
  return make(node);
}

// Returns an equal node that is there already, in this block or in one that dominates it.
NodeId Reader::make(const Node &made) {
  Node node = made;
  node.block = node.op == Op::Constant || node.op == Op::True ? 0 : m_block;
  node.isWhole = m_isWhole && node.bank == Bank::Vector;
  checkWhole(node, m_program.operandsOf(node));
  if (m_tableUsed * 2 > m_table.size()) {
    std::vector<NodeId> larger(m_table.size() * 2, NoNode);
    for (NodeId id : m_table) {
      if (id == NoNode)
        continue;
      size_t at = hashOf(m_program.nodes[id]) & (larger.size() - 1);
      while (larger[at] != NoNode)
        at = (at + 1) & (larger.size() - 1);
      larger[at] = id;
    }
    m_table = std::move(larger);
  }
  size_t at = hashOf(node) & (m_table.size() - 1);
  for (; m_table[at] != NoNode; at = (at + 1) & (m_table.size() - 1)) {
    const Node &known = m_program.nodes[m_table[at]];
    if (!isEqual(known, node))
      continue;
    if (node.op == Op::Constant || node.op == Op::True ||
        (m_program.dominates(known.block, m_block) && !leavesLoopApart(m_table[at])))
      return m_table[at];
    break; // the newer one takes its place
  }
  m_tableUsed += m_table[at] == NoNode;
  m_program.nodes.push_back(node);
  return m_table[at] = NodeId(m_program.nodes.size() - 1);
}

void Reader::checkWhole(const Node &node, llvm::ArrayRef<NodeId> operands) {
  if (m_wholeWaves.empty() || node.op == Op::LeaveWhole || node.bank == Bank::Scalar)
    return;
  for (NodeId operand : operands)
    if (nodeOf(operand).bank == Bank::Vector && nodeOf(operand).isWhole != node.isWhole)
      refuse("what only some lanes have, in a value of the whole wave");
}

// A node that computes or loads what never changes is shared like those of make(); IR has not shared them.
NodeId Reader::makeList(Node node, llvm::ArrayRef<NodeId> operands) {
  for (NodeId operand : operands)
    if ((nodeOf(operand).bank == Bank::Scalar || nodeOf(operand).isBool) && leavesLoopApart(operand) && !m_mustRepeat)
      refuse("a scalar from a loop that lanes leave apart");
  node.isWhole = m_isWhole && node.bank == Bank::Vector;
  checkWhole(node, operands);
  if (isPure(node)) {
    const bool hasAccess = node.op != Op::AddWide && node.op != Op::SubWide && node.op != Op::DivideF64;
    static constexpr Access None = {};
    const Access &access = hasAccess ? m_program.accesses[node.imm] : None;
    const uint64_t hash = llvm::hash_combine(node.op, access.opcode, access.offset, access.relocated, access.dwords,
                                             llvm::hash_combine_range(operands)) >>
                          1; // no key that the map has for itself
    auto isEqual = [&](NodeId id) {
      const Node &known = nodeOf(id);
      if (known.op != node.op || known.isWhole != node.isWhole ||
          !std::ranges::equal(m_program.operandsOf(known), operands) || !m_program.dominates(known.block, m_block) ||
          leavesLoopApart(id))
        return false;
      const Access &other = hasAccess ? m_program.accesses[known.imm] : None;
      return other.opcode == access.opcode && other.offset == access.offset && other.relocated == access.relocated &&
             other.dwords == access.dwords;
    };
    if (const auto known = m_lists.find(hash); known != m_lists.end() && isEqual(known->second))
      return known->second;
    m_lists[hash] = NodeId(m_program.nodes.size());
  }
  node.block = m_block;
  node.count = uint16_t(operands.size());
  node.a = {operands.empty() ? NoNode : uint32_t(m_program.lists.size()), NoNode, NoNode};
  m_program.lists.insert(m_program.lists.end(), operands.begin(), operands.end());
  m_program.nodes.push_back(node);
  return NodeId(m_program.nodes.size() - 1);
}

bool Reader::isPure(const Node &node) const {
  switch (node.op) {
  case Op::ScalarLoad:
  case Op::Valu:
  case Op::ValuMask:
  case Op::Salu:
  case Op::SaluTest:
  case Op::AddWide:
  case Op::SubWide:
  case Op::DivideF64:
    return true;
  case Op::ScalarBufferLoad:
    return !m_program.accesses[node.imm].glc;
  default:
    return false;
  }
}

// The parts of a node stand behind it, in their order; those of a shared one are there already.
NodeId Reader::part(NodeId of, uint32_t index) {
  if (const NodeId known = of + 1 + index; known < m_program.nodes.size())
    if (const Node &node = nodeOf(known); node.op == Op::Part && node.a[0] == of && node.imm == index)
      return known;
  Node node;
  node.op = Op::Part;
  node.a[0] = of;
  node.imm = index;
  node.bank = nodeOf(of).bank;
  node.isDivergent = nodeOf(of).isDivergent;
  node.isWhole = nodeOf(of).isWhole;
  node.block = m_block;
  m_program.nodes.push_back(node);
  return NodeId(m_program.nodes.size() - 1);
}

Reader::Nodes Reader::partsOf(NodeId node, unsigned count) {
  Nodes parts;
  for (unsigned i = 0; i < count; ++i)
    parts.push_back(part(node, i));
  return parts;
}

// `isDivergent`: lanes get different values even if all operands are the same.
NodeId Reader::makeAccess(Op op, Bank bank, const Access &access, llvm::ArrayRef<NodeId> operands, bool isDivergent) {
  Node node;
  node.op = op;
  node.bank = bank;
  node.isBool = op == Op::ValuMask || op == Op::SaluTest;
  node.imm = uint32_t(m_program.accesses.size());
  node.isDivergent =
      bank == Bank::Vector && (isDivergent || llvm::any_of(operands, [&](NodeId operand) { return differs(operand); }));
  m_program.accesses.push_back(access);
  return makeList(node, operands);
}

NodeId Reader::operation(Op op, llvm::ArrayRef<NodeId> operands, uint32_t imm) {
  Node node;
  node.op = op;
  node.imm = imm;
  bool isScalar = hasScalarForm(op, isGfx9());
  for (size_t i = 0; i < operands.size(); ++i) {
    node.a[i] = operands[i];
    const Node &operand = m_program.nodes[operands[i]];
    node.isDivergent |= operand.isDivergent || leavesLoopApart(operands[i]);
    // Values of IR are carried out of loops (valuesOf()); what is made of several, is not.
    if ((operand.bank == Bank::Scalar || operand.isBool) && leavesLoopApart(operands[i]) && !m_mustRepeat)
      refuse("a scalar from a loop that lanes leave apart");
    isScalar &= operand.bank == Bank::Scalar;
  }
  // An opposite costs nothing where it is asked for.
  if (const Node &first = nodeOf(operands[0]); first.op == Op::BoolNot && !leavesLoopApart(first.a[0])) {
    if (op == Op::BoolNot)
      return first.a[0];
    if (op == Op::Select)
      return operation(op, {first.a[0], operands[2], operands[1]});
  }
  node.bank = isScalar ? Bank::Scalar : Bank::Vector;
  node.isBool = op >= Op::True && op <= Op::BoolOf;
  switch (op) {
  case Op::ReadFirstLane:
    node.bank = Bank::Scalar;
    node.isDivergent = false;
    break;
  case Op::LanesBelowLow:
  case Op::LanesBelowHigh:
  case Op::InterpP1:
  case Op::InterpP2:
  case Op::InterpMov:
  case Op::InterpHalf:
    node.isDivergent = true;
    break;
  default:
    break;
  }
  // The order of the operands of a sum or a product is no difference.
  if ((op == Op::Add || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Mul || op == Op::MulU24) &&
      node.a[0] > node.a[1])
    std::swap(node.a[0], node.a[1]);
  const bool all = isConstant(operands[0]) && (operands.size() < 2 || isConstant(operands[1]));
  if (all && operands.size() == 2) {
    const uint32_t left = valueOf(operands[0]), right = valueOf(operands[1]);
    switch (op) {
    case Op::Add:
      return constant(left + right);
    case Op::Sub:
      return constant(left - right);
    case Op::And:
      return constant(left & right);
    case Op::Or:
      return constant(left | right);
    case Op::Xor:
      return constant(left ^ right);
    case Op::ShiftLeft:
      return constant(left << (right & 31));
    case Op::ShiftRight:
      return constant(left >> (right & 31));
    case Op::Mul:
      return constant(left * right);
    case Op::CompareI:
      return boolConstant(
          llvm::ICmpInst::compare(llvm::APInt(32, left), llvm::APInt(32, right), llvm::CmpInst::Predicate(imm)));
    default:
      break;
    }
  }
  for (unsigned i = 0; i < 2 && operands.size() == 2; ++i) {
    const NodeId other = operands[1 - i];
    if (!isConstant(operands[i]))
      continue;
    const uint32_t value = valueOf(operands[i]);
    if (value == 0 && (op == Op::Add || op == Op::Or || op == Op::Xor))
      return other;
    if (value == 0 && i == 1 && (op == Op::Sub || op == Op::ShiftLeft || op == Op::ShiftRight))
      return other;
    if (op == Op::And && value == 0)
      return constant(0);
    if (op == Op::And && value == UINT32_MAX)
      return other;
    if (op == Op::Or && value == UINT32_MAX)
      return constant(UINT32_MAX);
    if (const NodeId simpler = withConstant(op, other, value, i == 1); simpler != NoNode)
      return simpler;
  }
  return make(node);
}

// The result of an operation on a value and a constant, if it has a simpler form; else NoNode. `isSecond`: the constant
// is the second operand. Indices are multiplied and taken apart with constants like these.
NodeId Reader::withConstant(Op op, NodeId value, uint32_t number, bool isSecond) {
  const Node node = nodeOf(value);
  auto innerOf = [&](const Node &of, Op inner) -> NodeId { // the other operand of an operation with a constant
    for (unsigned i = inner == Op::Add ? 0 : 1; of.op == inner && i < 2; ++i)
      if (isConstant(of.a[i]) && !leavesLoopApart(of.a[1 - i]))
        return of.a[1 - i];
    return NoNode;
  };
  auto constantOf = [&](const Node &of) { return valueOf(of.a[isConstant(of.a[1]) ? 1 : 0]); };
  switch (op) {
  case Op::Mul:
  case Op::MulU24:
    if (number == 0)
      return constant(0);
    return op == Op::Mul && std::has_single_bit(number)
               ? operation(Op::ShiftLeft, {value, constant(std::countr_zero(number))})
               : NoNode;
  case Op::Add:
    if (const NodeId inner = innerOf(node, Op::Add); inner != NoNode)
      return addConstant(inner, constantOf(node) + number);
    return NoNode;
  case Op::ShiftLeft:
    if (const NodeId inner = innerOf(node, Op::ShiftLeft); isSecond && inner != NoNode) {
      const uint32_t sum = (constantOf(node) & 31) + (number & 31);
      return sum < 32 ? operation(Op::ShiftLeft, {inner, constant(sum)}) : constant(0);
    }
    if (const NodeId inner = innerOf(node, Op::ShiftRightSigned);
        isSecond && inner != NoNode && (constantOf(node) & 31) == (number & 31))
      return operation(Op::And, {inner, constant(UINT32_MAX << (number & 31))});
    return NoNode;
  case Op::ShiftRight:
  case Op::And: {
    // What stands above zeros that a shift has brought, and a constant that fits into these.
    uint32_t low = 0;
    NodeId shifted = value;
    if (const NodeId inner = innerOf(node, Op::Add); inner != NoNode) {
      low = constantOf(node);
      shifted = inner;
    }
    const NodeId inner = innerOf(nodeOf(shifted), Op::ShiftLeft);
    if (inner == NoNode)
      return NoNode;
    const uint32_t zeros = constantOf(nodeOf(shifted)) & 31, mask = (1u << zeros) - 1;
    if (op == Op::And)
      return number <= mask ? constant(low & number) : NoNode;
    if (!isSecond || low > mask || (number & 31) > zeros)
      return NoNode;
    if (low >> (number & 31) != 0)
      return NoNode;
    if (shifted != value)
      return operation(Op::ShiftRight, {shifted, constant(number)});
    return (number & 31) == zeros ? operation(Op::And, {inner, constant(UINT32_MAX >> zeros)}) : NoNode;
  }
  default:
    return NoNode;
  }
}

// An instruction of the vector unit, which gives dwords or a mask.
NodeId Reader::valu(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords) {
  const isa::OpcodeRow &row = isa::rowOf(opcode);
  Access access;
  access.opcode = opcode;
  access.dwords = row.destinationDwords;
  return makeAccess(row.is(isa::traits::MaskOut) ? Op::ValuMask : Op::Valu,
                    row.is(isa::traits::ScalarDestination) ? Bank::Scalar : Bank::Vector, access, dwords);
}

// An instruction of the scalar unit, which takes scalars and gives dwords, or a bool if it is a comparison.
NodeId Reader::salu(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords) {
  Access access;
  access.opcode = opcode;
  access.dwords = isa::rowOf(opcode).destinationDwords;
  return makeAccess(access.dwords ? Op::Salu : Op::SaluTest, Bank::Scalar, access, dwords);
}

Reader::Wide Reader::saluWide(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords) {
  const NodeId made = salu(opcode, dwords);
  const NodeId low = part(made, 0);
  return {low, part(made, 1)};
}

Reader::Wide Reader::valuWide(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords) {
  const NodeId made = valu(opcode, dwords);
  const NodeId low = part(made, 0);
  return {low, part(made, 1)};
}

NodeId Reader::addConstant(NodeId node, uint32_t value) {
  if (value == 0)
    return node;
  if (nodeOf(node).op == Op::Add)
    for (unsigned i = 0; i < 2; ++i)
      if (const NodeId known = nodeOf(node).a[i], other = nodeOf(node).a[1 - i]; isConstant(known))
        return addConstant(other, valueOf(known) + value);
  return operation(Op::Add, {node, constant(value)});
}

// The value in an SGPR.
NodeId Reader::uniform(NodeId id) {
  const Node &node = m_program.nodes[id];
  if (differs(id)) {
    const auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(m_instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    refuse("a divergent value where the hardware takes a scalar" + (callee ? ": " + callee->getName().str() : ""));
    return id;
  }
  return node.bank == Bank::Scalar ? id : operation(Op::ReadFirstLane, {id});
}

std::variant<Program, Refusal> readProgram(const llvm::Function &function, const TargetInfo &target,
                                           uint32_t pixelInputs) {
  if (function.getFnAttribute("denormal-fp-math-f32").getValueAsString() != "preserve-sign,preserve-sign")
    return Refusal{"denormals of f32"};
  constexpr unsigned MaxReadings = 8;
  Reader::Lessons lessons;
  for (unsigned reading = 0; reading < MaxReadings; ++reading) {
    Reader reader(function, target, pixelInputs);
    reader.lessons() = std::move(lessons);
    if (reader.read())
      return reader.takeProgram();
    if (!reader.refusal().empty())
      return Refusal{reader.refusal()};
    lessons = std::move(reader.lessons());
  }
  return Refusal{"phis that depend on each other"};
}

} // namespace dovetail::first
