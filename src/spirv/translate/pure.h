// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/module/module.h"

namespace dovetail::spirv {

// Whether such instructions neither write memory nor branch.
inline bool isPure(spv::Op opcode) {
  using spv::Op;
  switch (opcode) {
  case Op::OpLoad:
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
    return true;
  default: // vectors and composites; conversions, arithmetic, comparisons, bits, derivatives
    return (opcode >= Op::OpVectorExtractDynamic && opcode <= Op::OpTranspose) ||
           (opcode >= Op::OpConvertFToU && opcode <= Op::OpFwidthCoarse);
  }
}

} // namespace dovetail::spirv
