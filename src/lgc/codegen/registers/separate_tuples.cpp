// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/registers/register_passes.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> TupleMoves({"V_MOV_B32_e32"});

// The place of a value in a tuple, in bits.
struct Place {
  unsigned offset, tupleSize;
};

class Separator {
public:
  explicit Separator(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()) {}

  bool run() {
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (inst.isRegSequence() && isOfImage(inst.getOperand(0).getReg()))
          separate(inst);
    return m_hasChanged;
  }

private:
  void separate(MachineInstr &tuple) {
    const unsigned size = sizeOf(tuple.getOperand(0).getReg());
    for (unsigned i = 1; i + 1 < tuple.getNumOperands(); i += 2) {
      MachineOperand &value = tuple.getOperand(i);
      const unsigned part = tuple.getOperand(i + 1).getImm();
      if (!value.getReg().isVirtual() || value.isUndef() || m_target.getSubRegIdxSize(part) != 32 ||
          !isOfVectorRegisters(value.getReg()))
        continue;
      const Place place = {m_target.getSubRegIdxOffset(part), size};
      const Place &first = m_places.try_emplace(keyOf(value), firstPlaceOf(value, place)).first->second;
      if (!fit(first, place))
        move(tuple, value);
    }
  }

  // The first place of a value. A value that is part of a tuple already has its place there.
  Place firstPlaceOf(const MachineOperand &value, Place place) const {
    const auto [whole, part] = keyOf(value);
    return part ? Place{m_target.getSubRegIdxOffset(part), sizeOf(whole)} : place;
  }

  // The register of which a value is a copy, and the part of it.
  std::pair<Register, unsigned> keyOf(const MachineOperand &value) const {
    const MachineInstr *source = value.getSubReg() ? nullptr : m_registers.getUniqueVRegDef(value.getReg());
    if (source && source->isCopy() && source->getOperand(1).getReg().isVirtual() &&
        isOfVectorRegisters(source->getOperand(1).getReg()))
      return {source->getOperand(1).getReg(), source->getOperand(1).getSubReg()};
    return {value.getReg(), value.getSubReg()};
  }

  // Whether two tuples that have a value at these places are no wider together than the wider one.
  static bool fit(Place a, Place b) {
    const unsigned inFront = std::max(a.offset, b.offset);
    const unsigned fromHere = std::max(a.tupleSize - a.offset, b.tupleSize - b.offset);
    return inFront + fromHere <= std::max(a.tupleSize, b.tupleSize);
  }

  void move(MachineInstr &tuple, MachineOperand &value) {
    const TargetRegisterClass *all = m_registers.getRegClass(value.getReg());
    const TargetRegisterClass *part = value.getSubReg() ? m_target.getSubRegisterClass(all, value.getSubReg()) : all;
    const MCInstrDesc &move = m_info.get(TupleMoves.in(m_function)[0]);
    const Register moved = m_registers.createVirtualRegister(part);
    const MachineInstr *source = value.getSubReg() ? nullptr : m_registers.getUniqueVRegDef(value.getReg());
    const bool isConstant = source && source->getOpcode() == move.getOpcode() && source->getOperand(1).isImm();
    MachineInstrBuilder built = BuildMI(*tuple.getParent(), tuple, tuple.getDebugLoc(), move, moved);
    if (isConstant)
      built.addImm(source->getOperand(1).getImm());
    else
      built.addReg(value.getReg(), 0, value.getSubReg());
    m_registers.clearKillFlags(value.getReg());
    value.ChangeToRegister(moved, /*isDef=*/false);
    m_hasChanged = true;
  }

  bool isOfImage(Register tuple) const {
    return any_of(m_registers.use_nodbg_instructions(tuple),
                  [&](const MachineInstr &user) { return m_info.getName(user.getOpcode()).starts_with("IMAGE_"); });
  }

  bool isOfVectorRegisters(Register reg) const {
    return StringRef(m_target.getRegClassName(m_registers.getRegClass(reg))).starts_with("V");
  }

  unsigned sizeOf(Register reg) const { return m_target.getRegSizeInBits(*m_registers.getRegClass(reg)); }

  MachineFunction &m_function;
  MachineRegisterInfo &m_registers;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  DenseMap<std::pair<Register, unsigned>, Place> m_places;
  bool m_hasChanged = false;
};

} // namespace

void SeparateTuplesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SeparateTuplesPass::runOnMachineFunction(MachineFunction &function) {
  return Separator(function).run();
}

} // namespace lgc
