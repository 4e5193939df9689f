// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/register_units.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <algorithm>
#include <bitset>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<3> Moves({"V_MOV_B32_e32", "S_MOV_B32", "S_MOV_B64"});

// VGPRs by their numbers, and SGPRs behind them. Newer GPUs have more.
constexpr unsigned Vgprs = 256, Sgprs = 128;
using Registers = std::bitset<Vgprs + Sgprs>;

bool hasVgprs(const Registers &registers) {
  return (registers << Sgprs).any();
}

bool hasSgprs(const Registers &registers) {
  return (registers >> Vgprs).any();
}

// Finds which registers may have been written on some path to each block. Its definition of a read is that of
// merge/check/initialised.cpp.
class ReadDefiner {
public:
  explicit ReadDefiner(MachineFunction &function)
      : m_function(function), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()), m_units(RegisterUnits::get(m_target)),
        m_moves(Moves.in(function)), m_written(function.getNumBlockIDs()), m_isReached(function.getNumBlockIDs()) {}

  bool run() {
    const MachineBasicBlock::iterator begin = m_function.front().begin();
    Registers inputs, defined;
    for (const auto &[reg, value] : m_function.getRegInfo().liveins())
      add(reg, inputs);
    for (const MachineBasicBlock::RegisterMaskPair &input : m_function.front().liveins())
      add(input.PhysReg, inputs);
    for (;;) {
      const auto [missing, moved] = lookFrom(inputs | defined);
      // A move of an unwritten register may clear one that was defined. The source of that move is then defined, too.
      const Registers next = missing & ~defined;
      if (next.none() && (missing.none() || (moved & ~defined).none()))
        break;
      defined |= next.any() ? next : moved;
    }
    for (const MCPhysReg reg : registersOf(defined))
      set(reg, begin);
    return defined.any();
  }

private:
  struct Unwritten {
    Registers read, moved;
  };

  // The registers that are read, and those that are moved, without having been written. `entry`: registers that are
  // written when the function is entered.
  Unwritten lookFrom(const Registers &entry) {
    std::fill(m_isReached.begin(), m_isReached.end(), false);
    std::fill(m_written.begin(), m_written.end(), Registers());
    followBlocks(entry);
    Unwritten unwritten;
    for (const MachineBasicBlock &block : m_function)
      if (m_isReached[block.getNumber()]) {
        Registers written = m_written[block.getNumber()];
        for (const MachineInstr &inst : block.instrs()) {
          addMissing(inst, written, unwritten);
          write(inst, written);
        }
      }
    return unwritten;
  }

  void followBlocks(const Registers &entry) {
    SmallVector<const MachineBasicBlock *, 16> waiting;
    auto enter = [&](const MachineBasicBlock &block, const Registers &written) {
      Registers &known = m_written[block.getNumber()];
      if (m_isReached[block.getNumber()] && (written & ~known).none())
        return;
      m_isReached[block.getNumber()] = true;
      known |= written;
      waiting.push_back(&block);
    };
    enter(m_function.front(), entry);
    while (!waiting.empty()) {
      const MachineBasicBlock &block = *waiting.pop_back_val();
      Registers written = m_written[block.getNumber()];
      for (const MachineInstr &inst : block.instrs())
        write(inst, written);
      for (const MachineBasicBlock *successor : block.successors())
        enter(*successor, written);
    }
  }

  void add(MCRegister reg, Registers &registers) const {
    for (const auto unit : m_target.regunits(reg)) {
      if (const unsigned end = m_units.vgprEnds[unsigned(unit)]; end && end <= Vgprs)
        registers.set(end - 1);
      if (const unsigned end = m_units.sgprEnds[unsigned(unit)]; end && end <= Sgprs)
        registers.set(Vgprs + end - 1);
    }
  }

  Registers partsOf(const MachineOperand &operand) const {
    Registers parts;
    if (operand.isReg() && operand.getReg().isPhysical())
      add(operand.getReg().asMCReg(), parts);
    return parts;
  }

  bool isMove(const MachineInstr &inst) const {
    return is_contained(m_moves, inst.getOpcode()) && inst.getOperand(1).isReg();
  }

  // A move of an unwritten register writes nothing either, because code may put aside and bring back a register that it
  // only keeps. An instruction writes no value that LLVM calls undefined.
  void write(const MachineInstr &inst, Registers &written) const {
    if (inst.isMetaInstruction())
      return;
    if (!isMove(inst)) {
      for (const MachineOperand &operand : inst.all_defs())
        written |= partsOf(operand);
      return;
    }
    // Its implicit definition is the tuple that it begins to fill.
    const Registers from = partsOf(inst.getOperand(1)), to = partsOf(inst.getOperand(0)), before = written;
    written |= to;
    if (from.none() || to.none())
      return;
    const unsigned firstFrom = firstOf(from), firstTo = firstOf(to);
    for (unsigned i = 0; i < to.count(); ++i)
      written.set(firstTo + i, before.test(firstFrom + i));
  }

  static unsigned firstOf(const Registers &registers) {
    unsigned number = 0;
    while (!registers.test(number))
      ++number;
    return number;
  }

  void addMissing(const MachineInstr &inst, const Registers &written, Unwritten &unwritten) const {
    if (isMove(inst))
      unwritten.moved |= partsOf(inst.getOperand(1)) & ~written;
    if (inst.isMetaInstruction() || inst.isInlineAsm() || inst.isBundle() || isMove(inst))
      return;
    for (const MachineOperand &operand : inst.explicit_uses()) {
      const Registers parts = partsOf(operand), lacking = parts & ~written;
      if (lacking.none() || mayBeUndefined(inst, operand))
        continue;
      const bool isPointer = inst.mayLoadOrStore() && hasSgprs(parts);
      if (isPointer || lacking == parts)
        unwritten.read |= lacking;
    }
  }

  bool mayBeUndefined(const MachineInstr &inst, const MachineOperand &operand) const {
    const StringRef name = m_info.getName(inst.getOpcode());
    const auto isVgpr = [&](const MachineOperand &use) { return hasVgprs(partsOf(use)); };
    if (operand.isTied())
      return !name.starts_with("V_MAC_") && !name.starts_with("V_FMAC_") && !name.starts_with("V_INTERP_P2_F32");
    if (name.starts_with("V_WRITELANE") || name == "SI_SPILL_S32_TO_VGPR") // a spill
      return !isVgpr(operand);
    if (name.starts_with("BUFFER_STORE_DWORD_")) // a spill has no address in VGPRs
      return isVgpr(operand) && count_if(inst.explicit_uses(), isVgpr) == 1;
    return name.starts_with("V_MOVRELS"); // reads an array, of which any element may be written
  }

  SmallVector<MCPhysReg, 4> registersOf(const Registers &registers) const {
    SmallVector<MCPhysReg, 4> found;
    for (const TargetRegisterClass *each : m_target.regclasses()) {
      const StringRef name = m_target.getRegClassName(each);
      if (name != "VGPR_32" && name != "SGPR_32")
        continue;
      for (const MCPhysReg reg : each->getRegisters()) {
        Registers one;
        add(reg, one);
        if ((one & registers).any())
          found.push_back(reg);
      }
    }
    return found;
  }

  // Sets the register to 0 in front of a place in the entry block.
  void set(MCPhysReg reg, MachineBasicBlock::iterator place) {
    Registers one;
    add(reg, one);
    const unsigned move = m_moves[hasSgprs(one) ? 1 : 0];
    BuildMI(m_function.front(), place, DebugLoc(), m_info.get(move), reg).addImm(0);
  }

  MachineFunction &m_function;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  const RegisterUnits &m_units;
  const std::array<unsigned, 3> &m_moves;
  std::vector<Registers> m_written; // in front of each block, by its number
  std::vector<bool> m_isReached;
};

} // namespace

void DefineReadsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool DefineReadsPass::runOnMachineFunction(MachineFunction &function) {
  return ReadDefiner(function).run();
}

} // namespace lgc
