// SPDX-License-Identifier: MIT
//
// Each wrong call gives a status and a message that names the fault, and draws nothing.
#include "tests/emulator/c_api/canvas.h"
#include <functional>
#include <limits>
#include <utility>

using namespace dovetail::emulator_library::test;

namespace {

struct Row {
  const char *text; // a part of the message
  dovetail_status status;
  std::function<void(Draw &draw)> spoil;
};

const dovetail_emulator_descriptor UnknownDescriptor = {0, 0, 0, 4711, 0, 0, nullptr, 0, nullptr, nullptr};
const dovetail_emulator_descriptor EmptyBuffer = {0,  0,       0,      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0, 0, nullptr,
                                                  16, nullptr, nullptr};
const dovetail_emulator_descriptor EmptyImage = {0, 0,       0,      VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, 0, nullptr,
                                                 0, nullptr, nullptr};
const uint32_t FarIndices[] = {0, 1, 2};
const dovetail_emulator_viewport BadViewport = {std::numeric_limits<float>::quiet_NaN(), 0, 8, 8, 0, 1};

const std::vector<Row> &rows() {
  static const std::vector<Row> Rows = {
      {"draw->size is 0", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.size = 0; }},
      {"variant is NULL", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.variant = nullptr; }},
      {"program is NULL", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.program = nullptr; }},
      {"state is NULL", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.state = nullptr; }},
      {"draw->reserved is 1", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.reserved = 1; }},
      {"draw->depth_test_enable is 2", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) { draw.description.depth_test_enable = 2; }},
      {"draw->vertex_buffers is NULL, but has 1", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) { draw.description.vertex_buffers = nullptr; }},
      {"draw->vertex_buffers[0].data is NULL", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.buffer.data = nullptr; }},
      {"draw->index_count is 0", DOVETAIL_BAD_ARGUMENT, [](Draw &draw) { draw.description.indices = FarIndices; }},
      {"descriptors[0].type is 4711", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) {
         draw.description.descriptors = &UnknownDescriptor;
         draw.description.descriptor_count = 1;
       }},
      {"descriptors[0].data is NULL", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) {
         draw.description.descriptors = &EmptyBuffer;
         draw.description.descriptor_count = 1;
       }},
      {"descriptors[0].image is NULL", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) {
         draw.description.descriptors = &EmptyImage;
         draw.description.descriptor_count = 1;
       }},
      {"draw->vertex_buffers[0].data has 18446744073709551615 elements", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) { draw.buffer.data_size = SIZE_MAX; }},
      {"push_constants is NULL, but has 16 elements", DOVETAIL_BAD_ARGUMENT,
       [](Draw &draw) { draw.description.push_constant_size = 16; }},
      {"no buffer", DOVETAIL_INVALID_INPUT, [](Draw &draw) { draw.buffer.binding = 1; }},
      {"needs 4 indices, there are 3", DOVETAIL_INVALID_INPUT,
       [](Draw &draw) {
         draw.description.indices = FarIndices;
         draw.description.index_count = 3;
         draw.description.first_vertex = 1;
       }},
      {"are too many", DOVETAIL_INVALID_INPUT,
       [](Draw &draw) { draw.description.vertex_count = draw.description.instance_count = 0x80000000u; }},
      {"viewports[0]", DOVETAIL_INVALID_INPUT,
       [](Draw &draw) {
         draw.description.viewports = &BadViewport;
         draw.description.viewport_count = 1;
       }},
      {"depthCompareOp", DOVETAIL_INVALID_INPUT, [](Draw &draw) { draw.description.depth_compare_op = 8; }},
  };
  return Rows;
}

} // namespace

TEST_CASE("a draw with a wrong argument is refused and leaves the framebuffer alone") {
  Device device;
  Framebuffer framebuffer;
  for (const Row &row : rows()) {
    CAPTURE(row.text);
    WhiteDraw draw(device);
    row.spoil(draw);
    std::string text;
    CHECK(draw.tryDraw(framebuffer, text) == row.status);
    CHECK_MESSAGE(text.find(row.text) != std::string::npos, text);
    CHECK(framebuffer.pixel(3, 3) == Pixel{0, 0, 0, 0});
  }
  WhiteDraw draw(device); // the valid neighbour: nothing is spoilt
  draw.draw(framebuffer);
  CHECK(framebuffer.pixel(3, 3) == Pixel{255, 255, 255, 255});
}

TEST_CASE("a draw without a framebuffer, or without a draw") {
  Device device;
  Framebuffer framebuffer;
  WhiteDraw draw(device);
  std::string text;
  CHECK(draw.tryDraw(nullptr, text) == DOVETAIL_BAD_ARGUMENT);
  CHECK(text == "framebuffer is NULL");
  dovetail_message message;
  CHECK(dovetail_emulator_draw(framebuffer, nullptr, nullptr, &message) == DOVETAIL_BAD_ARGUMENT);
  CHECK(std::string(message.text) == "draw is NULL");
  CHECK(dovetail_emulator_draw(framebuffer, nullptr, nullptr, nullptr) == DOVETAIL_BAD_ARGUMENT);
}

TEST_CASE("statistics of a wrong size are refused before anything is drawn") {
  Device device;
  Framebuffer framebuffer;
  WhiteDraw draw(device);
  dovetail_emulator_statistics statistics = {3, 0, 0};
  CHECK(dovetail_emulator_draw(framebuffer, &draw.description, &statistics, nullptr) == DOVETAIL_BAD_ARGUMENT);
  CHECK(framebuffer.pixel(3, 3) == Pixel{0, 0, 0, 0});
}

TEST_CASE("framebuffer and state must have the same targets") {
  Device device;
  std::string text;
  PositionState state;
  SUBCASE("colour") {
    state.fields.color_targets[0].format = VK_FORMAT_R16G16B16A16_SFLOAT;
    WhiteDraw draw(device, state);
    CHECK(draw.tryDraw(Framebuffer(), text) == DOVETAIL_STATE_MISMATCH);
    CHECK(text == "format of color 0: the state has 97, the framebuffer 37");
  }
  SUBCASE("depth") {
    WhiteDraw draw(device, state);
    CHECK(draw.tryDraw(Framebuffer(describeFramebuffer(VK_FORMAT_D32_SFLOAT)), text) == DOVETAIL_STATE_MISMATCH);
    CHECK(text == "format of depth and stencil: the state has 0, the framebuffer 126");
  }
  SUBCASE("samples") {
    state.fields.rasterization_samples = 4;
    WhiteDraw draw(device, state);
    CHECK(draw.tryDraw(Framebuffer(), text) == DOVETAIL_STATE_MISMATCH);
    CHECK(text == "number of samples: the state has 4, the framebuffer 1");
  }
}

TEST_CASE("what a program reads must be there") {
  Device device;
  Dispatch dispatch(device, describe(triple_comp, DOVETAIL_STAGE_COMPUTE));
  dispatch.description.descriptor_count = 0;
  std::string text;
  CHECK(dispatch.run(text) == DOVETAIL_STATE_MISMATCH);
  CHECK(text == "the scene has no descriptor for element 0 of set 0 binding 0");
}

TEST_CASE("programs of compute are dispatched, others are drawn with") {
  Device device;
  Framebuffer framebuffer;
  Dispatch dispatch(device, describe(triple_comp, DOVETAIL_STAGE_COMPUTE));
  WhiteDraw draw(device);
  std::swap(draw.description.variant, dispatch.description.variant);
  std::string text;
  CHECK(draw.tryDraw(framebuffer, text) == DOVETAIL_BAD_ARGUMENT);
  CHECK(text == "the variant's program is one of compute");
  CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
  CHECK(text == "the variant's program is not one of compute");
}

TEST_CASE("a dispatch with a wrong argument is refused") {
  Device device;
  Dispatch dispatch(device, describe(triple_comp, DOVETAIL_STAGE_COMPUTE));
  std::string text;
  SUBCASE("one memory has one size") {
    dovetail_emulator_descriptor descriptors[2] = {dispatch.descriptor, dispatch.descriptor};
    descriptors[1].binding = 1;
    descriptors[1].data_size = 8;
    dispatch.description.descriptors = descriptors;
    dispatch.description.descriptor_count = 2;
    CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
    CHECK(text == "descriptors[1].data has 8 bytes here, and 512 in another place");
  }
  SUBCASE("no variant") {
    dispatch.description.variant = nullptr;
    CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
    CHECK(text == "variant is NULL");
  }
  SUBCASE("no program") {
    dispatch.description.program = nullptr;
    CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
    CHECK(text == "program is NULL");
  }
  SUBCASE("reserved") {
    dispatch.description.reserved = 1;
    CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
    CHECK(text == "dispatch->reserved is 1; it is to be 0");
  }
  SUBCASE("statistics of no size") {
    dispatch.statistics.size = 0;
    CHECK(dispatch.run(text) == DOVETAIL_BAD_ARGUMENT);
    CHECK(text == "statistics->size is 0; it is to be sizeof(*statistics)");
  }
  CHECK(dovetail_emulator_dispatch(nullptr, nullptr, nullptr) == DOVETAIL_BAD_ARGUMENT);
}

TEST_CASE("framebuffers are not cleared with, created from or read into nothing") {
  Framebuffer framebuffer;
  dovetail_message message;
  dovetail_emulator_framebuffer *none = nullptr;
  const dovetail_emulator_framebuffer_description description = describeFramebuffer();
  dovetail_emulator_clear_values values = {};
  values.size = sizeof values;
  dovetail_emulator_picture picture = {};
  picture.size = sizeof picture;
  auto isNamed = [&](dovetail_status status, const char *name) {
    CHECK(status == DOVETAIL_BAD_ARGUMENT);
    CHECK(std::string(message.text) == std::string(name) + " is NULL");
  };
  isNamed(dovetail_emulator_framebuffer_create(nullptr, &none, &message), "description");
  isNamed(dovetail_emulator_framebuffer_create(&description, nullptr, &message), "framebuffer");
  isNamed(dovetail_emulator_framebuffer_clear(nullptr, &values, &message), "framebuffer");
  isNamed(dovetail_emulator_framebuffer_clear(framebuffer, nullptr, &message), "values");
  isNamed(dovetail_emulator_framebuffer_read(nullptr, 0, &picture, &message), "framebuffer");
  isNamed(dovetail_emulator_framebuffer_read(framebuffer, 0, nullptr, &message), "picture");
}

TEST_CASE("framebuffers that cannot be") {
  auto refuse = [](const dovetail_emulator_framebuffer_description &description, dovetail_status expected) {
    auto *framebuffer = reinterpret_cast<dovetail_emulator_framebuffer *>(1);
    dovetail_message message;
    CHECK(dovetail_emulator_framebuffer_create(&description, &framebuffer, &message) == expected);
    CHECK(framebuffer == nullptr);
    return std::string(message.text);
  };
  dovetail_emulator_framebuffer_description description = describeFramebuffer();
  description.width = 0;
  CHECK(refuse(description, DOVETAIL_INVALID_INPUT) == "scene: width: 0 is not in 1 to 16384");
  description = describeFramebuffer();
  description.samples = 3;
  CHECK(refuse(description, DOVETAIL_INVALID_INPUT).find("3 is not 1, 2, 4, 8 or 16") != std::string::npos);
  description = describeFramebuffer(VK_FORMAT_R8G8B8A8_UNORM);
  CHECK(refuse(description, DOVETAIL_UNSUPPORTED) == "format 37 is no depth or stencil target");
  description = describeFramebuffer();
  description.width = description.height = 8192;
  description.layers = 2;
  CHECK(refuse(description, DOVETAIL_BAD_ARGUMENT).find("134217728 samples are too many") == 0);
  description = describeFramebuffer();
  description.size = 12;
  CHECK(refuse(description, DOVETAIL_BAD_ARGUMENT).find("description->size is 12") == 0);
}

TEST_CASE("targets that a framebuffer does not have cannot be read") {
  Framebuffer framebuffer;
  dovetail_emulator_picture picture = {};
  picture.size = sizeof picture;
  dovetail_message message;
  for (uint32_t target : {1u, DOVETAIL_EMULATOR_DEPTH, DOVETAIL_EMULATOR_STENCIL, 10u}) {
    CAPTURE(target);
    CHECK(dovetail_emulator_framebuffer_read(framebuffer, target, &picture, &message) == DOVETAIL_BAD_ARGUMENT);
    CHECK(message.text[0] != 0);
  }
}

TEST_CASE("destroying nothing does nothing") {
  dovetail_emulator_framebuffer_destroy(nullptr);
}
