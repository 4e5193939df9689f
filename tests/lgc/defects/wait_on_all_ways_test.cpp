// SPDX-License-Identifier: MIT
//
// Wait states behind the hazard recogniser, where ways of different lengths meet.
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

// The numbers of the S_NOPs that the pass puts in front of `last`, in their order. `last` is the code of the last
// block; `first` is in front of the ways.
std::string waitsIn(const std::string &longWay, const std::string &last,
                    const std::string &first = "    $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec\n") {
  std::string waits;
  lgc::test::runOnMachineCode("  bb.0:\n    successors: %bb.1, %bb.2\n" + first +
                                  "    S_CBRANCH_EXECZ %bb.2, implicit $exec\n"
                                  "  bb.1:\n    successors: %bb.2\n" +
                                  longWay + "  bb.2:\n" + last,
                              new lgc::WaitOnAllWaysPass, [&](const llvm::MachineFunction &function) {
                                const auto &info = *function.getSubtarget().getInstrInfo();
                                for (const llvm::MachineBasicBlock &block : function)
                                  for (const llvm::MachineInstr &inst : block)
                                    if (info.getName(inst.getOpcode()) == "S_NOP")
                                      waits += std::to_string(inst.getOperand(0).getImm() + 1) + " ";
                              });
  return waits;
}

constexpr char Load[] = "    $vgpr1 = BUFFER_LOAD_DWORD_OFFSET $sgpr4_sgpr5_sgpr6_sgpr7, 0, 0, 0, 0, implicit $exec\n";
constexpr char Other[] = "    $sgpr8 = S_MOV_B32 0\n";
constexpr char LongWay[] = "    $sgpr8 = S_MOV_B32 0\n    $sgpr9 = S_MOV_B32 0\n    $sgpr10 = S_MOV_B32 0\n";

} // namespace

TEST_CASE("the shortest way to an instruction has the wait states that it wants") {
  CHECK(waitsIn(LongWay, Load) == "4 "); // the branch counts as one
  CHECK(waitsIn(LongWay, std::string(Other) + Load) == "3 ");
}

TEST_CASE("an instruction that is far enough on all ways, or reads something else, gets no wait states") {
  CHECK(waitsIn(LongWay, std::string(LongWay) + Other + Load) == "");
  CHECK(waitsIn(LongWay, "    $vgpr1 = BUFFER_LOAD_DWORD_OFFSET $sgpr12_sgpr13_sgpr14_sgpr15, 0, 0, 0, 0, implicit "
                         "$exec\n") == "");
  CHECK(waitsIn(LongWay, "    $sgpr8 = S_MOV_B32 $sgpr4\n") == "");
}

TEST_CASE("wait states that were added count for what follows") {
  CHECK(waitsIn(LongWay, std::string(Load) + Load) == "4 ");
}

TEST_CASE("each rule of more than one wait state is counted on the shortest way") {
  const std::string read = "    $sgpr9 = V_READLANE_B32 $vgpr0, $sgpr4\n";
  CHECK(waitsIn(LongWay, read) == "3 ");
  const std::string write = "    $vgpr1 = V_WRITELANE_B32 3, $sgpr4, $vgpr1\n";
  CHECK(waitsIn(LongWay, write) == "3 ");
  const std::string compare = "    V_CMP_EQ_U32_e32 0, $vgpr0, implicit-def $vcc, implicit $exec\n";
  CHECK(waitsIn(LongWay,
                "    $vgpr1 = V_DIV_FMAS_F32_e64 0, $vgpr1, 0, $vgpr2, 0, $vgpr3, 0, 0, implicit $mode, implicit "
                "$vcc, implicit $exec\n",
                compare) == "3 ");
  const std::string dpp = "    $vgpr1 = V_MOV_B32_dpp $vgpr1, $vgpr5, 78, 15, 15, 0, implicit $exec\n";
  CHECK(waitsIn(LongWay, dpp, "    $vgpr5 = V_MOV_B32_e32 0, implicit $exec\n") == "1 ");
  CHECK(waitsIn(LongWay, dpp,
                "    V_CMPX_EQ_U32_e32 0, $vgpr0, implicit-def $vcc, implicit-def $exec, implicit $exec\n") == "4 ");
  const std::string mode = "    S_SETREG_IMM32_B32 3, 2177, implicit-def $mode, implicit $mode\n";
  CHECK(waitsIn(LongWay, mode, mode) == "1 ");
  CHECK(waitsIn(LongWay, "    $sgpr9 = S_GETREG_B32 2177, implicit $mode\n", mode) == "1 ");
  CHECK(waitsIn(LongWay, "    $sgpr9 = S_GETREG_B32 2178, implicit $mode\n", mode) == "");
}

TEST_CASE("what v_writelane writes to the lane needs no wait states") {
  CHECK(waitsIn(LongWay, "    $vgpr1 = V_WRITELANE_B32 $sgpr4, 5, $vgpr1\n") == "");
}
