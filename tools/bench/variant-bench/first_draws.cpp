// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/first_draws.h"
#include "src/base/compile_phases.h"
#include "src/spirv/validate/valid_modules.h"

namespace dovetail {

namespace {

// Groups the phases of a compile, because a chart has only so many colours. A group is a run of phases, from the first
// to the last.
struct PhaseGroup {
  const char *name;
  CompilePhase first, last;
};
constexpr PhaseGroup Groups[] = {{"validate", CompilePhase::Validate, CompilePhase::Validate},
                                 {"translate, replay", CompilePhase::Translate, CompilePhase::Replay},
                                 {"optimise, lower", CompilePhase::Optimize, CompilePhase::Lower},
                                 {"prepare, select", CompilePhase::Prepare, CompilePhase::Select},
                                 {"schedule", CompilePhase::Schedule, CompilePhase::Schedule},
                                 {"allocate", CompilePhase::Allocate, CompilePhase::Allocate},
                                 {"emit, read, check", CompilePhase::Emit, CompilePhase::Check}};

} // namespace

Result<FirstDraw> measureFirstDraw(Device &device, const BenchProgram &program) {
  spirv::forgetValidModules(); // the program was read in this process
  const PhaseTimes before = compilePhaseTimes();
  for (const ShaderRef &shader : program.set.shaders)
    if (shader)
      DOVETAIL_TRY(createShader(shader->description));
  const VariantRef variant = DOVETAIL_TRY(device.bind(program.set, program.grid.states.front()));
  const PhaseTimes after = compilePhaseTimes();

  FirstDraw draw = {program.name, {}};
  for (const PhaseGroup &group : Groups) {
    double time = 0;
    for (auto phase = size_t(group.first); phase <= size_t(group.last); ++phase)
      time += after[phase] - before[phase];
    draw.phases.emplace_back(group.name, time);
  }
  double encodedAndJoined = variant->joinMicroseconds;
  for (const ImagePart &use : variant->image->parts)
    if (makingOf(use.part->key.kind) == PartMaking::Encoded)
      encodedAndJoined += use.part->buildMicroseconds;
  draw.phases.emplace_back("encode, join", encodedAndJoined);
  return draw;
}

} // namespace dovetail
