// SPDX-License-Identifier: MIT
//
// Where the time of compiles goes: CPU time by phase, summed up over all threads of the process. One phase runs at a
// time in a thread; one that begins within another interrupts it. Taking the time costs a fraction of a microsecond at
// each change.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace dovetail {

enum class CompilePhase {
  Validate,  // SPIR-V, when a shader is made
  Translate, // to LLVM IR with recorded ops, and its structure verified
  Replay,    // recorded ops to LLVM IR
  Optimize,  // LLVM's and our passes on IR, before and in hardware form
  Lower,     // inputs, outputs and user data to the hardware form
  Prepare,   // IR for instruction selection: structured control flow, what is uniform
  Select,    // instructions, and their optimisation in SSA form
  Schedule,  // before and behind the allocation of registers
  Allocate,  // registers, with what it needs: live ranges, coalescing
  Emit,      // waits, hazards, branches, the object file
  Read,      // the object file
  Check,     // code decoded, its hazards and registers summed up
};
constexpr size_t CompilePhaseCount = size_t(CompilePhase::Check) + 1;

std::string_view toString(CompilePhase phase); // "validate"

// CPU time in microseconds, by CompilePhase.
using PhaseTimes = std::array<double, CompilePhaseCount>;

// Of all compiles so far, but for phases that still run. Thread-safe.
PhaseTimes compilePhaseTimes();
// The same of what the calling thread compiled.
PhaseTimes threadPhaseTimes();

// The thread is in this phase while the object lives.
class PhaseScope {
public:
  explicit PhaseScope(CompilePhase phase);
  ~PhaseScope();
  PhaseScope(const PhaseScope &) = delete;
  PhaseScope &operator=(const PhaseScope &) = delete;

  // Within a scope: from here on, it is another phase.
  static void change(CompilePhase phase);

private:
  const int m_before;
};

} // namespace dovetail
