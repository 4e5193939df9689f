// SPDX-License-Identifier: MIT
//
// The way of emitted vertices: strips and cuts, the order of primitives, streams, transform feedback, pictures.
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/geometry_run.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/ranges.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

using Dwords = std::vector<uint32_t>;
constexpr Generation Generations[] = {Generation::Gfx8, Generation::Gfx9};
constexpr unsigned Points = 0, Lines = 1, Triangles = 2;

// v30 = 10 * primitive + number, and emits it.
std::string emitNumbered(const GeometryRun &run, unsigned number, unsigned stream = 0,
                         const char *operation = "GS_OP_EMIT") {
  return fmt::format("s_waitcnt expcnt(0) vmcnt(0)\nv_mul_u32_u24_e32 v30, 10, v16\nv_mad_u32_u24 v30, v30, 1, {}\n",
                     number) +
         run.emit(number, stream, operation);
}

// A run over points that captures stream 0.
GeometryRun pointsRun(Generation generation, unsigned output, uint32_t points, unsigned maxVertices) {
  GeometryRun run(generation, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, output);
  run.scene.vertexCount = points;
  run.maxVertices = maxVertices;
  run.capturedBytes[0] = 4096;
  run.vertices.assign(1, DrawVertex{}); // vertices that are missing are 0
  return run;
}

// For the test's messages.
std::string text(const Dwords &dwords) {
  return fmt::format("{}", fmt::join(dwords, " "));
}

// The captured dwords. Nothing may have touched the rest of the buffer.
Dwords written(const GeometryRun &run, unsigned buffer = 0) {
  Dwords all = run.captured(buffer);
  while (!all.empty() && all.back() == GeometryRun::Untouched)
    all.pop_back();
  return all;
}

void contains(const std::string &text, const char *part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

} // namespace

TEST_CASE("strips of each kind of output") {
  const struct {
    unsigned output;
    Dwords captured; // of vertices 0 to 4
    Dwords last;     // where the last vertex provokes
  } rows[] = {
      {Points, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}},
      {Lines, {0, 1, 1, 2, 2, 3, 3, 4}, {0, 1, 1, 2, 2, 3, 3, 4}},
      // Every other triangle has two corners swapped. The provoking corner's place decides which two.
      {Triangles, {0, 1, 2, 1, 3, 2, 2, 3, 4}, {0, 1, 2, 2, 1, 3, 2, 3, 4}},
  };
  for (Generation generation : Generations)
    for (const auto &row : rows) {
      CAPTURE(int(generation));
      CAPTURE(row.output);
      GeometryRun run = pointsRun(generation, row.output, 1, 5);
      for (unsigned number = 0; number < 5; ++number)
        run.body += emitNumbered(run, number);
      run.draw();
      CHECK(text(written(run)) == text(row.captured));
      run.scene.state.flatProvokingVertexLast = true;
      run.draw();
      CHECK(text(written(run)) == text(row.last));
    }
}

TEST_CASE("a cut ends a strip, and what is too short for a primitive is dropped") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Triangles, 1, 8);
    run.body = emitNumbered(run, 0) + emitNumbered(run, 1) + GeometryRun::cut() + GeometryRun::cut() +
               emitNumbered(run, 2) + emitNumbered(run, 3) + emitNumbered(run, 4, 0, "GS_OP_EMIT_CUT") +
               emitNumbered(run, 5) + emitNumbered(run, 6) + emitNumbered(run, 7);
    run.draw();
    CHECK(text(written(run)) == text(Dwords{2, 3, 4, 5, 6, 7}));
  }
}

TEST_CASE("GS_DONE may emit, too") {
  for (Generation generation : Generations) {
    GeometryRun run = pointsRun(generation, Lines, 1, 2);
    run.isDone = false;
    std::string last = emitNumbered(run, 1);
    last.replace(last.find("s_sendmsg"), std::string::npos,
                 "s_waitcnt vmcnt(0)\ns_sendmsg sendmsg(MSG_GS_DONE, GS_OP_EMIT, 0)\n");
    run.body = emitNumbered(run, 0) + last;
    run.draw();
    CHECK(text(written(run)) == text(Dwords{0, 1}));
  }
}

TEST_CASE("each lane emits as much as it likes, and primitives come out in the order in which they went in") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    // Primitive i emits i % 4 points: lanes 1 and up, 2 and up, …
    GeometryRun run = pointsRun(generation, Points, 150, 3);
    run.groupVertices = run.groupPrimitives = 100;
    run.ringWaves = 2;
    run.body = "v_and_b32_e32 v19, 3, v16\ns_mov_b64 s[60:61], exec\n";
    for (unsigned number = 0; number < 3; ++number)
      run.body += fmt::format("v_cmp_lt_u32_e32 vcc, {}, v19\ns_and_b64 exec, s[60:61], vcc\n", number) +
                  emitNumbered(run, number);
    run.draw();
    Dwords expected;
    for (uint32_t primitive = 0; primitive < 150; ++primitive)
      for (uint32_t number = 0; number < primitive % 4; ++number)
        expected.push_back(primitive * 10 + number);
    CHECK(text(written(run)) == text(expected));
  }
}

TEST_CASE("a primitive's invocations come out one after the other") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Lines, 30, 2);
    run.invocations = 5;
    run.body = "v_mul_u32_u24_e32 v30, 10, v16\nv_mad_u32_u24 v30, v17, 1, v30\n" + run.emit(0) + run.emit(1);
    run.draw();
    Dwords expected;
    for (uint32_t primitive = 0; primitive < 30; ++primitive)
      for (uint32_t invocation = 0; invocation < 5; ++invocation)
        expected.insert(expected.end(), 2, primitive * 10 + invocation);
    CHECK(text(written(run)) == text(expected));
  }
}

TEST_CASE("vertices of several dwords") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Lines, 20, 3);
    run.vertexDwords[0] = 3;
    run.body = "v_mov_b32_e32 v30, v16\nv_add_f32_e32 v31, 1.0, v16\nv_lshlrev_b32_e32 v32, 8, v16\n" + run.emit(0) +
               run.emit(1) + run.emit(2);
    run.draw();
    const Dwords result = written(run);
    REQUIRE(result.size() == 20 * 4 * 3);
    for (uint32_t i = 0; i < result.size() / 3; ++i) {
      CHECK(result[i * 3] == i / 4);
      CHECK(result[i * 3 + 2] == i / 4 << 8);
    }
  }
}

TEST_CASE("each stream has strips, a part of the ring and a buffer of its own") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Lines, 70, 4);
    run.vertexDwords = {2, 1, 0, 3};
    run.capturedBytes = {4096, 2048, 0, 4096};
    run.body = "v_mov_b32_e32 v30, v16\nv_or_b32_e32 v31, 0x1000, v16\nv_or_b32_e32 v32, 0x2000, v16\n";
    run.body += run.emit(0, 0) + run.emit(0, 1) + run.emit(0, 3) + run.emit(1, 3) + GeometryRun::cut(3) +
                run.emit(1, 0) + run.emit(1, 1) + run.emit(2, 1) + run.emit(2, 3);
    run.draw();
    Dwords zero, one, three;
    for (uint32_t i = 0; i < 70; ++i) {
      for (unsigned vertex = 0; vertex < 2; ++vertex) {
        zero.insert(zero.end(), {i, 0x1000 | i});
        three.insert(three.end(), {i, 0x1000 | i, 0x2000 | i}); // its last vertex is alone behind the cut
      }
      one.insert(one.end(), 4, i);
    }
    CHECK(text(written(run, 0)) == text(zero));
    CHECK(text(written(run, 1)) == text(one));
    CHECK(text(written(run, 3)) == text(three));
  }
}

TEST_CASE("streams can have different primitives") {
  GeometryRun run = pointsRun(Generation::Gfx9, Lines, 1, 2);
  run.vertexDwords = {1, 1, 0, 0};
  run.capturedBytes = {64, 64, 0, 0};
  run.body = emitNumbered(run, 0, 0) + emitNumbered(run, 1, 0) + emitNumbered(run, 0, 1);
  run.draw();
  CHECK(text(written(run, 0)) == text(Dwords{0, 1}));
  CHECK(written(run, 1).empty()); // one vertex is no line
  run.registers[reg::VGT_GS_OUT_PRIM_TYPE] = field::VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE(Lines) |
                                             field::VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE_1(Points) |
                                             field::VGT_GS_OUT_PRIM_TYPE::UNIQUE_TYPE_PER_STREAM(1);
  run.draw();
  CHECK(text(written(run, 0)) == text(Dwords{0, 1}));
  CHECK(text(written(run, 1)) == text(Dwords{0}));
}

TEST_CASE("transform feedback begins at the buffer's offset and ends with the last primitive that fits") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Lines, 100, 2);
    run.body = emitNumbered(run, 0) + emitNumbered(run, 1);
    run.capturedOffset[0] = 3;
    run.capturedBytes[0] = (3 + 149) * 4; // 74 lines and a half
    run.draw();
    Dwords expected(3, GeometryRun::Untouched);
    for (uint32_t i = 0; i < 74; ++i)
      expected.insert(expected.end(), {i * 10, i * 10 + 1});
    CHECK(text(written(run)) == text(expected));
    CHECK(run.captured().back() == GeometryRun::Untouched);
  }
}

TEST_CASE("a stream that goes to two buffers ends when one of them is full") {
  // Stream 0 goes to buffers 0 and 1. This copy shader writes only the first one, and that does not matter.
  GeometryRun run = pointsRun(Generation::Gfx9, Points, 20, 1);
  run.body = emitNumbered(run, 0);
  run.capturedBytes = {64, 28, 0, 0};
  run.vertexDwords = {1, 1, 0, 0};
  run.registers[reg::VGT_STRMOUT_BUFFER_CONFIG] = 3;
  run.draw();
  CHECK(written(run).size() == 7);
}

TEST_CASE("registers of transform feedback that contradict each other") {
  GeometryRun run = pointsRun(Generation::Gfx9, Points, 1, 1);
  run.body = emitNumbered(run, 0);
  run.registers[reg::VGT_STRMOUT_VTX_STRIDE_0] = 0;
  contains(run.drawError(), "buffer 0 of stream 0 has no stride");
  run.registers[reg::VGT_STRMOUT_VTX_STRIDE_0] = 1;
  run.registers[reg::SPI_SHADER_PGM_RSRC2_VS] = field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(2);
  contains(run.drawError(), "no offset of transform feedback buffer 0");
}

TEST_CASE("emitted triangles are drawn") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    // Each point becomes two triangles, which cover the square of the emitted vertices 4 * primitive + 0 to 3.
    GeometryRun run(generation, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, Triangles);
    run.scene.vertexCount = 2;
    const Color red = {1, 0, 0, 1}, green = {0, 1, 0, 1};
    run.vertices = {at(0, 0, red),   at(2, 0, red),   at(0, 3, red),   at(2, 3, red),
                    at(4, 4, green), at(8, 4, green), at(4, 8, green), at(8, 8, green)};
    run.body = "v_lshlrev_b32_e32 v33, 2, v16\n";
    for (unsigned number = 0; number < 4; ++number)
      run.body += fmt::format("s_waitcnt vmcnt(0) expcnt(0)\nv_or_b32_e32 v30, {}, v33\n", number) + run.emit(number);
    const auto check = [&] {
      for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 8; ++x) {
          const Color expected = x < 2 && y < 3 ? red : x >= 4 && y >= 4 ? green : Color{};
          const ScenePicture &picture = run.result.colors[0];
          Color color;
          std::memcpy(&color, &picture.bytes[(y * 8 + x) * sizeof(Color)], sizeof(Color));
          CHECK(color == expected);
        }
    };
    run.draw();
    check();
    // Transform feedback does not change the picture.
    run.capturedBytes[0] = 16;
    run.draw();
    check();
    CHECK(text(written(run)) == text(Dwords{0, 1, 2})); // 16 bytes hold one triangle
    // The winding of a strip's second triangle is that of the first.
    for (VkFrontFace front : {VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE}) {
      run.scene.cullMode = VK_CULL_MODE_BACK_BIT;
      run.scene.frontFace = front;
      run.draw();
      if (front == VK_FRONT_FACE_CLOCKWISE)
        check();
      else
        CHECK(std::ranges::all_of(run.result.colors[0].bytes, [](uint8_t byte) { return byte == 0; }));
    }
  }
}

TEST_CASE("only the stream that is rasterised exports") {
  for (unsigned stream : {0u, 1u}) {
    GeometryRun run = pointsRun(Generation::Gfx9, Points, 1, 1);
    run.vertexDwords = {1, 1, 0, 0};
    run.capturedBytes = {64, 64, 0, 0};
    run.vertices = {at(3.5f, 3.5f)};
    run.body = "v_mov_b32_e32 v30, 0\n" + run.emit(0, stream);
    run.draw();
    CHECK(text(written(run, stream)) == text(Dwords{0}));
    CHECK(written(run, 1 - stream).empty());
    const bool isDrawn = std::ranges::any_of(run.result.colors[0].bytes, [](uint8_t byte) { return byte != 0; });
    CHECK(isDrawn == (stream == 0));
  }
  // The program exports the vertices of stream 0, but the registers rasterise stream 1.
  GeometryRun run = pointsRun(Generation::Gfx9, Points, 1, 1);
  run.body = "v_mov_b32_e32 v30, 0\n" + run.emit(0);
  run.registers[reg::VGT_STRMOUT_CONFIG] =
      field::VGT_STRMOUT_CONFIG::STREAMOUT_EN(1) | field::VGT_STRMOUT_CONFIG::RAST_STREAM(1);
  contains(run.drawError(), "not rasterised");
}

TEST_CASE("traps of geometry waves reach the draw's error") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    GeometryRun run = pointsRun(generation, Points, 3, 1);
    run.body = emitNumbered(run, 0);
    run.isDone = false;
    contains(run.drawError(), "bad message");
    run.isDone = true;
    run.body += GeometryRun::cut() + "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)\n";
    contains(run.drawError(), "emits more than 1 vertices");
    run.body = "s_mov_b64 exec, 0xf\n" + emitNumbered(run, 0);
    contains(run.drawError(), "lanes 0x8 run no geometry");
    run.body = "s_mov_b32 m0, 0x70\n" + emitNumbered(run, 0);
    contains(run.drawError(), "M0 is 0x70");
  }
}
