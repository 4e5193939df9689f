// SPDX-License-Identifier: MIT
//
// The state of instruction selection. select.cpp has blocks and operands, the other files of the folder what nodes
// become.
#pragma once

#include "src/first/select/select.h"
#include <boost/container/small_vector.hpp>
#include <initializer_list>
#include <optional>
#include <unordered_map>

namespace dovetail::first {

// An instruction of the vector unit.
struct VectorOpcode {
  isa::Opcode opcode, swapped; // with the sources the other way round; the same: they cannot be exchanged
  bool isCommutable = false;
};

class Selector {
public:
  Selector(Program &program, const ControlFlow &flow, const TargetInfo &target, bool savesScalars)
      : m_program(program), m_flow(flow), m_target(target), m_savesScalars(savesScalars) {}

  bool run();
  const std::string &refusal() const { return m_refusal; }
  Machine takeMachine() { return std::move(m_machine); }

private:
  using Operand = MachineOperand;
  // A source of a vector instruction, with its modifiers.
  struct Source {
    Operand operand;
    bool neg = false, abs = false;
  };
  using Sources = boost::container::small_vector<Source, 4>;
  using Operands = boost::container::small_vector<Operand, 16>;
  // A value that is made at the latest in front of its first user: a constant in an SGPR, a scalar in a VGPR, a tuple.
  struct Pending {
    VReg made;
    Operands sources;      // one for each dword of `made`
    uint32_t lastUse;      // instructions that were selected before
    bool isAtOnce = false; // made right in front of the user
    uint16_t home = 0;     // in m_hoisted: the block that makes it
  };

  void refuse(std::string reason) {
    if (m_refusal.empty())
      m_refusal = std::move(reason);
  }
  bool isGfx9() const { return m_target.gfxIp.major >= 9; }

  // select.cpp
  void countUses();
  bool isShort();
  void selectBlock(uint16_t block);
  void endBlock(uint16_t block);
  void beginBlock(uint16_t block);
  void copyToPhis(uint16_t block);
  void branch(uint16_t block);
  void record(uint16_t successor, VReg condition, bool isInverted);
  void beginSlots(uint16_t block, uint16_t saved = UINT16_MAX);
  void jump(uint16_t from, uint16_t to);
  void jumpIf(isa::Opcode opcode, uint16_t from, uint16_t to);
  VReg slotOf(uint16_t block);
  VReg live();
  VReg present();
  void countLanes(VReg counted, Operand running);
  VReg leaveExact();
  void enterExact(VReg all);

  VReg newRegister(Bank bank, unsigned size = 1);
  VReg newMask();
  VReg demand(NodeId node);
  bool isDemanded(NodeId node) const { return m_registers[node] != NoRegister; }
  Operand scalar(NodeId node);         // an SGPR or a constant
  Operand scalarOrInline(NodeId node); // no literal
  Operand vector(NodeId node);         // a VGPR
  Operand any(NodeId node);            // a register or a constant
  Operand source(NodeId node);         // likewise, or a constant that is filled in later
  Operand tuple(std::span<const NodeId> nodes, Bank bank, VReg into = NoRegister, bool isShared = false);
  VReg joinWholes(std::span<const NodeId> nodes);
  Operand sharedTuple(NodeId access, std::span<const NodeId> nodes);
  static uint64_t hashOf(uint16_t block, std::span<const NodeId> nodes);
  std::span<const NodeId> addressOf(const Node &node) const;
  std::span<const NodeId> dataOf(const Node &node) const;
  Operand inVgpr(Operand operand);
  Operand inSgpr(Operand literal);
  void selectKill(const Node &node);
  void selectFirstLane(NodeId id);
  VReg wholeExec();
  void enterWholeWave();
  static Operand constantOperand(uint32_t value) { return {Operand::Constant, 1, value}; }
  static Operand registerOperand(VReg reg, unsigned dwords = 1) { return {Operand::Register, uint8_t(dwords), reg}; }
  static Operand exec() { return {Operand::Exec, 2, 0}; }
  bool isVgpr(const Operand &operand) const { return m_machine.isVector(operand); }
  bool isSgpr(const Operand &operand) const { return m_machine.isScalar(operand) || operand.kind == Operand::Exec; }
  static bool isLiteral(const Operand &operand) {
    return operand.kind == Operand::Relocated ||
           (operand.kind == Operand::Constant && isa::constant(int32_t(operand.value)).isLiteral());
  }
  void flush(Pending &pending);
  void flushAll();
  void hoist(uint16_t from);
  void flushReaders(VReg first, unsigned count);
  void flushReadersOf(NodeId node);
  void findParts();
  void noteLateLoad(NodeId load);
  void flushLateLoads(uint32_t distance);
  void flushOld();

  MachineInstruction &emit(Form form, isa::Opcode opcode, std::initializer_list<Operand> definitions,
                           std::span<const Operand> uses);
  MachineInstruction &emit(Form form, isa::Opcode opcode, std::initializer_list<Operand> definitions,
                           std::initializer_list<Operand> uses) {
    return emit(form, opcode, definitions, std::span(uses.begin(), uses.size()));
  }
  MachineInstruction &emit(Form form, isa::Opcode opcode, std::initializer_list<Operand> definitions,
                           const Operands &uses) {
    return emit(form, opcode, definitions, std::span(uses.data(), uses.size()));
  }
  void emitValu(isa::Opcode opcode, VReg destination, Sources sources, isa::Modifiers modifiers = {}, Operand mask = {},
                VReg maskOut = NoRegister);
  void wishNear(VReg reg, VReg later);
  void emitCommutable(isa::Opcode opcode, isa::Opcode swapped, VReg destination, Sources sources,
                      isa::Modifiers modifiers = {});
  void emitSalu(isa::Opcode opcode, VReg destination, unsigned dwords, Operands uses);

  // select_operations.cpp
  void select(NodeId node);
  void selectScalar(NodeId node);
  void selectVector(NodeId node);
  void selectFloat(NodeId node, VReg destination, isa::Modifiers modifiers);
  bool isFloatOperation(NodeId node) const;
  void selectBool(NodeId node);
  bool turnComparison(NodeId node);
  bool isOpposite(NodeId node) const;
  bool selectClamp(NodeId node, VReg destination);
  uint8_t scaledBy(NodeId node, NodeId &value) const;
  bool selectDpp(NodeId node, VReg destination);
  void selectIntegerSum(NodeId node, VReg destination);
  bool selectBitwise(NodeId node, VReg destination);
  void multiplyAdd(NodeId left, NodeId right, NodeId addend, bool negateProduct, bool negateAddend, VReg destination,
                   isa::Modifiers modifiers);
  Source floatSource(NodeId node);
  bool isSingle(NodeId node, Op op) const;
  const Node &nodeOf(NodeId node) const { return m_program.nodes[node]; }
  bool isConstantNode(NodeId node) const { return nodeOf(node).op == Op::Constant; }
  Operand maskOf(NodeId node);
  Operand zeroOrOne(NodeId node);
  bool emitScc(NodeId node); // returns whether SCC has the opposite
  void emitSelect(VReg destination, unsigned dwords, Operand left, Operand right, NodeId condition);
  void selectWide(NodeId node);
  void selectValu(NodeId node);
  Operands scalarSources(const Node &node);
  void takeSign(NodeId &high, Source &source) const;
  std::optional<Operand> wideConstant(std::span<const NodeId> dwords, bool isDouble = false) const;
  void selectDivision(NodeId node);
  void selectDivisionOfDoubles(NodeId node);
  void keepVcc();

  // select_memory.cpp
  void selectMemory(NodeId node);
  void selectExport(NodeId node);
  struct Repetition {
    Operand descriptor, ofLanes;              // SGPRs, of lanes: VGPRs
    VReg all = NoRegister, left = NoRegister; // masks of lanes
  };
  Repetition endRepetition(const Access &access, std::span<const NodeId> descriptor);
  void beginRepetition(const Repetition &repetition);
  void trimImage(NodeId node, Access &access);

  Program &m_program;
  const ControlFlow &m_flow;
  const TargetInfo &m_target;
  const bool m_savesScalars;
  Machine m_machine;
  std::string m_refusal;
  std::vector<VReg> m_registers;              // by node: the first dword; a bool in the vector bank: a mask
  std::vector<VReg> m_phiDwords;              // by node: a phi of masks, as 0 or 1 in a VGPR
  std::vector<MachineInstruction> m_reversed; // of the block
  std::vector<Pending> m_pending;
  std::vector<Pending> m_hoisted; // tuples of scalars that a block in front of the users makes for all of them
  // To save scalars: loads that are made in front of the block's users, with `m_count` at the last user; and the parts
  // of each, as a list (those of node i: from m_firstPart[i] to m_firstPart[i + 1]).
  std::vector<std::pair<NodeId, uint32_t>> m_lateLoads;
  std::vector<uint32_t> m_firstPart;
  std::vector<NodeId> m_partsOfLoads;
  std::vector<std::pair<VReg, NodeId>> m_masks;    // of uniform bools, made right in front of the node
  std::vector<bool> m_isShort;                     // by block
  std::unordered_map<uint64_t, unsigned> m_tuples; // hashes of addresses and data of several VGPRs: how often they are
                                                   // in the block
  std::vector<bool> m_hasReader;                   // by register: a pending value reads it
  std::vector<VReg> m_slots;                       // by block
  std::vector<std::vector<uint16_t>> m_slotsBegun; // by block: those whose slots begin at its end
  VReg m_wholeExec = NoRegister;                   // of the block: lanes that run, while all of the wave do
  bool m_isWhole = false, m_hasWhole = false;      // instructions of the whole wave are selected, or were in the block
  VReg m_live = NoRegister;                        // lanes that are no helpers
  VReg m_present = NoRegister;                     // with quads: lanes that were not discarded, and helpers of others
  VReg m_vcc = NoRegister;
  uint16_t m_block = 0;
  uint32_t m_count = 0; // selected instructions
  bool m_kills = false;
};

} // namespace dovetail::first
