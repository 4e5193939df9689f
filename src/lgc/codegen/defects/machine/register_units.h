// SPDX-License-Identifier: MIT
//
// Which VGPRs and SGPRs LLVM's registers are, as numbers.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace llvm {
class TargetRegisterInfo;
}

namespace lgc {

// By register unit: one more than the number of the VGPR or SGPR that it is part of, or 0. They are the same for all
// GPUs.
class RegisterUnits {
public:
  std::vector<uint16_t> vgprEnds, sgprEnds;

  static const RegisterUnits &get(const llvm::TargetRegisterInfo &info);

private:
  void read(const llvm::TargetRegisterInfo &info);

  // As old as the library: see exit_order.h.
  static std::once_flag once;
  static RegisterUnits units;
};

} // namespace lgc
