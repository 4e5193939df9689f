// SPDX-License-Identifier: MIT
//
// OpenGL's modules: where their resources are, and what is refused of them.
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/reflect/reflection.h"
#include "tools/inputs/glsl.h"
#include "tools/inputs/spirv_assembly.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;
using spirv::DescriptorKind;
using spirv::Environment;
using spirv::OpenGlSet;

namespace {

spirv::Reflection reflectionOf(const std::string &declarations, const std::string &body) {
  const std::string text =
      "#version 460\nlayout(location = 0) out vec4 color;\n" + declarations + "\nvoid main() { " + body + " }";
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "shader", text}}, {.environment = Environment::OpenGl});
  if (!modules)
    FAIL(modules.error().text);
  auto reflection = spirv::reflect(modules->front(), "main", lgc::ShaderStage::Fragment, Environment::OpenGl);
  if (!reflection)
    FAIL(reflection.error().text);
  return *reflection;
}

const spirv::BlockMember &memberNamed(const spirv::DescriptorBinding &block, const std::string &name) {
  auto found = std::ranges::find(block.members, name, &spirv::BlockMember::name);
  if (found == block.members.end())
    FAIL("no member " << name);
  return *found;
}

// Declares %variable by `variable` and `decorations`; the entry point refers to it.
std::string errorOf(const std::string &decorations, const std::string &variable) {
  const std::string text = "OpCapability Shader\nOpCapability AtomicStorage\nOpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint Vertex %main \"main\" " +
                           std::string(variable.find("Input") == std::string::npos ? "" : "%variable") + "\n" +
                           decorations +
                           "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
                           "%sampler = OpTypeSampler\n%fn = OpTypeFunction %void\n" +
                           variable +
                           "%main = OpFunction %void None %fn\n%entry = OpLabel\n%copy = OpCopyObject %ptr %variable\n"
                           "OpReturn\nOpFunctionEnd\n";
  auto words = assembleSpirv("assembly", text, Environment::OpenGl);
  if (!words)
    FAIL(words.error().text);
  auto reflection = spirv::reflect(*words, "main", lgc::ShaderStage::Vertex, Environment::OpenGl);
  return reflection ? "" : reflection.error().text;
}

} // namespace

TEST_CASE("uniforms outside of blocks lie in the stage's default block, in the order of their locations") {
  const spirv::Reflection shader =
      reflectionOf("struct Part { vec3 a; float b; mat2 c; };\nlayout(location = 9) uniform vec2 last[3];\n"
                   "layout(location = 2) uniform Part parts[2];\nlayout(location = 0) uniform float first;\n"
                   "layout(location = 1) uniform mat3 turned;",
                   "color = vec4(turned * parts[1].a * parts[0].b * first, parts[1].c[1].x + last[2].y);");
  REQUIRE(shader.descriptors.size() == 1);
  const spirv::DescriptorBinding &block = shader.descriptors[0];
  CHECK(block.set == uint32_t(OpenGlSet::DefaultBlock));
  CHECK(block.binding == uint32_t(lgc::ShaderStage::Fragment));
  CHECK((block.kind == DescriptorKind::UniformBuffer));
  CHECK(block.blockBytes == 152);
  struct Expected {
    std::string name;
    uint32_t location, offset, count, stride, locations;
  };
  for (const Expected &expected : {Expected{"first", 0, 0, 0, 0, 0}, Expected{"turned", 1, 16, 0, 0, 0},
                                   Expected{"parts.a", 2, 64, 2, 32, 3}, Expected{"parts.b", 3, 76, 2, 32, 3},
                                   Expected{"parts.c", 4, 80, 2, 32, 3}, Expected{"last", 9, 128, 3, 8, 1}}) {
    CAPTURE(expected.name);
    const spirv::BlockMember &member = memberNamed(block, expected.name);
    CHECK((member.location == expected.location));
    CHECK(member.offset == expected.offset);
    REQUIRE(member.arrays.size() == (expected.count ? 1 : 0));
    if (expected.count == 0)
      continue;
    CHECK(member.arrays[0].count == expected.count);
    CHECK(member.arrays[0].stride == expected.stride);
    CHECK(member.arrays[0].locations == expected.locations);
  }
  CHECK(memberNamed(block, "turned").matrixStride == 16);
  CHECK(memberNamed(block, "parts.c").matrixStride == 8);
}

TEST_CASE("each kind of resource has a set of its own") {
  const spirv::Reflection shader =
      reflectionOf("layout(binding = 3) uniform Block { vec4 u; };\nlayout(binding = 3) buffer Storage { vec4 s; };\n"
                   "layout(binding = 3) uniform sampler2D t;\nlayout(binding = 3, rgba8) uniform image2D i;\n"
                   "layout(binding = 0, offset = 8) uniform atomic_uint counters[2];\n"
                   "layout(location = 7, binding = 3) uniform sampler2D moving;",
                   "color = u + s + texture(t, u.xy) + texture(moving, u.xy) + imageLoad(i, ivec2(0))"
                   "  + float(atomicCounterIncrement(counters[1]));");
  struct Expected {
    OpenGlSet set;
    uint32_t binding;
    DescriptorKind kind;
    uint32_t declared;
  };
  const Expected expected[] = {{OpenGlSet::UniformBuffers, 3, DescriptorKind::UniformBuffer, 3},
                               {OpenGlSet::StorageBuffers, 3, DescriptorKind::StorageBuffer, 3},
                               {OpenGlSet::Textures, 3, DescriptorKind::CombinedImageSampler, 3},
                               {OpenGlSet::Images, 3, DescriptorKind::StorageImage, 3},
                               {OpenGlSet::AtomicCounters, 0, DescriptorKind::StorageBuffer, 0},
                               {OpenGlSet::Uniforms, 7, DescriptorKind::CombinedImageSampler, 3}};
  REQUIRE(shader.descriptors.size() == std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    CAPTURE(i);
    CHECK(shader.descriptors[i].set == uint32_t(expected[i].set));
    CHECK(shader.descriptors[i].binding == expected[i].binding);
    CHECK((shader.descriptors[i].kind == expected[i].kind));
    CHECK(shader.descriptors[i].declaredBinding == expected[i].declared);
  }
  const spirv::DescriptorBinding &counters = shader.descriptors[4];
  CHECK(counters.blockBytes == 16);
  REQUIRE(counters.members.size() == 1);
  CHECK(counters.members[0].name == "counters");
  CHECK(counters.members[0].offset == 8);
  CHECK(counters.members[0].arrays.at(0).stride == 4);
  CHECK_FALSE(counters.members[0].location.has_value());
}

TEST_CASE("a uniform outside of a block needs a location") {
  const std::string variable =
      "%ptr = OpTypePointer UniformConstant %float\n%variable = OpVariable %ptr UniformConstant\n";
  CHECK(errorOf("OpDecorate %variable Location 3\n", variable).empty());
  CHECK(errorOf("", variable).find("a uniform outside of a block needs a Location") != std::string::npos);
}

TEST_CASE("an atomic counter needs a binding and an offset") {
  const std::string variable = "%ptr = OpTypePointer AtomicCounter %int\n%variable = OpVariable %ptr AtomicCounter\n";
  CHECK(errorOf("OpDecorate %variable Binding 0\nOpDecorate %variable Offset 4\n", variable).empty());
  for (const char *decorations : {"OpDecorate %variable Binding 0\n", "OpDecorate %variable Offset 4\n"})
    CHECK(errorOf(decorations, variable).find("an atomic counter needs a Binding and an Offset") != std::string::npos);
}

TEST_CASE("what only Vulkan has is refused in a shader of OpenGL's") {
  CHECK(errorOf("OpDecorate %variable Location 0\n",
                "%ptr = OpTypePointer UniformConstant %sampler\n%variable = OpVariable %ptr UniformConstant\n")
            .find("OpenGL has no samplers without textures") != std::string::npos);
  const std::string input = "%ptr = OpTypePointer Input %int\n%variable = OpVariable %ptr Input\n";
  CHECK(errorOf("OpDecorate %variable BuiltIn VertexId\n", input).empty());
  CHECK(errorOf("OpDecorate %variable BuiltIn VertexIndex\n", input).find("OpenGL has no VertexIndex") !=
        std::string::npos);
  CHECK(errorOf("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n",
                "%block = OpTypeStruct %float\n%ptr = OpTypePointer PushConstant %block\n"
                "%variable = OpVariable %ptr PushConstant\n")
            .find("OpenGL has no push constants") != std::string::npos);
}
