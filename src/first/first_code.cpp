// SPDX-License-Identifier: MIT
#include "src/first/first_code.h"
#include "src/base/compile_phases.h"
#include "src/first/emit/emit_code.h"
#include "src/first/emit/registers.h"
#include "src/first/emit/spill.h"
#include "src/first/form/check_instructions.h"
#include "src/first/form/check_places.h"
#include "src/first/form/check_program.h"
#include "src/first/form/control_flow.h"
#include "src/first/form/merge_accesses.h"
#include "src/first/read/read_program.h"
#include "src/first/select/select.h"
#include <algorithm>

namespace dovetail::first {

namespace {

#ifdef NDEBUG
bool checksSteps = false;
#else
bool checksSteps = true;
#endif

// So many registers are left for what spilling reads at one time, and unused between tuples.
constexpr unsigned ScalarGaps = 12, VectorGaps = 24;

unsigned allBut(unsigned gaps, unsigned registers) {
  return registers - std::min(gaps, registers / 8);
}

// `check`: returns the first rule of a step's result that does not hold, or nothing.
template <typename Check> std::string faultIn(const Check &check) {
  if (!checksSteps)
    return {};
  std::string fault = check();
  return fault.empty() ? fault : faultOf(fault);
}

// From selection on. `savesRegisters`: in more time, for programs that have too few otherwise.
std::variant<FirstCode, Refusal> makeOfNodes(Program &program, const ControlFlow &flow, const TargetInfo &target,
                                             bool savesRegisters) {
  PhaseScope::change(CompilePhase::Select);
  auto selected = selectInstructions(program, flow, target, savesRegisters);
  if (auto *refusal = std::get_if<Refusal>(&selected))
    return std::move(*refusal);
  Machine &machine = std::get<Machine>(selected);
  if (std::string fault = faultIn([&] { return checkInstructions(program, flow, machine, target); }); !fault.empty())
    return Refusal{std::move(fault)};
  PhaseScope::change(CompilePhase::Allocate);
  Spills spills;
  if (savesRegisters)
    spills =
        spillRegisters(program, machine, {allBut(ScalarGaps, program.maxSgprs), allBut(VectorGaps, program.maxVgprs)});
  if (std::string reason = placeRegisters(program, machine); !reason.empty())
    return Refusal{std::move(reason)};
  if (std::string fault = faultIn([&] { return checkPlaces(program, machine); }); !fault.empty())
    return Refusal{std::move(fault)};
  PhaseScope::change(CompilePhase::Emit);
  FirstCode code{isa::Encoder(target.gfxIp.major >= 9, machine.instructions.size() * 5 / 4 + 16), {}};
  code.spills = spills;
  code.ldsBytes = program.ldsBytes;
  code.scratchBytes = program.scratchBytes;
  code.constants = program.tables;
  if (std::string reason = emitCode(program, machine, target, code); !reason.empty())
    return Refusal{std::move(reason)};
  return code;
}

} // namespace

void setStepChecks(bool areOn) {
  checksSteps = areOn;
}

std::variant<FirstCode, Refusal> makeFirstCode(const llvm::Function &entry, const TargetInfo &target,
                                               uint32_t pixelInputs) {
  const PhaseScope phase(CompilePhase::Prepare);
  auto read = readProgram(entry, target, pixelInputs);
  if (auto *refusal = std::get_if<Refusal>(&read))
    return std::move(*refusal);
  Program &program = std::get<Program>(read);
  mergeAccesses(program);
  if (std::string fault = faultIn([&] { return checkProgram(program); }); !fault.empty())
    return Refusal{std::move(fault)};
  ControlFlow flow;
  if (std::string reason = planControlFlow(program, flow); !reason.empty())
    return Refusal{std::move(reason)};
  std::vector<Node> nodes = program.nodes; // selection changes them
  auto made = makeOfNodes(program, flow, target, false);
  if (const auto *refusal = std::get_if<Refusal>(&made);
      refusal && (refusal->reason == TooFewSgprs || refusal->reason == TooFewVgprs)) {
    program.nodes = std::move(nodes);
    made = makeOfNodes(program, flow, target, true);
  }
  return made;
}

} // namespace dovetail::first
