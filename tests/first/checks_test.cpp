// SPDX-License-Identifier: MIT
//
// The checks behind selection and placing find nothing in what first code makes, and nearly all faults that are put in.
#include "parts/compile/compose_ir.h"
#include "parts/kinds/main_part.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/first/emit/registers.h"
#include "src/first/emit/spill.h"
#include "src/first/form/check_instructions.h"
#include "src/first/form/check_places.h"
#include "src/first/form/merge_accesses.h"
#include "src/first/read/read_program.h"
#include "src/first/select/select.h"
#include "src/lgc/builder_context.h"
#include "tests/driver/own_shaders.h"
#include "tests/first/break_machine.h"
#include "tests/first/machine_run.h"
#include "tests/first/misplace.h"
#include "variants/assemble/get_parts.h"
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail;
using namespace dovetail::first;

namespace {

struct Steps {
  first::Program program;
  ControlFlow flow;
  Machine selected, placed;
};

using Visitor = std::function<void(const Steps &, const TargetInfo &)>;

// Of each shader, as far as first code comes: with all registers, and as a second attempt does that has very few.
void visitSteps(const llvm::Function &entry, const TargetInfo &target, uint32_t inputs, const Visitor &visit) {
  for (bool savesRegisters : {false, true}) {
    auto read = readProgram(entry, target, inputs);
    if (std::holds_alternative<Refusal>(read))
      return;
    Steps steps{std::move(std::get<first::Program>(read)), {}, {}, {}};
    mergeAccesses(steps.program);
    if (!planControlFlow(steps.program, steps.flow).empty())
      return;
    auto selected = selectInstructions(steps.program, steps.flow, target, savesRegisters);
    if (std::holds_alternative<Refusal>(selected))
      return;
    steps.selected = std::get<Machine>(selected);
    steps.placed = steps.selected;
    if (savesRegisters)
      spillRegisters(steps.program, steps.placed, {20, 16});
    if (placeRegisters(steps.program, steps.placed).empty())
      visit(steps, target);
  }
}

bool hasWhole(const Machine &machine) {
  return std::ranges::any_of(machine.instructions, &MachineInstruction::isWhole);
}

// `step`: every so many shaders, and all that compute in whole waves.
size_t forEachMachine(size_t step, const Visitor &visit) {
  size_t made = 0;
  for (const std::string gpu : {"gfx900", "gfx803"}) {
    llvm::LLVMContext llvmContext;
    auto context = lgc::BuilderContext::create(llvmContext, gpu);
    REQUIRE(context);
    size_t index = 0;
    forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
      const bool isChosen = index++ % step == 0;
      const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
      MainPartKey key = source.key;
      key.tier = CodeTier::FirstCode;
      Result<lgc::HardwareFormShader> lowered = lowerShader(key, source.words, **context);
      REQUIRE_MESSAGE(lowered, lowered.error().text);
      REQUIRE((*context)->finishMiddleEnd(*lowered));
      Result<llvm::Function *> entry = findHardwareEntry(*lowered->module);
      REQUIRE(entry);
      CAPTURE(shader.description.name);
      visitSteps(**entry, (*context)->targetInfo(), pixelInputsOf(lowered->interface),
                 [&](const Steps &steps, const TargetInfo &target) {
                   if (!isChosen && !hasWhole(steps.selected))
                     return;
                   ++made;
                   visit(steps, target);
                 });
    });
  }
  return made;
}

struct Count {
  size_t tried = 0, caught = 0;
  double rate() const { return tried ? double(caught) / double(tried) : 0; }
};

constexpr uint64_t Seeds = 8;

std::string runOften(const Steps &steps, const Machine &machine) {
  std::string difference;
  for (uint64_t seed = 1; seed <= Seeds && difference.empty(); ++seed)
    difference = runInPlaces(steps.program, machine, seed);
  return difference;
}

} // namespace

TEST_CASE("the checks of first code's steps find nothing in code of own shaders") {
  const size_t made = forEachMachine(1, [](const Steps &steps, const TargetInfo &target) {
    CHECK(checkInstructions(steps.program, steps.flow, steps.selected, target) == "");
    CHECK(checkPlaces(steps.program, steps.placed) == "");
    CHECK(runOften(steps, steps.placed) == "");
  });
  CHECK(made > 1000);
}

TEST_CASE("nearly all faults of selection are caught before registers have places") {
  constexpr unsigned Tries = 4;
  Random random(20261129);
  std::array<Count, BreakCount> counts;
  forEachMachine(3, [&](const Steps &steps, const TargetInfo &target) {
    for (unsigned kind = 0; kind < BreakCount; ++kind)
      for (unsigned i = 0; i < Tries; ++i) {
        const auto broken = breakInstructions(steps.program, steps.flow, steps.selected, Break(kind), random);
        if (!broken)
          break;
        ++counts[kind].tried;
        const bool isCaught = !checkInstructions(steps.program, steps.flow, *broken, target).empty();
        counts[kind].caught += isCaught;
      }
  });
  std::string table;
  for (unsigned kind = 0; kind < BreakCount; ++kind)
    table += fmt::format("{:14} {:6} of {:6}\n", toString(Break(kind)), counts[kind].caught, counts[kind].tried);
  MESSAGE(table);
  for (unsigned kind = 0; kind < BreakCount; ++kind) {
    INFO(toString(Break(kind)));
    CHECK(counts[kind].tried > 10);
    CHECK(counts[kind].rate() >= 0.95);
  }
}

TEST_CASE("nearly all faults of placing are caught before code is emitted") {
  constexpr unsigned Tries = 12;
  Random random(20261130);
  std::array<Count, MisplaceCount> counts;
  size_t harmless = 0, careful = 0;
  forEachMachine(3, [&](const Steps &steps, const TargetInfo &) {
    for (unsigned kind = 0; kind < MisplaceCount; ++kind)
      for (unsigned i = 0; i < Tries; ++i) {
        const auto broken = misplace(steps.placed, Misplace(kind), random);
        if (!broken)
          continue;
        const bool isCaught = !checkPlaces(steps.program, *broken).empty();
        if (Misplace(kind) != Misplace::Torn && runOften(steps, *broken).empty()) {
          ++harmless;
          careful += isCaught; // on a way that no run took
          continue;
        }
        ++counts[kind].tried;
        counts[kind].caught += isCaught;
      }
  });
  std::string table;
  for (unsigned kind = 0; kind < MisplaceCount; ++kind)
    table += fmt::format("{:14} {:6} of {:6}\n", toString(Misplace(kind)), counts[kind].caught, counts[kind].tried);
  MESSAGE(table, "no run differs: ", harmless, ", of which the check complains of ", careful);
  for (unsigned kind = 0; kind < MisplaceCount; ++kind) {
    INFO(toString(Misplace(kind)));
    // Copies seldom exchange registers, and few shaders compute in whole waves.
    const bool isRare = Misplace(kind) == Misplace::Aside || Misplace(kind) == Misplace::Whole;
    CHECK(counts[kind].tried >= (isRare ? 1u : 1000u));
    CHECK(counts[kind].rate() >= 0.95);
  }
}
