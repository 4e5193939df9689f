// SPDX-License-Identifier: MIT
//
// A pipeline as text reads back unchanged. A text that the writer never writes is an Error that names the line.
#include "src/base/field_lines.h"
#include "tests/tools/temporary_folder.h"
#include "tests/variants/background/background_device.h"
#include "tools/common/command/write_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/draw_case.h"
#include "variants/dump/pipeline_text.h"
#include "variants/state/state.h"

using namespace dovetail;
using lgc::ShaderStage;

namespace {

PipelineInput readBack(const std::string &text) {
  TemporaryFolder folder;
  Result<PipelineInput> read = readPipeline(folder.write("a.pipe", text));
  REQUIRE_MESSAGE(read, read.error().text);
  return std::move(*read);
}

std::string errorOf(const std::string &text) {
  TemporaryFolder folder;
  const Result<PipelineInput> read = readPipeline(folder.write("a.pipe", text));
  return read ? "no error" : read.error().text;
}

// A text with `line` added behind its `gpu =` line.
std::string textWith(const std::string &line) {
  const ShaderRef shader = compileGlsl(ShaderStage::Compute, "layout(local_size_x = 64) in; void main() {}");
  PipelineContent content;
  content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
  std::string text = writePipelineText(content, "");
  return text.insert(text.find('\n', text.find("gpu = ")) + 1, line + "\n");
}

} // namespace

TEST_CASE("all that is chosen of a shader comes back") {
  ShaderDescription description = compileGlsl(ShaderStage::Fragment, "layout(constant_id = 3) const float f = 1;"
                                                                     "layout(location = 0) out vec4 color;"
                                                                     "void main() { color = vec4(f); }")
                                      ->description;
  description.specConstants = {{3, 0x3f000000}, {7, ~uint64_t(0)}};
  description.colorInputs[1] = {4, 5};
  description.options.vgprLimit = 64;
  description.options.allowReZ = true;
  description.options.fp32DenormMode = lgc::FpDenormMode::FlushNone;
  description.deviceIndex = 0;
  description.optimizationLevel = 0;
  PipelineContent content;
  content.shaders[size_t(ShaderStage::Fragment)] = &description;
  const PipelineInput read = readBack(writePipelineText(content, "why\nand more"));
  const ShaderDescription &back = read.shaders.shader(ShaderStage::Fragment)->description;
  CHECK(back.words == description.words);
  const Hash128 words = hashBytes(std::as_bytes(std::span(description.words)));
  CHECK(hashDescription(back, words) == hashDescription(description, words));
  CHECK(back.deviceIndex == 0);
  CHECK(back.optimizationLevel == 0);
}

TEST_CASE("a layout comes back in its order, with immutable samplers") {
  const ShaderRef shader = compileGlsl(ShaderStage::Compute, "layout(local_size_x = 64) in; void main() {}");
  const UserDataNodes nodes = {{UserDataNodeType::DescriptorTable, 2, 0, 1, 1, 0},
                               {UserDataNodeType::Image, 2, 5, 16, 8, 8},
                               {UserDataNodeType::ImmutableSampler, 2, 5, 0, 4, 4},
                               {UserDataNodeType::DynamicOffset, 2, 6, 2, 1, 1},
                               {UserDataNodeType::PushConstants, 0, 0, 3, 4, 0}};
  const ResourceLayout layout(nodes, {1, 2, 0, 0xffffffff});
  PipelineContent content = {.layout = &layout};
  content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
  const PipelineInput read = readBack(writePipelineText(content, ""));
  CHECK(read.shaders.userDataNodes() == nodes);
  CHECK(read.shaders.layout->immutableSamplers() == layout.immutableSamplers());
}

TEST_CASE("immutable samplers without a stride are one element, and one that is cut off is none") {
  const ShaderRef shader = compileGlsl(ShaderStage::Compute, "layout(local_size_x = 64) in; void main() {}");
  const UserDataNodes nodes = {{UserDataNodeType::ImmutableSampler, 0, 1, 0, 4, 0},
                               {UserDataNodeType::ImmutableSampler, 0, 2, 4, 2, 0},
                               {UserDataNodeType::ImmutableSampler, 0, 3, 0, 6, UINT32_MAX}};
  const ResourceLayout layout(nodes, {146, 0xfff000, 0x4500000, 0, 146, 0xfff000});
  PipelineContent content = {.layout = &layout};
  content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
  const PipelineInput read = readBack(writePipelineText(content, ""));
  REQUIRE(read.samplers.size() == 2);
  CHECK(read.samplers[0].binding == 1);
  CHECK(read.samplers[0].element == 0);
  CHECK(read.samplers[1].binding == 3);
}

TEST_CASE("drawing changes no dword behind an immutable sampler that is cut off") {
  const ShaderRef shader = compileGlsl(
      ShaderStage::Compute,
      "layout(local_size_x = 1) in; layout(set = 0, binding = 0) uniform sampler s;"
      "layout(set = 0, binding = 1) uniform texture2D t; layout(set = 0, binding = 2) buffer B { vec4 result; };"
      "void main() { result = textureLod(sampler2D(t, s), vec2(0.5), 0.0); }");
  const UserDataNodes nodes = {{UserDataNodeType::DescriptorTable, 0, 0, 0, 1, 0},
                               {UserDataNodeType::Image, 0, 1, 0, 8, 8},
                               {UserDataNodeType::Buffer, 0, 2, 8, 4, 4},
                               {UserDataNodeType::ImmutableSampler, 0, 0, 0, 2, 0}};
  const ResourceLayout layout(nodes, {1, 2, 3, 4});
  PipelineContent content = {.layout = &layout};
  content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
  const Result<DrawCase> drawn = makeDrawCase(readBack(writePipelineText(content, "")), DrawRequest());
  REQUIRE_MESSAGE(drawn, drawn.error().text);
  CHECK(drawn->shaders.layout->immutableSamplers() == std::vector<uint32_t>{1, 2, 3, 4});
}

TEST_CASE("drawing with a layout that has no room for a descriptor is an Error") {
  const ShaderRef shader =
      compileGlsl(ShaderStage::Compute,
                  "layout(local_size_x = 1) in; layout(set = 0, binding = 0, rgba8) uniform readonly image2D i;"
                  "layout(set = 0, binding = 1) buffer B { vec4 result; };"
                  "void main() { result = imageLoad(i, ivec2(0)); }");
  auto device = createDevice({});
  for (const UserDataNode &image :
       {UserDataNode{UserDataNodeType::Image, 0, 0, 4, 8, 8}, UserDataNode{UserDataNodeType::Image, 0, 0, 4, 2, 2},
        UserDataNode{UserDataNodeType::Image, 0, 0, 4, 0, 0}}) {
    const ResourceLayout layout(
        {{UserDataNodeType::DescriptorTable, 0, 0, 0, 1, 0}, {UserDataNodeType::Buffer, 0, 1, 0, 4, 4}, image});
    PipelineContent content = {.layout = &layout};
    content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
    const Result<DrawCase> drawn = makeDrawCase(readBack(writePipelineText(content, "")), DrawRequest());
    REQUIRE_MESSAGE(drawn, drawn.error().text);
    const Result<Drawing> drawing = drawInEmulator(*device, *drawn, DrawnCode::Joined);
    CHECK((drawing ? "no error" : drawing.error().text) ==
          (image.sizeInDwords == 8 ? "no error" : "set 0 binding 0: element 0 has no room for an image"));
  }
}

TEST_CASE("an empty layout is one, and not that of reflection") {
  const ShaderRef shader =
      compileGlsl(ShaderStage::Compute, "layout(local_size_x = 64) in; layout(set = 0, binding = 0)"
                                        "buffer B { uint b[]; }; void main() { b[0] = 1u; }");
  const ResourceLayout layout({});
  PipelineContent content = {.layout = &layout};
  content.shaders[size_t(ShaderStage::Compute)] = &shader->description;
  CHECK(readBack(writePipelineText(content, "")).shaders.userDataNodes().empty());
  content.layout = nullptr;
  CHECK(readBack(writePipelineText(content, "")).shaders.userDataNodes().size() == 2);
}

TEST_CASE("a state comes back whole, also where it is that of a state that was just made") {
  const std::vector<ShaderRef> shaders = pairOfShaders();
  PipelineContent content;
  for (const ShaderRef &shader : shaders)
    content.shaders[size_t(shader->description.stage)] = &shader->description;
  PipelineState state = compiledState(VK_FORMAT_A2B10G10R10_UNORM_PACK32)->fields;
  state.vertexBindings = {{3, 48, VK_VERTEX_INPUT_RATE_INSTANCE, 0}};
  state.vertexAttributes = {{0, 3, VK_FORMAT_R8G8B8A8_SNORM, 20}};
  state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
  state.clipDistanceEnable = 5;
  state.transformFeedbackEnable = false;
  state.colorTargets[2].format = VK_FORMAT_R8_UNORM;
  state.colorTargets[2].writeMask = 3;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  for (const PipelineState &each : {state, PipelineState()}) {
    content.state = &each;
    CHECK(readBack(writePipelineText(content, "")).state == each);
  }
}

TEST_CASE("names are comments, whatever is in them") {
  ShaderDescription description =
      compileGlsl(ShaderStage::Compute, "layout(local_size_x = 64) in; void main() {}")->description;
  description.name = "a\n[VsGlsl]\nb = c";
  PipelineContent content;
  content.shaders[size_t(ShaderStage::Compute)] = &description;
  CHECK(readBack(writePipelineText(content, "x\n[FsGlsl]\n")).shaders.stageMask() ==
        lgc::stageBit(ShaderStage::Compute));
}

TEST_CASE("an entry point may have any name") {
  const std::string name = "a = [b];% \xc3\xa4";
  CHECK(unescapeText(escapeText(name)) == name);
  CHECK(escapeText(name).find_first_of(" ;[]=") == std::string::npos);
  CHECK_FALSE(unescapeText("a%4"));
  CHECK_FALSE(unescapeText("a%xy"));
}

TEST_CASE("values that cannot be are Errors with their line") {
  CHECK(errorOf(textWith("gpu = gfx900")) == "no error");
  for (const char *line :
       {"compute.environment = 2", "compute.needsFullSubgroups = 7", "compute.deviceIndex = -1",
        "compute.optimizationLevel = x", "compute.specConstants.size = 99999999", "hasLayout = 2", "gpu = %4"}) {
    CAPTURE(line);
    const std::string path = std::string(line).substr(0, std::string(line).find(' '));
    CHECK(errorOf(textWith(line)).find(path + ": not a value that this can have") != std::string::npos);
  }
  CHECK(errorOf(textWith("hasLayout = 1\nlayout.size = 1\nlayout[0].type = 16")).find("layout[0].type: ") !=
        std::string::npos);
  CHECK(errorOf(textWith("hasLayout = 1\nlayout.size = 1\nlayout[0].type = 12")).find("layout[0]: ") !=
        std::string::npos);
  CHECK(errorOf(textWith("hasState = 1\nstate.topology = 77")).find("state.topology: not a value that this can have") !=
        std::string::npos);
  CHECK(errorOf(textWith("hasState = 1\nstate.rasterizationSamples = 3")).find("/rasterizationSamples") !=
        std::string::npos);
}
