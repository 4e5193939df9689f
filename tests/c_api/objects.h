// SPDX-License-Identifier: MIT
//
// The C API's objects for tests. Each destroys what it made. When a call fails, the test shows its message.
#pragma once

#include "test_shaders.inc" // made by the build
#include "variants/c_api/include/dovetail.h"
#include <doctest/doctest.h>
#include <iterator>
#include <string>
#include <vector>

namespace dovetail::c_test {

#define CHECK_OK(call)                                                                                                 \
  do {                                                                                                                 \
    dovetail_message message_;                                                                                         \
    auto *message = &message_;                                                                                         \
    const dovetail_status status_ = (call);                                                                            \
    REQUIRE_MESSAGE(status_ == DOVETAIL_OK, message->text);                                                            \
    CHECK(message->text[0] == 0);                                                                                      \
  } while (false)

class Device {
public:
  explicit Device(const char *gpu = "gfx900") {
    dovetail_device_options options = {};
    options.gpu = gpu;
    create(options);
  }
  explicit Device(const dovetail_device_options &options) { create(options); }
  ~Device() { CHECK(dovetail_device_destroy(m_device, nullptr) == DOVETAIL_OK); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  operator dovetail_device *() const { return m_device; }

private:
  void create(dovetail_device_options options) {
    options.size = sizeof options;
    CHECK_OK(dovetail_device_create(&options, &m_device, message));
  }

  dovetail_device *m_device = nullptr;
};

// Options of a device that makes no first code.
inline dovetail_device_options withLlvm() {
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.first_tier = DOVETAIL_TIER_LLVM;
  return options;
}

template <size_t Count>
dovetail_shader_description describe(const uint32_t (&words)[Count], dovetail_shader_stage stage) {
  dovetail_shader_description description = {};
  description.size = sizeof description;
  description.words = words;
  description.word_count = Count;
  description.stage = stage;
  return description;
}

class Program {
public:
  Program(dovetail_device *device, const std::vector<dovetail_shader_description> &descriptions, void *user = nullptr) {
    dovetail_program_options options = {};
    options.size = sizeof options;
    options.user = user;
    for (const dovetail_shader_description &description : descriptions)
      CHECK_OK(dovetail_shader_create(device, &description, &m_shaders.emplace_back(), message));
    CHECK_OK(dovetail_program_create(device, m_shaders.data(), m_shaders.size(), &options, &m_program, message));
  }
  ~Program() {
    dovetail_program_destroy(m_program);
    for (dovetail_shader *shader : m_shaders)
      dovetail_shader_destroy(shader);
  }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  operator dovetail_program *() const { return m_program; }
  const std::vector<dovetail_shader *> &shaders() const { return m_shaders; }

private:
  std::vector<dovetail_shader *> m_shaders;
  dovetail_program *m_program = nullptr;
};

// All stages of a graphics pipeline.
class FiveStageProgram : public Program {
public:
  explicit FiveStageProgram(dovetail_device *device)
      : Program(device,
                {describe(patches_vert, DOVETAIL_STAGE_VERTEX), describe(patches_tesc, DOVETAIL_STAGE_TESS_CONTROL),
                 describe(patches_tese, DOVETAIL_STAGE_TESS_EVALUATION),
                 describe(triangles_geom, DOVETAIL_STAGE_GEOMETRY), describe(white_frag, DOVETAIL_STAGE_FRAGMENT)}) {}
};

class TexturedProgram : public Program {
public:
  explicit TexturedProgram(dovetail_device *device, void *user = nullptr)
      : Program(device,
                {describe(textured_vert, DOVETAIL_STAGE_VERTEX), describe(textured_frag, DOVETAIL_STAGE_FRAGMENT)},
                user) {}
};

class State {
public:
  State(dovetail_device *device, const dovetail_pipeline_state &description) {
    CHECK_OK(dovetail_state_create(device, &description, &m_state, message));
  }
  // The program's default state.
  State(dovetail_device *device, const dovetail_program *program) {
    CHECK_OK(dovetail_state_create_default(device, program, &m_state, message));
  }
  ~State() { dovetail_state_destroy(m_state); }
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  operator dovetail_state *() const { return m_state; }
  dovetail_pipeline_state get() const {
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    CHECK_OK(dovetail_state_get(m_state, &description, message));
    return description;
  }

private:
  dovetail_state *m_state = nullptr;
};

class Binder {
public:
  explicit Binder(dovetail_device *device) { CHECK_OK(dovetail_binder_create(device, &m_binder, message)); }
  ~Binder() { dovetail_binder_destroy(m_binder); }
  Binder(const Binder &) = delete;
  Binder &operator=(const Binder &) = delete;

  operator dovetail_binder *() const { return m_binder; }
  const dovetail_variant *bind(const dovetail_program *program, const dovetail_state *state = nullptr,
                               const dovetail_uniforms *uniforms = nullptr) {
    const dovetail_variant *variant = nullptr;
    CHECK_OK(dovetail_bind(m_binder, program, state, uniforms, nullptr, &variant, message));
    return variant;
  }

private:
  dovetail_binder *m_binder = nullptr;
};

template <typename T> T sized() {
  T value = {};
  value.size = sizeof value;
  return value;
}

inline dovetail_variant_info infoOf(const dovetail_variant *variant) {
  dovetail_variant_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_variant_get_info(variant, &info, message));
  return info;
}

inline dovetail_stage_info stageOf(const dovetail_variant *variant, uint32_t index) {
  dovetail_stage_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_variant_get_stage(variant, index, &info, message));
  return info;
}

inline dovetail_part_info partOf(const dovetail_variant *variant, uint32_t index) {
  dovetail_part_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_variant_get_part(variant, index, &info, message));
  return info;
}

inline dovetail_device_statistics statisticsOf(const dovetail_device *device) {
  dovetail_device_statistics statistics = {};
  statistics.size = sizeof statistics;
  CHECK_OK(dovetail_device_get_statistics(device, &statistics, message));
  return statistics;
}

} // namespace dovetail::c_test
