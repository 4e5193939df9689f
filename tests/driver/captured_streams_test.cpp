// SPDX-License-Identifier: MIT
#include "tests/driver/shared_device.h"
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Checks that the emulator captures the streams that lavapipe captures.
void checkCaptured(const std::string &name) {
  const std::string stem = DOVETAIL_DRIVER_SHADERS "/" + name;
  const CorpusUnit unit = {stem, {stem + ".vert", stem + ".geom"}};
  for (const char *gpu : {"gfx900", "gfx803"}) {
    DrawCorpusOptions options;
    options.gpu = gpu;
    for (const DrawOutcome &outcome : drawUnit(sharedDevice(gpu), unit, options)) {
      CHECK_MESSAGE((outcome.status == DrawOutcome::Status::Match), gpu, ": ", outcome.reason);
      CHECK(outcome.isSameAsMonolithic);
      CHECK_FALSE(outcome.showsNothing);
    }
  }
}

} // namespace

TEST_CASE("two streams are captured that no fragment shader sees") {
  checkCaptured("two_captured_streams");
}

TEST_CASE("built-ins of another stream than the first are captured, and not rasterised") {
  checkCaptured("position_of_second_stream");
}
