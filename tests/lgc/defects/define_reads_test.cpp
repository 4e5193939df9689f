// SPDX-License-Identifier: MIT
//
// Reads of registers that nothing has written on any way.
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

// The registers that the pass sets to 0 at the entry, in the order of their moves.
std::string definedIn(const std::string &blocks) {
  std::string registers;
  lgc::test::runOnMachineCode(blocks, new lgc::DefineReadsPass, [&](const llvm::MachineFunction &function) {
    const auto &target = *function.getSubtarget().getRegisterInfo();
    for (const llvm::MachineInstr &inst : function.front()) {
      const bool isMove = function.getSubtarget().getInstrInfo()->getName(inst.getOpcode()).contains("_MOV_B32");
      if (!isMove || !inst.getOperand(1).isImm() || inst.getOperand(1).getImm() != 0)
        break;
      registers += target.getName(inst.getOperand(0).getReg()) + std::string(" ");
    }
  });
  return registers;
}

constexpr char Read[] = "    $vgpr1 = V_LSHLREV_B32_e32 2, $vgpr5, implicit $exec\n";

} // namespace

TEST_CASE("a register that nothing writes is set, one that a shader gets is not") {
  CHECK(definedIn(std::string("  bb.0:\n") + Read) == "VGPR5 ");
  CHECK(definedIn(std::string("  bb.0:\n    liveins: $vgpr5\n") + Read) == "");
  CHECK(definedIn("  bb.0:\n    $sgpr1 = S_ADD_I32 $sgpr4, 1, implicit-def $scc\n") == "SGPR4 ");
}

TEST_CASE("what writes a register counts on each way that leads from it, and on no other") {
  const std::string branch = "  bb.0:\n    successors: %bb.1, %bb.2\n    S_CBRANCH_EXECZ %bb.2, implicit $exec\n";
  const std::string write = "    $vgpr5 = V_MOV_B32_e32 7, implicit $exec\n";
  CHECK(definedIn(branch + "  bb.1:\n    successors: %bb.2\n" + write + "  bb.2:\n" + Read) == "");
  CHECK(definedIn(branch + "  bb.1:\n    successors: %bb.3\n" + write +
                  "    S_BRANCH %bb.3\n  bb.2:\n    successors: "
                  "%bb.3\n" +
                  Read + "  bb.3:\n") == "VGPR5 ");
  // The write is behind the read in the text, and in front of it in the loop's second round.
  CHECK(definedIn("  bb.0:\n    successors: %bb.1\n  bb.1:\n    successors: %bb.1, %bb.2\n" + std::string(Read) +
                  write + "    S_CBRANCH_EXECNZ %bb.1, implicit $exec\n  bb.2:\n") == "");
}

TEST_CASE("a block that nothing leads to writes nothing") {
  CHECK(definedIn("  bb.0:\n    successors: %bb.2\n    S_BRANCH %bb.2\n  bb.1:\n    successors: %bb.2\n    $vgpr5 = "
                  "V_MOV_B32_e32 7, implicit $exec\n  bb.2:\n" +
                  std::string(Read)) == "VGPR5 ");
}

TEST_CASE("a value that is called undefined is written by nothing") {
  CHECK(definedIn("  bb.0:\n    $vgpr5 = IMPLICIT_DEF\n" + std::string(Read)) == "VGPR5 ");
  CHECK(definedIn("  bb.0:\n    liveins: $vgpr5\n    $vgpr5 = IMPLICIT_DEF\n" + std::string(Read)) == "");
}

TEST_CASE("a move of what nothing has written is no read and no write") {
  const std::string move = "    $vgpr5 = V_MOV_B32_e32 $vgpr6, implicit $exec\n";
  CHECK(definedIn("  bb.0:\n" + move) == "");
  CHECK(definedIn("  bb.0:\n" + move + Read) == "VGPR5 VGPR6 "); // otherwise the move would undo VGPR5
  CHECK(definedIn("  bb.0:\n    liveins: $vgpr6\n" + move + Read) == "");
}

TEST_CASE("a move of a pair hands on what is written of it") {
  const std::string move = "    $sgpr4_sgpr5 = S_MOV_B64 $sgpr6_sgpr7\n";
  const std::string read = "    $sgpr1 = S_ADD_I32 $sgpr5, 1, implicit-def $scc\n";
  CHECK(definedIn("  bb.0:\n    liveins: $sgpr7\n" + move + read) == "");
  CHECK(definedIn("  bb.0:\n    liveins: $sgpr6\n" + move + read) == "SGPR5 SGPR7 ");
}

TEST_CASE("of several registers, some may be undefined, but not in a descriptor") {
  const std::string value = "    $vgpr4_vgpr5 = V_LSHLREV_B64_e64 1, $vgpr2_vgpr3, implicit $exec\n";
  CHECK(definedIn("  bb.0:\n    liveins: $vgpr2\n" + value) == "");
  CHECK(definedIn("  bb.0:\n" + value) == "VGPR2 VGPR3 ");
  const std::string load =
      "    $vgpr1 = BUFFER_LOAD_DWORD_OFFSET $sgpr4_sgpr5_sgpr6_sgpr7, 0, 0, 0, 0, implicit $exec\n";
  CHECK(definedIn("  bb.0:\n    liveins: $sgpr4, $sgpr5, $sgpr7\n" + load) == "SGPR6 ");
}

TEST_CASE("what is kept of a register, or only spilled, may be undefined; a sum that goes on may not") {
  CHECK(definedIn("  bb.0:\n    liveins: $vgpr0\n    $vgpr5 = V_WRITELANE_B32 $sgpr4, 3, $vgpr5\n") == "");
  CHECK(definedIn("  bb.0:\n    liveins: $sgpr0_sgpr1_sgpr2_sgpr3\n    BUFFER_STORE_DWORD_OFFSET $vgpr5, "
                  "$sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec\n") == "");
  CHECK(definedIn("  bb.0:\n    liveins: $vgpr0\n    $vgpr5 = V_MAC_F32_e32 $vgpr0, $vgpr0, $vgpr5, implicit $mode, "
                  "implicit $exec\n") == "VGPR5 ");
}
