// SPDX-License-Identifier: MIT
//
// Shaders without the other stages of their pipeline get stages that fit them.
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <spirv/unified1/spirv.hpp11>

using namespace dovetail;

namespace {

ShaderRef shaderOf(lgc::ShaderStage stage, const std::string &text) {
  auto modules = translateGlsl({{stage, "test", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  auto shader = createShader({"test", std::move(modules->front()), "main", stage, {}});
  if (!shader)
    FAIL(shader.error().text);
  return *shader;
}

// The reflection of the vertex shader that a fragment shader gets.
spirv::Reflection companyOf(const std::string &fragment) {
  std::vector<ShaderRef> shaders = {shaderOf(lgc::ShaderStage::Fragment, fragment)};
  Result<void> done = addEarlierStages(shaders);
  if (!done)
    FAIL(done.error().text);
  REQUIRE(shaders.size() == 2);
  return shaders[0]->reflection;
}

// Every input must have an output at its place, of its type.
void checkFits(const std::string &fragment) {
  CAPTURE(fragment);
  spirv::Reflection vertex = companyOf(fragment);
  spirv::Reflection reflection = shaderOf(lgc::ShaderStage::Fragment, fragment)->reflection;
  REQUIRE(!reflection.fragmentInputs.empty());
  for (const spirv::InterfaceLocation &input : reflection.fragmentInputs) {
    auto output = std::ranges::find_if(vertex.vertexOutputs, [&](const spirv::InterfaceLocation &candidate) {
      return candidate.location == input.location && candidate.componentMask == input.componentMask;
    });
    REQUIRE(output != vertex.vertexOutputs.end());
    CHECK((output->numericClass == input.numericClass));
    CHECK(output->elementBits == input.elementBits);
    CHECK((output->interpolation == input.interpolation));
    CHECK((output->interpolationPoint == input.interpolationPoint));
  }
  CHECK(vertex.vertexOutputs.size() == reflection.fragmentInputs.size());
}

} // namespace

TEST_CASE("a lone fragment shader's inputs are all written") {
  const std::string out = "layout(location = 0) out vec4 target;\n";
  checkFits(out + "layout(location = 2) in vec3 a; void main() { target = a.xyzz; }");
  checkFits(out + "layout(location = 0, component = 1) in vec2 a; layout(location = 0, component = 3) in float b;"
                  "void main() { target = vec4(a, b, 1.0); }");
  checkFits(out + "layout(location = 0) flat in ivec3 a; layout(location = 1) flat in uint b;"
                  "void main() { target = vec4(a, b); }");
  checkFits(out + "layout(location = 1) in Block { vec4 a; noperspective vec2 b[2]; centroid mat3 m; };"
                  "void main() { target = a + vec4(b[0], b[1]) + m[0].xyzz; }");
  checkFits(out + "layout(location = 0) sample in float a; layout(location = 4) noperspective in vec4 b[3];"
                  "void main() { target = a + b[1] + b[2] + b[0]; }");
  checkFits(out + "layout(location = 0) flat in dvec3 a; void main() { target = vec4(a, 1.0); }");
}

TEST_CASE("a lone fragment shader's company reads a position, and numbers only if there are integers") {
  spirv::Reflection plain = companyOf("layout(location = 0) in vec4 a; layout(location = 0) out vec4 t;"
                                      "void main() { t = a; }");
  REQUIRE(plain.vertexInputs.size() == 1);
  CHECK(plain.vertexInputs[0].name == "position");
  CHECK(plain.vertexInputs[0].feedsPosition);
  spirv::Reflection integers = companyOf("layout(location = 0) flat in int a; layout(location = 0) out vec4 t;"
                                         "void main() { t = vec4(a); }");
  CHECK(integers.vertexInputs.size() == 2);
}

TEST_CASE("clip distances that a fragment shader reads are written") {
  spirv::Reflection vertex = companyOf("in float gl_ClipDistance[3]; layout(location = 0) out vec4 t;"
                                       "void main() { t = vec4(gl_ClipDistance[2]); }");
  auto distances = std::ranges::find(vertex.builtIns, static_cast<uint32_t>(spv::BuiltIn::ClipDistance),
                                     &spirv::BuiltInVariable::builtIn);
  REQUIRE(distances != vertex.builtIns.end());
  CHECK(distances->isOutput);
  CHECK(distances->elements == 3);
}

TEST_CASE("a fragment shader that is not alone is left alone") {
  std::vector<ShaderRef> shaders = {
      shaderOf(lgc::ShaderStage::Vertex, "void main() { gl_Position = vec4(0); }"),
      shaderOf(lgc::ShaderStage::Fragment, "layout(location = 0) out vec4 t; void main() { t = vec4(1); }")};
  CHECK(addEarlierStages(shaders).has_value());
  CHECK(addLaterStages(shaders).has_value());
  CHECK(shaders.size() == 2);
}

TEST_CASE("a lone vertex shader's outputs are all shown") {
  std::vector<ShaderRef> shaders = {
      shaderOf(lgc::ShaderStage::Vertex,
               "layout(location = 0) out vec3 a; layout(location = 1) flat out uvec2 b;"
               "layout(location = 2) out Block { mat2 m; float n[2]; };"
               "void main() { gl_Position = vec4(0); a = vec3(1); b = uvec2(2); m = mat2(1); n[0] = 1.0;"
               "n[1] = 2.0; }")};
  Result<void> done = addLaterStages(shaders);
  REQUIRE_MESSAGE(done, done.error().text);
  REQUIRE(shaders.size() == 2);
  CHECK(shaders[1]->reflection.fragmentInputs.size() == shaders[0]->reflection.vertexOutputs.size());
  CHECK(shaders[1]->reflection.fragmentOutputs.size() == 1);
}

TEST_CASE("a vertex shader without outputs shows its shape") {
  std::vector<ShaderRef> shaders = {shaderOf(lgc::ShaderStage::Vertex, "void main() { gl_Position = vec4(0); }")};
  REQUIRE(addLaterStages(shaders).has_value());
  CHECK(shaders.size() == 2);
}

TEST_CASE("a lone control shader gets an evaluation shader of its domain, and vertices") {
  std::vector<ShaderRef> shaders = {shaderOf(
      lgc::ShaderStage::TessControl, "layout(vertices = 3) out; layout(location = 1) in vec2 a[];"
                                     "layout(location = 0) out vec4 b[]; layout(location = 4) patch out ivec3 c;"
                                     "void main() { b[gl_InvocationID] = a[1].xyxy; c = ivec3(1); }")};
  Result<void> done = addEarlierStages(shaders);
  REQUIRE_MESSAGE(done, done.error().text);
  REQUIRE(shaders.size() == 3);
  CHECK((shaders[0]->description.stage == lgc::ShaderStage::Vertex));
  CHECK((shaders[1]->description.stage == lgc::ShaderStage::TessControl));
  REQUIRE((shaders[2]->description.stage == lgc::ShaderStage::TessEval));
  REQUIRE(shaders[0]->reflection.vertexOutputs.size() == 1);
  CHECK(shaders[0]->reflection.vertexOutputs[0].location == 1);
  const spirv::Reflection &evaluation = shaders[2]->reflection;
  CHECK((evaluation.tessellation.primitive == TessPrimitive::Triangles));
  CHECK(evaluation.inputs.size() == 2);
  CHECK(evaluation.outputs.size() == 2);
  CHECK(makeShaderSet(shaders).has_value());
}

TEST_CASE("a lone evaluation shader gets a control shader with all that it reads") {
  std::vector<ShaderRef> shaders = {shaderOf(lgc::ShaderStage::TessEval,
                                             "layout(quads) in; layout(location = 1) in vec2 a[];"
                                             "layout(location = 4) patch in ivec3 c;"
                                             "void main() { gl_Position = a[8].xyxy + vec4(c, 1); }")};
  Result<void> done = addEarlierStages(shaders);
  REQUIRE_MESSAGE(done, done.error().text);
  REQUIRE(shaders.size() == 3);
  const spirv::Reflection &control = shaders[1]->reflection;
  CHECK((shaders[1]->description.stage == lgc::ShaderStage::TessControl));
  CHECK(control.tessellation.outputVertices == 9);
  REQUIRE(control.outputs.size() == 2);
  CHECK_FALSE(control.outputs[0].isPatch);
  CHECK(control.outputs[1].isPatch);
  CHECK(control.outputs[1].location == 4);
  CHECK(control.inputs.size() == 1);
}

TEST_CASE("what an evaluation shader does not declare of the tessellator, its control shader declares") {
  ShaderRef plain = shaderOf(lgc::ShaderStage::TessEval, "layout(isolines) in; void main() { gl_Position = vec4(0); }");
  // GLSL has defaults; other languages do not.
  ShaderDescription description = plain->description;
  SpirvEditor editor(plain->description.words);
  description.words = editor.rewrite([&](const SpirvEditor::Instruction &inst) {
    if (inst.opcode != spv::Op::OpExecutionMode || inst.is(1, spv::ExecutionMode::Isolines))
      editor.emit(inst);
  });
  auto open = createShader(description);
  REQUIRE_MESSAGE(open, open.error().text);
  std::vector<ShaderRef> shaders = {*open};
  REQUIRE(addEarlierStages(shaders).has_value());
  const lgc::TessellationMode &control = shaders[1]->reflection.tessellation;
  CHECK((control.primitive == TessPrimitive::Undeclared));
  CHECK((control.spacing == TessSpacing::Equal));
  CHECK((control.vertexOrder == TessVertexOrder::CounterClockwise));
}

TEST_CASE("a lone geometry shader gets the vertices that it reads") {
  std::vector<ShaderRef> shaders = {shaderOf(
      lgc::ShaderStage::Geometry, "layout(triangles) in; layout(points, max_vertices = 1) out;"
                                  "layout(location = 2) in vec3 a[]; layout(location = 0) out vec3 b;"
                                  "void main() { gl_Position = gl_in[1].gl_Position; b = a[2]; EmitVertex(); }")};
  REQUIRE(addEarlierStages(shaders).has_value());
  REQUIRE(shaders.size() == 2);
  REQUIRE(shaders[0]->reflection.vertexOutputs.size() == 1);
  CHECK(shaders[0]->reflection.vertexOutputs[0].location == 2);
  REQUIRE(addLaterStages(shaders).has_value());
  CHECK(shaders.size() == 3);
}

TEST_CASE("a vertex shader that writes no position gets a geometry shader that does") {
  std::vector<ShaderRef> shaders = {
      shaderOf(lgc::ShaderStage::Vertex, "layout(location = 0) out vec3 a; void main() { a = vec3(1); }")};
  REQUIRE(addLaterStages(shaders).has_value());
  REQUIRE(shaders.size() == 3);
  CHECK((shaders[1]->description.stage == lgc::ShaderStage::Geometry));
  CHECK(shaders[1]->reflection.outputs.size() == 1);
}
