// SPDX-License-Identifier: MIT
//
// Whole pipeline files.
#include "tests/tools/temporary_folder.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/reference/reference.h"
#include "variants/bind/device.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const char *const Whole = R"(; what a driver dumped
[Version]
version = 70

[VsGlsl]
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
layout(constant_id = 4) const float scale = 1;
layout(set = 1, binding = 3) uniform Block { vec4 offset; };
void main() { gl_Position = position * scale + offset; place = position.xy; }

[VsInfo]
entryPoint = main
options.vgprLimit = 0
specConst.mapEntry[0].constantID = 4
specConst.mapEntry[0].offset = 4
specConst.mapEntry[0].size = 4
specConst.floatData = 7, 0.5,

[FsGlsl]
#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = place.xyxy; }

[FsInfo]
entryPoint = main

[ResourceMapping]
userDataNode[0].visibility = 2
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].offsetInDwords = 2
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = DescriptorConstBuffer
userDataNode[0].next[0].offsetInDwords = 8
userDataNode[0].next[0].sizeInDwords = 4
userDataNode[0].next[0].set = 0x00000001
userDataNode[0].next[0].binding = 3

[GraphicsPipelineState]
topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
deviceIndex = 0
colorBuffer[0].format = VK_FORMAT_R16G16B16A16_SFLOAT
colorBuffer[0].channelWriteMask = 15

[VertexInputState]
binding[0].binding = 0
binding[0].stride = 16
attribute[0].location = 0
attribute[0].binding = 0
attribute[0].format = VK_FORMAT_R32G32B32A32_SFLOAT
attribute[0].offset = 0

[ApiXfbOutInfo]
)";

template <typename Value> Value must(Result<Value> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

std::string errorOf(const std::string &name) {
  Result<PipelineInput> pipeline = readPipeline(name);
  return pipeline ? "no error" : pipeline.error().text;
}

const std::string Compute =
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint b[]; };\n"
    "void main() { b[gl_GlobalInvocationID.x] = 1; }\n";

} // namespace

TEST_CASE("a file becomes a pipeline with its constants, layout and state, and compiles") {
  TemporaryFolder folder;
  const PipelineInput pipeline = must(readPipeline(folder.write("a.pipe", Whole)));
  const ShaderRef &vertex = pipeline.shaders.shader(lgc::ShaderStage::Vertex);
  REQUIRE(vertex->description.specConstants.size() == 1);
  CHECK(vertex->description.specConstants[0].id == 4);
  CHECK(vertex->description.specConstants[0].value == 0x3f000000);
  CHECK(pipeline.shaders.userDataNodes().size() == 2);
  CHECK(pipeline.shaders.userDataNodes()[0].offsetInDwords == 2);
  CHECK(pipeline.shaders.userDataNodes()[1].offsetInDwords == 8);
  CHECK(pipeline.state.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  CHECK(pipeline.state.colorTargets[0].format == VK_FORMAT_R16G16B16A16_SFLOAT);
  CHECK(pipeline.ignored == std::vector<std::string>{"[VsInfo] options.vgprLimit",
                                                     "[GraphicsPipelineState] deviceIndex", "[ApiXfbOutInfo]"});
  CHECK(must(Device::create("gfx900"))->bind(pipeline.shaders, pipeline.state));
}

TEST_CASE("a root table that is none of ours is ignored, and named") {
  TemporaryFolder folder;
  const PipelineInput pipeline =
      must(readPipeline(folder.write("a.pipe", "[CsGlsl]\n" + Compute +
                                                   "[CsInfo]\nentryPoint = main\nuserDataNode[0].type = InlineBuffer\n"
                                                   "userDataNode[0].offsetInDwords = 0\n"
                                                   "userDataNode[0].sizeInDwords = 4\n")));
  REQUIRE(pipeline.ignored.size() == 1);
  CHECK(pipeline.ignored[0].starts_with("the root table ("));
  CHECK(pipeline.ignored[0].ends_with("userDataNode[0]: \"InlineBuffer\")"));
  // The table comes from reflection: a table with the buffer.
  CHECK(pipeline.shaders.userDataNodes().size() == 2);
}

TEST_CASE("a constant of no bytes, in a file without data, is 0") {
  TemporaryFolder folder;
  const PipelineInput pipeline = must(readPipeline(
      folder.write("a.pipe", "[CsGlsl]\n" + Compute + "[CsInfo]\nspecConst.mapEntry[0].constantID = 3\n")));
  const ShaderDescription &description = pipeline.shaders.shader(lgc::ShaderStage::Compute)->description;
  REQUIRE(description.specConstants.size() == 1);
  CHECK(description.specConstants[0].value == 0);
}

TEST_CASE("samplers that a file has the descriptors of are drawn with") {
  TemporaryFolder folder;
  const PipelineInput pipeline = must(readPipeline(folder.write("a.pipe", R"([CsGlsl]
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1) uniform sampler alone;
layout(set = 0, binding = 2) uniform texture2D image;
layout(set = 0, binding = 3) buffer B { vec4 results[64]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec2 place = vec2(float(i) / 48.0 - 0.2, float(i % 7u) / 5.0);
  results[i] = textureLod(combined, place, 0.0) + textureLod(sampler2D(image, alone), place, 0.0);
}
[CsInfo]
entryPoint = main
[ResourceMapping]
descriptorRangeValue[0].type = DescriptorSampler
descriptorRangeValue[0].set = 0
descriptorRangeValue[0].binding = 0
descriptorRangeValue[0].arraySize = 1
descriptorRangeValue[0].uintData = 146, 0xfff000, 0x4500000, 0
descriptorRangeValue[1].type = DescriptorSampler
descriptorRangeValue[1].set = 0
descriptorRangeValue[1].binding = 1
descriptorRangeValue[1].arraySize = 1
descriptorRangeValue[1].uintData = 0x49, 0xfff000, 0x4000000, 0
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].offsetInDwords = 3
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = DescriptorCombinedTexture
userDataNode[0].next[0].offsetInDwords = 4
userDataNode[0].next[0].sizeInDwords = 12
userDataNode[0].next[0].set = 0
userDataNode[0].next[0].binding = 0
userDataNode[0].next[1].type = DescriptorResource
userDataNode[0].next[1].offsetInDwords = 16
userDataNode[0].next[1].sizeInDwords = 8
userDataNode[0].next[1].set = 0
userDataNode[0].next[1].binding = 2
userDataNode[0].next[2].type = DescriptorBuffer
userDataNode[0].next[2].offsetInDwords = 0
userDataNode[0].next[2].sizeInDwords = 4
userDataNode[0].next[2].set = 0
userDataNode[0].next[2].binding = 3
)")));
  CHECK(pipeline.ignored.empty());
  const std::vector<uint32_t> words = pipeline.shaders.layout->immutableSamplers();
  CHECK(words == std::vector<uint32_t>{146, 0xfff000, 0x4500000, 0, 0x49, 0xfff000, 0x4000000, 0});
  const DrawCase drawCase = must(makeDrawCase(pipeline, DrawRequest()));
  CHECK(drawCase.shaders.layout->immutableSamplers() == words); // scenes have all of the layout
  const SceneResult reference = must(drawReference(drawCase.scene));
  auto device = must(Device::create("gfx900"));
  const Drawing drawing = must(drawInEmulator(*device, drawCase, DrawnCode::Joined));
  const Comparison comparison = must(PictureJudge(*device, drawCase).compare(drawing.result, reference));
  CHECK_MESSAGE(comparison.matches, comparison.text);
}

TEST_CASE("constants of the command line have the last word") {
  TemporaryFolder folder;
  ReadOptions options;
  options.specConstants = {"4=2"};
  const PipelineInput pipeline = must(readPipeline(folder.write("a.pipe", Whole), options));
  CHECK(pipeline.shaders.shader(lgc::ShaderStage::Vertex)->description.specConstants.back().value == 0x40000000);
}

TEST_CASE("a file without resource mapping is laid out by reflection") {
  TemporaryFolder folder;
  const PipelineInput pipeline = must(readPipeline(folder.write("a.pipe", "[CsGlsl]\n" + Compute)));
  CHECK(pipeline.shaders.userDataNodes().size() == 2);
}

TEST_CASE("shaders may be assembly, words in hexadecimal digits, or files beside") {
  TemporaryFolder folder;
  folder.write("other.comp", Compute);
  const std::vector<uint32_t> words = must(translateGlsl({{lgc::ShaderStage::Compute, "c", Compute}})).front();
  std::string hex;
  for (uint32_t word : words)
    hex += fmt::format("0x{:08x},{}", word, hex.size() % 7 ? " " : "\n");
  folder.write("other.spv", std::string(reinterpret_cast<const char *>(words.data()), words.size() * 4));
  const std::string assembly =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"start\"\n"
      "OpExecutionMode %main LocalSize 64 1 1\n%void = OpTypeVoid\n%f = OpTypeFunction %void\n"
      "%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  for (const char *text : {"[CsGlslFile]\nfileName = other.comp\n", "[CsSpvFile]\nfileName = other.spv\n"})
    CHECK(errorOf(folder.write("a.pipe", text)) == "no error");
  CHECK(errorOf(folder.write("a.pipe", "[CsSpirv]\n" + hex)) == "no error");
  CHECK(errorOf(folder.write("a.pipe", "[CsSpirv]\n" + assembly + "[CsInfo]\nentryPoint = start\n")) == "no error");
}

TEST_CASE("errors of shaders have lines of the file") {
  TemporaryFolder folder;
  const std::string wrong = "[Version]\nversion = 1\n[CsGlsl]\n#version 450\nvoid main() {\n  wrong();\n}\n";
  CHECK(errorOf(folder.write("a.pipe", wrong)).find("a.pipe:6: ") != std::string::npos);
}

TEST_CASE("GLSL of ES, in front of whose version nothing may stand, is read") {
  TemporaryFolder folder;
  CHECK(errorOf(folder.write(
            "a.pipe", "\n\n[CsGlsl]\n#version 310 es\nlayout(local_size_x = 1) in;\nvoid main() {}\n")) == "no error");
}

TEST_CASE("what is wrong or not had is said with the line") {
  TemporaryFolder folder;
  CHECK(errorOf(folder.write("a.pipe", "[rgenGlsl]\nvoid main() {}\n")).find("a.pipe:1: [rgenGlsl]: ray tracing") !=
        std::string::npos);
  CHECK(errorOf(folder.write("a.pipe", "[Version]\nversion = 1\n")).find("no section has a shader") !=
        std::string::npos);
  CHECK(errorOf(folder.write("a.pipe", "[CsSpvFile]\n")).find("a.pipe:1: fileName: not given") != std::string::npos);
  CHECK(errorOf(folder.write("a.pipe", "[CsGlsl]\n" + Compute + "[CsInfo]\nspecConst.mapEntry[0].size = 4\n"))
            .find("a.pipe:7: specConst.mapEntry[0]: 4 bytes at offset 0 of 0") != std::string::npos);
}

TEST_CASE("a file is a unit of a corpus, and its stages are known") {
  TemporaryFolder folder;
  const std::string path = folder.write("a.pipe", Whole);
  const auto units = must(findCorpusUnits({folder.path().string()}));
  REQUIRE(units.size() == 1);
  CHECK(units[0].files == std::vector<std::string>{path});
  CHECK(must(stagesOfPipeline(path)) == StageSet{lgc::ShaderStage::Vertex, lgc::ShaderStage::Fragment});
}
