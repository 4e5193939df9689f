// SPDX-License-Identifier: MIT
//
// Fragment shaders: inputs that are whole structures and arrays, outputs that functions write, and gathers with a bias.
#include "tests/features/drawn_texels.h"
#include <doctest/doctest.h>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

void checkDraws(const std::vector<std::pair<ShaderStage, std::string>> &sources, const DrawnTexel &expected,
                const std::function<void(Scene &)> &change = {}) {
  for (const DrawnTexel &texel : drawnTexels(programOf(sources), change))
    CHECK((texel == expected));
}

// Structures of numbers that are the same for all vertices.
const std::string Parts =
    "struct Part { vec2 a; float b[2]; mat2 c; };\nstruct Whole { vec4 first; Part parts[2]; };\n";
const std::string Fill = "whole.first = vec4(1.0, 2.0, 3.0, 4.0);"
                         "for (int k = 0; k < 2; ++k) { whole.parts[k].a = vec2(5.0, 6.0) + k;"
                         "  whole.parts[k].b = float[2](7.0 * k, 8.0); whole.parts[k].c = mat2(9.0, 10.0, 11.0, k); }";
const std::string Sum = "float sum(Part part) { return dot(part.a, vec2(1.0, 2.0)) + part.b[0] + part.b[1]"
                        "  + part.c[0].y + part.c[1].y; }\n";
// 17 + 0 + 8 + 10 + 0, and 20 + 7 + 8 + 10 + 1.
constexpr DrawnTexel Sums = {35, 46, 10, 3};
const std::string WriteSums =
    "color = vec4(sum(all.parts[0]), sum(all.parts[1]), dot(all.first, vec4(1.0)), all.first.z);";

// A fragment shader whose functions get pointers to its output %color and to components of it.
const char *const OutputArguments = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color %rest
OpExecutionMode %main OriginUpperLeft
OpDecorate %color Location 0
OpDecorate %rest Location 1
%void = OpTypeVoid
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v4 = OpTypeVector %float 4
%n2 = OpConstant %uint 2
%pair = OpTypeArray %v4 %n2
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%quarter = OpConstant %float 0.25
%half = OpConstant %float 0.5
%two = OpConstant %float 2
%ptr_v4 = OpTypePointer Output %v4
%ptr_float = OpTypePointer Output %float
%ptr_pair = OpTypePointer Output %pair
%color = OpVariable %ptr_v4 Output
%rest = OpVariable %ptr_pair Output
%fn = OpTypeFunction %void
%fill_fn = OpTypeFunction %void %ptr_v4 %float
%scale_fn = OpTypeFunction %void %ptr_float
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpFunctionCall %void %fill %color %quarter
%element = OpAccessChain %ptr_v4 %rest %i1
%b = OpFunctionCall %void %fill %element %half
%component = OpAccessChain %ptr_float %color %i2
%c = OpFunctionCall %void %scale %component
OpReturn
OpFunctionEnd
%fill = OpFunction %void None %fill_fn
%target = OpFunctionParameter %ptr_v4
%value = OpFunctionParameter %float
%fill_entry = OpLabel
%filled = OpCompositeConstruct %v4 %value %value %value %value
OpStore %target %filled
OpReturn
OpFunctionEnd
%scale = OpFunction %void None %scale_fn
%scaled = OpFunctionParameter %ptr_float
%scale_entry = OpLabel
%before = OpLoad %float %scaled
%after = OpFMul %float %before %two
OpStore %scaled %after
OpReturn
OpFunctionEnd
)";

} // namespace

TEST_CASE("a structure of inputs is read as a whole") {
  checkDraws({{ShaderStage::Vertex, Parts + wholeTarget("layout(location = 1) out Whole whole;", Fill)},
              {ShaderStage::Fragment, Parts + Sum +
                                          "layout(location = 1) in Whole whole;\n"
                                          "layout(location = 0) out vec4 color;\n"
                                          "void main() { Whole all = whole; " +
                                          WriteSums + " }"}},
             Sums);
}

TEST_CASE("the structures of all vertices are read as a whole") {
  checkDraws({{ShaderStage::Vertex, Parts + wholeTarget("layout(location = 1) out Whole whole;", Fill)},
              {ShaderStage::Geometry, Parts + "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
                                              "layout(location = 1) in Whole given[];\n"
                                              "layout(location = 1) out Whole whole;\n"
                                              "void main() { Whole every[3] = given;"
                                              "  for (int k = 0; k < 3; ++k) { gl_Position = gl_in[k].gl_Position;"
                                              "    whole = every[2 - k]; EmitVertex(); } }"},
              {ShaderStage::Fragment, Parts + Sum +
                                          "layout(location = 1) in Whole whole;\n"
                                          "layout(location = 0) out vec4 color;\n"
                                          "void main() { Whole all = whole; " +
                                          WriteSums + " }"}},
             Sums);
}

TEST_CASE("pointers to outputs, whole, to an element and to a component, are arguments") {
  checkDraws({{ShaderStage::Vertex, wholeTarget()}, {ShaderStage::Fragment, OutputArguments}}, {0.25, 0.25, 0.5, 0.25});
}

TEST_CASE("a bias moves the level that is gathered from") {
  checkDraws({{ShaderStage::Vertex, wholeTarget()},
              {ShaderStage::Fragment,
               "#extension GL_AMD_texture_gather_bias_lod : require\nlayout(binding = 1) uniform sampler2D image;\n"
               "layout(location = 0) in vec2 at;\nlayout(location = 0) out vec4 color;\n"
               // One texel of the first level to a pixel.
               "void main() { vec2 uv = (at + 0.8) / vec2(textureSize(image, 0));"
               "  vec4 moved = textureGather(image, uv, 1, 1.0), first = textureGather(image, uv, 1, 0.0);"
               "  color = vec4(moved == textureGatherLodAMD(image, uv, 1.0, 1),"
               "    first == textureGatherLodAMD(image, uv, 0.0, 1), moved != first, 1.0); }"}},
             {1, 1, 1, 1}, [](Scene &scene) {
               SceneSampler &sampler = scene.samplers.at(0);
               sampler.mipLodBias = sampler.minLod = 0;
               sampler.maxLod = VK_LOD_CLAMP_NONE;
               SceneImage &image = scene.images.at(0);
               image.format = VK_FORMAT_R8G8B8A8_UNORM;
               image.width = image.height = 16;
               image.mipLevels = 2;
               image.bytes.resize((16 * 16 + 8 * 8) * 4);
               for (size_t k = 0; k < image.bytes.size(); ++k)
                 image.bytes[k] = uint8_t(k * k * 7 + k);
             });
}
