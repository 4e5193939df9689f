// SPDX-License-Identifier: MIT
//
// LLVM's physical registers by name. Their numbers are not in its installed headers, their names are known at run time.
#pragma once

#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <mutex>

namespace lgc {

// The number of a register: the same for all functions that this LLVM compiles. An object of this type is to be as old
// as the library (exit_order.h says why).
class RegisterNumber {
public:
  explicit constexpr RegisterNumber(llvm::StringRef name) : m_name(name) {}

  llvm::Register in(const llvm::MachineFunction &function) {
    std::call_once(m_once, [&] {
      const llvm::TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
      for (unsigned reg = 1; reg < target.getNumRegs(); ++reg)
        if (m_name == target.getName(reg))
          m_number = reg;
    });
    return m_number;
  }

private:
  llvm::StringRef m_name;
  std::once_flag m_once;
  unsigned m_number = 0;
};

} // namespace lgc
