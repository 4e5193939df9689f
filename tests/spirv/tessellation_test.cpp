// SPDX-License-Identifier: MIT
//
// Control shaders share their outputs between invocations. So each load and store is an op of its own, and a store
// touches only the place that it names.
#include "src/lgc/ops/op.h"
#include "tests/spirv/glsl.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail;
using namespace dovetail::test;
using lgc::BuiltIn;

namespace {

constexpr auto Control = lgc::ShaderStage::TessControl;
constexpr auto Evaluation = lgc::ShaderStage::TessEval;

// -1: there is no value; -2: the value is not a constant.
int constantOf(llvm::Value *value) {
  if (!value)
    return -1;
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant ? static_cast<int>(constant->getSExtValue()) : -2;
}

lgc::ShaderModes modesOf(TranslatedGlsl &shader) {
  lgc::ShaderModes modes;
  modes.read(shader.module());
  return modes;
}

} // namespace

TEST_CASE("per-vertex inputs of a control shader have the vertex beside their place") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 3) out;
layout(location = 2) in vec4 color[];
layout(location = 5) in vec2 uv[][3];
layout(location = 0) out vec4 sum[];
void main() {
  sum[gl_InvocationID] = color[1] + gl_in[gl_InvocationID].gl_Position + uv[2][gl_InvocationID].xyxy;
})");
  REQUIRE(shader.error() == "");
  auto generic = shader.all<lgc::ReadGenericInputOp>();
  REQUIRE(generic.size() == 2);
  CHECK(generic[0]->location() == 2);
  CHECK(constantOf(generic[0]->vertexIndex()) == 1);
  CHECK(constantOf(generic[0]->locationOffset()) == 0);
  CHECK(generic[1]->location() == 5);
  CHECK(generic[1]->locationCount() == 3);
  CHECK(constantOf(generic[1]->vertexIndex()) == 2);
  CHECK(constantOf(generic[1]->locationOffset()) == -2);
  for (auto *read : shader.all<lgc::ReadBuiltInInputOp>())
    CHECK(constantOf(read->vertexIndex()) == (read->builtIn() == BuiltIn::Position ? -2 : -1));
}

TEST_CASE("outputs of a control shader are written where it stores them, and have no memory") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 3) out;
layout(location = 1) out vec4 color[];
layout(location = 4) patch out vec2 extent;
void main() {
  gl_out[gl_InvocationID].gl_Position = vec4(1);
  color[gl_InvocationID] = vec4(2);
  extent = vec2(3);
  gl_TessLevelOuter[1] = 4;
})");
  REQUIRE(shader.error() == "");
  CHECK(shader.all<llvm::AllocaInst>().empty());
  auto generic = shader.all<lgc::WriteGenericOutputOp>();
  REQUIRE(generic.size() == 2);
  CHECK(generic[0]->location() == 1);
  CHECK(constantOf(generic[0]->vertexIndex()) == -2);
  CHECK(generic[1]->location() == 4);
  CHECK(constantOf(generic[1]->vertexIndex()) == -1);
  auto builtIns = shader.all<lgc::WriteBuiltInOutputOp>();
  REQUIRE(builtIns.size() == 2);
  CHECK((builtIns[0]->builtIn() == BuiltIn::Position));
  CHECK(constantOf(builtIns[0]->vertexIndex()) == -2);
  CHECK(constantOf(builtIns[0]->arrayIndex()) == -1);
  CHECK((builtIns[1]->builtIn() == BuiltIn::TessLevelOuter));
  CHECK(constantOf(builtIns[1]->vertexIndex()) == -1);
  CHECK(constantOf(builtIns[1]->arrayIndex()) == 1);
}

TEST_CASE("storing one component of a control shader's output writes that component only") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 3) out;
layout(location = 1) out vec4 color[];
layout(location = 2, component = 1) out vec3 late[];
void main() {
  color[gl_InvocationID].z = 1;
  late[gl_InvocationID].z = 2;
  gl_out[gl_InvocationID].gl_Position.y = 3;
})");
  REQUIRE(shader.error() == "");
  auto generic = shader.all<lgc::WriteGenericOutputOp>();
  REQUIRE(generic.size() == 2);
  CHECK(generic[0]->component() == 2);
  CHECK(generic[0]->value()->getType()->isFloatTy());
  CHECK(generic[1]->location() == 2);
  CHECK(generic[1]->component() == 3);
  auto *position = shader.only<lgc::WriteBuiltInOutputOp>();
  REQUIRE(position);
  CHECK(constantOf(position->arrayIndex()) == 1);
  CHECK(position->value()->getType()->isFloatTy());
}

TEST_CASE("a component at a dynamic place is written behind a branch of its own") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 4) out;
layout(location = 1) patch out vec3 shades;
void main() { shades[gl_InvocationID] = 1; })");
  REQUIRE(shader.error() == "");
  auto generic = shader.all<lgc::WriteGenericOutputOp>();
  REQUIRE(generic.size() == 3);
  for (unsigned i = 0; i < 3; ++i) {
    CHECK(generic[i]->component() == i);
    for (unsigned j = 0; j < i; ++j)
      CHECK(generic[i]->getParent() != generic[j]->getParent());
  }
  CHECK(shader.all<llvm::SwitchInst>().size() == 1);
  CHECK(shader.all<lgc::ReadGenericOutputOp>().empty());
}

TEST_CASE("an element of a patch array at a dynamic place has a location offset") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 4) out;
layout(location = 3) patch out mat2 list[4];
void main() { list[gl_InvocationID][1] = vec2(1); })");
  REQUIRE(shader.error() == "");
  auto *write = shader.only<lgc::WriteGenericOutputOp>();
  REQUIRE(write);
  CHECK(write->location() == 4);
  CHECK(write->locationCount() == 7);
  CHECK(constantOf(write->locationOffset()) == -2);
  CHECK(constantOf(write->vertexIndex()) == -1);
}

TEST_CASE("outputs are read back as they are now, behind the barrier") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 3) out;
layout(location = 0) out vec2 a[];
layout(location = 1) patch out vec4 b;
void main() {
  a[gl_InvocationID] = vec2(gl_InvocationID);
  barrier();
  b = a[2].yxyx + gl_out[1].gl_Position * gl_TessLevelInner[0];
})");
  REQUIRE(shader.error() == "");
  REQUIRE(shader.all<lgc::BarrierOp>().size() == 1);
  auto *generic = shader.only<lgc::ReadGenericOutputOp>();
  REQUIRE(generic);
  CHECK(constantOf(generic->vertexIndex()) == 2);
  CHECK(shader.only<lgc::BarrierOp>()->comesBefore(generic));
  auto builtIns = shader.all<lgc::ReadBuiltInOutputOp>();
  REQUIRE(builtIns.size() == 2);
  CHECK(constantOf(builtIns[0]->vertexIndex()) == 1);
  CHECK((builtIns[1]->builtIn() == BuiltIn::TessLevelInner));
  CHECK(constantOf(builtIns[1]->vertexIndex()) == -1);
  CHECK(constantOf(builtIns[1]->arrayIndex()) == 0);
}

TEST_CASE("a block of the patch is not an array over vertices, an array of such blocks neither") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 3) out;
layout(location = 2) patch out Block { vec4 first; float list[2]; } blocks[2];
void main() { blocks[1].list[1] = 1; })");
  REQUIRE(shader.error() == "");
  auto *write = shader.only<lgc::WriteGenericOutputOp>();
  REQUIRE(write);
  CHECK(write->location() == 2 + 3 + 1 + 1);
  CHECK(constantOf(write->vertexIndex()) == -1);
}

TEST_CASE("the modes of a control and an evaluation shader") {
  TranslatedGlsl control(Control, "layout(vertices = 7) out;\nvoid main() {}");
  REQUIRE(control.error() == "");
  lgc::TessellationMode mode = modesOf(control).tessellation;
  CHECK(mode.outputVertices == 7);
  CHECK((mode.primitive == TessPrimitive::Undeclared));
  TranslatedGlsl evaluation(Evaluation,
                            "layout(isolines, fractional_even_spacing, cw, point_mode) in;\nvoid main() {}");
  REQUIRE(evaluation.error() == "");
  mode = modesOf(evaluation).tessellation;
  CHECK((mode.primitive == TessPrimitive::Isolines));
  CHECK((mode.spacing == TessSpacing::FractionalEven));
  CHECK((mode.vertexOrder == TessVertexOrder::Clockwise));
  CHECK(mode.pointMode);
  TranslatedGlsl triangles(Evaluation, "layout(triangles, equal_spacing, ccw) in;\nvoid main() {}");
  mode = modesOf(triangles).tessellation;
  CHECK((mode.primitive == TessPrimitive::Triangles));
  CHECK((mode.spacing == TessSpacing::Equal));
  CHECK((mode.vertexOrder == TessVertexOrder::CounterClockwise));
  CHECK_FALSE(mode.pointMode);
}

TEST_CASE("an evaluation shader reads vertices, the patch and the factors, and writes its outputs at its end") {
  TranslatedGlsl shader(Evaluation, R"(
layout(quads) in;
layout(location = 1) in vec4 color[];
layout(location = 3) patch in vec4 list[2];
layout(location = 0) out vec4 result;
void main() {
  if (gl_TessCoord.x > 0.5)
    result = color[3] + list[gl_PrimitiveID];
  gl_Position = gl_in[2].gl_Position * gl_TessLevelOuter[gl_PrimitiveID] * gl_TessLevelInner[1];
})");
  REQUIRE(shader.error() == "");
  auto generic = shader.all<lgc::ReadGenericInputOp>();
  REQUIRE(generic.size() == 2);
  CHECK(constantOf(generic[0]->vertexIndex()) == 3);
  CHECK(constantOf(generic[1]->vertexIndex()) == -1);
  CHECK(generic[1]->locationCount() == 2);
  for (auto *read : shader.all<lgc::ReadBuiltInInputOp>()) {
    CHECK(constantOf(read->vertexIndex()) == (read->builtIn() == BuiltIn::Position ? 2 : -1));
    if (read->builtIn() == BuiltIn::TessLevelOuter)
      CHECK(constantOf(read->arrayIndex()) == -2);
    if (read->builtIn() == BuiltIn::TessLevelInner)
      CHECK(constantOf(read->arrayIndex()) == 1);
  }
  auto *result = shader.only<lgc::WriteGenericOutputOp>();
  REQUIRE(result);
  CHECK(llvm::isa<llvm::ReturnInst>(result->getParent()->getTerminator()));
}

TEST_CASE("reflection of a control shader counts an array over vertices as one vertex") {
  spirv::Reflection reflection = reflectionOf(Control, R"(
layout(vertices = 5) out;
layout(location = 1) in vec3 color[];
layout(location = 4) out vec2 uv[][2];
layout(location = 7) patch out ivec4 numbers;
void main() {
  gl_out[gl_InvocationID].gl_Position = vec4(color[0], 1);
  uv[gl_InvocationID][0] = uv[gl_InvocationID][1] = vec2(1);
  numbers = ivec4(1);
  gl_TessLevelOuter[0] = 1;
})");
  CHECK(reflection.tessellation.outputVertices == 5);
  REQUIRE(reflection.inputs.size() == 1);
  CHECK(reflection.inputs[0].location == 1);
  CHECK(reflection.inputs[0].componentMask == 7);
  REQUIRE(reflection.outputs.size() == 3);
  CHECK(reflection.outputs[0].location == 4);
  CHECK(reflection.outputs[1].location == 5);
  CHECK_FALSE(reflection.outputs[1].isPatch);
  CHECK(reflection.outputs[2].location == 7);
  CHECK(reflection.outputs[2].isPatch);
  auto has = [&](BuiltIn builtIn, bool isPerVertex, uint32_t elements) {
    for (const spirv::BuiltInVariable &row : reflection.builtIns)
      if (row.builtIn == static_cast<uint32_t>(builtIn))
        return row.isPerVertex == isPerVertex && row.elements == elements && row.isOutput;
    return false;
  };
  CHECK(has(BuiltIn::Position, true, 1));
  CHECK(has(BuiltIn::TessLevelOuter, false, 4));
}

TEST_CASE("the size of a control shader's output is limited for each vertex, not for all") {
  TranslatedGlsl shader(Control, R"(
layout(vertices = 32) out;
layout(location = 0) out vec4 list[][20];
void main() { list[gl_InvocationID][19] = vec4(1); })");
  CHECK(shader.error() == "");
}

TEST_CASE("initializers of a control shader's outputs are written by each invocation, before all stores") {
  std::vector<uint32_t> words = assembleText(R"(
OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %main "main" %vertex %patch
OpExecutionMode %main OutputVertices 3
OpDecorate %vertex Location 1
OpDecorate %patch Location 2
OpDecorate %patch Patch
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%uint_3 = OpConstant %uint 3
%float_5 = OpConstant %float 5
%vertices = OpTypeArray %float %uint_3
%null = OpConstantNull %vertices
%ptr_vertices = OpTypePointer Output %vertices
%ptr_float = OpTypePointer Output %float
%vertex = OpVariable %ptr_vertices Output %null
%patch = OpVariable %ptr_float Output %float_5
%main = OpFunction %void None %fn
%entry = OpLabel
%first = OpAccessChain %ptr_float %vertex %uint_0
%seen = OpLoad %float %first
OpStore %patch %seen
OpReturn
OpFunctionEnd
)");
  Translated shader(words, optionsOf(Control));
  REQUIRE(shader.error() == "");
  auto writes = shader.all<lgc::WriteGenericOutputOp>();
  REQUIRE(writes.size() == 3);
  auto *invocation = llvm::dyn_cast<lgc::ReadBuiltInInputOp>(static_cast<llvm::Value *>(writes[0]->vertexIndex()));
  REQUIRE(invocation);
  CHECK((invocation->builtIn() == BuiltIn::InvocationId));
  CHECK(writes[1]->location() == 2);
  CHECK(constantOf(writes[1]->vertexIndex()) == -1);
  auto *barrier = shader.only<lgc::BarrierOp>();
  REQUIRE(barrier);
  CHECK(writes[1]->comesBefore(barrier));
}
