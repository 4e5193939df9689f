// SPDX-License-Identifier: MIT
//
// A program that is captured and read back leads to the same variants.
#include "tests/fossilize/capture_program.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/bind/device.h"
#include "variants/c_api/convert/state_fields.h"
#include "variants/c_api/include/dovetail.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

VariantKey keyOf(const ShaderSet &shaders, const PipelineState &state) {
  return makeVariantKey(shaders, canonicalize(state, shaders), {});
}

template <typename Value> Value must(Result<Value> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

} // namespace

TEST_CASE("own programs under random states have the same keys when they are read from a capture") {
  constexpr uint64_t States = 3;
  TemporaryFolder folder;
  const std::string path = folder / "capture.foz";
  auto capture = must(Capture::create(path));
  std::vector<std::pair<std::string, VariantKey>> expected;
  for (const CorpusUnit &unit : must(findCorpusUnits({DOVETAIL_OWN_SHADERS}))) {
    Result<std::vector<ShaderRef>> shaders = readShaders(unit.files);
    if (!shaders || !makeShaderSet(*shaders))
      continue;
    const CapturedProgram program(*shaders);
    for (uint64_t seed = 1; seed <= States; ++seed) {
      PipelineState state = randomState(program.shaders, seed);
      state.squareComputeWaves = false; // Vulkan has no such state
      Ignored lost;
      (void)fromPipelineState(state, lost);
      REQUIRE(lost.empty());
      const ObjectHash hash = must(capture->add(program.capture(state)));
      expected.emplace_back(path + "#" + hash.toHex(), keyOf(program.shaders, state));
      if (program.shaders.reflection(lgc::ShaderStage::Compute))
        break;
    }
  }
  CHECK(expected.size() > 400);
  for (const auto &[name, key] : expected) {
    CAPTURE(name);
    const PipelineInput pipeline = must(readPipeline(name));
    CHECK((keyOf(pipeline.shaders, pipeline.state) == key));
    CHECK(pipeline.ignored.empty());
  }
}

TEST_CASE("a captured pipeline finds the variant that was bound") {
  TemporaryFolder folder;
  const CapturedProgram program(simpleShaders());
  const PipelineState state = randomState(program.shaders, 1);
  auto device = must(Device::create("gfx900"));
  const VariantRef bound = must(device->bind(program.shaders, state));
  const ObjectHash hash = must(must(Capture::create(folder / "a.foz"))->add(program.capture(state)));
  const PipelineInput pipeline = must(readPipeline((folder / "a.foz#") + hash.toHex()));
  CHECK(must(device->bind(pipeline.shaders, pipeline.state)) == bound);
}

TEST_CASE("a pipeline that was captured before is not written again") {
  TemporaryFolder folder;
  const CapturedProgram program(simpleShaders());
  auto capture = must(Capture::create(folder / "a.foz"));
  const PipelineState state = randomState(program.shaders, 1);
  const ObjectHash first = must(capture->add(program.capture(state)));
  CHECK(must(capture->add(program.capture(state))) == first);
  CHECK(capture->pipelineCount() == 1);
  CHECK(must(capture->add(program.capture(randomState(program.shaders, 2)))) != first);
  CHECK(capture->pipelineCount() == 2);
  auto database = Database::open(folder / "a.foz").value();
  CHECK(database->pipelines().size() == 2);
  // Two modules, two set layouts, a pipeline layout.
  CHECK(database->entries().size() == 7);
}

TEST_CASE("the C API's state is the same as plain data") {
  const CapturedProgram program(simpleShaders());
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    PipelineState state = randomState(program.shaders, seed);
    state.alphaTestFunc = VK_COMPARE_OP_LESS;
    state.clipDistanceEnable = uint8_t(seed);
    state.layeredFramebuffer = seed % 2;
    const auto bindings = c_api::toVertexBindings(state);
    const auto attributes = c_api::toVertexAttributes(state);
    CHECK((stateOf(c_api::fromPipelineState(state, bindings, attributes)) == state));
  }
}
