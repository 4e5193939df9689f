// SPDX-License-Identifier: MIT
//
// Vector instructions with operands whose bits nobody asks for.
#include "src/lgc/defects/machine/define_operands.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>

namespace {

// How many undefined operands the second instruction has behind the pass.
unsigned undefinedIn(const std::string &instruction) {
  unsigned count = 0;
  lgc::test::runOnMachineCode("  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    " + instruction + "\n",
                              new lgc::DefineOperandsPass, [&](const llvm::MachineFunction &function) {
                                const llvm::MachineInstr &inst = *std::next(function.front().begin());
                                for (const llvm::MachineOperand &operand : inst.explicit_uses())
                                  count += operand.isReg() && operand.isUndef();
                              });
  return count;
}

} // namespace

TEST_CASE("an undefined operand becomes another one of the instruction") {
  CHECK(undefinedIn("%1:vgpr_32 = V_ALIGNBIT_B32_e64 %0, undef %2:vgpr_32, 31, implicit $exec") == 0);
  CHECK(undefinedIn("%1:vgpr_32 = V_OR_B32_e64 undef %2.sub1:vreg_64, %0, implicit $exec") == 0);
}

TEST_CASE("an undefined operand stays where no other is as wide, and in copies") {
  CHECK(undefinedIn("%1:vreg_64 = V_LSHLREV_B64_e64 %0, undef %2:vreg_64, implicit $exec") == 1);
  CHECK(undefinedIn("%1:vgpr_32 = COPY undef %2:vgpr_32") == 1);
}

TEST_CASE("an undefined operand that is to be in SGPRs becomes no VGPR") {
  CHECK(undefinedIn("%1:sgpr_32 = V_READLANE_B32 %0, undef %2:sreg_32_xm0") == 1);
}

TEST_CASE("the first lane of nothing is 0, and no VGPR is read for it") {
  CHECK(undefinedIn("%1:sgpr_32 = V_READFIRSTLANE_B32 undef %2:vgpr_32, implicit $exec") == 0);
  lgc::test::runOnMachineCode("  bb.0:\n    %1:sgpr_32 = V_READFIRSTLANE_B32 undef %2:vgpr_32, implicit $exec\n",
                              new lgc::DefineOperandsPass, [](const llvm::MachineFunction &function) {
                                const llvm::MachineInstr &inst = function.front().front();
                                REQUIRE(inst.getNumOperands() == 2);
                                CHECK((inst.getOperand(1).isImm() && inst.getOperand(1).getImm() == 0));
                              });
}
