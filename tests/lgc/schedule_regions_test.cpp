// SPDX-License-Identifier: MIT
//
// Blocks whose order the pass may choose. The tests count the values that are alive at once behind the pass.
#include "src/lgc/codegen/schedule/schedule_regions.h"
#include "tests/lgc/machine_code.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace llvm;

namespace {

struct Outcome {
  unsigned instructions = 0;
  size_t alive = 0; // the most values at once
};

// A block that makes so many values of one, and then their exclusive or, value by value. `between`: an instruction
// between the two halves.
Outcome schedule(unsigned count, const std::string &between = "") {
  const auto name = [](const char *kind, unsigned i) { return kind + std::to_string(i); };
  std::string code = "  bb.0:\n    %x:vgpr_32 = IMPLICIT_DEF\n    %s0:vgpr_32 = IMPLICIT_DEF\n";
  for (unsigned i = 0; i < count; ++i)
    code += "    %" + name("a", i) + ":vgpr_32 = V_ADD_U32_e32 " + std::to_string(i) + ", %x, implicit $exec\n";
  code += between;
  for (unsigned i = 0; i < count; ++i)
    code += "    %" + name("s", i + 1) + ":vgpr_32 = V_XOR_B32_e32 %" + name("s", i) + ", %" + name("a", i) +
            ", implicit $exec\n";
  code += "    S_NOP 0, implicit %" + name("s", count) + "\n";
  Outcome outcome;
  lgc::test::runOnMachineCode(code, new lgc::ScheduleRegionsPass, [&](const MachineFunction &function) {
    std::set<unsigned> alive;
    for (const MachineInstr &inst : reverse(function.front())) {
      ++outcome.instructions;
      for (const MachineOperand &operand : inst.operands())
        if (operand.isReg() && operand.getReg().isVirtual() && operand.isDef())
          alive.erase(operand.getReg().id());
      for (const MachineOperand &operand : inst.operands())
        if (operand.isReg() && operand.getReg().isVirtual() && operand.isUse())
          alive.insert(operand.getReg().id());
      outcome.alive = std::max(outcome.alive, alive.size());
    }
  });
  return outcome;
}

} // namespace

TEST_CASE("values that would cost waves are made where they are read") {
  constexpr unsigned most = 24; // with which all waves run on gfx900
  CHECK(schedule(100).alive <= most);
  CHECK(schedule(100).instructions == schedule(100, "    S_NOP 0\n").instructions - 1);
}

TEST_CASE("no instruction passes the end of a region") {
  CHECK(schedule(100, "    SCHED_BARRIER 0\n").alive >= 100);
}
