// SPDX-License-Identifier: MIT
//
// LLVM's opcodes and registers by name. LLVM's installed headers do not have their numbers, but their names are known
// at run time.
#pragma once

#include <array>
#include <llvm/ADT/StringRef.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <mutex>

namespace lgc {

// The numbers of `Count` opcodes: the same for all functions that this LLVM compiles. An object of this type must be
// made when the library is loaded (exit_order.h says why). An opcode that this LLVM does not have gets the number 0,
// which no instruction of the target has.
template <size_t Count> class OpcodeNumbers {
public:
  explicit constexpr OpcodeNumbers(const llvm::StringRef (&names)[Count]) {
    for (size_t i = 0; i < Count; ++i)
      m_names[i] = names[i];
  }

  // The numbers, in the order of the names.
  const std::array<unsigned, Count> &in(const llvm::MachineFunction &function) {
    std::call_once(m_once, [&] {
      const llvm::TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
      size_t found = 0;
      for (unsigned opcode = 0; opcode < info.getNumOpcodes() && found < Count; ++opcode) {
        const llvm::StringRef name = info.getName(opcode); // LLVM counts its letters
        for (size_t i = 0; i < Count; ++i)
          if (name == m_names[i]) {
            m_numbers[i] = opcode;
            ++found;
          }
      }
    });
    return m_numbers;
  }

private:
  std::array<llvm::StringRef, Count> m_names;
  std::once_flag m_once;
  std::array<unsigned, Count> m_numbers = {};
};

// The number of a register: the same for all functions that this LLVM compiles. An object of this type must be made
// when the library is loaded (exit_order.h says why). No register if the target has none of this name.
class RegisterNumber {
public:
  explicit constexpr RegisterNumber(llvm::StringRef name) : m_name(name) {}

  llvm::Register in(const llvm::MachineFunction &function) {
    std::call_once(m_once, [&] {
      const llvm::TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
      for (unsigned reg = 1; reg < target.getNumRegs() && m_number == 0; ++reg)
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

inline RegisterNumber ExecRegister("EXEC");

} // namespace lgc
