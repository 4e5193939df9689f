// SPDX-License-Identifier: MIT
#include "merge/group_layout.h"
#include "merge/image.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

struct Tessellated {
  ShaderInterface vertex, control, evaluation;
  uint32_t controlPoints = 3;

  Tessellated() {
    vertex.outputSlots = 0b11; // position and location 0
    control.inputSlots = 0b11;
    control.outputSlots = 0b11;
    control.patchOutputSlots = 0b100; // location 0
    control.tessellation.outputVertices = 3;
    control.tessellation.ldsPatchStride = 24;
    evaluation.inputSlots = 0b10;
    evaluation.tessellation.primitive = TessPrimitive::Triangles;
  }
  Result<TessellationLayout> layOut() const { return layOutTessellation(vertex, control, evaluation, controlPoints); }
};

Result<GeometryLayout> geometryOf(GeometryInput input, unsigned slots, unsigned maxVertices, unsigned invocations = 1,
                                  bool ringInLds = true) {
  ShaderInterface es, gs;
  es.outputSlots = (SlotMask(1) << slots) - 1;
  gs.geometry.input = input;
  gs.geometry.maxVertices = uint16_t(maxVertices);
  gs.geometry.invocations = uint8_t(invocations);
  gs.geometry.outputs = {{0, 0, 0}, {0, 1, 0}, {1, 0, 2}};
  return layOutGeometry(es, gs, ringInLds);
}

} // namespace

TEST_CASE("an LS-HS group of triangles") {
  Result<TessellationLayout> layout = Tessellated().layOut();
  REQUIRE(layout);
  CHECK(layout->lsVertexStride == 2 * 16 + 4);
  // LDS: 3 * 36 + 24 = 132 bytes a patch: 124 patches in 16 KiB. Off-chip: (2 * 3 + 3) * 16 = 144 bytes: 227 patches.
  // 256 threads: 85 patches. At most 64; their 192 threads fill three waves.
  CHECK(layout->patchesPerGroup == 64);
  CHECK(layout->outputBase == 64 * 108);
  CHECK(layout->ldsBytes == 64 * 132);
  CHECK(layout->offchipPatchBase == 64 * 2 * 3 * 16);
  CHECK(layout->offchipBytes == 64 * 144);
}

TEST_CASE("strides reach to the highest slot that either side knows") {
  Tessellated program;
  program.control.inputSlots = SlotMask(1) << 9;
  program.evaluation.inputSlots = SlotMask(1) << 4;
  Result<TessellationLayout> layout = program.layOut();
  REQUIRE(layout);
  CHECK(layout->lsVertexStride == 10 * 16 + 4);
  CHECK(layout->offchipPatchBase == layout->patchesPerGroup * 5 * 3 * 16);
}

TEST_CASE("factors that the evaluation shader reads take room off-chip") {
  Tessellated program;
  program.control.patchOutputSlots = 0;
  CHECK(program.layOut()->offchipBytes == program.layOut()->offchipPatchBase);
  program.evaluation.tessellation.readsFactors = true;
  CHECK(program.layOut()->offchipBytes == program.layOut()->offchipPatchBase + program.layOut()->patchesPerGroup * 32);
}

TEST_CASE("fewer patches than would leave a last wave mostly idle") {
  Tessellated program;
  program.controlPoints = 20;
  program.control.tessellation.ldsPatchStride = 0;
  // 256 / 20 = 12 patches: 240 threads. 16 lanes of the last wave are idle, which is less than a patch.
  CHECK(program.layOut()->patchesPerGroup == 12);
  // LDS of 5 patches of 3200 bytes each: 100 threads; 28 lanes of the second wave idle: 64 threads make 3 patches.
  program.vertex.outputSlots = SlotMask(1) << 8; // (9 * 16 + 4) * 20 = 2960
  program.control.tessellation.ldsPatchStride = 240;
  CHECK(program.layOut()->patchesPerGroup == 3);
}

TEST_CASE("one patch of the largest kind has a group of its own, a larger one none") {
  Tessellated program;
  program.controlPoints = 32;
  program.control.tessellation.outputVertices = 32;
  program.vertex.outputSlots = SlotMask(1) << 37; // (38 * 16 + 4) * 32 = 19584 bytes
  program.control.tessellation.ldsPatchStride = 32768 - 19584;
  CHECK(program.layOut()->patchesPerGroup == 1);
  program.control.tessellation.ldsPatchStride += 4;
  Result<TessellationLayout> layout = program.layOut();
  REQUIRE_FALSE(layout);
  CHECK((layout.error().code == ErrorCode::JoinRefused));
  CHECK(layout.error().text.find("32772 bytes of LDS") != std::string::npos);
}

TEST_CASE("states and modes that contradict each other") {
  Tessellated program;
  program.controlPoints = 0;
  CHECK((program.layOut().error().code == ErrorCode::StateMismatch));
  program.controlPoints = 33;
  CHECK((program.layOut().error().code == ErrorCode::StateMismatch));
  program.controlPoints = 32;
  CHECK(program.layOut());
  program.control.tessellation.primitive = TessPrimitive::Quads;
  CHECK(program.layOut().error().text.find("primitives") != std::string::npos);
  program.control.tessellation.primitive = program.evaluation.tessellation.primitive = TessPrimitive::Undeclared;
  CHECK(program.layOut().error().text.find("neither") != std::string::npos);
}

TEST_CASE("an ES-GS group of triangles") {
  Result<GeometryLayout> layout = geometryOf(GeometryInput::Triangles, 2, 4);
  REQUIRE(layout);
  CHECK(layout->esVertexStride == 36);
  CHECK(layout->gsPrimitivesPerGroup == 64);
  CHECK(layout->gsInstancePrimitivesPerGroup == 64);
  // Three vertices for each of 64 triangles, with room to complete the last triangle.
  CHECK(layout->ldsBytes == 192 * 36);
  CHECK(layout->esVerticesPerGroup == 190);
  CHECK(layout->gsvsItemDwords[0] == 8);
  CHECK(layout->gsvsItemDwords[1] == 0);
  CHECK(layout->gsvsItemDwords[2] == 4);
}

TEST_CASE("instances and adjacency make groups smaller") {
  Result<GeometryLayout> instanced = geometryOf(GeometryInput::Points, 1, 2, 32);
  REQUIRE(instanced);
  CHECK(instanced->gsPrimitivesPerGroup == 3); // 127 / 32
  CHECK(instanced->gsInstancePrimitivesPerGroup == 96);
  CHECK(instanced->esVerticesPerGroup == 3);

  Result<GeometryLayout> adjacent = geometryOf(GeometryInput::TrianglesAdjacency, 1, 2);
  REQUIRE(adjacent);
  CHECK(adjacent->gsPrimitivesPerGroup == 64);
  CHECK(adjacent->ldsBytes == 3 * 64 * 20); // a triangle owns half of its six vertices
  CHECK(adjacent->esVerticesPerGroup == 192 - 5);

  // One primitive at a time still has room for all six of its vertices.
  Result<GeometryLayout> single = geometryOf(GeometryInput::TrianglesAdjacency, 1, 2, 127);
  REQUIRE(single);
  CHECK(single->gsPrimitivesPerGroup == 1);
  CHECK(single->ldsBytes == 6 * 20);
}

TEST_CASE("large vertices make groups smaller") {
  Result<GeometryLayout> layout = geometryOf(GeometryInput::Triangles, 38, 4); // 612 bytes a vertex
  REQUIRE(layout);
  CHECK(layout->gsPrimitivesPerGroup == 17); // 32768 / (3 * 612)
  CHECK(layout->ldsBytes == 51 * 612);
}

TEST_CASE("without merged stages there are no ES-GS groups, and vertices are not padded") {
  Result<GeometryLayout> layout = geometryOf(GeometryInput::Triangles, 2, 4, 1, false);
  REQUIRE(layout);
  CHECK(layout->esVertexStride == 32);
  CHECK(layout->esVerticesPerGroup == 0);
  CHECK(layout->ldsBytes == 0);
}

TEST_CASE("vertices that hand nothing to a geometry shader take a piece of the ring") {
  for (bool ringInLds : {false, true}) {
    Result<GeometryLayout> layout = geometryOf(GeometryInput::Triangles, 0, 4, 1, ringInLds);
    REQUIRE(layout);
    CHECK(layout->esVertexStride == (ringInLds ? 4 : 16));
  }
}

TEST_CASE("vertices beyond the GSVS ring") {
  ShaderInterface es, gs;
  gs.geometry.maxVertices = 1024;
  gs.geometry.outputs.assign(31, {0, 0, 0});
  CHECK(layOutGeometry(es, gs, false)); // 31744 dwords
  gs.geometry.outputs.push_back({0, 0, 1});
  Result<GeometryLayout> layout = layOutGeometry(es, gs, false); // 32768
  REQUIRE_FALSE(layout);
  CHECK(layout.error().text.find("32768 dwords") != std::string::npos);
}

TEST_CASE("sample positions begin at the pattern of the pixel's number of samples") {
  Image image;
  image.stages.emplace_back().stage = HardwareStage::Ps;
  const std::pair<uint32_t, uint32_t> rows[] = {{1, 0}, {2, 256}, {4, 512}, {8, 768}, {16, 1024}};
  for (auto [samples, offset] : rows) {
    image.samples = samples;
    CHECK(*linkConstantValue(image, LinkConstant::SamplePattern) == offset);
  }
}

TEST_CASE("link constants of an image without the stages that decide them") {
  Image image;
  CHECK_FALSE(linkConstantValue(image, LinkConstant::EsVertexStride));
  CHECK_FALSE(linkConstantValue(image, LinkConstant::SamplePattern));
  CHECK(linkConstantValue(image, LinkConstant::LsVertexStride).error().text.find("dovetail.ls_vertex_stride") !=
        std::string::npos);
  image.geometry = GeometryLayout{.esVertexStride = 52};
  CHECK(*linkConstantValue(image, LinkConstant::EsVertexStride) == 52);
  CHECK_FALSE(linkConstantValue(image, LinkConstant(LinkConstantCount)));
}
