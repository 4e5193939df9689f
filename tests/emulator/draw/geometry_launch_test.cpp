// SPDX-License-Identifier: MIT
//
// The initial registers of ES and GS waves, and the distribution of threads over waves and groups.
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/geometry_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

using Record = std::array<uint32_t, 8>;
constexpr Generation Generations[] = {Generation::Gfx8, Generation::Gfx9};

// Stores the indices of the vertices (as many as there are), the primitive and its invocation, as record number
// primitive * invocations + invocation.
std::string recordInputs(unsigned corners, unsigned invocations) {
  std::string text = fmt::format("v_mul_u32_u24_e32 v21, {}, v16\nv_mad_u32_u24 v21, v17, 1, v21\n", invocations);
  for (unsigned corner = 0; corner < 6; ++corner)
    text += corner < corners ? fmt::format("v_mov_b32_e32 v{}, v{}\n", 22 + corner, 10 + corner)
                             : fmt::format("v_mov_b32_e32 v{}, 0\n", 22 + corner);
  return text + "v_mov_b32_e32 v28, v16\nv_mov_b32_e32 v29, v17\n" + GeometryRun::StoreRecord;
}

// Stores the lane as record number primitive * invocations + invocation, plus one.
std::string recordLane(unsigned invocations) {
  std::string text = fmt::format("v_mul_u32_u24_e32 v21, {}, v16\nv_mad_u32_u24 v21, v17, 1, v21\n", invocations);
  text += "v_mad_u32_u24 v22, v20, 1, 1\n";
  for (unsigned vgpr = 23; vgpr < 30; ++vgpr)
    text += fmt::format("v_mov_b32_e32 v{}, v10\n", vgpr);
  return text + GeometryRun::StoreRecord;
}

void contains(const std::string &text, const char *part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

} // namespace

TEST_CASE("a geometry thread finds the vertices of its primitive") {
  const struct {
    VkPrimitiveTopology topology;
    unsigned corners;
    uint32_t vertices;
    std::vector<Record> records;
  } rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 1, 2, {{0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 1, 0}}},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 2, 3, {{0, 1, 0, 0, 0, 0, 0, 0}, {1, 2, 0, 0, 0, 0, 1, 0}}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 3, 4, {{0, 1, 2, 0, 0, 0, 0, 0}, {1, 3, 2, 0, 0, 0, 1, 0}}},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 4, 8, {{0, 1, 2, 3, 0, 0, 0, 0}, {4, 5, 6, 7, 0, 0, 1, 0}}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
       6,
       12,
       {{0, 1, 2, 3, 4, 5, 0, 0}, {6, 7, 8, 9, 10, 11, 1, 0}}},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 6, 8, {{0, 1, 2, 6, 4, 3, 0, 0}, {2, 5, 6, 7, 4, 0, 1, 0}}},
  };
  for (Generation generation : Generations)
    for (const auto &row : rows) {
      CAPTURE(int(generation));
      CAPTURE(int(row.topology));
      GeometryRun run(generation, row.topology, 0);
      run.scene.vertexCount = row.vertices;
      run.body = recordInputs(row.corners, 1);
      run.draw();
      for (unsigned i = 0; i < 2; ++i)
        CHECK(run.records[i] == row.records[i]);
      CHECK(run.records[2] == Record{}); // there is no third primitive
    }
}

TEST_CASE("all five VGPRs of a primitive with six vertices are loaded, whatever GS_VGPR_COMP_CNT is") {
  GeometryRun run(Generation::Gfx9, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 0);
  run.scene.vertexCount = 6;
  run.body = recordInputs(6, 1);
  const uint32_t rsrc1 = field::PGM_RSRC1::VGPRS(15) | field::PGM_RSRC1::SGPRS(12) | field::PGM_RSRC1::FLOAT_MODE(0xc0);
  run.registers[reg::SPI_SHADER_PGM_RSRC1_GS] = rsrc1;
  run.draw();
  CHECK(run.records[0] == Record{0, 1, 2, 3, 4, 5, 0, 0});
  // With three vertices, a register that GS_VGPR_COMP_CNT does not count was never written.
  GeometryRun triangle(Generation::Gfx9, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0);
  triangle.scene.vertexCount = 3;
  triangle.body = recordInputs(3, 1);
  triangle.registers[reg::SPI_SHADER_PGM_RSRC1_GS] = rsrc1 | field::SPI_SHADER_PGM_RSRC1_GS::GS_VGPR_COMP_CNT(1);
  contains(triangle.drawError(), "was never written");
}

TEST_CASE("each instance has vertices and primitive numbers of its own") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run(generation, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0);
    run.scene.vertexCount = 4;
    run.scene.instanceCount = 3;
    // Record number instance * 2 + primitive: number of the primitive, instance, second vertex.
    run.body = "v_lshlrev_b32_e32 v21, 1, v18\nv_mad_u32_u24 v21, v16, 1, v21\nv_mov_b32_e32 v22, v16\n"
               "v_mov_b32_e32 v23, v18\nv_mov_b32_e32 v24, v11\n";
    for (unsigned vgpr = 25; vgpr < 30; ++vgpr)
      run.body += fmt::format("v_mov_b32_e32 v{}, 7\n", vgpr);
    run.body += GeometryRun::StoreRecord;
    run.draw();
    for (uint32_t instance = 0; instance < 3; ++instance)
      for (uint32_t primitive = 0; primitive < 2; ++primitive)
        CHECK(run.records[instance * 2 + primitive] == Record{primitive, instance, primitive * 2 + 1, 7, 7, 7, 7, 7});
    CHECK(run.records[6] == Record{});
  }
}

TEST_CASE("threads fill waves: primitives in their order, each with its invocations") {
  const struct {
    Generation generation;
    unsigned primitives, invocations, groupVertices, groupPrimitives;
    unsigned waves; // of ES and GS
  } rows[] = {
      {Generation::Gfx9, 1, 1, 64, 64, 1},
      {Generation::Gfx9, 64, 1, 64, 64, 1},
      {Generation::Gfx9, 65, 1, 64, 64, 2},      // two groups, one thread in the second
      {Generation::Gfx9, 150, 1, 200, 200, 3},   // one group of three waves, the last one with 22 threads
      {Generation::Gfx9, 40, 4, 64, 64, 3},      // waves without ES threads
      {Generation::Gfx9, 100, 3, 70, 70, 4 + 2}, // 70 primitives are 210 threads; 30 are 90
      {Generation::Gfx8, 1, 1, 0, 0, 1 + 1},
      {Generation::Gfx8, 150, 1, 0, 0, 2 + 2 + 1 + 1}, // batches of 100
      {Generation::Gfx8, 100, 3, 0, 0, 2 + 5},
      {Generation::Gfx8, 7, 100, 0, 0, 1 + 5 + 1 + 5 + 1 + 2}, // batches of 300 threads
  };
  for (const auto &row : rows) {
    CAPTURE(int(row.generation));
    CAPTURE(row.primitives);
    CAPTURE(row.invocations);
    GeometryRun run(row.generation, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0);
    run.scene.vertexCount = row.primitives;
    run.invocations = row.invocations;
    run.groupVertices = row.groupVertices;
    run.groupPrimitives = row.groupPrimitives;
    run.ringWaves = 5;
    run.body = recordLane(row.invocations);
    run.draw();
    const unsigned batch = row.generation == Generation::Gfx9 ? row.groupPrimitives : row.invocations > 3 ? 3 : 100;
    for (uint32_t thread = 0; thread < row.primitives * row.invocations; ++thread) {
      CHECK(run.records[thread][0] == thread % (batch * row.invocations) % 64 + 1);
      CHECK(run.records[thread][1] == thread / row.invocations);
    }
    CHECK(run.records[row.primitives * row.invocations] == Record{});
    CHECK(run.wavesRun == row.waves);
  }
}

TEST_CASE("waves without GS threads hand on vertices") {
  // 43 triangles of 129 vertices: ES threads in three waves, GS threads in the first one.
  GeometryRun run(Generation::Gfx9, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0);
  run.scene.vertexCount = 129;
  run.groupVertices = 200;
  run.body = recordInputs(3, 1);
  run.draw();
  CHECK(run.wavesRun == 3);
  for (uint32_t i = 0; i < 43; ++i)
    CHECK(run.records[i] == Record{i * 3, i * 3 + 1, i * 3 + 2, 0, 0, 0, i, 0});
}

TEST_CASE("an evaluation shader's waves have the off-chip offset of their patches") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run(generation, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0);
    FrontDraw &front = run.tessellated.emplace();
    front.isTessellated = true;
    // Patches 0 and 1 are of one LS-HS group, patch 2 of another. A triangle each.
    for (uint32_t patch = 0; patch < 3; ++patch) {
      for (uint32_t i = 0; i < 3; ++i)
        front.vertices.push_back({.vgprs = {10 * patch + i}, .offchipOffset = patch < 2 ? 0x2000u : 0x4000u});
      front.primitives.push_back({.corners = 3, .vertex = {3 * patch, 3 * patch + 1, 3 * patch + 2}, .number = patch});
    }
    run.body = "v_mov_b32_e32 v21, v16\nv_mov_b32_e32 v22, v10\nv_mov_b32_e32 v23, v11\nv_mov_b32_e32 v24, v12\n"
               "v_mov_b32_e32 v25, v18\n";
    for (unsigned vgpr = 26; vgpr < 30; ++vgpr)
      run.body += fmt::format("v_mov_b32_e32 v{}, 0\n", vgpr);
    run.body += GeometryRun::StoreRecord;
    run.draw();
    for (uint32_t patch = 0; patch < 3; ++patch)
      CHECK(run.records[patch] ==
            Record{10 * patch, 10 * patch + 1, 10 * patch + 2, patch < 2 ? 0x2000u : 0x4000u, 0, 0, 0, 0});
    CHECK(run.wavesRun == (generation == Generation::Gfx9 ? 2 : 4));
  }
}

TEST_CASE("a group is full behind the primitive that reaches its limit of vertices") {
  // Limit 4: two triangles of six vertices are one group, so that five triangles are three.
  GeometryRun run(Generation::Gfx9, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0);
  run.scene.vertexCount = 15;
  run.groupVertices = 4;
  run.body = recordInputs(3, 1);
  run.draw();
  CHECK(run.wavesRun == 3);
  // In a strip two vertices are shared: 3, then 4 vertices.
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  run.scene.vertexCount = 6;
  run.draw();
  CHECK(run.wavesRun == 2);
  CHECK(run.records[3] == Record{3, 5, 4, 0, 0, 0, 3, 0});
}

TEST_CASE("registers that contradict each other") {
  const auto errorWith = [](Generation generation, uint32_t address, uint32_t value) {
    GeometryRun run(generation, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0);
    run.scene.vertexCount = 64;
    run.body = recordInputs(1, 1);
    run.registers[address] = value;
    return run.drawError();
  };
  for (Generation generation : Generations) {
    contains(errorWith(generation, reg::VGT_GS_MODE, 0), "VGT_GS_MODE 0x0 is not that of a geometry shader");
    contains(errorWith(generation, reg::VGT_GS_MAX_VERT_OUT, 129), "cuts among 128 vertices, but there are 129");
    contains(errorWith(generation, reg::VGT_GS_OUT_PRIM_TYPE, 3), "no such primitives");
    contains(errorWith(generation, reg::VGT_GS_VERT_ITEMSIZE, 2),
             "0 to 4 dwords of a lane for stream 0, which takes 8");
    contains(errorWith(generation, reg::VGT_GSVS_RING_SIZE, 3), "room for 0 waves");
  }
  contains(errorWith(Generation::Gfx8, reg::VGT_ESGS_RING_SIZE, 2), "room for 0 waves");
  contains(errorWith(Generation::Gfx9, reg::VGT_GS_ONCHIP_CNTL, 0), "a group holds nothing");
  contains(errorWith(Generation::Gfx9, reg::VGT_GS_INSTANCE_CNT,
                     field::VGT_GS_INSTANCE_CNT::ENABLE(1) | field::VGT_GS_INSTANCE_CNT::CNT(2)),
           "64 primitives of a group with 2 invocations are not 64");
  contains(errorWith(Generation::Gfx9, reg::VGT_GS_MAX_PRIMS_PER_SUBGROUP, 255), "64 threads emit 4 vertices each");
  contains(errorWith(Generation::Gfx9, reg::SPI_SHADER_PGM_RSRC2_GS,
                     field::SPI_SHADER_PGM_RSRC2_GS::USER_SGPR(2) | field::SPI_SHADER_PGM_RSRC2_GS::LDS_SIZE(1)),
           "64 ES vertices of 3 dwords do not fit into 512 bytes");
}
