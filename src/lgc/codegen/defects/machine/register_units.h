// SPDX-License-Identifier: MIT
//
// Maps LLVM's registers to the numbers of VGPRs and SGPRs.
#pragma once

#include <atomic>
#include <cstdint>
#include <llvm/MC/MCRegister.h>
#include <mutex>
#include <vector>

namespace llvm {
class TargetRegisterInfo;
}

namespace lgc {

// For each register unit: one more than the number of the VGPR or SGPR to which the unit belongs, or 0. The numbers are
// the same for all GPUs.
class RegisterUnits {
public:
  std::vector<uint16_t> vgprEnds, sgprEnds;

  // The numbers of a physical register's parts, which are neighbours; count 0 for any other register.
  struct Numbers {
    bool isSgpr = false;
    uint8_t count = 0;
    uint16_t first = 0;
  };
  // Thread-safe.
  Numbers numbersOf(llvm::MCRegister reg, const llvm::TargetRegisterInfo &info) const {
    const KnownNumbers known = m_numbers[reg.id()].load(std::memory_order_relaxed);
    return known.isKnown ? known.numbers : findNumbers(reg, info);
  }

  static const RegisterUnits &get(const llvm::TargetRegisterInfo &info);

private:
  struct KnownNumbers {
    Numbers numbers;
    uint32_t isKnown = 0;
  };

  void read(const llvm::TargetRegisterInfo &info);
  Numbers findNumbers(llvm::MCRegister reg, const llvm::TargetRegisterInfo &info) const;

  // By LLVM's number of the register, as far as they were asked for.
  mutable std::vector<std::atomic<KnownNumbers>> m_numbers;

  // Made when the library is loaded: see exit_order.h.
  static std::once_flag once;
  static RegisterUnits units;
};

} // namespace lgc
