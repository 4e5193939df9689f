// SPDX-License-Identifier: MIT
//
// Machine code as register allocation leaves it, of a fragment shader that changes between whole quads and exact mode.
#include "src/lgc/codegen/defects/quads/exact_copies.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>

namespace {

// Whether the pass finds a value that exact mode has made and whole quads read. `back`: the switch back to whole quads,
// as LLVM writes it.
bool isFound(const std::string &inExactMode, const std::string &inWholeQuads,
             const std::string &back = "$exec = COPY killed $sgpr2_sgpr3") {
  bool found = false;
  lgc::test::runOnMachineCode(
      "  bb.0:\n    $sgpr0_sgpr1 = S_MOV_B64 $exec\n    $exec = S_WQM_B64 $exec, implicit-def $scc\n"
      "    $vgpr0 = V_MOV_B32_e32 1, implicit $exec\n    $vgpr1 = V_MOV_B32_e32 2, implicit $exec\n"
      "    $sgpr2_sgpr3 = S_AND_SAVEEXEC_B64 $sgpr0_sgpr1, implicit-def $exec, implicit-def $scc, implicit $exec\n" +
          inExactMode + "    " + back + "\n" + inWholeQuads,
      new lgc::ExactCopiesPass(&found), [](const llvm::MachineFunction &) {});
  return found;
}

const std::string Copy = "    $vgpr1 = COPY $vgpr0\n", Constant = "    $vgpr1 = V_MOV_B32_e32 3, implicit $exec\n",
                  Sum = "    $vgpr2 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec\n";

} // namespace

TEST_CASE("a copy or a constant of exact mode that whole quads read is found") {
  CHECK(isFound(Copy, Sum));
  CHECK(isFound(Constant, Sum));
  for (const char *back : {"$exec = S_MOV_B64 $sgpr2_sgpr3", "$exec = S_WQM_B64 $exec, implicit-def $scc"})
    CHECK(isFound(Copy, Sum, back));
  CHECK(isFound(Copy, "    $vgpr3 = COPY $vgpr1\n    $vgpr2 = V_ADD_U32_e32 $vgpr0, $vgpr3, implicit $exec\n"));
}

TEST_CASE("what exact mode alone reads, or whole quads make anew, is not found") {
  CHECK_FALSE(isFound(Copy + Sum, ""));
  CHECK_FALSE(isFound("", Copy + Sum));
  CHECK_FALSE(isFound(Copy, Constant + Sum));
  CHECK_FALSE(isFound("", Sum));
  CHECK_FALSE(isFound(Copy, Sum, "$sgpr4_sgpr5 = COPY $exec, implicit-def $exec")); // this switch is a branch's
}
