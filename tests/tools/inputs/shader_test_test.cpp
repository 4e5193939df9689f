// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/common/inputs/shader_test.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<GlslSource> parsed(const char *text) {
  Result<ShaderTest> sources = parseShaderTest("t.shader_test", text);
  if (!sources)
    FAIL(sources.error().text);
  CHECK(sources->assembly.empty());
  return sources->glsl;
}

// Parses it for OpenGL.
ShaderTest parsedWithAssembly(const std::string &text) {
  Result<ShaderTest> test = parseShaderTest("t.shader_test", text, spirv::Environment::OpenGl);
  if (!test)
    FAIL(test.error().text);
  return *test;
}

const std::string BothLanguages = R"([require]
SPIRV YES
GLSL >= 4.50
[vertex shader passthrough]
[fragment shader specializations]
float 5 0.25
uint 6 0x10

[fragment shader spirv]
; SPIR-V
; Version: 1.0
OpCapability Shader
[fragment shader]
#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }
[test]
draw rect -1 -1 2 2
)";

bool translates(const std::vector<GlslSource> &sources) {
  auto modules = translateGlsl(sources, {.relaxed = true});
  if (!modules)
    MESSAGE(modules.error().text);
  return modules.has_value();
}

} // namespace

TEST_CASE("the shaders of a file are its shader sections, without the tests") {
  auto sources = parsed("[require]\nGLSL >= 1.10\n[vertex shader]\nvoid main() { gl_Position = vec4(0); }\n"
                        "[fragment shader]\nvoid main() { gl_FragColor = vec4(1); }\n[test]\ndraw rect -1 -1 2 2\n");
  REQUIRE(sources.size() == 2);
  CHECK((sources[0].stage == lgc::ShaderStage::Vertex));
  CHECK((sources[1].stage == lgc::ShaderStage::Fragment));
  CHECK(sources[1].text.find("draw rect") == std::string::npos);
  CHECK(translates(sources));
}

TEST_CASE("old GLSL becomes GLSL that Vulkan takes") {
  CHECK(translates(parsed(R"([vertex shader]
#version 120
attribute vec4 position;
varying vec2 coord;
uniform mat4 matrix;
void main() { gl_Position = matrix * ftransform() + position; coord = gl_MultiTexCoord0.xy; gl_FrontColor = gl_Color; }
[fragment shader]
#version 120
varying vec2 coord;
uniform sampler2D image;
uniform sampler2DShadow depth;
void main() { gl_FragData[1] = texture2D(image, coord) * gl_Color + shadow2D(depth, vec3(coord, 0.5)); }
)")));
}

TEST_CASE("a name that only begins like an old one is left alone") {
  std::string text = modernizeGlsl(lgc::ShaderStage::Fragment, "vec4 my_varying, texture2Dx; gl_FragColors");
  CHECK(text.find("my_varying, texture2Dx; gl_FragColors") != std::string::npos);
  CHECK(text.find("out vec4") == std::string::npos);
}

TEST_CASE("a layout that GL would choose becomes std140, and shared variables stay") {
  std::string text = modernizeGlsl(lgc::ShaderStage::Compute, "layout(shared) uniform B { int a; };\nshared int b;");
  CHECK(text.find("layout(std140) uniform B") != std::string::npos);
  CHECK(text.find("shared int b;") != std::string::npos);
}

TEST_CASE("a passthrough vertex shader is one that copies the position") {
  auto sources = parsed("[vertex shader passthrough]\n[fragment shader]\nvoid main() { gl_FragColor = vec4(1); }\n");
  REQUIRE(sources.size() == 2);
  CHECK(translates(sources));
}

TEST_CASE("a program of all stages is read, and its stages are known without reading it") {
  constexpr const char *Text = R"(
[vertex shader passthrough]
[tessellation control shader]
#version 150
#extension GL_ARB_tessellation_shader: require
layout(vertices = 3) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter = float[4](1, 1, 1, 1);
  gl_TessLevelInner = float[2](1, 1);
}
[tessellation evaluation shader]
layout(triangles) in;
void main() { gl_Position = gl_in[0].gl_Position; }
[geometry shader]
layout(triangles) in;
layout(points, max_vertices = 1) out;
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }
[fragment shader]
void main() { gl_FragColor = vec4(1); }
[test]
)";
  auto sources = parsed(Text);
  CHECK(sources.size() == 5);
  CHECK(translates(sources));
  TemporaryFolder folder;
  auto stages = stagesOfShaderTest(folder.write("t.shader_test", Text));
  REQUIRE(stages.has_value());
  CHECK(stages->contains(lgc::ShaderStage::TessControl));
  CHECK(stages->contains(lgc::ShaderStage::Geometry));
  CHECK_FALSE(stages->contains(lgc::ShaderStage::Compute));
}

TEST_CASE("a geometry shader's old uniforms are declared, and its old inputs are not") {
  std::string text = modernizeGlsl(lgc::ShaderStage::Geometry, "vec4 a = gl_ModelViewMatrix * gl_Vertex;");
  CHECK(text.find("uniform mat4 dt_ModelViewMatrix;") != std::string::npos);
  CHECK(text.find("dt_Vertex") == std::string::npos);
}

TEST_CASE("what is no GLSL is refused by name") {
  auto sources = parseShaderTest("t", "[vertex shader]\nvoid main() {}\n[geometry program]\nmain() {}\n");
  REQUIRE_FALSE(sources.has_value());
  CHECK((sources.error().code == ErrorCode::Unsupported));
  CHECK(sources.error().text == "t: a geometry program is not supported");
}

TEST_CASE("a file without shaders is not valid input") {
  auto sources = parseShaderTest("t", "[test]\nlink success\n");
  REQUIRE_FALSE(sources.has_value());
  CHECK((sources.error().code == ErrorCode::InvalidInput));
}

TEST_CASE("what glslang refuses is an Error with its first message") {
  auto modules = translateGlsl({{lgc::ShaderStage::Vertex, "v.vert", "#version 450\nvoid main() { x = 1; }\n"}});
  REQUIRE_FALSE(modules.has_value());
  CHECK((modules.error().code == ErrorCode::InvalidInput));
  CHECK(modules.error().text.find("'x' : undeclared identifier") != std::string::npos);
}

TEST_CASE("OpenGL's SPIR-V is taken as assembly, with its specialisation, where a file has it beside GLSL") {
  const ShaderTest test = parsedWithAssembly(BothLanguages);
  REQUIRE(test.assembly.size() == 1);
  CHECK((test.assembly[0].stage == lgc::ShaderStage::Fragment));
  CHECK(test.assembly[0].name == "t.shader_test: fragment shader");
  CHECK(test.assembly[0].text == "; SPIR-V\n; Version: 1.0\nOpCapability Shader\n");
  REQUIRE(test.assembly[0].specConstants.size() == 2);
  CHECK(test.assembly[0].specConstants[0].id == 5);
  CHECK(test.assembly[0].specConstants[0].value == 0x3e800000);
  CHECK(test.assembly[0].specConstants[1].value == 16);
  REQUIRE(test.glsl.size() == 1);
  CHECK((test.glsl[0].stage == lgc::ShaderStage::Vertex));
}

TEST_CASE("Vulkan's shaders are the GLSL beside OpenGL's SPIR-V") {
  const std::vector<GlslSource> sources = parsed(BothLanguages.c_str());
  CHECK(sources.size() == 2);
  CHECK(translates(sources));
}

TEST_CASE("SPIR-V for OpenGL alone is not valid input for Vulkan") {
  auto test = parseShaderTest("t", "[compute shader spirv]\n; SPIR-V\n[test]\n");
  REQUIRE_FALSE(test.has_value());
  CHECK((test.error().code == ErrorCode::InvalidInput));
  CHECK(test.error().text == "t: compute shader is there as SPIR-V for OpenGL only");
}

TEST_CASE("a specialisation that is none is named") {
  auto test = parseShaderTest("t", "[vertex shader specializations]\nuint 0 4x\n", spirv::Environment::OpenGl);
  REQUIRE_FALSE(test.has_value());
  CHECK(test.error().text == "t: \"uint 0 4x\" is no specialisation");
}
