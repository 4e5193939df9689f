// SPDX-License-Identifier: MIT
//
// The results of draws and dispatches in framebuffers and in the caller's memory.
#include "tests/emulator/c_api/canvas.h"
#include <cstring>
#include <thread>

using namespace dovetail::emulator_library::test;

namespace {

constexpr Pixel White = {255, 255, 255, 255}, Red = {255, 0, 0, 255}, Nothing = {0, 0, 0, 0};

std::vector<dovetail_shader_description> coloredShaders() {
  return {describe(colored_vert, DOVETAIL_STAGE_VERTEX), describe(colored_frag, DOVETAIL_STAGE_FRAGMENT)};
}

} // namespace

TEST_CASE("a framebuffer begins with 0 and is cleared to what is asked for") {
  Framebuffer framebuffer(describeFramebuffer(VK_FORMAT_D32_SFLOAT));
  CHECK(framebuffer.pixel(0, 0) == Nothing);
  framebuffer.clear({1, 0, 0, 1}, 0.25f);
  CHECK(framebuffer.pixel(7, 7) == Red);
  const dovetail_emulator_picture depth = framebuffer.read(DOVETAIL_EMULATOR_DEPTH);
  CHECK(depth.format == VK_FORMAT_D32_SFLOAT);
  REQUIRE(depth.texel_bytes == 8 * 8 * sizeof(float));
  float value;
  std::memcpy(&value, depth.texels, sizeof value);
  CHECK(value == 0.25f);
}

TEST_CASE("a draw covers what its vertices say, and is counted") {
  Device device;
  Framebuffer framebuffer;
  WhiteDraw draw(device);
  const float leftHalf[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1};
  std::memcpy(draw.positions, leftHalf, sizeof leftHalf);
  framebuffer.clear({1, 0, 0, 1});
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(0, 0) == White);
  CHECK(framebuffer.pixel(7, 7) == Red);
  CHECK(draw.statistics.waves == 2);
  CHECK(draw.statistics.instructions > 10);
}

TEST_CASE("draws follow each other in one framebuffer, with depth and blending") {
  Device device;
  PositionState state(VK_FORMAT_D32_SFLOAT);
  dovetail_color_target &target = state.fields.color_targets[0];
  target.blend_enable = 1;
  target.dst_color_blend_factor = target.dst_alpha_blend_factor = VK_BLEND_FACTOR_ONE;
  Framebuffer framebuffer(describeFramebuffer(VK_FORMAT_D32_SFLOAT));
  framebuffer.clear({0, 0, 0, 1});
  Draw draw(device, coloredShaders(), state.fields);
  draw.description.depth_test_enable = draw.description.depth_write_enable = 1;
  draw.description.depth_compare_op = VK_COMPARE_OP_LESS;

  const float red[] = {1, 0, 0, 0}, green[] = {0, 1, 0, 0};
  draw.description.push_constants = red;
  draw.description.push_constant_size = sizeof red;
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(3, 3) == Red);
  draw.description.push_constants = green;
  draw.draw(framebuffer); // equal to the depth that is there, so not less
  CHECK(framebuffer.pixel(3, 3) == Red);
  for (int corner = 0; corner < 3; ++corner)
    draw.positions[corner * 4 + 2] = 0.25f;
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(3, 3) == Pixel{255, 255, 0, 255});
}

TEST_CASE("indices, viewport and scissor are obeyed") {
  Device device;
  Framebuffer framebuffer;
  WhiteDraw draw(device);
  const uint32_t indices[] = {9, 2, 1, 0};
  draw.description.indices = indices;
  draw.description.index_count = 4;
  draw.description.first_vertex = 1;
  const dovetail_emulator_viewport viewport = {4, 0, 4, 8, 0, 1};
  const dovetail_emulator_scissor scissor = {0, 4, 8, 4};
  draw.description.viewports = &viewport;
  draw.description.scissors = &scissor;
  draw.description.viewport_count = draw.description.scissor_count = 1;
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(3, 7) == Nothing);
  CHECK(framebuffer.pixel(7, 3) == Nothing);
  CHECK(framebuffer.pixel(4, 4) == White);
}

TEST_CASE("a texture is sampled where the caller's memory is") {
  Device device;
  PositionState state;
  const dovetail_vertex_attribute attributes[] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                  {1, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  state.fields.vertex_attributes = attributes;
  state.fields.vertex_attribute_count = 2;
  Framebuffer framebuffer;
  Draw draw(device, {describe(textured_vert, DOVETAIL_STAGE_VERTEX), describe(textured_frag, DOVETAIL_STAGE_FRAGMENT)},
            state.fields);
  // The texture coordinates are the positions: 0 to 1 where x and y are, clamped elsewhere.
  uint8_t texels[] = {10, 20, 30, 40, 50, 60, 70, 80};
  dovetail_emulator_image image = {};
  image.size = sizeof image;
  image.format = VK_FORMAT_R8G8B8A8_UNORM;
  image.view_type = VK_IMAGE_VIEW_TYPE_2D;
  image.width = 2;
  image.height = 1;
  image.texels = texels;
  image.texel_bytes = sizeof texels;
  dovetail_emulator_sampler sampler = {};
  sampler.size = sizeof sampler;
  sampler.address_mode_u = sampler.address_mode_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  dovetail_emulator_descriptor descriptor = {};
  descriptor.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  descriptor.image = &image;
  descriptor.sampler = &sampler;
  draw.description.descriptors = &descriptor;
  draw.description.descriptor_count = 1;
  const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  draw.description.push_constants = matrix;
  draw.description.push_constant_size = sizeof matrix;
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(0, 4) == Pixel{10, 20, 30, 40});
  CHECK(framebuffer.pixel(7, 4) == Pixel{50, 60, 70, 80});
}

TEST_CASE("tessellation and geometry shaders run with the rings that their variants ask for") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    Device device(gpu);
    Framebuffer framebuffer;
    PositionState state;
    state.fields.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    Draw draw(device,
              {describe(patches_vert, DOVETAIL_STAGE_VERTEX), describe(patches_tesc, DOVETAIL_STAGE_TESS_CONTROL),
               describe(patches_tese, DOVETAIL_STAGE_TESS_EVALUATION),
               describe(triangles_geom, DOVETAIL_STAGE_GEOMETRY), describe(white_frag, DOVETAIL_STAGE_FRAGMENT)},
              state.fields);
    draw.draw(framebuffer);
    CHECK(framebuffer.pixel(0, 0) == White);
    CHECK(framebuffer.pixel(7, 7) == White);
  }
}

TEST_CASE("a multisampled framebuffer is resolved, and drawn to once after each clear") {
  Device device;
  PositionState state;
  state.fields.rasterization_samples = 4;
  dovetail_emulator_framebuffer_description description = describeFramebuffer();
  description.samples = 4;
  Framebuffer framebuffer(description);
  framebuffer.clear({1, 0, 0, 1});
  WhiteDraw draw(device, state);
  draw.description.sample_mask = 1;
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(3, 3) == Pixel{255, 64, 64, 255});
  std::string text;
  CHECK(draw.tryDraw(framebuffer, text) == DOVETAIL_UNSUPPORTED);
  CHECK(text == "targets of 4 samples can be drawn to once only");
  framebuffer.clear({1, 0, 0, 1});
  draw.draw(framebuffer);
}

TEST_CASE("a dispatch writes to the caller's memory") {
  Device device;
  Dispatch dispatch(device, describe(triple_comp, DOVETAIL_STAGE_COMPUTE));
  for (uint32_t i = 0; i < dispatch.data.size(); ++i)
    dispatch.data[i] = i;
  std::string text;
  CHECK(dispatch.run(text) == DOVETAIL_OK);
  CHECK(text == "");
  CHECK(dispatch.statistics.waves == 1);
  CHECK(dispatch.data[63] == 3 * 63);
  CHECK(dispatch.data[64] == 64); // of the second workgroup, which does not run
}

TEST_CASE("a trap is an error with its text, and changes nothing") {
  Device device;
  Dispatch dispatch(device, describe(lone_barrier_comp, DOVETAIL_STAGE_COMPUTE));
  std::string text;
  CHECK(dispatch.run(text) == DOVETAIL_CHECK_FAILED);
  CHECK(text.find("barrier") != std::string::npos);
  CHECK(dispatch.data == std::array<uint32_t, 128>());
}

TEST_CASE("threads draw side by side, each into its own framebuffer") {
  Device device;
  constexpr int Threads = 4, Draws = 8;
  std::array<Framebuffer, Threads> framebuffers;
  std::array<std::string, Threads> failures;
  WhiteDraw draw(device);
  std::vector<std::jthread> threads;
  for (int i = 0; i < Threads; ++i)
    threads.emplace_back([&, i] {
      for (int number = 0; number < Draws && failures[i].empty(); ++number)
        draw.tryDraw(framebuffers[i], failures[i]);
    });
  threads.clear();
  for (int i = 0; i < Threads; ++i) {
    CHECK(failures[i] == "");
    CHECK(framebuffers[i].pixel(5, 5) == White);
  }
}
