// SPDX-License-Identifier: MIT
//
// Outside of the target, LLVM's registers are known by name only.
#include "src/lgc/codegen/defects/machine/register_units.h"
#include <algorithm>
#include <cassert>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

void fill(const TargetRegisterInfo &info, const TargetRegisterClass &registers, StringRef prefix,
          std::vector<uint16_t> &ends) {
  for (MCPhysReg reg : registers.getRegisters()) {
    StringRef name = info.getName(reg);
    uint16_t number;
    if (name.consume_front(prefix) && !name.getAsInteger(10, number))
      for (auto unit : info.regunits(reg))
        ends[unsigned(unit)] = number + 1;
  }
}

} // namespace

std::once_flag RegisterUnits::once;
RegisterUnits RegisterUnits::units;

const RegisterUnits &RegisterUnits::get(const TargetRegisterInfo &info) {
  std::call_once(once, [&] { units.read(info); });
  return units;
}

void RegisterUnits::read(const TargetRegisterInfo &info) {
  vgprEnds.resize(info.getNumRegUnits());
  sgprEnds.resize(info.getNumRegUnits());
  for (const TargetRegisterClass *registers : info.regclasses()) {
    if (StringRef name = info.getRegClassName(registers); name == "VGPR_32")
      fill(info, *registers, "VGPR", vgprEnds);
    else if (name == "SGPR_32")
      fill(info, *registers, "SGPR", sgprEnds);
  }
  m_numbers = std::vector<std::atomic<KnownNumbers>>(info.getNumRegs());
}

RegisterUnits::Numbers RegisterUnits::findNumbers(MCRegister reg, const TargetRegisterInfo &info) const {
  unsigned first = UINT16_MAX, end = 0;
  bool isSgpr = false;
  for (const auto unit : info.regunits(reg)) {
    isSgpr = isSgpr || sgprEnds[unsigned(unit)] != 0;
    if (const unsigned unitEnd = std::max(vgprEnds[unsigned(unit)], sgprEnds[unsigned(unit)])) {
      first = std::min(first, unitEnd - 1);
      end = std::max(end, unitEnd);
    }
  }
  KnownNumbers known;
  if (end != 0) {
    assert(end - first <= UINT8_MAX && "a tuple has at most 32 registers");
    known.numbers = {isSgpr, uint8_t(end - first), uint16_t(first)};
  }
  known.isKnown = 1;
  m_numbers[reg.id()].store(known, std::memory_order_relaxed);
  return known.numbers;
}

} // namespace lgc
