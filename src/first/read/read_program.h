// SPDX-License-Identifier: MIT
//
// First step of first code: reads a shader in hardware form (lgc::HardwareFormShader) into scalar nodes. Equal
// operations become one node, and each node gets its bank and whether lanes may differ in it.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/form/program.h"
#include <llvm/IR/Function.h>
#include <variant>

namespace dovetail::first {

// `pixelInputs`: PsInputBits that have registers, of fragment shaders.
std::variant<Program, Refusal> readProgram(const llvm::Function &function, const TargetInfo &target,
                                           uint32_t pixelInputs);

} // namespace dovetail::first
