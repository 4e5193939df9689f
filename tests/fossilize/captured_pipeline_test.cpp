// SPDX-License-Identifier: MIT
//
// Pipelines of databases as inputs of the tools.
#include "tests/fossilize/capture_program.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/fossilize/sampler_words.h"
#include "tools/common/fossilize/write_object.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/reference/reference.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

template <typename Value> Value must(Result<Value> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

// A database with a graphics pipeline, then a compute pipeline.
struct Captured : TemporaryFolder {
  Captured() : path(*this / "two.foz"), program(simpleShaders()) {
    auto capture = must(Capture::create(path));
    state = defaultState(program.shaders);
    graphics = must(capture->add(program.capture(state)));
    const CapturedProgram compute({simpleComputeShader()});
    computing = must(capture->add(compute.capture({})));
  }
  std::string path;
  CapturedProgram program;
  PipelineState state;
  ObjectHash graphics, computing;
};

UserDataNode nodeOf(const ShaderSet &shaders, UserDataNodeType type) {
  const auto found = std::ranges::find(shaders.userDataNodes(), type, &UserDataNode::type);
  REQUIRE(found != shaders.userDataNodes().end());
  return *found;
}

// Checks that the picture is the same as lavapipe's.
void checkDrawn(const DrawCase &drawCase) {
  const SceneResult reference = must(drawReference(drawCase.scene));
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    auto device = must(Device::create(gpu));
    const Drawing drawing = must(drawInEmulator(*device, drawCase, DrawnCode::Joined));
    const Comparison comparison = must(PictureJudge(*device, drawCase).compare(drawing.result, reference));
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
}

std::string errorOf(const std::string &name) {
  Result<PipelineInput> pipeline = readPipeline(name);
  return pipeline ? "no error" : pipeline.error().text;
}

} // namespace

TEST_CASE("a pipeline is named by its number or its hash") {
  Captured captured;
  CHECK(must(readPipeline(captured.path + "#0")).name == captured.path + "#" + captured.graphics.toHex());
  CHECK(must(readPipeline(captured.path + "#1")).shaders.shader(lgc::ShaderStage::Compute));
  CHECK((must(readPipeline(captured.path + "#" + captured.graphics.toHex())).state == captured.state));
  CHECK(errorOf(captured.path + "#2").find("there is no pipeline 2; it has 2") != std::string::npos);
  CHECK(errorOf(captured.path + "#x").find("expected a number, or a hash of 16 digits") != std::string::npos);
  CHECK(errorOf(captured.path).find("has 2 pipelines") != std::string::npos);
  CHECK(namesPipeline("a.foz#1"));
  CHECK_FALSE(namesPipeline("a.frag"));
  CHECK_FALSE(namesPipeline("a#1"));
}

TEST_CASE("specialisation constants and the root table are those of the capture") {
  Captured captured;
  const PipelineInput pipeline = must(readPipeline(captured.path + "#0"));
  const ShaderRef &vertex = pipeline.shaders.shader(lgc::ShaderStage::Vertex);
  REQUIRE(vertex->description.specConstants.size() == 1);
  CHECK(vertex->description.specConstants[0].id == 3);
  CHECK(vertex->description.specConstants[0].value == 2);
  CHECK((pipeline.shaders.userDataNodes() == captured.program.shaders.userDataNodes()));
}

TEST_CASE("each pipeline of a database is a unit of a corpus, and compiles") {
  Captured captured;
  const std::vector<CorpusUnit> units = must(findCorpusUnits({captured.path}));
  REQUIRE(units.size() == 2);
  auto device = must(Device::create("gfx900"));
  for (const CorpusUnit &unit : units) {
    const std::vector<ShaderOutcome> outcomes = compileUnit(*device, unit).shaders;
    CHECK(outcomes.size() == (unit.files[0].ends_with(captured.computing.toHex()) ? 1 : 2));
    for (const ShaderOutcome &outcome : outcomes) {
      CAPTURE(outcome.reason);
      CHECK((outcome.status == ShaderOutcome::Status::Compiled));
    }
  }
  CHECK(must(withStages(units, {lgc::ShaderStage::Compute})).size() == 1);
}

TEST_CASE("immutable samplers of the layout are drawn with") {
  TemporaryFolder folder;
  CapturedProgram program(simpleShaders());
  Sampler sampler;
  sampler.magFilter = VK_FILTER_NEAREST;
  sampler.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  program.layouts[1].bindings[0].immutableSamplers = {writeObject(sampler).hash};
  CapturedPipeline pipeline = program.capture(defaultState(program.shaders));
  pipeline.setLayouts[1].immutableSamplers = {sampler};
  REQUIRE(must(Capture::create(folder / "a.foz"))->add(pipeline));
  const PipelineInput input = must(readPipeline(folder / "a.foz"));
  using enum UserDataNodeType;
  CHECK(nodeOf(input.shaders, ImmutableSampler) == UserDataNode{ImmutableSampler, 1, 0, 0, 4, 4});
  CHECK(nodeOf(input.shaders, Image) == UserDataNode{Image, 1, 0, 0, 8, 8});
  const std::array<uint32_t, 4> words = samplerWords(sampler);
  CHECK(std::ranges::equal(input.shaders.layout->immutableSamplers(), words));
  const DrawCase drawCase = must(makeDrawCase(input, DrawRequest()));
  CHECK(drawCase.shaders.layout->immutableSamplers() == input.shaders.layout->immutableSamplers());
  checkDrawn(drawCase);
  bool isThere = false;
  for (const SceneDescriptor &descriptor : drawCase.scene.descriptors)
    if (descriptor.set == 1) {
      isThere = true;
      CHECK(drawCase.scene.samplers[descriptor.sampler].addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
      CHECK(drawCase.scene.samplers[descriptor.sampler].magFilter == VK_FILTER_NEAREST);
    }
  CHECK(isThere);
}

TEST_CASE("a captured conversion is drawn with, which lavapipe cannot do") {
  TemporaryFolder folder;
  CapturedProgram program(simpleShaders());
  Sampler sampler;
  sampler.ycbcrConversion.emplace().format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  sampler.ycbcrConversion->ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
  program.layouts[1].bindings[0].immutableSamplers = {writeObject(sampler).hash};
  CapturedPipeline pipeline = program.capture(defaultState(program.shaders));
  pipeline.setLayouts[1].immutableSamplers = {sampler};
  REQUIRE(must(Capture::create(folder / "a.foz"))->add(pipeline));
  const DrawCase drawCase = must(makeDrawCase(must(readPipeline(folder / "a.foz")), DrawRequest()));
  for (const char *gpu : {"gfx900", "gfx803"}) {
    auto device = must(Device::create(gpu));
    const Drawing joined = must(drawInEmulator(*device, drawCase, DrawnCode::Joined));
    const Drawing whole = must(drawInEmulator(*device, drawCase, DrawnCode::Monolithic));
    const Comparison comparison = compare(drawCase.scene, whole.result, joined.result, monolithicTolerance());
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
  const Result<SceneResult> reference = drawReference(drawCase.scene);
  REQUIRE_FALSE(reference);
  CHECK(reference.error().text.find("lavapipe has no YCbCr conversions") != std::string::npos);
}

TEST_CASE("a scene's file has the last word about immutable samplers, too") {
  TemporaryFolder folder;
  CapturedProgram program(simpleShaders());
  Sampler sampler;
  sampler.anisotropyEnable = true; // scenes have no such samplers
  sampler.maxAnisotropy = 4;
  program.layouts[1].bindings[0].immutableSamplers = {writeObject(sampler).hash};
  CapturedPipeline pipeline = program.capture(defaultState(program.shaders));
  pipeline.setLayouts[1].immutableSamplers = {sampler};
  REQUIRE(must(Capture::create(folder / "a.foz"))->add(pipeline));
  const PipelineInput input = must(readPipeline(folder / "a.foz"));
  const DrawCase drawCase = must(makeDrawCase(input, DrawRequest()));
  CHECK(input.shaders.layout->immutableSamplers()[0] != drawCase.shaders.layout->immutableSamplers()[0]);
  CHECK(std::ranges::equal(drawCase.shaders.layout->immutableSamplers(),
                           emulator::samplerDescriptor(toSceneSampler(sampler))));
  checkDrawn(drawCase);
}

TEST_CASE("constants of the command line leave immutable samplers as they are") {
  TemporaryFolder folder;
  CapturedProgram program(simpleShaders());
  program.layouts[1].bindings[0].immutableSamplers = {writeObject(Sampler()).hash};
  CapturedPipeline pipeline = program.capture(defaultState(program.shaders));
  pipeline.setLayouts[1].immutableSamplers = {Sampler()};
  REQUIRE(must(Capture::create(folder / "a.foz"))->add(pipeline));
  ReadOptions options;
  options.specConstants = {"7=2"};
  CHECK(must(readPipeline(folder / "a.foz", options)).shaders.layout->immutableSamplers().size() == 4);
}

TEST_CASE("what is missing in a database is named") {
  TemporaryFolder folder;
  auto writer = DatabaseWriter::open(folder / "a.foz", DatabaseWriter::Mode::Replace).value();
  ComputePipeline pipeline;
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline.stage.module = {0x12};
  REQUIRE(addObject(*writer, pipeline));
  CHECK(errorOf(folder / "a.foz").find("there is no shader module 0000000000000012") != std::string::npos);
}

TEST_CASE("a library is no pipeline, and mesh shaders are none of ours") {
  TemporaryFolder folder;
  auto writer = DatabaseWriter::open(folder / "a.foz", DatabaseWriter::Mode::Replace).value();
  GraphicsPipeline library, mesh;
  library.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  mesh.stages.emplace().emplace_back().stage = VK_SHADER_STAGE_MESH_BIT_EXT;
  REQUIRE(addObject(*writer, library));
  REQUIRE(addObject(*writer, mesh));
  CHECK(errorOf(folder / "a.foz#0").find("is a library of pipelines") != std::string::npos);
  Result<PipelineInput> refused = readPipeline(folder / "a.foz#1");
  REQUIRE_FALSE(refused);
  CHECK((refused.error().code == ErrorCode::Unsupported));
}
