// SPDX-License-Identifier: MIT
//
// Code that allocation has put between instructions of the whole wave. $vgpr3 is a VGPR of the whole wave, the others
// are of lanes.
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

const std::string Whole = "    $vgpr3 = V_ADD_U32_e64 $vgpr3, $vgpr5, 0, implicit $exec\n",
                  Copy = "    $vgpr5 = COPY $vgpr6\n", Constant = "    $vgpr5 = V_MOV_B32_e32 7, implicit $exec\n",
                  Store = "    SI_SPILL_V32_SAVE $vgpr6, %stack.0, $sgpr32, 0, implicit $exec\n",
                  Reload = "    $vgpr5 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec\n";

// The code between the ends of the whole wave, a letter each: the (l)anes that ran outside get EXEC, (a)ll lanes get
// it, other (c)ode.
std::string orderOf(const std::string &inside) {
  std::string order;
  lgc::test::runOnMachineCode(
      "  bb.0:\n    liveins: $vgpr3, $vgpr5, $vgpr6\n    $sgpr0_sgpr1 = ENTER_STRICT_WWM -1, implicit-def $exec, "
      "implicit-def $scc, implicit $exec\n" +
          inside + "    $exec = EXIT_STRICT_WWM $sgpr0_sgpr1\n" + Copy,
      new lgc::LeaveWholeWavesPass,
      [&](const llvm::MachineFunction &function) {
        const llvm::TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
        for (const llvm::MachineInstr &inst : function.front()) {
          const llvm::StringRef name = info.getName(inst.getOpcode());
          if (name.starts_with("ENTER"))
            order.clear();
          else if (name.starts_with("EXIT"))
            break;
          else
            order += name != "S_MOV_B64" ? 'c' : inst.getOperand(1).isReg() ? 'l' : 'a';
        }
      },
      false, "machineFunctionInfo:\n  wwmReservedRegs: ['$vgpr3']\nstack:\n  - { id: 0, size: 4, alignment: 4 }\n");
  return order;
}

} // namespace

TEST_CASE("copies and constants of lanes are for the lanes that run") {
  CHECK(orderOf(Whole + Copy + Whole) == "clcac");
  CHECK(orderOf(Constant + Whole) == "lcac");
}

TEST_CASE("spills of lanes are for the lanes that run") {
  CHECK(orderOf(Whole + Store + Reload + Whole) == "clccac");
  CHECK(orderOf(Whole + Store) == "clc");
}

TEST_CASE("code of the whole wave runs in all lanes") {
  CHECK(orderOf(Whole + Whole) == "cc");
}
