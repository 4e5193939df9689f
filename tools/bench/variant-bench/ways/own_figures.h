// SPDX-License-Identifier: MIT
//
// Measures the costs of our single steps, always on new parts or variants. Times are wall times in µs unless a comment
// says otherwise.
#pragma once

#include "parts/cache/part_maker.h"
#include "tools/bench/variant-bench/measure/programs.h"
#include "variants/bind/device.h"
#include <string>

namespace dovetail {

// Main parts are made one after the other, so many times.
struct MainTimes {
  std::vector<double> cpu;  // CPU times of the process
  std::vector<double> wall; // wall times, with all CPUs to run on
};

class OwnFigures {
public:
  // Errors: UnknownGpu; those of the compiler.
  static Result<OwnFigures> create(const std::string &gpu);

  // Makes prologs of the program's vertex shader and epilogs of its fragment shader, from the state to the part.
  // Errors: those of the parts.
  Result<std::vector<double>> coldPrologs(const BenchProgram &program, const std::vector<PipelineState> &states);
  Result<std::vector<double>> coldEpilogs(const BenchProgram &program, const std::vector<PipelineState> &states);

  // Binds states whose parts are known, but which were never bound together: those of BenchProgram::pairs outside of
  // the first row and the first column. Errors: those of binding; CheckFailed if a bind made a part or no variant.
  Result<std::vector<double>> newVariants(const BenchProgram &program);

  // Binds states that need a new prolog, a new epilog, or both, while the main parts are known. Errors: those of
  // binding; CheckFailed if a bind compiled anything.
  Result<std::vector<double>> firstUses(const BenchProgram &program, unsigned states);

  // Makes all main parts of a program, from SPIR-V to parts. Errors: those of the compiler.
  Result<MainTimes> mainParts(const BenchProgram &program, unsigned runs);

  // CPU times of the main part of a fragment shader that writes a constant. Errors: those of the compiler.
  Result<std::vector<double>> trivialParts(unsigned runs);

private:
  Result<std::unique_ptr<Device>> freshDevice() const;

  std::string m_gpu;
  std::unique_ptr<PartMaker> m_pinnedMaker, m_freeMaker; // their threads run on one CPU, and on all CPUs
};

// ns per bind, for `binds` binds of known variants in random order; one figure for each round. Errors: those of
// Device::create().
Result<std::vector<double>> timeKnownBinds(unsigned variants, unsigned binds, unsigned rounds);

} // namespace dovetail
