// SPDX-License-Identifier: MIT
#include "tests/spirv/listing.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/reference/adapt/adapt_opengl.h"
#include "tools/proof/reference/adapt/adapt_shader.h"
#include "tools/proof/reference/adapt/lift_textures.h"
#include "tools/proof/reference/adapt/push_constants.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>

using namespace dovetail;
using namespace dovetail::test;

namespace {

const std::string Head =
    "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\nlayout(location = 0) in vec4 v;"
    "layout(location = 1) flat in int i; layout(location = 0) out vec4 c;";

std::string adapted(const std::string &text) {
  return validListing(adaptShader(fragmentWords(Head + text)), true);
}

} // namespace

TEST_CASE("directions into cubes become unit vectors where the LOD is implicit") {
  const std::string cubes = "layout(binding = 0) uniform samplerCube t; layout(binding = 1) uniform samplerCubeArray a;"
                            "layout(binding = 2) uniform sampler2D p;";
  CHECK(countOf(adapted(cubes + "void main() { c = texture(t, v.xyz) + texture(a, v); }"), "Normalize") == 2);
  CHECK(countOf(adapted(cubes + "void main() { c = textureQueryLod(t, v.xyz).xyxy; }"), "Normalize") == 1);
  CHECK(countOf(adapted(cubes + "void main() { c = textureLod(t, v.xyz, 0) + texture(p, v.xy); }"), "Normalize") == 0);
}

TEST_CASE("a least LOD becomes an explicit one, but of cubes") {
  const std::string clamps =
      "layout(binding = 0) uniform sampler2D t; layout(binding = 1) uniform sampler2DArray a;"
      "layout(binding = 2) uniform sampler2DShadow s; layout(binding = 3) uniform samplerCube q;";
  auto listing = [&](const std::string &sum) {
    return adapted("\n#extension GL_ARB_sparse_texture_clamp : require\n" + clamps + "void main() { c = vec4(" + sum +
                   "); }");
  };
  const std::string all = listing("textureClampARB(t, v.xy, 2.0) + textureClampARB(a, v.xyz, 1.0, 0.5) + "
                                  "textureOffsetClampARB(t, v.xy, ivec2(1), v.x) + textureClampARB(s, v.xyz, v.y)");
  CHECK(countOf(all, "MinLod") == 1); // the capability
  CHECK(countOf(all, "OpImageQueryLod") == 4);
  CHECK(countOf(all, "OpImageSampleExplicitLod") == 3);
  CHECK(countOf(all, "OpImageSampleDrefExplicitLod") == 1);
  CHECK(countOf(listing("textureClampARB(q, v.xyz, 2.0)"), "MinLod") == 2);
}

TEST_CASE("what is stored to gl_FragDepth is clamped") {
  const std::string listing = adapted("void main() { gl_FragDepth = v.x; c = v; if (i > 3) gl_FragDepth = v.y; }");
  CHECK(countOf(listing, "FClamp") == 2);
  CHECK(countOf(listing, "OpStore %gl_FragDepth") == 2);
}

TEST_CASE("an array without a size gets one") {
  const std::string listing =
      adapted("layout(binding = 0) uniform sampler2D t[]; void main() { c = texture(t[nonuniformEXT(i)], v.xy); }");
  CHECK(countOf(listing, "OpTypeRuntimeArray") == 0);
  CHECK(countOf(listing, "OpSwitch") >= 1);
}

TEST_CASE("an index that is no constant chooses between constant ones") {
  const std::string pair = "layout(binding = 0) uniform texture2D t; layout(binding = 1) uniform sampler s[3];"
                           "void main() { c = texture(sampler2D(t, s[";
  CHECK(countOf(adapted(pair + "i]), v.xy); }"), "OpSwitch") == 1);
  CHECK(countOf(adapted(pair + "2]), v.xy); }"), "OpSwitch") == 0);
}

TEST_CASE("an index becomes constant in a module of a language that SPIRV-Tools does not know, too") {
  const std::vector<uint32_t> words =
      fragmentWords(Head + "layout(binding = 0) uniform texture2D t; layout(binding = 1) uniform sampler s[3];"
                           "void main() { c = texture(sampler2D(t, s[i]), v.xy); }");
  constexpr uint32_t Slang = 11;
  SpirvEditor editor(words);
  const std::vector<uint32_t> slang = editor.rewrite([&](SpirvEditor::Instruction inst) {
    if (inst.opcode == spv::Op::OpSource)
      inst.operands[0] = Slang;
    editor.emit(inst);
  });
  size_t switches = 0;
  eachInstruction(adaptShader(slang), [&](SpirvInstruction inst) { switches += opcodeOf(inst) == spv::Op::OpSwitch; });
  CHECK(switches == 1);
}

TEST_CASE("a shader that lavapipe draws right stays as it is") {
  const std::vector<uint32_t> words = fragmentWords(Head + "void main() { c = v; }");
  CHECK(adaptShader(words) == words);
}

TEST_CASE("push constants that lavapipe has no room for become a uniform buffer") {
  const std::string block =
      "layout(push_constant) uniform P { vec4 colors[9]; }; layout(binding = 4) uniform B { vec4 b; };";
  Scene scene;
  scene.shaders = {{"test", VK_SHADER_STAGE_FRAGMENT_BIT,
                    fragmentWords(Head + block + "void main() { c = colors[i] + colors[8] + b; }")}};
  scene.buffers = {std::vector<uint8_t>(16)};
  scene.descriptors = {{0, 4, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0}};
  scene.pushConstants.assign(9 * 16, 7);
  const Scene adapted = withPushConstantsInBuffer(scene);
  CHECK(adapted.pushConstants.empty());
  REQUIRE(adapted.buffers.size() == 2);
  CHECK(adapted.buffers[1] == scene.pushConstants);
  REQUIRE(adapted.descriptors.size() == 2);
  CHECK(adapted.descriptors[1].binding == 5);
  CHECK(adapted.descriptors[1].buffer == 1);
  const std::string listing = validListing(adapted.shaders[0].words);
  CHECK(countOf(listing, "PushConstant") == 0);
  CHECK(countOf(listing, "Binding 5") == 1);

  scene.pushConstants.resize(ReferencePushConstantBytes);
  CHECK(withPushConstantsInBuffer(scene).pushConstants.size() == ReferencePushConstantBytes);
}

TEST_CASE("the size of a workgroup that is of specialisation constants becomes a literal") {
  auto modules = translateGlsl({{lgc::ShaderStage::Compute, "test",
                                 "#version 450\nlayout(local_size_x_id = 3, local_size_y = 2) in;"
                                 "layout(binding = 0) buffer B { uint sum; };"
                                 "void main() { atomicAdd(sum, gl_WorkGroupSize.x); }"}});
  REQUIRE(modules.has_value());
  Scene scene;
  scene.shaders = {{"test", VK_SHADER_STAGE_COMPUTE_BIT, modules->front(), "main", {{3, 4, 24}}}};
  const std::string listing = validListing(adaptShaders(scene).shaders[0].words);
  CHECK(countOf(listing, "LocalSizeId") == 0);
  CHECK(countOf(listing, "LocalSize 24 2 1") == 1);
}

TEST_CASE("OpenGL's structures lose their textures, which become variables") {
  const std::string text = "#version 460\nlayout(location = 0) out vec4 c; layout(location = 0) uniform int i;"
                           "struct Sky { sampler2D clouds; samplerCube stars[2]; };"
                           "struct Room { float power; Sky sky; vec2 last; };"
                           "layout(location = 1) uniform Room rooms[3]; layout(location = 30) uniform Sky sky;"
                           "vec4 of(Sky s) { if (i == 2) return vec4(1);"
                           "  return texture(s.stars[i], vec3(0)) + texture(s.clouds, vec2(0)); }"
                           "void main() { c = of(rooms[i].sky) + of(sky) + rooms[2].power + rooms[i].last.xyxy; }";
  auto modules =
      translateGlsl({{lgc::ShaderStage::Fragment, "test", text}}, {.environment = spirv::Environment::OpenGl});
  if (!modules)
    FAIL(modules.error().text);
  const std::vector<uint32_t> lifted = withTexturesLifted(modules->front());
  std::string listing;
  CHECK(spvtools::SpirvTools(SPV_ENV_OPENGL_4_5).Validate(lifted));
  CHECK(spvtools::SpirvTools(SPV_ENV_OPENGL_4_5).Disassemble(lifted, &listing));
  CHECK(countOf(listing, "= OpTypeStruct ") == 1);
  for (const char *location : {"Location 1\n", "Location 2\n", "Location 3\n", "Location 30\n", "Location 31\n"})
    CHECK(countOf(listing, location) == 1);
  const std::vector<uint32_t> vulkan = fromOpenGl(lifted, VK_SHADER_STAGE_FRAGMENT_BIT, 16);
  spvtools::ValidatorOptions options;
  options.SetUniformBufferStandardLayout(true);
  CHECK(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Validate(vulkan.data(), vulkan.size(), options));
}
