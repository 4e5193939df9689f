// SPDX-License-Identifier: MIT
//
// First code: a code generator for the first draw. It makes machine code of a shader in hardware form in a fraction of
// LLVM's time; LLVM's code replaces it later. docs/first-code.md follows its steps.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/emit/emit_code.h"
#include "src/first/form/refusal.h"
#include <llvm/IR/Function.h>
#include <variant>

namespace dovetail::first {

// Makes code of the entry function of a module in hardware form, behind the last step of the middle-end. The module
// stays as it is. Thread-safe for modules of different LLVMContexts.
// `pixelInputs`: of fragment shaders, the PsInputBits that have registers (ShaderInterface::inputs).
std::variant<FirstCode, Refusal> makeFirstCode(const llvm::Function &entry, const TargetInfo &target,
                                               uint32_t pixelInputs = 0);

// Whether the result of each step is checked before the next one takes it: at first, in builds with assertions. Faults
// are refusals (form/refusal.h). For benchmarks, which measure what a build without assertions does. Not thread-safe;
// to be set while nothing compiles.
void setStepChecks(bool areOn);

} // namespace dovetail::first
