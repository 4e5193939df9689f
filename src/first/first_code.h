// SPDX-License-Identifier: MIT
//
// First code: a code generator for the first draw. It makes machine code of a shader in hardware form in a fraction of
// LLVM's time; LLVM's code replaces it later. docs/first-code.md follows its steps.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/program.h"
#include "src/first/refusal.h"
#include "src/isa/encoder.h"
#include <cstdint>
#include <llvm/IR/Function.h>
#include <variant>
#include <vector>

namespace dovetail::first {

// A dword of the code that the join fills in.
struct CodeField {
  uint32_t offset; // of the dword, from the start of the code
  bool isScalarOffset; // the offset field of a scalar load; otherwise a literal
  RelocatedConstant constant;
};

struct FirstCode {
  isa::Encoder encoder;
  std::vector<CodeField> fields; // sorted by offset
  uint32_t ldsBytes = 0, scratchBytes = 0; // of a group, of a lane
  uint32_t pixelInputs = 0; // PsInputBits, of fragment shaders
};

// Makes code of the entry function of a module in hardware form, behind the last step of the middle-end. The module
// stays as it is. Thread-safe for modules of different LLVMContexts.
std::variant<FirstCode, Refusal> makeFirstCode(const llvm::Function &entry, const TargetInfo &target);

} // namespace dovetail::first
