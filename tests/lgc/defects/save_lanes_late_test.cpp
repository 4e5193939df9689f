// SPDX-License-Identifier: MIT
//
// Where a fragment shader saves lanes, around switches between whole quads and exact mode.
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>

namespace {

// The order of the instructions in front of a branch, a letter each: the (s)ave, the s(w)itch, the (u)se.
std::string orderOf(const std::string &save) {
  std::string order;
  lgc::test::runOnMachineCode(
      "  bb.0:\n    successors: %bb.1, %bb.2\n    liveins: $sgpr0_sgpr1, $sgpr2_sgpr3\n"
      "    %0:sreg_64 = COPY $sgpr0_sgpr1\n    %1:sreg_64 = COPY $sgpr2_sgpr3\n    " +
          save +
          "\n    $exec = S_AND_B64 $exec, %0, implicit-def $scc\n"
          "    %3:sreg_64 = S_AND_B64 %2, %1, implicit-def dead $scc\n    $exec = S_MOV_B64_term %3\n"
          "    S_CBRANCH_EXECZ %bb.2, implicit $exec\n    S_BRANCH %bb.1\n"
          "  bb.1:\n    successors: %bb.2\n    S_BRANCH %bb.2\n"
          "  bb.2:\n    $exec = S_OR_B64 $exec, %2, implicit-def $scc\n",
      new lgc::SaveLanesLatePass, [&](const llvm::MachineFunction &function) {
        unsigned number = 0;
        for (const llvm::MachineInstr &inst : function.front()) {
          if (number++ < 2 || inst.isTerminator())
            continue;
          order += inst.isCopy() ? 's' : inst.getOperand(0).getReg().isPhysical() ? 'w' : 'u';
        }
      });
  return order;
}

} // namespace

TEST_CASE("a branch saves its lanes behind a switch of the mode") {
  CHECK(orderOf("%2:sreg_64 = COPY $exec, implicit-def $exec") == "wsu");
}

TEST_CASE("what the mode itself saves stays where it is") {
  CHECK(orderOf("%2:sreg_64 = COPY $exec") == "swu");
}
