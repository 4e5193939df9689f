// SPDX-License-Identifier: MIT
//
// A reduction in SSA form, and code of lanes that uses some of the reduction's operands, too.
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "tests/lgc/machine_code.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

// The instructions that the pass repeats, a letter each: a move of a constant, a (s)hift, any (o)ther. %5 is a constant
// that the whole wave uses, %6 is computed from it, %0 is a value of lanes that goes to the whole wave.
std::string repeatedFor(const std::string &lanes) {
  std::string repeated;
  lgc::test::runOnMachineCode(
      "  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %7:sreg_64_xexec = IMPLICIT_DEF\n"
      "    %5:vgpr_32 = V_MOV_B32_e32 32, implicit $exec\n"
      "    %6:vgpr_32 = V_LSHLREV_B32_e64 1, %5, implicit $exec\n"
      "    %1:vgpr_32 = V_SET_INACTIVE_B32 0, %0, 0, 32, %7, implicit $exec\n"
      "    %2:vgpr_32 = V_MOV_B32_dpp %6, %1, 280, 15, 15, 0, implicit $exec\n"
      "    %3:vgpr_32 = V_ADD_U32_e64 %1, %2, 0, implicit $exec\n"
      "    early-clobber %4:vgpr_32 = STRICT_WWM %3, implicit $exec\n" +
          lanes,
      new lgc::SeparateWholeWavesPass, [&](const llvm::MachineFunction &function) {
        const llvm::TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
        const auto isLike = [](const llvm::MachineInstr &a, const llvm::MachineInstr &b) {
          return a.isIdenticalTo(b, llvm::MachineInstr::IgnoreVRegDefs) || a.getOpcode() == b.getOpcode();
        };
        const llvm::MachineInstr *before = nullptr;
        for (const llvm::MachineInstr &inst : function.front()) {
          if (before && isLike(*before, inst)) {
            const llvm::StringRef name = info.getName(inst.getOpcode());
            repeated += name.starts_with("V_MOV") ? 'm' : name.starts_with("V_LSHL") ? 's' : 'o';
          }
          before = &inst;
        }
      });
  return repeated;
}

} // namespace

TEST_CASE("the whole wave repeats a constant that lanes use, too") {
  CHECK(repeatedFor("    %8:vgpr_32 = V_XOR_B32_e64 %4, %5, implicit $exec\n") == "m");
}

TEST_CASE("what the whole wave repeats has operands of its own") {
  CHECK(repeatedFor("    %8:vgpr_32 = V_XOR_B32_e64 %4, %6, implicit $exec\n") == "ms");
}

TEST_CASE("the whole wave repeats nothing that it has alone, and no value that it gets from lanes") {
  CHECK(repeatedFor("").empty());
  CHECK(repeatedFor("    %8:vgpr_32 = V_XOR_B32_e64 %4, %0, implicit $exec\n").empty());
}
