// SPDX-License-Identifier: MIT
//
// Vector instructions with operands whose bits no instruction needs.
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>

namespace {

// The number of undefined operands that the last instruction has behind the pass.
unsigned undefinedIn(const std::string &instruction) {
  unsigned count = 0;
  lgc::test::runOnMachineCode("  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    " + instruction + "\n",
                              new lgc::DefineOperandsPass, [&](const llvm::MachineFunction &function) {
                                const llvm::MachineInstr &inst = *std::prev(function.front().end(), 2);
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

TEST_CASE("an undefined operand becomes 0 where no other is as wide, but not in copies") {
  CHECK(undefinedIn("%1:vreg_64 = V_LSHLREV_B64_e64 %0, undef %2:vreg_64, implicit $exec") == 0);
  CHECK(undefinedIn("%1:sreg_64 = V_CMP_GT_I32_e64 7, undef %2:vgpr_32, implicit $exec") == 0);
  CHECK(undefinedIn("%1:vgpr_32, %3:sreg_64 = V_ADD_CO_U32_e64 undef %2:vgpr_32, 3, 0, implicit $exec") == 0);
  CHECK(undefinedIn("%1:vgpr_32 = COPY undef %2:vgpr_32") == 1);
}

TEST_CASE("an undefined operand that is to be in SGPRs becomes no VGPR") {
  CHECK(undefinedIn("%1:sgpr_32 = V_READLANE_B32 %0, undef %2:sreg_32_xm0") == 1);
}

TEST_CASE("nothing is put into a tuple") {
  for (const char *tied : {"", "(tied-def 0)"}) {
    CAPTURE(tied);
    lgc::test::runOnMachineCode("  bb.0:\n    %3:vreg_64 = V_LSHLREV_B64_e64 1, 2, implicit $exec\n"
                                "    %1:vreg_64 = INSERT_SUBREG %3" +
                                    std::string(tied) + ", undef %2.sub0:vreg_64, %subreg.sub1\n",
                                new lgc::DefineOperandsPass, [](const llvm::MachineFunction &function) {
                                  const llvm::MachineInstr &inst = *std::prev(function.front().end(), 2);
                                  CHECK(inst.isFullCopy());
                                  CHECK_FALSE(inst.getOperand(1).isTied());
                                });
  }
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

TEST_CASE("phis and copies that get nothing but each other's values are 0, others are left") {
  const auto phisBehind = [](const std::string &value, const std::string &second = "PHI %1, %bb.1") {
    unsigned phis = 0;
    lgc::test::runOnMachineCode(
        "  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    S_BRANCH %bb.1\n\n  bb.1:\n"
        "    %1:vgpr_32 = PHI " +
            value +
            ", %bb.0, %2, %bb.2\n    S_BRANCH %bb.2\n\n  bb.2:\n"
            "    %2:vgpr_32 = " +
            second +
            "\n    %3:sreg_64 = V_CMP_GT_I32_e64 7, %2, implicit $exec\n"
            "    $vcc = COPY %3\n    S_CBRANCH_VCCNZ %bb.1, implicit $vcc\n",
        new lgc::DefineOperandsPass,
        [&](const llvm::MachineFunction &function) {
          for (const llvm::MachineBasicBlock &block : function)
            phis += unsigned(std::distance(block.phis().begin(), block.phis().end()));
        },
        true);
    return phis;
  };
  CHECK(phisBehind("undef %9:vgpr_32") == 1); // %1, which phis alone read
  CHECK(phisBehind("undef %9:vgpr_32", "COPY %1, implicit $exec") == 1);
  CHECK(phisBehind("%0") == 2);
}
