// SPDX-License-Identifier: MIT
//
// Wait states behind the hazard recogniser, where ways of different lengths meet.
#include "src/lgc/defects/machine/wait_on_all_ways.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

// The numbers of S_NOP, in their order, that the pass puts in front of what is in the last block.
std::string waitsIn(const std::string &longWay, const std::string &last) {
  std::string waits;
  lgc::test::runOnMachineCode("  bb.0:\n    successors: %bb.1, %bb.2\n"
                              "    $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec\n"
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
  CHECK(waitsIn(LongWay, Load) == "4 "); // the branch is one
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
