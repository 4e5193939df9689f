// SPDX-License-Identifier: MIT
//
// Valid shaders in unusual forms: both GPUs draw them, joined and monolithic, as lavapipe does.
#include "tests/driver/shared_device.h"
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Joined, monolithic and optimised. `define`: for the shader; may be empty.
void checkDrawn(const std::string &name, const std::string &define = "") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    DrawCorpusOptions options;
    options.gpu = gpu;
    options.optimized = true;
    if (!define.empty())
      options.read.defines = {define};
    const std::vector<DrawOutcome> outcomes =
        drawUnit(sharedDevice(gpu), {name, {DOVETAIL_DRIVER_SHADERS "/" + name}}, options);
    REQUIRE(outcomes.size() == 1);
    CHECK_MESSAGE((outcomes[0].status == DrawOutcome::Status::Match), gpu, ": ", outcomes[0].reason);
    CHECK_FALSE_MESSAGE(outcomes[0].showsNothing, outcomes[0].replay);
  }
}

} // namespace

TEST_CASE("a loop that only ends by a discard is left by its wave") {
  for (const char *define : {"UNIFORM", "TWO", "NESTED", ""})
    checkDrawn("endless_discard.frag", define);
  checkDrawn("endless_terminate.frag");
}

TEST_CASE("arrays of textures are parameters") {
  checkDrawn("opaque_parameters.frag");
  checkDrawn("opaque_arrays.frag"); // the twin of the shader that draw_cli_test.cpp draws
}

TEST_CASE("elements of an array in registers are written by index, whether or not the first one is") {
  checkDrawn("indexed_stores.comp");
  checkDrawn("filled_by_index.comp");
}
