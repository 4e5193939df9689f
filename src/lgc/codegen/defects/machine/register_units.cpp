// SPDX-License-Identifier: MIT
//
// Outside of the target, LLVM's registers are known by name only.
#include "src/lgc/codegen/defects/machine/register_units.h"
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
}

} // namespace lgc
