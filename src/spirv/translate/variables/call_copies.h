// SPDX-License-Identifier: MIT
//
// Compilers from GLSL call a function with variables made for the call. An argument that is handed over by reference is
// copied into such a variable, and copied back when the function has returned. In a chain of calls, each call makes
// such copies. This file finds the variables that nothing else uses, so that the function can be given the originals.
#pragma once

#include "src/spirv/module/module.h"
#include <span>
#include <unordered_map>

namespace dovetail::spirv {

// A variable of a function's own memory that only one call and the copies around it use.
struct CallCopy {
  uint32_t original = 0; // the variable or parameter of the function that it is copied from and back to
  const Instruction *givenLoad = nullptr, *givenStore = nullptr; // the copy to it
};

struct CallCopies {
  std::unordered_map<uint32_t, CallCopy> variables;
  std::unordered_map<uint32_t, uint32_t> values; // values that are only copied -> the variable
};

// `useCounts`: by id. The result holds only if the call gets no other pointer into the same original.
CallCopies findCallCopies(const Function &function, std::span<const uint32_t> useCounts);

} // namespace dovetail::spirv
