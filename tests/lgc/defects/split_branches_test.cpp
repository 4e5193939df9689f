// SPDX-License-Identifier: MIT
//
// Blocks that end in two branches, in front of the hazard recogniser.
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>

namespace {

// The number of instructions in each block behind the pass, without the end of the program.
std::string sizesOf(const std::string &branches) {
  std::string sizes;
  lgc::test::runOnMachineCode("  bb.0:\n    successors: %bb.1, %bb.2\n    $sgpr0 = S_MOV_B32 0\n" + branches +
                                  "  bb.1:\n    successors: %bb.2\n    $sgpr1 = S_MOV_B32 0\n"
                                  "  bb.2:\n    $sgpr2 = S_MOV_B32 0\n",
                              new lgc::SplitBranchesPass, [&](const llvm::MachineFunction &function) {
                                for (const llvm::MachineBasicBlock &block : function)
                                  sizes += std::to_string(block.size()) + (block.succ_empty() ? "" : " ");
                              });
  return sizes;
}

} // namespace

TEST_CASE("the second of two branches gets a block of its own") {
  CHECK(sizesOf("    S_CBRANCH_EXECZ %bb.1, implicit $exec\n    S_BRANCH %bb.2\n") == "2 1 1 2");
}

TEST_CASE("a block with one branch stays as it is") {
  CHECK(sizesOf("    S_CBRANCH_EXECZ %bb.2, implicit $exec\n") == "2 1 2");
}
