// SPDX-License-Identifier: MIT
#include "src/first/select/select.h"
#include "src/first/select/selector.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <ranges>

namespace dovetail::first {

using isa::Opcode;

namespace {

// A value that waits to be made is made once another so many instructions have been selected: further away it would
// only occupy a register.
constexpr uint32_t MaxDistance = 24, MaxScalarDistance = 256;

bool isLoadOfConstants(const Node &node) {
  return node.op == Op::ScalarLoad || node.op == Op::ScalarBufferLoad;
}

} // namespace

std::variant<Machine, Refusal> selectInstructions(Program &program, const ControlFlow &flow, const TargetInfo &target,
                                                  bool savesScalars) {
  Selector selector(program, flow, target, savesScalars);
  if (!selector.run())
    return Refusal{selector.refusal()};
  return selector.takeMachine();
}

bool Selector::run() {
  countUses();
  if (m_savesScalars)
    findParts();
  const size_t blocks = m_program.blocks.size();
  m_registers.assign(m_program.nodes.size(), NoRegister);
  m_phiDwords.assign(m_program.nodes.size(), NoRegister);
  m_slots.assign(blocks, NoRegister);
  m_isShort.assign(blocks, false);
  m_slotsBegun.resize(blocks);
  for (uint16_t i = 1; i < blocks; ++i)
    if (m_flow.ways[i].slot != Slot::None && m_flow.ways[i].setter < i)
      m_slotsBegun[m_flow.ways[i].setter].push_back(i);
  m_machine.blocks.resize(blocks);
  m_machine.registers.reserve(m_program.nodes.size() + 64);
  m_machine.operands.reserve(m_program.nodes.size() * 4);
  for (NodeId id = 0; id < m_program.nodes.size() && nodeOf(id).op == Op::Argument; ++id) {
    const VReg reg = newRegister(nodeOf(id).bank);
    m_machine.registers[reg].place = uint16_t(nodeOf(id).imm);
    m_registers[id] = reg;
  }
  m_machine.arguments = VReg(m_machine.registers.size());
  std::vector<MachineInstruction> reversed; // of all blocks
  for (uint16_t block = uint16_t(blocks); block-- > 0;) {
    m_machine.blocks[block].end = uint32_t(reversed.size());
    selectBlock(block);
    if (!m_refusal.empty())
      return false;
    const uint32_t entry = m_machine.blocks[block].entry; // instructions in front of the entry
    m_machine.blocks[block].entry = uint32_t(reversed.size() + m_reversed.size()) - entry;
    m_isShort[block] = isShort();
    reversed.insert(reversed.end(), m_reversed.begin(), m_reversed.end());
    m_machine.blocks[block].first = uint32_t(reversed.size());
    m_reversed.clear();
  }
  const uint32_t total = uint32_t(reversed.size());
  m_machine.instructions.assign(reversed.rbegin(), reversed.rend());
  for (MachineBlock &block : m_machine.blocks)
    block = {total - block.first, total - block.end, total - block.entry};
  return true;
}

// Whether it costs less to run the selected instructions without lanes than to jump past them. They may write nothing
// that lanes share, and what reads a lane needs one.
bool Selector::isShort() {
  constexpr size_t maxInstructions = 6;
  return m_reversed.size() <= maxInstructions &&
         std::ranges::all_of(m_reversed, [&](const MachineInstruction &instruction) {
           return (instruction.form == Form::Valu || instruction.form == Form::Copies) &&
                  std::ranges::all_of(m_machine.definitionsOf(instruction), [&](const Operand &definition) {
                    const VirtualRegister &reg = m_machine.registers[definition.value];
                    return reg.bank == Bank::Vector || reg.isMask;
                  });
         });
}

void Selector::countUses() {
  auto use = [&](NodeId node) { ++m_program.nodes[node].uses; };
  for (const Node &node : m_program.nodes) {
    for (NodeId operand : m_program.operandsOf(node))
      use(operand);
    m_kills |= node.op == Op::Kill;
    if (node.op == Op::Image || node.op == Op::BufferLoad || node.op == Op::BufferStore)
      for (const auto tuple : {addressOf(node), dataOf(node)})
        if (tuple.size() > 1)
          ++m_tuples[hashOf(node.block, tuple)];
  }
  for (const Block &block : m_program.blocks) {
    if (block.terminator == Terminator::Branch)
      use(block.condition);
    for (NodeId result : block.results)
      use(result);
    for (NodeId effect : block.effects)
      use(effect);
  }
}

VReg Selector::newRegister(Bank bank, unsigned size) {
  const VReg first = VReg(m_machine.registers.size());
  for (unsigned i = 0; i < size; ++i) {
    VirtualRegister &reg = m_machine.registers.emplace_back();
    reg.bank = bank;
    reg.groupSize = uint8_t(size);
    reg.index = uint8_t(i);
    reg.isWhole = m_isWhole && bank == Bank::Vector;
  }
  m_hasReader.resize(m_machine.registers.size());
  return first;
}

VReg Selector::newMask() {
  const VReg mask = newRegister(Bank::Scalar, 2);
  m_machine.registers[mask].isMask = true;
  return mask;
}

// The register in which a node's value will be.
VReg Selector::demand(NodeId id) {
  VReg &reg = m_registers[id];
  const Node &node = nodeOf(id);
  if (reg == NoRegister && node.isWhole != m_isWhole) {
    const bool before = std::exchange(m_isWhole, node.isWhole);
    demand(id);
    m_isWhole = before;
  }
  if (m_savesScalars)
    noteLateLoad(node.op == Op::Part ? node.a[0] : id);
  if (reg != NoRegister)
    return reg;
  if (node.op == Op::Part) {
    const NodeId whole = node.a[0];
    const Node &parent = nodeOf(whole);
    if (m_registers[whole] == NoRegister)
      m_registers[whole] = newRegister(parent.bank, parent.op >= Op::AddWide && parent.op <= Op::TableAddress
                                                        ? 2u
                                                        : std::max<unsigned>(1, m_program.accesses[parent.imm].dwords));
    return reg = m_registers[whole] + node.imm;
  }
  if (node.op == Op::PcLow)
    refuse("the low half of the program counter");
  if (node.op == Op::PcHigh)
    return reg = newRegister(Bank::Scalar, 2) + 1;
  if (!node.isBool || node.bank == Bank::Scalar)
    return reg = newRegister(node.bank);
  return reg = newMask();
}

Selector::Operand Selector::any(NodeId id) {
  const Node &node = nodeOf(id);
  switch (node.op) {
  case Op::Constant:
    return constantOperand(node.imm);
  case Op::Undefined:
    return constantOperand(0);
  default:
    return registerOperand(demand(id));
  }
}

Selector::Operand Selector::source(NodeId id) {
  const Node &node = nodeOf(id);
  return node.op == Op::Relocated ? Operand{Operand::Relocated, 1, node.imm} : any(id);
}

Selector::Operand Selector::scalar(NodeId id) {
  const Operand operand = any(id);
  if (isVgpr(operand))
    refuse(faultOf("a vector where a scalar is needed"));
  return operand;
}

Selector::Operand Selector::scalarOrInline(NodeId id) {
  const Operand operand = scalar(id);
  return isLiteral(operand) ? inSgpr(operand) : operand;
}

Selector::Operand Selector::vector(NodeId id) {
  // The vector unit computes at once what only a VGPR is made of.
  Node &node = m_program.nodes[id];
  const bool isSimple = node.op == Op::Add || node.op == Op::And || node.op == Op::Or || node.op == Op::Xor ||
                        node.op == Op::ShiftLeft || node.op == Op::ShiftRight || node.op == Op::ShiftRightSigned;
  auto isInline = [&](NodeId operand) {
    return isConstantNode(operand) && !isLiteral(constantOperand(nodeOf(operand).imm));
  };
  if (isSimple && node.bank == Bank::Scalar && node.uses == 1 && node.block == m_block && !isDemanded(id) &&
      (isInline(node.a[0]) || isInline(node.a[1])))
    node.bank = Bank::Vector;
  return inVgpr(any(id));
}

// A copy in a VGPR, shared by users that are near.
Selector::Operand Selector::inVgpr(Operand operand) {
  if (isVgpr(operand))
    return operand;
  for (Pending &pending : m_pending) {
    const Operand &source = pending.sources[0];
    if (pending.sources.size() == 1 && source.kind == operand.kind && source.value == operand.value &&
        m_machine.registers[pending.made].bank == Bank::Vector &&
        m_machine.registers[pending.made].isWhole == m_isWhole) {
      pending.lastUse = m_count;
      return registerOperand(pending.made);
    }
  }
  const VReg made = newRegister(Bank::Vector);
  if (operand.kind == Operand::Register)
    m_hasReader[operand.value] = true;
  m_pending.push_back({made, {operand}, m_count});
  return registerOperand(made);
}

Selector::Operand Selector::inSgpr(Operand literal) {
  for (Pending &pending : m_pending)
    if (pending.sources.size() == 1 && pending.sources[0].kind == literal.kind &&
        pending.sources[0].value == literal.value && m_machine.registers[pending.made].bank == Bank::Scalar) {
      pending.lastUse = m_count;
      return registerOperand(pending.made);
    }
  const VReg made = newRegister(Bank::Scalar);
  m_pending.push_back({made, {literal}, m_count});
  return registerOperand(made);
}

MachineInstruction &Selector::emit(Form form, Opcode opcode, std::initializer_list<Operand> definitions,
                                   std::span<const Operand> uses) {
  MachineInstruction &instruction = m_reversed.emplace_back();
  instruction.form = form;
  instruction.opcode = opcode;
  instruction.isWhole = m_isWhole;
  instruction.definitions = uint8_t(definitions.size());
  instruction.uses = uint8_t(uses.size());
  instruction.firstOperand = uint32_t(m_machine.operands.size());
  m_machine.operands.insert(m_machine.operands.end(), definitions.begin(), definitions.end());
  m_machine.operands.insert(m_machine.operands.end(), uses.begin(), uses.end());
  ++m_count;
  return instruction;
}

// Wants a register, if it is none of a group, in the place of another one that comes later.
void Selector::wishNear(VReg reg, VReg later) {
  VirtualRegister &wishing = m_machine.registers[reg];
  if (wishing.groupSize == 1 && wishing.near == NoRegister && wishing.place == NoPlace)
    wishing.near = later;
}

void Selector::emitSalu(Opcode opcode, VReg destination, unsigned dwords, Operands list) {
  unsigned literals = 0;
  for (Operand &use : list)
    if (isLiteral(use) && ++literals > 1)
      use = inSgpr(use);
  if (destination == NoRegister)
    emit(Form::Salu, opcode, {}, list);
  else
    emit(Form::Salu, opcode, {registerOperand(destination, dwords)}, list);
}

// One SGPR at most, or in the short form one literal as source 0 ("Vega" ISA manual, section 6.2); what is too much
// goes to VGPRs.
void Selector::emitValu(Opcode opcode, VReg destination, Sources sources, isa::Modifiers modifiers, Operand mask,
                        VReg maskOut) {
  const isa::OpcodeRow &row = isa::rowOf(opcode);
  for (size_t i = 0; i < sources.size(); ++i) {
    modifiers.neg |= uint8_t(sources[i].neg << i);
    modifiers.abs |= uint8_t(sources[i].abs << i);
  }
  const bool hasShortForm = row.encoding != isa::Encoding::Vop3;
  const bool isPlain = modifiers.isNone();
  Operand known = mask; // the SGPR that may be read
  for (size_t i = 0; i < sources.size(); ++i) {
    Operand &operand = sources[i].operand;
    if (row.is(i == 1 ? isa::traits::LiteralSecond : i == 2 ? isa::traits::LiteralThird : isa::traits::None))
      continue;
    if (isLiteral(operand)) {
      const bool fits = i == 0 && hasShortForm && isPlain && known.kind == Operand::None && maskOut == NoRegister &&
                        (sources.size() < 2 || isVgpr(sources[1].operand));
      if (fits) {
        known = operand;
        continue;
      }
      operand = known.kind == Operand::None ? inSgpr(operand) : inVgpr(operand);
    }
    if (!isSgpr(operand))
      continue;
    if (known.kind == Operand::None)
      known = operand;
    else if (known.kind != operand.kind || known.value != operand.value)
      operand = inVgpr(operand);
  }
  Operands uses;
  for (const Source &source : sources)
    uses.push_back(source.operand);
  if (mask.kind != Operand::None)
    uses.push_back(mask);
  MachineInstruction *instruction;
  if (maskOut == NoRegister)
    instruction = &emit(Form::Valu, opcode, {registerOperand(destination, row.destinationDwords)}, uses);
  else if (destination == NoRegister)
    instruction = &emit(Form::Valu, opcode, {registerOperand(maskOut, 2)}, uses);
  else
    instruction = &emit(Form::Valu, opcode,
                        {registerOperand(destination, row.destinationDwords), registerOperand(maskOut, 2)}, uses);
  instruction->modifiers = modifiers;
  // v_mac_f32 is shorter than v_mad_f32.
  if (opcode == Opcode::VMadF32 && isVgpr(uses[2]))
    wishNear(uses[2].value, destination);
}

// The second source of the short form is a VGPR.
void Selector::emitCommutable(Opcode opcode, Opcode swapped, VReg destination, Sources sources,
                              isa::Modifiers modifiers) {
  if (!isVgpr(sources[1].operand) && isVgpr(sources[0].operand)) {
    std::swap(sources[0], sources[1]);
    opcode = swapped;
  }
  emitValu(opcode, destination, std::move(sources), modifiers);
}

void Selector::flush(Pending &pending) {
  const bool isVector = m_machine.registers[pending.made].bank == Bank::Vector;
  const bool isWhole = m_machine.registers[pending.made].isWhole;
  if (pending.sources.size() == 1) {
    emit(isVector ? Form::Valu : Form::Salu, isVector ? Opcode::VMovB32 : Opcode::SMovB32,
         {registerOperand(pending.made)}, pending.sources)
        .isWhole = isWhole;
    return;
  }
  MachineInstruction &copies = m_reversed.emplace_back();
  copies.form = Form::Copies;
  copies.isWhole = isWhole;
  copies.definitions = copies.uses = uint8_t(pending.sources.size());
  copies.firstOperand = uint32_t(m_machine.operands.size());
  for (size_t i = 0; i < pending.sources.size(); ++i)
    m_machine.operands.push_back(registerOperand(pending.made + VReg(i)));
  m_machine.operands.insert(m_machine.operands.end(), pending.sources.begin(), pending.sources.end());
  ++m_count;
}

// What was asked for last may read what was asked for before it.
void Selector::flushAll() {
  flushLateLoads(0);
  for (; !m_pending.empty(); m_pending.pop_back())
    flush(m_pending.back());
}

// Tuples of scalars that nothing in the block is part of are made in its dominator: other blocks may share them.
void Selector::hoist(uint16_t from) {
  if (m_savesScalars || from == 0)
    return;
  // Lanes that have left a loop need what its blocks make as it was when they left.
  const uint16_t home = m_program.blocks[from].dominator, loop = m_program.blocks[home].loop;
  if (loop != UINT16_MAX && (from < m_program.loops[loop].header || from > m_program.loops[loop].last))
    return;
  std::erase_if(m_pending, [&](Pending &pending) {
    if (pending.sources.size() < 2 || m_machine.registers[pending.made].bank != Bank::Scalar)
      return false;
    pending.home = home;
    m_hoisted.push_back(std::move(pending));
    return true;
  });
}

// What reads registers that are about to be defined must stand behind.
void Selector::flushReaders(VReg first, unsigned count) {
  bool has = false;
  for (unsigned i = 0; i < count; ++i)
    has |= m_hasReader[first + i];
  if (!has)
    return;
  for (size_t i = 0; i < m_pending.size();) {
    const bool reads = std::ranges::any_of(m_pending[i].sources, [&](const Operand &source) {
      return source.kind == Operand::Register && source.value >= first && source.value < first + count;
    });
    if (!reads) {
      ++i;
      continue;
    }
    Pending pending = std::move(m_pending[i]);
    m_pending.erase(m_pending.begin() + i);
    flush(pending);
  }
}

void Selector::flushReadersOf(NodeId id) {
  if (const VReg reg = m_registers[id]; reg != NoRegister) {
    const VirtualRegister &made = m_machine.registers[reg];
    flushReaders(reg - made.index, made.groupSize);
  }
}

void Selector::findParts() {
  m_firstPart.assign(m_program.nodes.size() + 1, 0);
  auto isPart = [&](const Node &node) { return node.op == Op::Part && isLoadOfConstants(nodeOf(node.a[0])); };
  for (const Node &node : m_program.nodes)
    if (isPart(node))
      ++m_firstPart[node.a[0] + 1];
  for (size_t i = 1; i < m_firstPart.size(); ++i)
    m_firstPart[i] += m_firstPart[i - 1];
  m_partsOfLoads.resize(m_firstPart.back());
  std::vector<uint32_t> next(m_firstPart.begin(), m_firstPart.end());
  for (NodeId id = 0; id < m_program.nodes.size(); ++id)
    if (isPart(nodeOf(id)))
      m_partsOfLoads[next[nodeOf(id).a[0]]++] = id;
}

void Selector::noteLateLoad(NodeId id) {
  if (!isLoadOfConstants(nodeOf(id)) || m_program.accesses[nodeOf(id).imm].glc)
    return;
  for (auto &[load, lastUse] : m_lateLoads)
    if (load == id) {
      lastUse = m_count;
      return;
    }
  m_lateLoads.push_back({id, m_count});
}

// Makes the loads that nobody has asked for since so many instructions. Users in front of them load again.
void Selector::flushLateLoads(uint32_t distance) {
  for (size_t i = 0; i < m_lateLoads.size();) {
    const auto [id, lastUse] = m_lateLoads[i];
    if (lastUse + distance > m_count) {
      ++i;
      continue;
    }
    m_lateLoads.erase(m_lateLoads.begin() + i);
    flushReadersOf(id);
    select(id);
    m_registers[id] = NoRegister;
    for (uint32_t k = m_firstPart[id]; k < m_firstPart[id + 1]; ++k)
      m_registers[m_partsOfLoads[k]] = NoRegister;
    i = 0; // the load may have asked for another one
  }
}

// Vector tuples at once, others when they are far from their last user.
void Selector::flushOld() {
  const uint32_t scalarDistance = m_savesScalars ? MaxDistance : MaxScalarDistance;
  flushLateLoads(MaxDistance);
  for (size_t i = 0; i < m_pending.size();) {
    const bool isVector = m_machine.registers[m_pending[i].made].bank == Bank::Vector;
    if (!m_pending[i].isAtOnce && m_pending[i].lastUse + (isVector ? MaxDistance : scalarDistance) > m_count) {
      ++i;
      continue;
    }
    Pending pending = std::move(m_pending[i]);
    m_pending.erase(m_pending.begin() + i);
    flushReaders(pending.made, unsigned(pending.sources.size()));
    flush(pending);
    i = 0;
  }
}

void Selector::selectBlock(uint16_t number) {
  m_block = number;
  const Block &block = m_program.blocks[number];
  endBlock(number);
  std::erase_if(m_hoisted, [&](Pending &pending) {
    if (pending.home != number)
      return false;
    pending.lastUse = m_count;
    m_pending.push_back(std::move(pending));
    return true;
  });
  flushOld();
  size_t effect = block.effects.size();
  for (NodeId id = block.endNode; id-- > block.firstNode && m_refusal.empty();) {
    const bool isEffect = effect > 0 && block.effects[effect - 1] == id;
    effect -= isEffect;
    const Node &node = nodeOf(id);
    if (node.op == Op::Argument || node.op == Op::Part || node.op == Op::Constant || node.op == Op::Undefined ||
        node.op == Op::True)
      continue;
    if (!isEffect && !isDemanded(id) && !(node.op == Op::Phi && node.uses))
      continue;
    flushReadersOf(id);
    std::erase_if(m_lateLoads, [&](const auto &load) { return load.first == id; });
    m_isWhole = node.isWhole;
    m_hasWhole |= m_isWhole;
    select(id);
    m_isWhole = false;
    for (size_t i = 0; i < m_masks.size(); ++i) { // masks of uniform bools
      const auto [mask, condition] = m_masks[i];
      emitSelect(mask, 2, constantOperand(UINT32_MAX), constantOperand(0), condition);
    }
    m_masks.clear();
    flushOld();
  }
  hoist(number);
  flushAll();
  enterWholeWave();
  beginBlock(number);
}

} // namespace dovetail::first
