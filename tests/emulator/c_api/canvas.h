// SPDX-License-Identifier: MIT
//
// A framebuffer of 8 x 8 pixels and draws into it, through the C API of both libraries. A draw is white and covers
// everything, unless a test says otherwise.
#pragma once

#include "emulator_shaders.inc" // made by the build
#include "tests/c_api/objects.h"
#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include <algorithm>
#include <array>
#include <vulkan/vulkan_core.h>

namespace dovetail::emulator_library::test {

using namespace dovetail::c_test;

using Pixel = std::array<uint8_t, 4>;

inline dovetail_emulator_framebuffer_description describeFramebuffer(uint32_t depthFormat = 0) {
  dovetail_emulator_framebuffer_description description = {};
  description.size = sizeof description;
  description.width = description.height = 8;
  description.color_formats[0] = VK_FORMAT_R8G8B8A8_UNORM;
  description.depth_stencil_format = depthFormat;
  return description;
}

class Framebuffer {
public:
  explicit Framebuffer(const dovetail_emulator_framebuffer_description &description = describeFramebuffer()) {
    CHECK_OK(dovetail_emulator_framebuffer_create(&description, &m_framebuffer, message));
  }
  ~Framebuffer() { dovetail_emulator_framebuffer_destroy(m_framebuffer); }
  Framebuffer(const Framebuffer &) = delete;
  Framebuffer &operator=(const Framebuffer &) = delete;

  operator dovetail_emulator_framebuffer *() const { return m_framebuffer; }

  void clear(const std::array<float, 4> &color, float depth = 1) {
    dovetail_emulator_clear_values values = {};
    values.size = sizeof values;
    std::copy(color.begin(), color.end(), values.colors[0].f);
    values.depth = depth;
    CHECK_OK(dovetail_emulator_framebuffer_clear(m_framebuffer, &values, message));
  }
  dovetail_emulator_picture read(uint32_t target = 0) const {
    dovetail_emulator_picture picture = {};
    picture.size = sizeof picture;
    CHECK_OK(dovetail_emulator_framebuffer_read(m_framebuffer, target, &picture, message));
    return picture;
  }
  Pixel pixel(uint32_t x, uint32_t y) const {
    const dovetail_emulator_picture picture = read();
    Pixel result;
    std::copy_n(picture.texels + (y * picture.width + x) * 4, 4, result.begin());
    return result;
  }

private:
  dovetail_emulator_framebuffer *m_framebuffer = nullptr;
};

// A state for programs whose vertex shader reads positions at location 0: binding 0, R32G32B32A32_SFLOAT.
struct PositionState {
  explicit PositionState(uint32_t depthFormat = 0) {
    fields.vertex_bindings = &binding;
    fields.vertex_binding_count = 1;
    fields.vertex_attributes = &attribute;
    fields.vertex_attribute_count = 1;
    fields.color_targets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
    fields.depth_stencil_format = depthFormat;
  }
  PositionState(const PositionState &) = delete;
  PositionState &operator=(const PositionState &) = delete;

  dovetail_vertex_binding binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1};
  dovetail_vertex_attribute attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
  dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
};

// A program with a state, bound, and a draw of a triangle that covers everything. Its members may be changed before
// draw().
class Draw {
public:
  Draw(dovetail_device *device, const std::vector<dovetail_shader_description> &shaders,
       const dovetail_pipeline_state &state)
      : m_program(device, shaders), m_state(device, state), m_binder(device) {
    description.variant = m_binder.bind(m_program, m_state);
    description.program = m_program;
    description.state = m_state;
    description.vertex_buffers = &buffer;
    description.vertex_buffer_count = 1;
  }

  void draw(dovetail_emulator_framebuffer *framebuffer) {
    CHECK_OK(dovetail_emulator_draw(framebuffer, &description, &statistics, message));
  }
  dovetail_status tryDraw(dovetail_emulator_framebuffer *framebuffer, std::string &text) {
    dovetail_message message;
    const dovetail_status status = dovetail_emulator_draw(framebuffer, &description, nullptr, &message);
    text = message.text;
    return status;
  }

  float positions[12] = {-1, -1, 0.5f, 1, 3, -1, 0.5f, 1, -1, 3, 0.5f, 1};
  dovetail_emulator_vertex_buffer buffer = {0, 0, positions, sizeof positions};
  dovetail_emulator_draw_description description = DOVETAIL_EMULATOR_DRAW_INIT;
  dovetail_emulator_statistics statistics = {sizeof statistics, 0, 0};

private:
  Program m_program;
  State m_state;
  Binder m_binder;
};

// A compute program, bound, and a dispatch of one workgroup of it with a storage buffer at binding 0.
class Dispatch {
public:
  Dispatch(dovetail_device *device, const dovetail_shader_description &shader)
      : m_program(device, {shader}), m_binder(device) {
    descriptor.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    descriptor.data = data.data();
    descriptor.data_size = sizeof data;
    description.size = sizeof description;
    description.variant = m_binder.bind(m_program);
    description.program = m_program;
    description.descriptors = &descriptor;
    description.descriptor_count = 1;
    description.workgroups[0] = description.workgroups[1] = description.workgroups[2] = 1;
  }

  dovetail_status run(std::string &text) {
    dovetail_message message;
    const dovetail_status status = dovetail_emulator_dispatch(&description, &statistics, &message);
    text = message.text;
    return status;
  }

  std::array<uint32_t, 128> data = {};
  dovetail_emulator_descriptor descriptor = {};
  dovetail_emulator_dispatch_description description = {};
  dovetail_emulator_statistics statistics = {sizeof statistics, 0, 0};

private:
  Program m_program;
  Binder m_binder;
};

class WhiteDraw : public Draw {
public:
  explicit WhiteDraw(dovetail_device *device, const PositionState &state = PositionState())
      : Draw(device, {describe(patches_vert, DOVETAIL_STAGE_VERTEX), describe(white_frag, DOVETAIL_STAGE_FRAGMENT)},
             state.fields) {}
};

} // namespace dovetail::emulator_library::test
