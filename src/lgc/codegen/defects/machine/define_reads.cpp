// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/register_units.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <algorithm>
#include <array>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<3> Moves({"V_MOV_B32_e32", "S_MOV_B32", "S_MOV_B64"});

// VGPRs by their numbers, and SGPRs behind them. Newer GPUs have more.
constexpr unsigned Vgprs = 256, Sgprs = 128;

// The registers [first, first + count) of these.
struct Run {
  unsigned first = 0, count = 0;

  bool isSgprs() const { return first >= Vgprs; }
};

class Registers {
public:
  bool test(unsigned number) const { return m_words[number / 64] >> number % 64 & 1; }
  void set(unsigned number, bool isIn) {
    const uint64_t bit = uint64_t(1) << number % 64;
    m_words[number / 64] = (m_words[number / 64] & ~bit) | (isIn ? bit : 0);
  }
  void add(const Run &run) {
    for (unsigned number = run.first; number < run.first + run.count; ++number)
      m_words[number / 64] |= uint64_t(1) << number % 64;
  }
  // How many registers of the run are missing here.
  unsigned missing(const Run &run) const {
    unsigned count = 0;
    for (unsigned number = run.first; number < run.first + run.count; ++number)
      count += !test(number);
    return count;
  }
  // Adds those registers of the run that `other` lacks.
  void addMissing(const Run &run, const Registers &other) {
    for (unsigned number = run.first; number < run.first + run.count; ++number)
      if (!other.test(number))
        set(number, true);
  }

  bool any() const { return m_words != decltype(m_words)(); }
  bool none() const { return !any(); }
  Registers &operator|=(const Registers &other) {
    for (size_t i = 0; i < m_words.size(); ++i)
      m_words[i] |= other.m_words[i];
    return *this;
  }
  Registers operator|(const Registers &other) const { return Registers(*this) |= other; }
  Registers without(const Registers &other) const {
    Registers rest = *this;
    for (size_t i = 0; i < m_words.size(); ++i)
      rest.m_words[i] &= ~other.m_words[i];
    return rest;
  }

private:
  std::array<uint64_t, (Vgprs + Sgprs) / 64> m_words = {};
};

// Finds which registers may have been written on some path to each block. Its definition of a read is that of
// merge/check/initialised.cpp.
class ReadDefiner {
public:
  explicit ReadDefiner(MachineFunction &function)
      : m_function(function), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()), m_units(RegisterUnits::get(m_target)),
        m_moves(Moves.in(function)), m_written(function.getNumBlockIDs()), m_isReached(function.getNumBlockIDs()) {}

  bool run() {
    Registers inputs;
    for (const auto &[reg, value] : m_function.getRegInfo().liveins())
      inputs.add(runOf(reg));
    for (const MachineBasicBlock::RegisterMaskPair &input : m_function.front().liveins())
      inputs.add(runOf(input.PhysReg));
    // On the way to the answer, fewer registers are known to be written. So if nothing is missing then, nothing is.
    Unwritten onTheWay;
    followBlocks(inputs, &onTheWay);
    return onTheWay.read.any() && define(inputs);
  }

private:
  struct Unwritten {
    Registers read, moved;
  };

  // Returns whether a register had to be defined.
  bool define(const Registers &inputs) {
    const MachineBasicBlock::iterator begin = m_function.front().begin();
    Registers defined;
    for (;;) {
      const auto [missing, moved] = lookFrom(inputs | defined);
      // A move of an unwritten register may clear one that was defined. The source of that move is then defined, too.
      const Registers next = missing.without(defined);
      if (next.none() && (missing.none() || moved.without(defined).none()))
        break;
      defined |= next.any() ? next : moved;
    }
    if (defined.none())
      return false;
    for (const MCPhysReg reg : registersOf(defined))
      set(reg, begin);
    return true;
  }

  // The registers that are read, and those that are moved, without having been written. `entry`: registers that are
  // written when the function is entered.
  Unwritten lookFrom(const Registers &entry) {
    followBlocks(entry, nullptr);
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

  // `unwritten`: takes what is missing each time that a block is looked at, unless it is null.
  void followBlocks(const Registers &entry, Unwritten *unwritten) {
    std::fill(m_isReached.begin(), m_isReached.end(), false);
    std::fill(m_written.begin(), m_written.end(), Registers());
    SmallVector<const MachineBasicBlock *, 16> waiting;
    auto enter = [&](const MachineBasicBlock &block, const Registers &written) {
      Registers &known = m_written[block.getNumber()];
      if (m_isReached[block.getNumber()] && written.without(known).none())
        return;
      m_isReached[block.getNumber()] = true;
      known |= written;
      waiting.push_back(&block);
    };
    enter(m_function.front(), entry);
    while (!waiting.empty()) {
      const MachineBasicBlock &block = *waiting.pop_back_val();
      Registers written = m_written[block.getNumber()];
      for (const MachineInstr &inst : block.instrs()) {
        if (unwritten)
          addMissing(inst, written, *unwritten);
        write(inst, written);
      }
      for (const MachineBasicBlock *successor : block.successors())
        enter(*successor, written);
    }
  }

  Run runOf(MCRegister reg) const {
    const RegisterUnits::Numbers numbers = m_units.numbersOf(reg, m_target);
    const unsigned end = numbers.isSgpr ? Sgprs : Vgprs, first = std::min<unsigned>(numbers.first, end);
    return {(numbers.isSgpr ? Vgprs : 0) + first, std::min<unsigned>(numbers.count, end - first)};
  }

  Run runOf(const MachineOperand &operand) const {
    return operand.isReg() && operand.getReg().isPhysical() ? runOf(operand.getReg().asMCReg()) : Run();
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
        written.add(runOf(operand));
      return;
    }
    // Its implicit definition is the tuple that it begins to fill.
    const Run from = runOf(inst.getOperand(1)), to = runOf(inst.getOperand(0));
    const Registers before = written;
    written.add(to);
    if (from.count == 0)
      return;
    for (unsigned i = 0; i < to.count; ++i)
      written.set(to.first + i, before.test(from.first + i));
  }

  void addMissing(const MachineInstr &inst, const Registers &written, Unwritten &unwritten) const {
    if (inst.isMetaInstruction() || inst.isInlineAsm() || inst.isBundle())
      return;
    if (isMove(inst)) {
      unwritten.moved.addMissing(runOf(inst.getOperand(1)), written);
      return;
    }
    for (const MachineOperand &operand : inst.explicit_uses()) {
      const Run run = runOf(operand);
      const unsigned missing = written.missing(run);
      if (missing == 0 || mayBeUndefined(inst, operand))
        continue;
      const bool isPointer = inst.mayLoadOrStore() && run.isSgprs();
      if (isPointer || missing == run.count)
        unwritten.read.addMissing(run, written);
    }
  }

  bool mayBeUndefined(const MachineInstr &inst, const MachineOperand &operand) const {
    const StringRef name = m_info.getName(inst.getOpcode());
    const auto isVgpr = [&](const MachineOperand &use) {
      const Run run = runOf(use);
      return run.count != 0 && !run.isSgprs();
    };
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
      for (const MCPhysReg reg : each->getRegisters())
        if (const Run one = runOf(reg); registers.missing(one) < one.count)
          found.push_back(reg);
    }
    return found;
  }

  // Sets the register to 0 in front of a place in the entry block.
  void set(MCPhysReg reg, MachineBasicBlock::iterator place) {
    const unsigned move = m_moves[runOf(reg).isSgprs() ? 1 : 0];
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
