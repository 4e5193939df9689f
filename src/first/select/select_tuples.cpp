// SPDX-License-Identifier: MIT
//
// Tuples: values that an instruction wants side by side in registers.
#include "src/first/select/selector.h"
#include <algorithm>
#include <bit>

namespace dovetail::first {

using isa::Opcode;

uint64_t Selector::hashOf(uint16_t block, std::span<const NodeId> nodes) {
  uint64_t hash = block;
  for (NodeId node : nodes)
    hash = (std::rotl(hash, 21) ^ node) * 0x9e3779b97f4a7c15;
  return hash;
}

// The VGPRs of an access's address.
std::span<const NodeId> Selector::addressOf(const Node &node) const {
  if (node.count == 0 || (node.op != Op::Image && node.op != Op::BufferLoad && node.op != Op::BufferStore))
    return {};
  const Access &access = m_program.accesses[node.imm];
  if (node.op == Op::Image)
    return m_program.operandsOf(node).subspan(access.samples ? 12 : 8, access.addresses);
  return m_program.operandsOf(node).subspan(5, access.idxen + access.offen);
}

// What a store of a buffer or an image stores.
std::span<const NodeId> Selector::dataOf(const Node &node) const {
  const bool isStore =
      node.count && (node.op == Op::BufferStore ||
                     (node.op == Op::Image && m_program.accesses[node.imm].opcode >= Opcode::ImageStore &&
                      m_program.accesses[node.imm].opcode <= Opcode::ImageStoreMip));
  return isStore ? m_program.operandsOf(node).last(m_program.accesses[node.imm].dwords) : std::span<const NodeId>();
}

// Neighbouring accesses share the tuples of an address, and of what they store.
Selector::Operand Selector::sharedTuple(NodeId access, std::span<const NodeId> nodes) {
  const auto known = m_tuples.find(hashOf(nodeOf(access).block, nodes));
  return tuple(nodes, Bank::Vector, NoRegister, known != m_tuples.end() && known->second > 1);
}

// Makes one group of the VGPRs of nodes that make several dwords each, if the tuple is made of all their dwords, and if
// nobody has asked for these. NoRegister: it is not.
VReg Selector::joinWholes(std::span<const NodeId> nodes) {
  auto dwordsOf = [&](const Node &whole) -> unsigned {
    switch (whole.op) {
    case Op::AddWide:
    case Op::SubWide:
    case Op::DivideF64:
      return 2;
    case Op::Valu:
    case Op::BufferLoad:
    case Op::GlobalLoad:
    case Op::LdsLoad:
      return m_program.accesses[whole.imm].dwords;
    default:
      return 0;
    }
  };
  unsigned wholes = 0;
  for (size_t i = 0; i < nodes.size(); ++wholes) {
    const Node &first = nodeOf(nodes[i]);
    if (first.op != Op::Part || first.imm != 0 || first.bank != Bank::Vector || isDemanded(first.a[0]))
      return NoRegister;
    const unsigned dwords = dwordsOf(nodeOf(first.a[0]));
    if (dwords == 0 || i + dwords > nodes.size() || nodeOf(first.a[0]).block != m_block)
      return NoRegister;
    for (unsigned k = 0; k < dwords; ++k)
      if (const Node &part = nodeOf(nodes[i + k]); part.op != Op::Part || part.a[0] != first.a[0] || part.imm != k)
        return NoRegister;
    for (size_t k = 0; k < i; ++k)
      if (nodeOf(nodes[k]).a[0] == first.a[0])
        return NoRegister;
    i += dwords;
  }
  if (wholes < 2)
    return NoRegister;
  const VReg made = newRegister(Bank::Vector, unsigned(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &part = nodeOf(nodes[i]);
    m_registers[nodes[i]] = made + VReg(i);
    if (part.imm == 0)
      m_registers[part.a[0]] = made + VReg(i);
  }
  return made;
}

// Values in consecutive registers: where they are, if they are so, or copies.
Selector::Operand Selector::tuple(std::span<const NodeId> nodes, Bank bank, VReg into, bool isShared) {
  if (nodes.size() == 1 && into == NoRegister)
    return bank == Bank::Vector ? vector(nodes[0]) : scalar(nodes[0]);
  if (const VReg joined = into == NoRegister ? joinWholes(nodes) : NoRegister; joined != NoRegister)
    return registerOperand(joined, unsigned(nodes.size()));
  Operands sources;
  for (NodeId node : nodes)
    sources.push_back(any(node));
  const unsigned alignment = bank == Bank::Vector ? 1 : nodes.size() == 2 ? 2 : 4;
  auto isConsecutive = [&] {
    unsigned begin = 0; // in the group, or where arguments have their places
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].kind != Operand::Register || m_machine.registers[sources[i].value].bank != bank ||
          sources[i].value != sources[0].value + i)
        return false;
      const VirtualRegister &reg = m_machine.registers[sources[i].value];
      const bool isArgument = sources[i].value < m_machine.arguments;
      const unsigned at = isArgument ? reg.place : reg.index;
      if (i == 0)
        begin = at;
      if ((!isArgument && reg.groupSize == 1) || at != begin + i ||
          isArgument != (sources[0].value < m_machine.arguments))
        return false;
    }
    return begin % alignment == 0;
  };
  if (into == NoRegister && isConsecutive())
    return registerOperand(sources[0].value, unsigned(nodes.size()));
  if (bank == Bank::Scalar)
    for (Operand &source : sources)
      if (isVgpr(source))
        refuse(faultOf("a vector where a scalar is needed"));
  if (into == NoRegister && (bank == Bank::Scalar || isShared)) {
    auto begins = [&](const Pending &pending) {
      return !pending.isAtOnce && pending.sources.size() >= sources.size() &&
             m_machine.registers[pending.made].bank == bank &&
             std::ranges::equal(std::span(pending.sources.data(), sources.size()), sources,
                                [](const Operand &left, const Operand &right) {
                                  return left.kind == right.kind && left.value == right.value;
                                });
    };
    for (Pending &pending : m_pending)
      if (begins(pending)) {
        pending.lastUse = m_count;
        return registerOperand(pending.made, unsigned(nodes.size()));
      }
    for (const Pending &pending : m_hoisted)
      if (bank == Bank::Scalar && begins(pending) && m_program.dominates(pending.home, m_block))
        return registerOperand(pending.made, unsigned(nodes.size()));
  }
  const VReg made = into == NoRegister ? newRegister(bank, unsigned(nodes.size())) : into;
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i].kind == Operand::Register) {
      m_hasReader[sources[i].value] = true;
      VirtualRegister &source = m_machine.registers[sources[i].value];
      if (source.bank == bank && source.groupSize == 1 && source.near == NoRegister && nodeOf(nodes[i]).op != Op::Phi)
        source.near = made + VReg(i);
    }
  m_pending.push_back({made, sources, m_count, bank == Bank::Vector && !isShared});
  return registerOperand(made, unsigned(nodes.size()));
}

} // namespace dovetail::first
