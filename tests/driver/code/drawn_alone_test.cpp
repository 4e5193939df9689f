// SPDX-License-Identifier: MIT
//
// Some shaders are drawn only because something is made up around them, or made for lavapipe.
#include "tests/driver/shared_device.h"
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<DrawOutcome> outcomesOf(const std::vector<std::string> &names, const std::string &gpu,
                                    const std::string &passes = "", unsigned optimizationLevel = 2) {
  CorpusUnit unit = {names.front(), {}};
  for (const std::string &name : names)
    unit.files.push_back(DOVETAIL_DRIVER_SHADERS "/" + name);
  DrawCorpusOptions options;
  options.gpu = gpu;
  options.optimized = true;
  options.read.spirvPasses = passes;
  options.read.optimizationLevel = optimizationLevel;
  return drawUnit(sharedDevice(gpu), unit, options);
}

// Checks that the shaders draw the same as in lavapipe, and that they draw something. `passes`: of spirv-opt, run
// first.
void checkDrawn(const std::vector<std::string> &names, const std::string &passes = "", unsigned optimizationLevel = 2) {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    std::vector<DrawOutcome> outcomes = outcomesOf(names, gpu, passes, optimizationLevel);
    REQUIRE(outcomes.size() == 1);
    CHECK_MESSAGE((outcomes[0].status == DrawOutcome::Status::Match), gpu, ": ", outcomes[0].reason);
    CHECK_FALSE_MESSAGE(outcomes[0].showsNothing, outcomes[0].replay);
  }
}

} // namespace

TEST_CASE("input attachments are what earlier subpasses have left") {
  checkDrawn({"subpass_inputs.frag"});
}

TEST_CASE("addresses of buffers are followed from push constants and from buffers") {
  checkDrawn({"buffer_addresses.comp"});
}

TEST_CASE("addresses of buffers may be integers") {
  checkDrawn({"integer_addresses.comp"});
}

// Not among the own shaders: LLVM in RADV crashes on it.
TEST_CASE("elements of an array are indices into it") {
  checkDrawn({"self_index.comp"});
}

TEST_CASE("doubles of a uniform are loaded, whichever of them are used") {
  checkDrawn({"double_uniforms.comp"});
}

TEST_CASE("what functions get by reference is changed when they return, copies or not") {
  checkDrawn({"inout_calls.frag"});
  checkDrawn({"two_pointers.frag.spvasm"});
}

TEST_CASE("fragments that end do nothing more, those beside them do") {
  checkDrawn({"discards.frag"});
}

TEST_CASE("fragments that end in loops and switches stay ended behind them") {
  checkDrawn({"discards_in_loops.frag"});
  checkDrawn({"demotes_in_loops.frag"});
}

TEST_CASE("a discard ends only fragments that come to it, wherever its condition is computed") {
  checkDrawn({"discards_under_kept_conditions.frag"});
}

TEST_CASE("loops behind demotes of all fragments that are there end") {
  for (const char *name : {"loops_behind_demotes.frag", "loops_behind_demoted_quads.frag",
                           "loops_behind_demotes_and_discards.frag", "loops_behind_demotes_beside_discards.frag"})
    for (const unsigned level : {0u, 2u})
      checkDrawn({name}, "", level);
}

TEST_CASE("loops behind discards of all fragments of a branch end") {
  for (const unsigned level : {0u, 2u})
    checkDrawn({"loops_behind_uniform_discards.frag"}, "", level);
}

TEST_CASE("no fragment's value is read where there is none") {
  for (const unsigned level : {0u, 2u})
    checkDrawn({"returns_beside_counters.frag"}, "", level);
}

TEST_CASE("addresses behind demotes of all fragments that are there are no garbage") {
  for (const unsigned level : {0u, 2u})
    checkDrawn({"addresses_behind_demotes.frag"}, "", level);
}

TEST_CASE("atomics behind a demote take in the fragments that are left") {
  checkDrawn({"atomics_around_demote.frag"});
}

TEST_CASE("uniform values that exact mode has loaded are the same in whole quads") {
  checkDrawn({"uniform_values_of_exact_mode.frag"});
}

TEST_CASE("helpers take no part in atomics behind reads of arrays in registers") {
  checkDrawn({"indexed_by_loaded.frag"});
}

TEST_CASE("loops over lanes' descriptors leave whole quads and exact mode as they were") {
  checkDrawn({"loops_over_descriptors.frag"});
}

TEST_CASE("helpers that took one way of a branch stay left out behind the other") {
  checkDrawn({"else_behind_quads.frag"});
}

TEST_CASE("the first half of a merged program leaves registers to the second") {
  checkDrawn({"many_values.vert", "many_values.geom", "many_values.frag"});
  checkDrawn({"many_values.vert", "many_values.tesc", "many_values.tese", "many_values.frag"});
}

TEST_CASE("more push constants than lavapipe has reach it in a buffer") {
  checkDrawn({"push_constants_256.frag"});
}

TEST_CASE("the least LOD of an instruction, which lavapipe does not know, reaches it as an explicit LOD") {
  checkDrawn({"lod_clamp.frag"});
}

TEST_CASE("a lone control shader is drawn") {
  checkDrawn({"lone_control.tesc"});
}

TEST_CASE("a bit that is compared twice gives opposite answers") {
  checkDrawn({"tested_bits.tesc"});
}

TEST_CASE("a signed byte is used behind a store to its place") {
  checkDrawn({"signed_bytes.comp.spvasm"});
}

TEST_CASE("a lone evaluation shader is drawn") {
  checkDrawn({"lone_evaluation.tese"});
}

TEST_CASE("offsets that come out of divergent loops stay in scalar registers") {
  checkDrawn({"register_loops.tese"}, "-O");
}

TEST_CASE("what is beyond a constant array is no page fault") {
  checkDrawn({"beyond_table.frag"});
}

TEST_CASE("a lone geometry shader is drawn") {
  checkDrawn({"lone_geometry.geom"});
}

TEST_CASE("a geometry shader that reads no vertex is drawn") {
  checkDrawn({"ignores_vertices.geom"});
}

TEST_CASE("a vertex shader without a position is drawn") {
  checkDrawn({"no_position.vert"});
}

TEST_CASE("outputs that nothing writes have the values of their initializers") {
  checkDrawn({"initialized_outputs.frag.spvasm"});
  checkDrawn({"initialized_outputs.vert.spvasm"});
}

TEST_CASE("a loop without an end that nothing enters is no harm to the outputs") {
  checkDrawn({"endless_loop.vert"});
  checkDrawn({"endless_loop.tese"});
  checkDrawn({"endless_loop.geom"});
}

TEST_CASE("a shader that never ends has what the hardware wants on the way to its end") {
  ReadOptions read;
  read.defines = {"ALWAYS"};
  for (const char *stage : {"vert", "tese", "geom"}) {
    const std::string name = std::string(DOVETAIL_DRIVER_SHADERS "/endless_loop.") + stage;
    for (const char *gpu : {"gfx900", "gfx803"})
      for (bool isMonolithic : {false, true})
        for (const ShaderOutcome &outcome :
             compileUnit(sharedDevice(gpu), {name, {name}}, {isMonolithic}, read).shaders)
          CHECK_MESSAGE((outcome.status == ShaderOutcome::Status::Compiled), gpu, ", ", stage, ": ", outcome.reason);
  }
}

TEST_CASE("shaders that contradict each other are no valid input") {
  std::vector<DrawOutcome> outcomes = outcomesOf({"contradiction.tesc.spvasm", "contradiction.tese"}, "gfx900");
  REQUIRE(outcomes.size() == 1);
  CHECK((outcomes[0].status == DrawOutcome::Status::NotDrawn));
  CHECK((outcomes[0].notDrawn == NotDrawnClass::InvalidInput));
  CHECK(outcomes[0].reason.find("spacing") != std::string::npos);
}
