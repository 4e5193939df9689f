// SPDX-License-Identifier: MIT
//
// OpenGL's modules: the places of their resources, and the modules that are refused.
#include "src/lgc/ops/op.h"
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/reflect/reflection.h"
#include "tests/spirv/assembled.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

using namespace dovetail;
using spirv::DescriptorKind;
using spirv::Environment;
using spirv::OpenGlSet;

namespace {

std::vector<uint32_t> wordsOf(const std::string &declarations, const std::string &body) {
  const std::string text =
      "#version 460\nlayout(location = 0) out vec4 color;\n" + declarations + "\nvoid main() { " + body + " }";
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "shader", text}}, {.environment = Environment::OpenGl});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

spirv::Reflection reflectionOf(const std::string &declarations, const std::string &body) {
  auto reflection =
      spirv::reflect(wordsOf(declarations, body), "main", lgc::ShaderStage::Fragment, Environment::OpenGl);
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

namespace {

// 11 locations for each room: power, cookie and direction of two lamps; three stars; shade; turn.
const std::string Rooms = "struct Lamp { float power; sampler2D cookie; vec3 direction; };\n"
                          "struct Room { Lamp lamps[2]; samplerCube stars[3]; sampler2DShadow shade; mat2 turn; };\n"
                          "layout(location = 5) uniform Room rooms[2];\n";

spirv::TranslateOptions fragmentOptions() {
  spirv::TranslateOptions options;
  options.stage = lgc::ShaderStage::Fragment;
  options.environment = Environment::OpenGl;
  return options;
}

uint64_t numberOf(const llvm::Value *value) {
  return llvm::cast<llvm::ConstantInt>(value)->getZExtValue();
}

} // namespace

TEST_CASE("a texture in a structure is a descriptor at its location, of as many elements as all arrays around it") {
  const spirv::Reflection shader =
      reflectionOf(Rooms, "color = texture(rooms[0].lamps[1].cookie, vec2(0)) + texture(rooms[1].stars[0], vec3(0))"
                          "  + texture(rooms[1].shade, vec3(0)) + rooms[1].turn[0].xyxy;");
  struct Expected {
    std::string name;
    uint32_t binding, size;
    bool comparesDepth;
    std::vector<std::pair<uint32_t, uint32_t>> arrays; // counts, locations
  };
  const Expected expected[] = {{"rooms.lamps.cookie", 6, 4, false, {{2, 11}, {2, 3}}},
                               {"rooms.stars", 11, 6, false, {{2, 11}, {3, 1}}},
                               {"rooms.shade", 14, 2, true, {{2, 11}}}};
  REQUIRE(shader.descriptors.size() == 1 + std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    const spirv::DescriptorBinding &found = shader.descriptors[1 + i];
    CAPTURE(expected[i].name);
    CHECK(found.name == expected[i].name);
    CHECK(found.set == uint32_t(OpenGlSet::Uniforms));
    CHECK(found.binding == expected[i].binding);
    CHECK((found.kind == DescriptorKind::CombinedImageSampler));
    CHECK(found.arraySize == expected[i].size);
    CHECK(found.comparesDepth == expected[i].comparesDepth);
    REQUIRE(found.arrays.size() == expected[i].arrays.size());
    for (size_t array = 0; array < found.arrays.size(); ++array) {
      CHECK(found.arrays[array].count == expected[i].arrays[array].first);
      CHECK(found.arrays[array].locations == expected[i].arrays[array].second);
    }
  }
}

TEST_CASE("what is beside a structure's textures lies in the default block as if they were not there") {
  const spirv::Reflection shader = reflectionOf(Rooms, "color = vec4(rooms[1].lamps[0].power);");
  const spirv::DescriptorBinding &block = shader.descriptors.at(0);
  CHECK(block.set == uint32_t(OpenGlSet::DefaultBlock));
  CHECK(block.blockBytes == 80 + 80);
  REQUIRE(block.members.size() == 3);
  struct Expected {
    std::string name;
    uint32_t location, offset, dimensions;
  };
  for (const Expected &expected : {Expected{"rooms.lamps.power", 5, 0, 2}, Expected{"rooms.lamps.direction", 7, 16, 2},
                                   Expected{"rooms.turn", 15, 64, 1}}) {
    CAPTURE(expected.name);
    const spirv::BlockMember &member = memberNamed(block, expected.name);
    CHECK((member.location == expected.location));
    CHECK(member.offset == expected.offset);
    REQUIRE(member.arrays.size() == expected.dimensions);
    CHECK(member.arrays[0].stride == 80);
    CHECK(member.arrays[0].locations == 11);
  }
}

TEST_CASE("a structure of nothing but textures has no place in the default block") {
  const spirv::Reflection shader =
      reflectionOf("struct Sky { sampler2D clouds; samplerCube stars[2]; }; layout(location = 3) uniform Sky sky;",
                   "color = texture(sky.clouds, vec2(0)) + texture(sky.stars[1], vec3(0));");
  REQUIRE(shader.descriptors.size() == 2);
  CHECK(shader.descriptors[0].name == "sky.clouds");
  CHECK(shader.descriptors[0].binding == 3);
  CHECK(shader.descriptors[0].arrays.empty());
  CHECK(shader.descriptors[1].name == "sky.stars");
  CHECK(shader.descriptors[1].binding == 4);
}

TEST_CASE("arrays of textures with a location have dimensions, others have none") {
  const spirv::Reflection shader = reflectionOf(
      "layout(location = 7) uniform sampler2D moving[2][3]; layout(binding = 7) uniform sampler2D still[2][3];",
      "color = texture(moving[1][2], vec2(0)) + texture(still[1][2], vec2(0));");
  REQUIRE(shader.descriptors.size() == 2);
  CHECK(shader.descriptors[0].arraySize == 6);
  CHECK(shader.descriptors[0].arrays.empty());
  const spirv::DescriptorBinding &moving = shader.descriptors[1];
  CHECK(moving.arraySize == 6);
  REQUIRE(moving.arrays.size() == 2);
  CHECK(moving.arrays[0].count == 2);
  CHECK(moving.arrays[0].locations == 3);
  CHECK(moving.arrays[1].count == 3);
  CHECK(moving.arrays[1].locations == 1);
}

TEST_CASE("an access into a structure with textures is one to a descriptor's element, or to the default block") {
  test::Translated shader(wordsOf(Rooms, "color = texture(rooms[1].stars[2], vec3(0)) + rooms[1].lamps[1].power;"),
                          fragmentOptions());
  CHECK(shader.error() == "");
  auto *image = shader.only<lgc::LoadImageDescOp>();
  REQUIRE(image);
  CHECK(image->set() == uint32_t(OpenGlSet::Uniforms));
  CHECK(image->binding() == 11);
  CHECK(numberOf(image->index()) == 5);
  auto *load = shader.only<lgc::BufferLoadOp>();
  REQUIRE(load);
  CHECK(llvm::cast<lgc::LoadBufferDescOp>(load->desc())->set() == uint32_t(OpenGlSet::DefaultBlock));
  CHECK(numberOf(load->byteOffset()) == 80 + 32);
}

TEST_CASE("a shader that reads only textures of a structure does without the default block") {
  test::Translated shader(wordsOf(Rooms, "color = texture(rooms[1].stars[2], vec3(0));"), fragmentOptions());
  CHECK(shader.error() == "");
  CHECK(shader.all<lgc::LoadBufferDescOp>().empty());
}

TEST_CASE("functions take structures with textures, and arrays of textures in them") {
  test::Translated shader(
      wordsOf(Rooms + "vec4 star(samplerCube stars[3], int i) { return texture(stars[i], vec3(0)); }\n"
                      "vec4 all(Room room) { return star(room.stars, 1) + texture(room.lamps[1].cookie, vec2(0)); }\n",
              "color = all(rooms[1]);"),
      fragmentOptions());
  CHECK(shader.error() == "");
  auto images = shader.all<lgc::LoadImageDescOp>();
  REQUIRE(images.size() == 2);
  CHECK(images[0]->binding() == 11);
  CHECK(images[1]->binding() == 6);
  CHECK(numberOf(images[1]->index()) == 3);
}

TEST_CASE("what lies behind an array of textures moves with the array's size") {
  spirv::TranslateOptions options = fragmentOptions();
  options.specConstants = {{3, 5}};
  const std::vector<uint32_t> words =
      wordsOf("layout(constant_id = 3) const int size = 2; struct Many { sampler2D first[size]; sampler2D last; };\n"
              "layout(location = 10) uniform Many many;",
              "color = texture(many.last, vec2(0));");
  test::Translated shader(words, options);
  CHECK(shader.error() == "");
  REQUIRE(shader.only<lgc::LoadImageDescOp>());
  CHECK(shader.only<lgc::LoadImageDescOp>()->binding() == 15);
}

TEST_CASE("there is no value of a structure with textures") {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
      "OpExecutionMode %main OriginUpperLeft\nOpDecorate %variable Location 3\n%void = OpTypeVoid\n"
      "%float = OpTypeFloat 32\n%fn = OpTypeFunction %void\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
      "%sampled = OpTypeSampledImage %image\n%pair = OpTypeStruct %sampled %float\n"
      "%ptr = OpTypePointer UniformConstant %pair\n%variable = OpVariable %ptr UniformConstant\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n%whole = OpLoad %pair %variable\nOpReturn\nOpFunctionEnd\n";
  auto words = assembleSpirv("assembly", text, Environment::OpenGl);
  if (!words)
    FAIL(words.error().text);
  CHECK(spirv::reflect(*words, "main", lgc::ShaderStage::Fragment, Environment::OpenGl));
  test::Translated shader(*words, fragmentOptions());
  CHECK(shader.error() == "OpLoad at word 61: a value of this opaque or unsized type is not supported here");
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
  CHECK(errorOf("OpDecorate %variable Location 0\n",
                "%pair = OpTypeStruct %float %sampler\n%ptr = OpTypePointer UniformConstant %pair\n"
                "%variable = OpVariable %ptr UniformConstant\n")
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
