// SPDX-License-Identifier: MIT
//
// Tells where compiles spend their time: CPU time by phase, summed up over all threads of the process. A thread is in
// one phase at a time; a phase that begins within another interrupts it. Each change of phase costs a fraction of a
// microsecond.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace dovetail {

enum class CompilePhase {
  Validate,  // SPIR-V, when a shader is made
  Translate, // SPIR-V to LLVM IR, with recorded ops or without; verification of the structure of recorded forms
  Replay,    // attributes of the function; recorded ops to LLVM IR
  Optimize,  // LLVM's passes and ours on IR, before and in hardware form
  Lower,     // inputs, outputs and user data to the hardware form
  Prepare,   // IR for instruction selection: structured control flow, uniformity
  Select,    // instruction selection, and optimisation of the instructions in SSA form
  Schedule,  // before and after register allocation
  Allocate,  // register allocation and its preparation: live ranges, coalescing
  Emit,      // waits, hazards, branches, the object file
  Read,      // reading the object file
  Check,     // decoding the code, summing up its hazards and registers
};
constexpr size_t CompilePhaseCount = size_t(CompilePhase::Check) + 1;

std::string_view toString(CompilePhase phase); // "validate"

// CPU time in microseconds, by CompilePhase.
using PhaseTimes = std::array<double, CompilePhaseCount>;

// Times of all compiles so far, without phases that still run. Thread-safe.
PhaseTimes compilePhaseTimes();
// The same for compiles on the calling thread.
PhaseTimes threadPhaseTimes();

// A function that is called at each change of phase, on the thread that changes, with the phase that ends; nothing: the
// thread was in no phase. For tools that count something else than time. nullptr, which it is at first: no function.
// Not thread-safe; to be set while nothing compiles.
using PhaseObserver = void (*)(std::optional<CompilePhase> ended);
void setPhaseObserver(PhaseObserver observer);

// The thread is in this phase while the object lives.
class PhaseScope {
public:
  explicit PhaseScope(CompilePhase phase);
  ~PhaseScope();
  PhaseScope(const PhaseScope &) = delete;
  PhaseScope &operator=(const PhaseScope &) = delete;

  // Within a scope: the thread is in `phase` from here on.
  static void change(CompilePhase phase);

private:
  const int m_before;
};

} // namespace dovetail
