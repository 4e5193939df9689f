// SPDX-License-Identifier: MIT
//
// Random states must be states that Vulkan allows.
#include "src/state/format_table.h"
#include "tests/driver/own_shaders.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace dovetail;

namespace {

bool readsSecondSource(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

void checkVertexInput(const spirv::Reflection &vertex, const PipelineState &state) {
  for (const spirv::InterfaceLocation &input : vertex.vertexInputs) {
    auto attribute = std::ranges::find(state.vertexAttributes, input.location, &VertexAttribute::location);
    REQUIRE(attribute != state.vertexAttributes.end());
    auto binding = std::ranges::find(state.vertexBindings, attribute->binding, &VertexBinding::binding);
    REQUIRE(binding != state.vertexBindings.end());
    const FormatInfo *format = findFormat(attribute->format);
    REQUIRE(format);
    CHECK((format->vertexFetch != VertexFetchMethod::None));
    CHECK((format->numeric == FormatNumeric::Sint) == (input.numericClass == NumericClass::Sint));
    CHECK((format->numeric == FormatNumeric::Uint) == (input.numericClass == NumericClass::Uint));
    uint32_t alignment = format->vertexFetch == VertexFetchMethod::Array ? format->bits[0] / 8 : format->bytes;
    if (input.elementBits != 64) {
      CHECK(attribute->offset % alignment == 0);
      CHECK(binding->stride % alignment == 0);
    }
    CHECK(attribute->offset + format->bytes <= binding->stride);
  }
}

void checkTargets(const spirv::Reflection &fragment, const PipelineState &state) {
  bool hasSecondSource =
      std::ranges::any_of(fragment.fragmentOutputs, [](const auto &output) { return output.index == 1; });
  for (unsigned i = 0; i < MaxColorTargets; ++i) {
    const ColorTarget &target = state.colorTargets[i];
    if (target.format == VK_FORMAT_UNDEFINED)
      continue;
    auto output = std::ranges::find(fragment.fragmentOutputs, i, &spirv::InterfaceLocation::location);
    REQUIRE(output != fragment.fragmentOutputs.end());
    const FormatInfo *format = findFormat(target.format);
    CHECK((format->numeric == FormatNumeric::Sint) == (output->numericClass == NumericClass::Sint));
    CHECK((format->numeric == FormatNumeric::Uint) == (output->numericClass == NumericClass::Uint));
    CHECK(target.writeMask <= 15);
    CHECK_FALSE((target.blendEnable && format->isInteger()));
    for (VkBlendFactor factor : {target.srcColorBlendFactor, target.dstColorBlendFactor, target.srcAlphaBlendFactor,
                                 target.dstAlphaBlendFactor})
      CHECK((hasSecondSource || !readsSecondSource(factor)));
    CHECK((!hasSecondSource || i == 0));
  }
}

} // namespace

TEST_CASE("random states fit the own programs") {
  for (const OwnProgram &program : readOwnPrograms())
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(program.name);
      CAPTURE(seed);
      PipelineState state = randomState(program.shaders, seed);
      if (const spirv::Reflection *vertex = program.shaders.reflection(lgc::ShaderStage::Vertex))
        checkVertexInput(*vertex, state);
      if (const spirv::Reflection *fragment = program.shaders.reflection(lgc::ShaderStage::Fragment))
        checkTargets(*fragment, state);
    }
}

TEST_CASE("random states differ in what they are there to vary") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 position; layout(location = 1) in vec4 color;"
                                "layout(location = 0) out vec4 c; void main() { gl_Position = position; c = color; }",
                                "layout(location = 0) in vec4 c; layout(location = 0) out vec4 target;"
                                "void main() { target = c; }");
  std::set<VkFormat> vertexFormats, colorFormats;
  std::set<VkPrimitiveTopology> topologies;
  std::set<uint32_t> samples, samplesOfPacked, divisors, bindings;
  bool blends = false, masks = false, provokesLast = false;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    PipelineState state = randomState(shaders, seed);
    vertexFormats.insert(state.vertexAttributes[1].format);
    colorFormats.insert(state.colorTargets[0].format);
    topologies.insert(state.topology);
    samples.insert(state.rasterizationSamples);
    if (state.colorTargets[0].format == VK_FORMAT_A2B10G10R10_UNORM_PACK32 ||
        state.colorTargets[0].format == VK_FORMAT_A2R10G10B10_UNORM_PACK32 ||
        state.colorTargets[0].format == VK_FORMAT_R5G6B5_UNORM_PACK16)
      samplesOfPacked.insert(state.rasterizationSamples);
    bindings.insert(uint32_t(state.vertexBindings.size()));
    for (const VertexBinding &binding : state.vertexBindings)
      if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE)
        divisors.insert(binding.divisor);
    blends |= state.colorTargets[0].blendEnable;
    masks |= state.colorTargets[0].writeMask != 15;
    provokesLast |= state.flatProvokingVertexLast;
  }
  CHECK(vertexFormats.size() > 30);
  CHECK(colorFormats.size() > 15);
  CHECK(topologies.size() == 3);
  CHECK(samples == std::set<uint32_t>{1, 4});
  CHECK(samplesOfPacked == std::set<uint32_t>{1}); // the average of samples that are one step off may be two steps off
  CHECK(divisors.size() == 4);
  CHECK(bindings == std::set<uint32_t>{1, 2});
  CHECK(blends);
  CHECK(masks);
  CHECK(provokesLast);
}

TEST_CASE("colours of targets that round coarsely are not subtracted, others are") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 position; void main() { gl_Position = position; }",
                                "layout(location = 0) out vec4 target; void main() { target = vec4(1.0); }");
  const std::set<VkFormat> coarse = {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                     VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_FORMAT_R8G8B8A8_SRGB,
                                     VK_FORMAT_B8G8R8A8_SRGB};
  std::set<VkFormat> blendedCoarse, subtracted;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    const ColorTarget target = randomState(shaders, seed).colorTargets[0];
    if (!target.blendEnable)
      continue;
    if (coarse.contains(target.format))
      blendedCoarse.insert(target.format);
    if (target.colorBlendOp == VK_BLEND_OP_SUBTRACT || target.colorBlendOp == VK_BLEND_OP_REVERSE_SUBTRACT) {
      CHECK(!coarse.contains(target.format));
      subtracted.insert(target.format);
    }
  }
  CHECK(blendedCoarse == coarse);
  CHECK(subtracted.size() > coarse.size());
}

TEST_CASE("the position's format reaches both sides of the picture") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 position; void main() { gl_Position = position; }",
                                "layout(location = 0) out vec4 target; void main() { target = vec4(1.0); }");
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const FormatInfo *format = findFormat(randomState(shaders, seed).vertexAttributes.at(0).format);
    CHECK((format->numeric == FormatNumeric::Sfloat || format->numeric == FormatNumeric::Snorm));
    CHECK(format->componentCount >= 2);
  }
}

// lavapipe is no reference for multisampled lines.
TEST_CASE("only what draws lines always has one sample") {
  std::map<std::string, std::set<uint32_t>> samples;
  for (const OwnProgram &program : readOwnPrograms())
    for (uint64_t seed = 1; seed <= 60; ++seed)
      samples[program.name.substr(0, program.name.find('.'))].insert(
          randomState(program.shaders, seed).rasterizationSamples);
  const std::set<uint32_t> one = {1}, both = {1, 4};
  // Strips of a geometry shader, whatever it reads, and tessellated lines.
  for (const char *name : {"geom_lines_to_strip", "geom_triangles_to_lines", "tess_isolines_equal"}) {
    CAPTURE(name);
    CHECK(samples[name] == one);
  }
  // Programs that turn lines into triangles, or draw points instead of lines.
  for (const char *name : {"geom_lines_to_ribbons", "tess_geom_isolines", "tess_isolines_points", "geom_triangles"}) {
    CAPTURE(name);
    CHECK(samples[name] == both);
  }
}
