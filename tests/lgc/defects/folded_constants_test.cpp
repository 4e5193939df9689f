// SPDX-License-Identifier: MIT
//
// Tries each operation of LLVM's that makes 32 bits, on constants. An `or` and an `and` combine its result with a
// number that is no constant. If both become that number, LLVM takes the result for -1, and the `or` is wrong
// (llvm-project #189655). So the test finds each operation that LLVM folds and our pass does not know, whatever a later
// LLVM folds.
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>

using namespace llvm;

namespace {

struct Constants {
  int first, second;
};
constexpr Constants Tried[] = {{-1, 0}, {0, -1},     {-1, 31}, {31, -1},        {-1, -1},        {0, 0},
                               {-1, 1}, {-256, 255}, {5, 5},   {-16711936, 31}, {31, -16711936}, {0x7fff, 1}};

// An operation, and the instruction that reads the `or` and the `and` of its result with the number.
struct Uses {
  std::string operation;
  Constants constants;
  const MachineInstr *reader;
};

lgc::OpcodeNumbers<6> Opcodes({"S_MOV_B32", "V_MOV_B32_e32", "S_MOV_B64", "V_OR_B32_e64", "V_AND_B32_e64", "S_NOP"});
lgc::RegisterNumber FirstVgpr("VGPR0");

class Writer final : public MachineFunctionPass {
public:
  explicit Writer(std::vector<Uses> &uses) : MachineFunctionPass(ID), m_uses(uses) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    m_function = &function;
    m_info = function.getSubtarget().getInstrInfo();
    m_vgpr = m_info->getRegClass(m_info->get(Opcodes.in(function)[1]), 0);
    m_number = function.getRegInfo().createVirtualRegister(m_vgpr);
    add(TargetOpcode::COPY, m_number).addReg(FirstVgpr.in(function));
    for (unsigned opcode = 0; opcode < m_info->getNumOpcodes(); ++opcode)
      if (isTried(m_info->get(opcode)))
        for (const Constants &constants : Tried)
          write(m_info->get(opcode), constants);
    return true;
  }

private:
  // True for operations on registers and on immediates that modify them.
  bool isTried(const MCInstrDesc &desc) const {
    const StringRef name = m_info->getName(desc.getOpcode());
    // The shifts are GFX6's and 7's, the others gfx908's.
    for (const char *other : {"V_LSHL_B32_", "V_LSHR_B32_", "V_ASHR_I32_", "V_ACCVGPR_"})
      if (name.starts_with(other))
        return false;
    const bool isOfSelection = none_of(std::initializer_list<StringRef>{"_gfx", "_vi", "_si", "sdwa", "dpp", "_term"},
                                       [&](StringRef part) { return name.contains(part); });
    if (!isOfSelection || !(name.starts_with("S_") || name.starts_with("V_")) || desc.getNumDefs() != 1 ||
        desc.mayLoad() || desc.mayStore() || desc.isTerminator() || desc.isCall() || bitsOf(desc, 0) != 32)
      return false;
    bool hasSources = false;
    for (unsigned i = 1; i < desc.getNumOperands(); ++i) {
      if (desc.getOperandConstraint(i, MCOI::TIED_TO) != -1 ||
          (bitsOf(desc, i) != 0 && bitsOf(desc, i) != 32 && !isMask(desc, i)))
        return false;
      hasSources |= bitsOf(desc, i) == 32;
    }
    return hasSources;
  }

  // 0 if the operand is no register.
  unsigned bitsOf(const MCInstrDesc &desc, unsigned operand) const {
    const TargetRegisterClass *registers = m_info->getRegClass(desc, operand);
    return registers ? m_function->getSubtarget().getRegisterInfo()->getRegSizeInBits(*registers) : 0;
  }

  // The mask of the lanes that take the second source.
  bool isMask(const MCInstrDesc &desc, unsigned operand) const {
    return m_info->getName(desc.getOpcode()).starts_with("V_CNDMASK_B32") && bitsOf(desc, operand) == 64;
  }

  MachineInstrBuilder add(unsigned opcode, Register result) {
    MachineBasicBlock &block = m_function->front();
    return BuildMI(block, block.getFirstTerminator(), DebugLoc(), m_info->get(opcode), result);
  }

  void write(const MCInstrDesc &desc, const Constants &constants) {
    const auto [scalarMove, vectorMove, wideMove, bitwiseOr, bitwiseAnd, nothing] = Opcodes.in(*m_function);
    MachineRegisterInfo &registers = m_function->getRegInfo();
    const bool isScalar = m_info->getName(desc.getOpcode()).starts_with("S_");
    SmallVector<MachineOperand, 8> operands;
    unsigned sources = 0;
    for (unsigned i = 1; i < desc.getNumOperands(); ++i) {
      if (bitsOf(desc, i) == 0) {
        operands.push_back(MachineOperand::CreateImm(0));
        continue;
      }
      const bool isInSgpr = isScalar || isMask(desc, i);
      const Register source = registers.createVirtualRegister(isInSgpr ? m_info->getRegClass(desc, i) : m_vgpr);
      if (isMask(desc, i))
        add(wideMove, source).addImm(5);
      else
        add(isScalar ? scalarMove : vectorMove, source).addImm(sources++ == 0 ? constants.first : constants.second);
      operands.push_back(MachineOperand::CreateReg(source, false));
    }
    const Register result = registers.createVirtualRegister(m_info->getRegClass(desc, 0)),
                   either = registers.createVirtualRegister(m_vgpr), both = registers.createVirtualRegister(m_vgpr);
    const MachineInstrBuilder operation = add(desc.getOpcode(), result).add(operands);
    for (MachineOperand &made : operation->all_defs())
      if (made.isImplicit()) // SCC
        made.setIsDead();
    add(bitwiseOr, either).addReg(result).addReg(m_number);
    add(bitwiseAnd, both).addReg(result).addReg(m_number);
    MachineBasicBlock &block = m_function->front();
    m_uses.push_back({m_info->getName(desc.getOpcode()).str(), constants,
                      BuildMI(block, block.getFirstTerminator(), DebugLoc(), m_info->get(nothing))
                          .addImm(0)
                          .addReg(either, RegState::Implicit)
                          .addReg(both, RegState::Implicit)
                          .addReg(m_number, RegState::Implicit)});
  }

  static char ID;
  std::vector<Uses> &m_uses;
  MachineFunction *m_function = nullptr;
  const TargetInstrInfo *m_info = nullptr;
  const TargetRegisterClass *m_vgpr = nullptr;
  Register m_number;
};

char Writer::ID = 0;

// Whether an operand is the number, perhaps behind moves.
bool isNumber(const Uses &uses, unsigned operand) {
  const MachineRegisterInfo &registers = uses.reader->getMF()->getRegInfo();
  const Register number = uses.reader->getOperand(3).getReg();
  Register reg = uses.reader->getOperand(operand).getReg();
  while (reg != number) {
    const MachineInstr *maker = registers.getUniqueVRegDef(reg);
    const bool isMove = maker && (maker->isCopy() || maker->getOpcode() == Opcodes.in(*uses.reader->getMF())[1]);
    if (!isMove || !maker->getOperand(1).isReg())
      return false;
    reg = maker->getOperand(1).getReg();
  }
  return true;
}

} // namespace

TEST_CASE("an `or` with what LLVM takes for -1 is -1, whatever operation makes it of constants") {
  std::vector<Uses> uses;
  unsigned ones = 0;
  lgc::test::runOnMachineCode("  bb.0:\n",
                              {new Writer(uses), new lgc::FoldOrOnesPass, lgc::test::passNamed("si-fold-operands")},
                              [&](const MachineFunction &) {
                                for (const Uses &use : uses) {
                                  const bool isOnes = isNumber(use, 2); // the `and`
                                  ones += isOnes;
                                  CAPTURE(use.operation);
                                  CAPTURE(use.constants.first);
                                  CAPTURE(use.constants.second);
                                  CHECK_FALSE((isOnes && isNumber(use, 1)));
                                }
                              });
  CHECK(ones > 20); // LLVM folds, and the test sees it
}
