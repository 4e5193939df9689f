// SPDX-License-Identifier: MIT
//
// Machine code in SSA form, as instruction selection leaves it. The tests check which values get a move before a tuple
// takes them.
#include "src/lgc/codegen/registers/register_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace {

// The number of moves behind the pass. The code begins with three values, %x, %y and %z, an image %image and a sampler
// %sampler.
unsigned movesIn(const std::string &instructions) {
  unsigned moves = 0;
  lgc::test::runOnMachineCode("  bb.0:\n"
                              "    %x:vgpr_32 = IMPLICIT_DEF\n    %y:vgpr_32 = IMPLICIT_DEF\n"
                              "    %z:vgpr_32 = IMPLICIT_DEF\n    %image:sgpr_256 = IMPLICIT_DEF\n"
                              "    %sampler:sgpr_128 = IMPLICIT_DEF\n" +
                                  instructions,
                              new lgc::SeparateTuplesPass, [&](const MachineFunction &function) {
                                const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
                                for (const MachineBasicBlock &block : function)
                                  for (const MachineInstr &inst : block)
                                    moves += info.getName(inst.getOpcode()) == "V_MOV_B32_e32";
                              });
  return moves;
}

std::string pair(const std::string &name, const std::string &first, const std::string &second) {
  return "    %" + name + ":vreg_64 = REG_SEQUENCE %" + first + ", %subreg.sub0, %" + second + ", %subreg.sub1\n";
}

std::string sample(const std::string &name, const std::string &place) {
  return "    %" + name + ":vreg_128 = IMAGE_SAMPLE_V4_V2 %" + place +
         ", %image, %sampler, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (dereferenceable load (s128), addrspace 8)\n";
}

} // namespace

TEST_CASE("a coordinate that two samples have at different places is moved for the second") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "z", "x") + sample("s", "a") + sample("t", "b")) == 1);
}

TEST_CASE("a coordinate that two samples have at the same place is not moved") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "x", "z") + sample("s", "a") + sample("t", "b")) == 0);
}

TEST_CASE("a coordinate that is part of a texel is moved if its new tuple reaches beyond the texel") {
  const auto moves = [](const std::string &part, const std::string &first, const std::string &second) {
    return movesIn(pair("a", "x", "y") + sample("s", "a") + "    %r:vgpr_32 = COPY %s." + part + "\n" +
                   pair("b", first, second) + sample("t", "b"));
  };
  CHECK(moves("sub0", "z", "r") == 1);
  CHECK(moves("sub3", "r", "z") == 1);
  CHECK(moves("sub0", "r", "z") == 0);
  CHECK(moves("sub3", "z", "r") == 0);
}

TEST_CASE("a constant is made anew") {
  const std::string constant = "    %k:vgpr_32 = V_MOV_B32_e32 1056964608, implicit $exec\n";
  CHECK(movesIn(constant + pair("a", "x", "k") + pair("b", "k", "y") + sample("s", "a") + sample("t", "b")) == 2);
}

TEST_CASE("tuples that no image instruction takes are left to LLVM") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "z", "x")) == 0);
}
