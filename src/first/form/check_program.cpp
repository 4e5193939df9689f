// SPDX-License-Identifier: MIT
#include "src/first/form/check_program.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>

namespace dovetail::first {

namespace {

bool hasAccess(Op op) {
  return (op >= Op::Valu && op <= Op::SaluTest) || (op >= Op::ScalarLoad && op <= Op::Export);
}

bool takesBools(const Node &node, size_t operand) {
  switch (node.op) {
  case Op::BoolAnd:
  case Op::BoolOr:
  case Op::BoolXor:
  case Op::BoolNot:
  case Op::Kill:
  case Op::MaskDwords:
  case Op::QuadAny:
    return true;
  case Op::Select:
    return operand == 0;
  case Op::Phi:
    return node.isBool;
  default:
    return false;
  }
}

bool makesBool(const Node &node) {
  return (node.op >= Op::True && node.op <= Op::BoolOf) || node.op == Op::ValuMask || node.op == Op::SaluTest ||
         node.op == Op::QuadAny || node.op == Op::Live;
}

// Of the scalar bank, but made of vectors.
bool leavesVectors(const Program &program, const Node &node) {
  return node.op == Op::ReadFirstLane || node.op == Op::MaskDwords || node.op == Op::Part ||
         (node.op == Op::Valu && isa::rowOf(program.accesses[node.imm].opcode).is(isa::traits::ScalarDestination));
}

unsigned partsOf(const Program &program, const Node &node) {
  return node.op >= Op::AddWide && node.op <= Op::TableAddress ? 2 : program.accesses[node.imm].dwords;
}

// Follows the immediate dominators alone.
bool dominates(const Program &program, uint16_t block, uint16_t of) {
  while (of > block)
    of = program.blocks[of].dominator;
  return of == block;
}

std::string checkNode(const Program &program, NodeId id) {
  const Node &node = program.nodes[id];
  if (hasAccess(node.op) && node.imm >= program.accesses.size())
    return "an access that is not there";
  if (node.op != Op::Phi && node.op != Op::Undefined && node.isBool != makesBool(node))
    return "a bool that is none";
  const auto operands = program.operandsOf(node);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] >= program.nodes.size())
      return "an operand that is not there";
    const Node &operand = program.nodes[operands[i]];
    if (node.op != Op::Part && operand.isBool != takesBools(node, i))
      return operand.isBool ? "a bool in the place of a dword" : "a dword in the place of a bool";
    if (node.op == Op::Phi) {
      if (operands.size() != program.blocks[node.block].predecessors.size())
        return "a phi that does not know its predecessors";
      if (node.bank == Bank::Scalar && operand.bank == Bank::Vector)
        return "a phi of scalars takes a vector";
      if (!dominates(program, operand.block, program.blocks[node.block].predecessors[i]))
        return "a phi that takes what is not defined on that way";
      continue;
    }
    if (operands[i] >= id)
      return "an operand behind its user";
    if (!dominates(program, operand.block, node.block))
      return "an operand that is not defined on every way";
    if (node.bank == Bank::Scalar && operand.bank == Bank::Vector && !leavesVectors(program, node) &&
        !(node.op >= Op::BufferLoad && node.op <= Op::Kill))
      return "a scalar that is made of vectors";
    const bool isBorder = node.op == Op::LeaveWhole || (node.op == Op::SetInactive && i == 0);
    if (node.bank == Bank::Vector && operand.bank == Bank::Vector &&
        operand.isWhole != (isBorder ? !node.isWhole : node.isWhole))
      return "a value of the whole wave beside those of lanes";
  }
  if (node.op == Op::Part) {
    const Node &whole = program.nodes[node.a[0]];
    const bool hasParts = whole.op >= Op::Valu && whole.op <= Op::Image;
    if (!hasParts || node.imm >= partsOf(program, whole))
      return "a part that its node does not have";
    if (whole.bank != node.bank)
      return "a part in another bank than its node";
  }
  return {};
}

std::string checkBlock(const Program &program, uint16_t number) {
  const Block &block = program.blocks[number];
  if (block.terminator == Terminator::Branch &&
      (block.condition >= program.nodes.size() || !program.nodes[block.condition].isBool))
    return "a branch on what is no bool";
  auto isDefined = [&](NodeId id) { return dominates(program, program.nodes[id].block, number); };
  if ((block.terminator == Terminator::Branch && !isDefined(block.condition)) ||
      !std::ranges::all_of(block.results, isDefined))
    return "a block that ends with what is not defined on every way";
  for (unsigned s = 0; s < block.successorCount(); ++s)
    if (block.successors[s] >= program.blocks.size() ||
        std::ranges::find(program.blocks[block.successors[s]].predecessors, number) ==
            program.blocks[block.successors[s]].predecessors.end())
      return "a block that its successor does not know";
  for (NodeId effect : block.effects)
    if (effect < block.firstNode || effect >= block.endNode)
      return "an effect of another block";
  if (number > 0 && block.dominator >= number)
    return "a dominator behind its block";
  return {};
}

} // namespace

std::string checkProgram(const Program &program) {
  for (NodeId id = 0; id < program.nodes.size(); ++id)
    if (std::string fault = checkNode(program, id); !fault.empty())
      return fault;
  for (uint16_t block = 0; block < program.blocks.size(); ++block)
    if (std::string fault = checkBlock(program, block); !fault.empty())
      return fault;
  return {};
}

} // namespace dovetail::first
