// SPDX-License-Identifier: MIT
//
// A geometry shader's outputs are memory until it emits a vertex. The emission writes all outputs that the shader
// stores anywhere. One op for each component declares transform feedback.
#include "src/lgc/ops/op.h"
#include "tests/spirv/glsl.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <tuple>

using namespace dovetail;
using namespace dovetail::test;
using lgc::BuiltIn;

namespace {

constexpr auto Geometry = lgc::ShaderStage::Geometry;
constexpr auto Vertex = lgc::ShaderStage::Vertex;
constexpr char Points[] = "layout(points) in;\nlayout(points, max_vertices = 4) out;\n";

lgc::ShaderModes modesOf(TranslatedGlsl &shader) {
  lgc::ShaderModes modes;
  modes.read(shader.module());
  return modes;
}

// The locations that are written in the block that leads to an emission.
std::vector<unsigned> writtenBefore(lgc::EmitVertexOp *emission) {
  std::vector<unsigned> locations;
  llvm::BasicBlock *block = emission->getParent()->getSinglePredecessor();
  REQUIRE(block);
  for (llvm::Instruction &inst : *block)
    if (auto *write = llvm::dyn_cast<lgc::WriteGenericOutputOp>(&inst))
      locations.push_back(write->location());
  return locations;
}

using Locations = std::vector<unsigned>;

struct Capture {
  bool isBuiltIn;
  unsigned location, component, buffer, stride, offset, stream;
  bool operator==(const Capture &) const = default;
};

std::vector<Capture> capturesOf(TranslatedGlsl &shader) {
  std::vector<Capture> captures;
  for (auto *op : shader.all<lgc::CaptureOutputOp>())
    captures.push_back(
        {op->isBuiltIn(), op->location(), op->component(), op->buffer(), op->stride(), op->offset(), op->stream()});
  return captures;
}

} // namespace

TEST_CASE("each emission writes all outputs that the shader stores anywhere, and the end none") {
  TranslatedGlsl shader(Geometry, std::string(Points) + R"(
layout(location = 0) out vec4 early;
layout(location = 3) out vec4 late;
layout(location = 5) out vec4 never;
void main() {
  early = vec4(1);
  EmitVertex();
  late = vec4(2);
  EmitVertex();
})");
  REQUIRE(shader.error() == "");
  auto emissions = shader.all<lgc::EmitVertexOp>();
  REQUIRE(emissions.size() == 2);
  CHECK(writtenBefore(emissions[0]) == Locations{0, 3});
  CHECK(writtenBefore(emissions[1]) == Locations{0, 3});
  CHECK(shader.all<lgc::WriteGenericOutputOp>().size() == 4);
}

TEST_CASE("an emission in a function writes what its caller stores later") {
  TranslatedGlsl shader(Geometry, std::string(Points) + R"(
layout(location = 1) out float a;
layout(location = 2) out float b;
void emit(float value) { a = value; EmitVertex(); }
void main() {
  for (int i = 0; i < 2; ++i) {
    emit(1);
    b = 2;
  }
  emit(3);
})");
  REQUIRE(shader.error() == "");
  auto emissions = shader.all<lgc::EmitVertexOp>();
  REQUIRE(emissions.size() == 2);
  for (lgc::EmitVertexOp *emission : emissions)
    CHECK(writtenBefore(emission) == Locations{1, 2});
}

TEST_CASE("an emission writes the outputs of its stream, which they name") {
  TranslatedGlsl shader(Geometry, std::string(Points) + R"(
layout(location = 0, stream = 0) out vec4 seen;
layout(location = 1, stream = 2) out vec4 captured;
void main() {
  seen = captured = vec4(1);
  EmitStreamVertex(2);
  EndStreamPrimitive(2);
  EmitVertex();
})");
  REQUIRE(shader.error() == "");
  auto emissions = shader.all<lgc::EmitVertexOp>();
  REQUIRE(emissions.size() == 2);
  CHECK(emissions[0]->stream() == 2);
  CHECK(writtenBefore(emissions[0]) == Locations{1});
  CHECK(emissions[1]->stream() == 0);
  CHECK(writtenBefore(emissions[1]) == Locations{0});
  auto writes = shader.all<lgc::WriteGenericOutputOp>();
  CHECK(writes[0]->index() == 2u << lgc::OutputStreamShift);
  CHECK(writes[1]->index() == 0);
  auto *end = shader.only<lgc::EndPrimitiveOp>();
  REQUIRE(end);
  CHECK(end->stream() == 2);
}

TEST_CASE("inputs of a geometry shader have the vertex beside their place") {
  TranslatedGlsl shader(Geometry, R"(
layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; } gl_in[];
layout(location = 4) in Data { vec4 a; vec2 b[2]; } data[];
void main() {
  gl_Position = data[5].b[1].xyxy * gl_in[gl_PrimitiveIDIn].gl_ClipDistance[gl_InvocationID];
  EmitVertex();
})");
  REQUIRE(shader.error() == "");
  auto *data = shader.only<lgc::ReadGenericInputOp>();
  REQUIRE(data);
  CHECK(data->location() == 6);
  CHECK(llvm::cast<llvm::ConstantInt>(static_cast<llvm::Value *>(data->vertexIndex()))->getZExtValue() == 5);
  unsigned clipReads = 0;
  for (auto *read : shader.all<lgc::ReadBuiltInInputOp>()) {
    if (read->builtIn() != BuiltIn::ClipDistance)
      continue;
    ++clipReads;
    CHECK(llvm::isa<lgc::ReadBuiltInInputOp>(static_cast<llvm::Value *>(read->vertexIndex())));
    CHECK(llvm::isa<lgc::ReadBuiltInInputOp>(static_cast<llvm::Value *>(read->arrayIndex())));
  }
  CHECK(clipReads == 1);
}

TEST_CASE("the modes of a geometry shader") {
  TranslatedGlsl shader(Geometry, R"(
layout(triangles, invocations = 5) in;
layout(line_strip, max_vertices = 9) out;
void main() {})");
  REQUIRE(shader.error() == "");
  lgc::GeometryShaderMode mode = modesOf(shader).geometry;
  CHECK((mode.input == GeometryInput::Triangles));
  CHECK((mode.output == GeometryOutput::LineStrip));
  CHECK(mode.maxVertices == 9);
  CHECK(mode.invocations == 5);
  // The neighbour: the same execution modes would have a meaning in tessellation.
  CHECK((modesOf(shader).tessellation == lgc::TessellationMode()));
  TranslatedGlsl adjacency(Geometry, R"(
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {})");
  CHECK((modesOf(adjacency).geometry.input == GeometryInput::LinesAdjacency));
  CHECK((modesOf(adjacency).geometry.output == GeometryOutput::TriangleStrip));
}

TEST_CASE("built-ins of a geometry shader's vertices are written with them") {
  TranslatedGlsl shader(Geometry, std::string(Points) + R"(
void main() {
  gl_Layer = 1;
  gl_ViewportIndex = 2;
  gl_PrimitiveID = gl_PrimitiveIDIn;
  EmitVertex();
})");
  REQUIRE(shader.error() == "");
  std::vector<BuiltIn> written;
  for (auto *write : shader.all<lgc::WriteBuiltInOutputOp>())
    written.push_back(write->builtIn());
  std::ranges::sort(written);
  CHECK((written == std::vector<BuiltIn>{BuiltIn::PrimitiveId, BuiltIn::Layer, BuiltIn::ViewportIndex}));
}

TEST_CASE("transform feedback captures variables, members and built-ins at their offsets") {
  TranslatedGlsl shader(Vertex, R"(
layout(xfb_buffer = 1, xfb_stride = 64) out;
layout(xfb_offset = 4) out gl_PerVertex { vec4 gl_Position; };
layout(location = 3, component = 1, xfb_buffer = 2, xfb_stride = 12, xfb_offset = 4) out vec2 place;
layout(location = 6) out float free;
void main() {
  gl_Position = vec4(1);
  place = vec2(2);
  free = 3;
})");
  REQUIRE(shader.error() == "");
  CHECK(modesOf(shader).transformFeedback);
  CHECK(capturesOf(shader) == std::vector<Capture>{{true, 0, 0, 1, 64, 4, 0},
                                                   {true, 0, 1, 1, 64, 8, 0},
                                                   {true, 0, 2, 1, 64, 12, 0},
                                                   {true, 0, 3, 1, 64, 16, 0},
                                                   {false, 3, 1, 2, 12, 4, 0},
                                                   {false, 3, 2, 2, 12, 8, 0}});
}

TEST_CASE("elements of captured arrays and matrices lie side by side; members without an offset are not captured") {
  TranslatedGlsl shader(Vertex, R"(
layout(location = 2, xfb_buffer = 0, xfb_stride = 80) out Block {
  layout(xfb_offset = 8) mat2x3 turn;
  layout(xfb_offset = 40) dvec2 fine;
  vec4 free;
  layout(xfb_offset = 60) float list[2];
} block;
void main() {
  block.turn = mat2x3(1);
  block.fine = dvec2(2);
  block.free = vec4(3);
  block.list[1] = 4;
})");
  REQUIRE(shader.error() == "");
  std::vector<Capture> expected;
  for (unsigned column = 0; column < 2; ++column)
    for (unsigned row = 0; row < 3; ++row)
      expected.push_back({false, 2 + column, row, 0, 80, 8 + column * 12 + row * 4, 0});
  for (unsigned word = 0; word < 4; ++word)
    expected.push_back({false, 4, word, 0, 80, 40 + word * 4, 0});
  expected.push_back({false, 7, 0, 0, 80, 64, 0}); // element 0 is never stored
  CHECK(capturesOf(shader) == expected);
}

TEST_CASE("elements of a captured built-in array count on") {
  TranslatedGlsl shader(lgc::ShaderStage::TessEval, R"(
layout(triangles) in;
layout(xfb_buffer = 3, xfb_stride = 32) out;
layout(xfb_buffer = 3) out gl_PerVertex {
  vec4 gl_Position;
  layout(xfb_offset = 16) float gl_ClipDistance[2];
};
void main() {
  gl_Position = vec4(1);
  gl_ClipDistance[0] = gl_ClipDistance[1] = 2;
})");
  REQUIRE(shader.error() == "");
  constexpr auto Clip = static_cast<unsigned>(BuiltIn::ClipDistance);
  CHECK(capturesOf(shader) == std::vector<Capture>{{true, Clip, 0, 3, 32, 16, 0}, {true, Clip, 1, 3, 32, 20, 0}});
}

TEST_CASE("captures of a geometry shader name their stream, once each") {
  TranslatedGlsl shader(Geometry, std::string(Points) + R"(
layout(location = 1, stream = 3, xfb_buffer = 2, xfb_stride = 4, xfb_offset = 0) out float depth;
void main() {
  for (int i = 0; i < 2; ++i) {
    depth = float(i);
    EmitStreamVertex(3);
  }
  EmitStreamVertex(3);
})");
  REQUIRE(shader.error() == "");
  CHECK(capturesOf(shader) == std::vector<Capture>{{false, 1, 0, 2, 4, 0, 3}});
}

TEST_CASE("without the execution mode nothing is captured") {
  TranslatedGlsl shader(Vertex, "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }");
  REQUIRE(shader.error() == "");
  CHECK_FALSE(modesOf(shader).transformFeedback);
  CHECK(capturesOf(shader).empty());
}

TEST_CASE("reflection of a geometry shader: modes, streams and what transform feedback takes") {
  spirv::Reflection reflection = reflectionOf(Geometry, R"(
layout(lines, invocations = 2) in;
layout(points, max_vertices = 6) out;
layout(location = 2) in vec2 uv[];
layout(location = 0, stream = 0) out vec4 color;
layout(location = 1, stream = 1, xfb_buffer = 2, xfb_stride = 24, xfb_offset = 8) out vec2 place;
void main() {
  color = uv[0].xyxy;
  EmitVertex();
  place = uv[1];
  EmitStreamVertex(1);
})");
  CHECK((reflection.geometry.input == GeometryInput::Lines));
  CHECK((reflection.geometry.output == GeometryOutput::Points));
  CHECK(reflection.geometry.maxVertices == 6);
  CHECK(reflection.geometry.invocations == 2);
  REQUIRE(reflection.inputs.size() == 1);
  CHECK(reflection.inputs[0].location == 2);
  REQUIRE(reflection.outputs.size() == 2);
  CHECK(reflection.outputs[0].stream == 0);
  CHECK(reflection.outputs[1].stream == 1);
  CHECK(reflection.xfbStrides == std::array<uint32_t, 4>{0, 0, 24, 0});
  CHECK(reflection.xfbStreams == std::array<uint32_t, 4>{0, 0, 1, 0});
}
