// SPDX-License-Identifier: MIT
//
// Copies of uniform values that lanes take out of loops.
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/MachineInstr.h>

namespace {

// Whether %9, a copy of the loop's SGPR %8, needs EXEC behind the pass. `end` closes the loop, with the condition %10;
// `inside` stands in the loop behind the copy, `behind` behind the loop.
bool needsExec(const std::string &end, const std::string &inside, const std::string &behind) {
  bool found = false;
  lgc::test::runOnMachineCode(
      "  bb.0:\n"
      "    liveins: $sgpr0, $vgpr0\n"
      "    successors: %bb.1\n"
      "    %1:vgpr_32 = COPY $vgpr0\n"
      "    %2:sreg_64 = S_MOV_B64 0\n"
      "    %3:sreg_32 = S_MOV_B32 0\n"
      "  bb.1:\n"
      "    successors: %bb.2, %bb.1\n"
      "    %4:sreg_64 = PHI %2, %bb.0, %5, %bb.1\n"
      "    %8:sreg_32 = PHI %3, %bb.0, %7, %bb.1\n"
      "    %9:vgpr_32 = COPY %8\n"
      "    %7:sreg_32 = S_ADD_I32 %8, 1, implicit-def dead $scc\n" +
          inside +
          "    %10:sreg_64_xexec = V_CMP_EQ_U32_e64 %7, %1, implicit $exec\n"
          "    %5:sreg_64 = SI_IF_BREAK %10, %4, implicit-def dead $scc\n" +
          end +
          "    S_BRANCH %bb.2\n"
          "  bb.2:\n" +
          behind,
      new lgc::KeepLoopCopiesPass,
      [&](const llvm::MachineFunction &function) {
        for (const llvm::MachineInstr &inst : *std::next(function.begin()))
          if (inst.isCopy())
            found = inst.getNumOperands() == 3;
      },
      /*tracksLiveness=*/true);
  return found;
}

constexpr char Leaving[] = "    SI_LOOP %5, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec\n";
constexpr char Together[] =
    "    S_CMP_LG_U32 %7, 7, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.1, implicit killed $scc\n";
constexpr char Read[] = "    %11:vgpr_32 = V_ADD_U32_e64 %9, %1, 0, implicit $exec\n";

} // namespace

TEST_CASE("a copy of an SGPR that lanes take out of a loop needs EXEC") {
  CHECK(needsExec(Leaving, "", Read));
}

TEST_CASE("a copy that leaves a loop in a tuple needs EXEC") {
  CHECK(needsExec(Leaving, "    %12:vreg_64 = REG_SEQUENCE %9, %subreg.sub0, %1, %subreg.sub1\n",
                  "    %11:vgpr_32 = V_ADD_U32_e64 %12.sub0, %1, 0, implicit $exec\n"));
}

TEST_CASE("a copy that stays in its loop, or leaves one that all lanes leave at once, may be folded") {
  CHECK_FALSE(needsExec(Leaving, Read, ""));
  CHECK_FALSE(needsExec(Together, "", Read));
}
