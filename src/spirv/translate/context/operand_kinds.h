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

// The operands that may be ids of values. In rare instructions, they may also be literals.
inline std::span<const uint32_t> valueOperands(const Instruction &inst) {
  switch (inst.opcode) {
  case spv::Op::OpLoad:
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpSwitch:
    return inst.operands.first(1);
  case spv::Op::OpStore:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
    return inst.operands.first(2);
  default:
    return inst.operands;
  }
}

} // namespace dovetail::spirv
