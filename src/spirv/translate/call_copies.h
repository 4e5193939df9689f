// SPDX-License-Identifier: MIT
//
// Compilers from GLSL call a function with variables made for the call: what is handed over by reference is copied into
// such a variable, and back when the function has returned. For a chain of calls, these are as many copies as calls.
// Here is found which variables nothing else uses, so that the function can be given what they are copies of.
#pragma once

#include "src/spirv/module/module.h"
#include <span>
#include <unordered_map>

namespace dovetail::spirv {

// A variable of a function's own memory that only one call and the copies around it use.
struct CallCopy {
  uint32_t original = 0; // what it is a copy of and copied back to: a variable or parameter of the function
  const Instruction *givenLoad = nullptr, *givenStore = nullptr; // the copy to it
};

struct CallCopies {
  std::unordered_map<uint32_t, CallCopy> variables;
  std::unordered_map<uint32_t, uint32_t> values; // that are only copied -> the variable
};

// `useCounts`: by id. What is found holds if the call is given no other pointer into the same original.
CallCopies findCallCopies(const Function &function, std::span<const uint32_t> useCounts);

} // namespace dovetail::spirv
