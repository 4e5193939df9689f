// SPDX-License-Identifier: MIT
//
// Maps LLVM's registers to the numbers of VGPRs and SGPRs.
#pragma once

#include <cstdint>
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

  static const RegisterUnits &get(const llvm::TargetRegisterInfo &info);

private:
  void read(const llvm::TargetRegisterInfo &info);

  // Made when the library is loaded: see exit_order.h.
  static std::once_flag once;
  static RegisterUnits units;
};

} // namespace lgc
