// SPDX-License-Identifier: MIT
//
// A shader in SSA form. It reads values that helper invocations may have to compute, too.
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

// The number of values that the pass moves to whole quads.
unsigned copiesIn(const std::string &instructions) {
  unsigned count = 0;
  lgc::test::runOnMachineCode(
      "  bb.0:\n    liveins: $vgpr0, $vgpr1, $sgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = COPY $vgpr1\n" +
          instructions,
      new lgc::ReadInWholeQuadsPass, [&](const llvm::MachineFunction &function) {
        const llvm::TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
        for (const llvm::MachineInstr &inst : function.front())
          count += info.getName(inst.getOpcode()) == "SOFT_WQM";
      });
  return count;
}

} // namespace

TEST_CASE("what is read from the first lane is computed in whole quads") {
  CHECK(copiesIn("    %2:sgpr_32 = V_READFIRSTLANE_B32 %0, implicit $exec\n") == 1);
  CHECK(copiesIn("    %2:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, implicit $exec\n") == 0);
}

TEST_CASE("whether any lane is in a mask is computed in whole quads") {
  const std::string compare = "    %2:sreg_64 = V_CMP_LT_U32_e64 %0, %1, implicit $exec\n";
  CHECK(copiesIn(compare + "    $vcc = S_AND_B64 $exec, %2, implicit-def $scc\n") == 2);
  // A uniform condition that a pass has added.
  CHECK(copiesIn(compare + "    S_CMP_LG_U64 %2, 0, implicit-def $scc\n") == 2);
  CHECK(copiesIn(compare) == 0);
}

TEST_CASE("addresses that nothing bounds, and of scratch memory, are computed in whole quads") {
  CHECK(copiesIn("    %2:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1\n"
                 "    %3:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec :: (load (s32), addrspace 1)\n") == 1);
  const std::string descriptor =
      "    %2:sgpr_128 = IMPLICIT_DEF\n    %3:vgpr_32 = BUFFER_LOAD_DWORD_OFFEN %0, %2, 0, 0, "
      "0, 0, implicit $exec :: (load (s32), addrspace ";
  CHECK(copiesIn(descriptor + "5)\n") == 1);
  CHECK(copiesIn(descriptor + "8)\n") == 0); // a buffer knows its bounds
}

TEST_CASE("what is undefined stays so in whole quads") {
  CHECK(copiesIn("    %2:sgpr_32 = V_READFIRSTLANE_B32 undef %3:vgpr_32, implicit $exec\n") == 0);
  CHECK(copiesIn("    %3:vgpr_32 = IMPLICIT_DEF\n    %4:vgpr_32 = COPY %3\n"
                 "    %2:sgpr_32 = V_READFIRSTLANE_B32 %4, implicit $exec\n") == 0);
}
