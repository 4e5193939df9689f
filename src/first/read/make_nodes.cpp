// SPDX-License-Identifier: MIT
//
// Makes nodes: folds what is known, and returns an equal node that is there already.
#include "src/first/read/reader.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <llvm/ADT/Hashing.h>

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

bool Reader::leavesLoopApart(NodeId id) const {
  if (m_program.loops.empty())
    return false;
  const Node &node = m_program.nodes[id];
  if (node.op == Op::Constant || node.op == Op::Undefined || node.op == Op::Argument || node.op == Op::True)
    return false;
  for (uint16_t loop = m_program.blocks[node.block].loop; loop != UINT16_MAX; loop = m_program.loops[loop].parent) {
    if (m_block >= m_program.loops[loop].header && m_block <= m_program.loops[loop].last)
      return false; // loops around it are not left either
    if (m_isDivergentLoop[loop])
      return true;
  }
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
  auto shiftAgain = [&] {
    const NodeId inner = innerOf(node, op);
    const uint32_t sum = inner == NoNode ? 0 : (constantOf(node) & 31) + (number & 31);
    return inner == NoNode ? NoNode : sum < 32 ? operation(op, {inner, constant(sum)}) : constant(0);
  };
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
    if (isSecond && node.op == op)
      return shiftAgain();
    if (const NodeId inner = innerOf(node, Op::ShiftRightSigned);
        isSecond && inner != NoNode && (constantOf(node) & 31) == (number & 31))
      return operation(Op::And, {inner, constant(UINT32_MAX << (number & 31))});
    return NoNode;
  case Op::ShiftRight:
    if (isSecond && node.op == op)
      return shiftAgain();
    [[fallthrough]];
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
  BlockOrder order;
  if (std::string reason = orderBlocks(function, order); !reason.empty())
    return Refusal{std::move(reason)};
  constexpr unsigned MaxReadings = 24;
  Reader::Lessons lessons;
  for (unsigned reading = 0; reading < MaxReadings; ++reading) {
    Reader reader(function, order, target, pixelInputs);
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
