// SPDX-License-Identifier: MIT
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/primitives/input_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

// "0 1 2*, 1 3 2*": the indices of each primitive's corners; * is the provoking one.
std::string describe(const AssembledDraw &draw) {
  std::string text;
  for (const FrontPrimitive &primitive : draw.primitives) {
    text += text.empty() ? "" : ", ";
    for (unsigned i = 0; i < primitive.corners; ++i)
      text += fmt::format("{}{}{}", i ? " " : "", draw.vertices[primitive.vertex[i]].index,
                          i == primitive.provoking ? "*" : "");
  }
  return text;
}

std::string assemble(VkPrimitiveTopology topology, uint32_t vertices, bool last) {
  Scene scene;
  scene.state.topology = topology;
  scene.state.flatProvokingVertexLast = last;
  scene.vertexCount = vertices;
  return describe(assembleInput(scene, false).value());
}

} // namespace

TEST_CASE("the primitives of each topology") {
  const struct {
    VkPrimitiveTopology topology;
    uint32_t vertices;
    const char *first, *last; // by either convention of the provoking vertex
  } rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 2, "0*, 1*", "0*, 1*"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 5, "0* 1, 2* 3", "0 1*, 2 3*"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 3, "0* 1, 1* 2", "0 1*, 1 2*"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 8, "0* 1 2, 3* 4 5", "0 1 2*, 3 4 5*"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 5, "0* 1 2, 1* 3 2, 2* 3 4", "0 1 2*, 1 3* 2, 2 3 4*"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 4, "1* 2 0, 2* 3 0", "1 2* 0, 2 3* 0"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 8, "1* 2, 5* 6", "1 2*, 5 6*"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 5, "1* 2, 2* 3", "1 2*, 2 3*"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 6, "0* 2 4", "0 2 4*"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 8, "0* 2 4, 2* 6 4", "0 2 4*, 2 6* 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 2, "", ""},
  };
  for (const auto &row : rows) {
    CAPTURE(int(row.topology));
    CHECK(assemble(row.topology, row.vertices, false) == row.first);
    CHECK(assemble(row.topology, row.vertices, true) == row.last);
  }
}

TEST_CASE("what a geometry shader gets of each topology") {
  const auto assembleFor = [](VkPrimitiveTopology topology, uint32_t vertices, bool last) {
    Scene scene;
    scene.state.topology = topology;
    scene.state.flatProvokingVertexLast = last;
    scene.vertexCount = vertices;
    std::string text;
    const AssembledDraw draw = assembleInput(scene, false, InputUse::Geometry).value();
    for (const FrontPrimitive &primitive : draw.primitives) {
      text += fmt::format("{}{}:", text.empty() ? "" : ", ", primitive.number);
      for (unsigned i = 0; i < primitive.corners; ++i)
        text += fmt::format(" {}", draw.vertices[primitive.vertex[i]].index);
    }
    return text;
  };
  const struct {
    VkPrimitiveTopology topology;
    uint32_t vertices;
    const char *first, *last; // by either convention of the provoking vertex
  } rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 2, "0: 0, 1: 1", "0: 0, 1: 1"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 3, "0: 0 1, 1: 1 2", "0: 0 1, 1: 1 2"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 7, "0: 0 1 2, 1: 3 4 5", "0: 0 1 2, 1: 3 4 5"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 5, "0: 0 1 2, 1: 1 3 2, 2: 2 3 4", "0: 0 1 2, 1: 2 1 3, 2: 2 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 4, "0: 1 2 0, 1: 2 3 0", "0: 0 1 2, 1: 0 2 3"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 9, "0: 0 1 2 3, 1: 4 5 6 7", "0: 0 1 2 3, 1: 4 5 6 7"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 5, "0: 0 1 2 3, 1: 1 2 3 4", "0: 0 1 2 3, 1: 1 2 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 12, "0: 0 1 2 3 4 5, 1: 6 7 8 9 10 11",
       "0: 0 1 2 3 4 5, 1: 6 7 8 9 10 11"},
      // A strip of one triangle, of two, of four. At the ends of a strip, the last neighbour of an edge lies elsewhere.
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 6, "0: 0 1 2 5 4 3", "0: 0 1 2 5 4 3"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 8, "0: 0 1 2 6 4 3, 1: 2 5 6 7 4 0",
       "0: 0 1 2 6 4 3, 1: 2 5 6 7 4 0"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 12,
       "0: 0 1 2 6 4 3, 1: 2 5 6 8 4 0, 2: 4 2 6 10 8 7, 3: 6 9 10 11 8 4",
       "0: 0 1 2 6 4 3, 1: 2 5 6 8 4 0, 2: 4 2 6 10 8 7, 3: 6 9 10 11 8 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 5, "", ""},
  };
  for (const auto &row : rows) {
    CAPTURE(int(row.topology));
    CHECK(assembleFor(row.topology, row.vertices, false) == row.first);
    CHECK(assembleFor(row.topology, row.vertices, true) == row.last);
  }
}

TEST_CASE("an index is shaded once, and restart begins a new strip") {
  Scene scene;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  scene.indices = {7, 5, 7, 9, 0xffffffff, 5, 9, 7, 1, 2, 3};
  scene.vertexCount = 9; // up to the index 1
  scene.primitiveRestart = true;
  const AssembledDraw draw = assembleInput(scene, false).value();
  CHECK(describe(draw) == "7* 5 7, 5* 9 7, 5* 9 7, 9* 1 7");
  CHECK(draw.vertices.size() == 4);
}

TEST_CASE("without restart the restart index is an index") {
  Scene scene;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  scene.indices = {1, 0xffffffff};
  scene.vertexCount = 2;
  CHECK(describe(assembleInput(scene, false).value()) == "1* 4294967295");
}

TEST_CASE("of indexed draws, the first vertex is where the indices begin") {
  Scene scene;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  scene.indices = {4, 5, 6, 7};
  scene.firstVertex = 1;
  scene.vertexCount = 2;
  CHECK(describe(assembleInput(scene, false).value()) == "5*, 6*");
  scene.firstVertex = 3;
  CHECK(assembleInput(scene, false).error().text == "the draw wants 5 of 4 indices");
}

TEST_CASE("each instance has its own vertices and counts its primitives from 0") {
  Scene scene;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  scene.vertexCount = 3;
  scene.instanceCount = 2;
  const AssembledDraw shared = assembleInput(scene, false).value();
  CHECK(shared.vertices.size() == 6);
  CHECK(shared.vertices[3].instance == 1);
  CHECK(shared.vertices[3].index == 0);
  const AssembledDraw own = assembleInput(scene, true).value();
  CHECK(own.vertices.size() == 8); // each vertex has its primitive's number
  const uint32_t expected[] = {0, 0, 1, 1, 0, 0, 1, 1};
  for (unsigned i = 0; i < 8; ++i)
    CHECK(own.vertices[i].primitive == expected[i]);
}

TEST_CASE("patches are not assembled") {
  Scene scene;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  CHECK((assembleInput(scene, false).error().code == ErrorCode::Unsupported));
}

TEST_CASE("a draw must not want more indices than there are") {
  Scene scene;
  scene.indices = {0, 1};
  scene.vertexCount = 3;
  CHECK((assembleInput(scene, false).error().code == ErrorCode::InvalidInput));
}

TEST_CASE(
    "the second register of a vertex is its instance divided by VGT_INSTANCE_STEP_RATE_0, the fourth the instance") {
  AssembledDraw input;
  input.vertices = {{.index = 3, .instance = 7}};
  auto vgprs = [&](uint32_t rate) {
    return makeFrontDraw(input, {{reg::VGT_INSTANCE_STEP_RATE_0, rate}}).vertices[0].vgprs;
  };
  CHECK(vgprs(1) == std::array<uint32_t, 4>{3, 7, 0, 7});
  CHECK(vgprs(3) == std::array<uint32_t, 4>{3, 2, 0, 7});
  CHECK(vgprs(0) == std::array<uint32_t, 4>{3, UndefinedValue, 0, 7});
}
