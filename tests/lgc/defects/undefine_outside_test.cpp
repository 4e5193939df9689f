// SPDX-License-Identifier: MIT
//
// Registers that are undefined within code of the whole wave.
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace {

const std::string Enter = "    %1:sreg_64_xexec = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, "
                          "implicit $exec\n",
                  Leave = "    $exec = EXIT_STRICT_WWM %1\n", Mark = "    %3:vgpr_32 = IMPLICIT_DEF\n",
                  Use = "    %2:vgpr_32 = V_ADD_U32_e64 %0, %3, 0, implicit $exec\n",
                  Other = "    %4:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec\n";

// The order of a marker and of what is around it, a letter each: the (e)ntry and the e(x)it of the whole wave, the
// (m)arker, other (c)ode.
std::string orderOf(const std::string &instructions) {
  std::string order;
  lgc::test::runOnMachineCode("  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n" + instructions,
                              new lgc::UndefineOutsidePass, [&](const llvm::MachineFunction &function) {
                                const llvm::TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
                                for (const llvm::MachineInstr &inst : function.front()) {
                                  const llvm::StringRef name = info.getName(inst.getOpcode());
                                  if (!inst.isCopy() && !inst.isTerminator())
                                    order += name.starts_with("ENTER")  ? 'e'
                                             : name.starts_with("EXIT") ? 'x'
                                             : inst.isImplicitDef()     ? 'm'
                                                                        : 'c';
                                }
                              });
  return order;
}

// Whether the whole wave reads its mask as an undefined register.
bool isMaskUndefined(const std::string &mask) {
  bool isUndefined = false;
  lgc::test::runOnMachineCode("  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n" + Enter +
                                  "    %3:sreg_64_xexec = S_MOV_B64 5\n    %2:vgpr_32 = V_SET_INACTIVE_B32 0, %0, 0, "
                                  "32, undef " +
                                  mask + ", implicit $exec\n" + Leave,
                              new lgc::UndefineOutsidePass, [&](const llvm::MachineFunction &function) {
                                for (const llvm::MachineInstr &inst : function.front())
                                  for (const llvm::MachineOperand &operand : inst.explicit_uses())
                                    isUndefined |= operand.isReg() && operand.isUndef();
                              });
  return isUndefined;
}

} // namespace

TEST_CASE("an undefined register is marked in front of the whole wave") {
  CHECK(orderOf(Enter + Other + Mark + Leave + Use) == "mecxc");
}

TEST_CASE("an undefined register whose earlier value the whole wave uses is marked behind it") {
  CHECK(orderOf(Mark + Enter + Use + Mark + Leave + Use) == "mecxmc");
}

TEST_CASE("markers outside of the whole wave stay") {
  CHECK(orderOf(Enter + Other + Leave + Mark + Use) == "ecxmc");
  CHECK(orderOf(Mark + Enter + Use + Leave) == "mecx");
}

TEST_CASE("the whole wave reads the mask of lanes that it has saved") {
  CHECK_FALSE(isMaskUndefined("%1"));
  CHECK(isMaskUndefined("%3"));
}
