// SPDX-License-Identifier: MIT
//
// The supported instructions that end a block (SPIR-V, section 2.2.4, "Block Termination Instruction").
#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace dovetail::spirv {

constexpr bool isTerminator(spv::Op opcode) {
  switch (opcode) {
  case spv::Op::OpBranch:
  case spv::Op::OpBranchConditional:
  case spv::Op::OpSwitch:
  case spv::Op::OpReturn:
  case spv::Op::OpReturnValue:
  case spv::Op::OpKill:
  case spv::Op::OpTerminateInvocation:
  case spv::Op::OpUnreachable:
    return true;
  default:
    return false;
  }
}

} // namespace dovetail::spirv
