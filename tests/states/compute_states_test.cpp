// SPDX-License-Identifier: MIT
//
// The state of compute pipelines.
#include "tests/states/draw_state.h"
#include <array>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Numbers the invocations of a workgroup of `size` as they come by: the emulator runs lanes in their order. `extra` is
// more code of the shader.
struct Order {
  std::vector<uint32_t> number; // by local index
  bool hasProlog = false;
};

Order orderOf(std::array<uint32_t, 3> size, bool isSquare, const std::string &extra = "") {
  const std::string layout =
      fmt::format("layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;", size[0], size[1], size[2]);
  const ShaderSet shaders =
      stateShaders({{lgc::ShaderStage::Compute, "#extension GL_KHR_shader_subgroup_basic : require\n" + layout + R"(
      layout(binding = 0) buffer Counter { uint counter; };
      layout(binding = 1) buffer Numbers { uint numbers[]; };
      void main() {
        uvec3 id = gl_LocalInvocationID;
        uint index = (id.z * gl_WorkGroupSize.y + id.y) * gl_WorkGroupSize.x + id.x;
        numbers[index] = atomicAdd(counter, 1);
        )" + extra + "}"}});
  Scene scene = stateScene(shaders);
  scene.workgroups = {1, 1, 1};
  const uint32_t count = size[0] * size[1] * size[2];
  REQUIRE(scene.buffers.size() == 2);
  scene.buffers[0].assign(4, 0);
  scene.buffers[1].assign(4 * count, 0xff);
  scene.state.squareComputeWaves = isSquare;
  const StatePicture picture = drawState(scene, shaders);
  Order order;
  order.number.resize(count);
  std::memcpy(order.number.data(), picture.result.buffers[1].data(), 4 * count);
  order.hasProlog = picture.has(PartKind::ComputeProlog);
  return order;
}

} // namespace

// Shows state: squareComputeWaves (ComputeProlog).
TEST_CASE("waves have squares of invocations where the state wants them") {
  for (const std::array<uint32_t, 3> size : {std::array<uint32_t, 3>{16, 16, 1}, {24, 8, 2}, {8, 8, 1}}) {
    CAPTURE(size[0]);
    const Order rows = orderOf(size, false), squares = orderOf(size, true);
    CHECK_FALSE(rows.hasProlog);
    CHECK(squares.hasProlog);
    uint32_t index = 0;
    for (uint32_t z = 0; z < size[2]; ++z)
      for (uint32_t y = 0; y < size[1]; ++y)
        for (uint32_t x = 0; x < size[0]; ++x, ++index) {
          CHECK(rows.number[index] == index);
          const uint32_t square = (z * size[1] + y) / 8 * (size[0] / 8) + x / 8;
          const uint32_t lane = (x & 1) | (y & 1) << 1 | (x >> 1 & 3) << 2 | (y >> 1 & 3) << 4;
          CHECK(squares.number[index] == square * 64 + lane);
        }
  }
}

TEST_CASE("waves stay rows of invocations where there are no squares, or the shader can tell") {
  CHECK_FALSE(orderOf({64, 1, 1}, true).hasProlog);
  CHECK_FALSE(orderOf({12, 8, 2}, true).hasProlog);
  CHECK_FALSE(orderOf({16, 4, 1}, true).hasProlog);
  const Order telling = orderOf({16, 16, 1}, true, "numbers[index] += gl_SubgroupInvocationID * 0u + gl_SubgroupID;");
  CHECK_FALSE(telling.hasProlog);
}
