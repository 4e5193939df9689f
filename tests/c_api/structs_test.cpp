// SPDX-License-Identifier: MIT
//
// Programs that were built with an older or a newer header. (They work only if no struct has padding. The compiler
// checks that: struct_padding.c.)
#include "tests/c_api/bad_calls.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vulkan/vulkan_core.h>

using namespace dovetail::c_test;

namespace {

// A struct of a later version of the header: it has more members.
template <typename T> struct Later {
  T known;
  uint64_t added[4];
};

// Sizes that were never set, or that are not those of this struct.
template <typename T> std::array<size_t, 5> badSizes() {
  return {0, sizeof(size_t) - 4, sizeof(size_t) + 1, sizeof(T) + 4, size_t(1) << 40};
}

// `call` reads the struct, `good` is a struct that it accepts, and `name` is the struct's name in messages.
template <typename T, typename Call> void checkReading(const char *name, T good, const Call &call) {
  CAPTURE(name);
  dovetail_message message;
  for (size_t size : badSizes<T>()) {
    T bad = good;
    bad.size = size;
    checkBad(call(&bad, &message), message, std::string(name) + "->size is " + std::to_string(size));
  }
  Later<T> later = {good, {}};
  later.known.size = sizeof later;
  CHECK_OK(call(&later.known, message));
  later.added[3] = uint64_t(1) << 56;
  checkBad(call(&later.known, &message), message, std::string(name) + ": byte " + std::to_string(sizeof later - 1));
}

// The same for a struct that the call fills in.
template <typename T, typename Call> void checkFilling(const char *name, const Call &call) {
  CAPTURE(name);
  dovetail_message message;
  Later<T> filled;
  const auto *bytes = reinterpret_cast<const unsigned char *>(&filled);
  const auto reset = [&](size_t size) {
    std::memset(&filled, 0xee, sizeof filled);
    filled.known.size = size;
  };
  const auto isUntouchedFrom = [&](size_t begin) {
    return std::all_of(bytes + begin, bytes + sizeof filled, [](unsigned char byte) { return byte == 0xee; });
  };
  for (size_t size : badSizes<T>()) {
    reset(size);
    checkBad(call(&filled.known, &message), message, std::string(name) + "->size is " + std::to_string(size));
    CHECK(isUntouchedFrom(sizeof(size_t)));
  }
  for (size_t size : {sizeof(size_t), sizeof(T) - 8, sizeof(T)}) { // older ones, and ours
    reset(size);
    CHECK_OK(call(&filled.known, message));
    CHECK(filled.known.size == size);
    CHECK(isUntouchedFrom(size));
  }
  reset(sizeof filled);
  CHECK_OK(call(&filled.known, message));
  CHECK(std::ranges::count(filled.added, 0) == std::ssize(filled.added));
}

} // namespace

TEST_CASE("C: an older struct has the defaults for what it lacks") {
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  // The library does not look at members that the older version lacks.
  std::memset(&options.policy, 0xff, sizeof options - offsetof(dovetail_device_options, policy));
  options.size = offsetof(dovetail_device_options, policy);
  dovetail_device *device = nullptr;
  CHECK_OK(dovetail_device_create(&options, &device, message));
  CHECK_OK(dovetail_device_destroy(device, message));
}

TEST_CASE("C: an older state has the defaults for what it lacks") {
  Device device;
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  description.size = offsetof(dovetail_pipeline_state, alpha_test_func);
  description.alpha_test_func = 77;
  State state(device, description);
  CHECK(state.get().alpha_test_func == 7);
}

TEST_CASE("C: structs that are read have a size that can be, and nothing set that is not known") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  checkReading("options", options, [](const dovetail_device_options *given, dovetail_message *message) {
    dovetail_device *made = nullptr;
    const dovetail_status status = dovetail_device_create(given, &made, message);
    CHECK(dovetail_device_destroy(made, nullptr) == DOVETAIL_OK);
    return status;
  });
  checkReading("description", describe(textured_frag, DOVETAIL_STAGE_FRAGMENT),
               [&](const dovetail_shader_description *given, dovetail_message *message) {
                 dovetail_shader *made = nullptr;
                 const dovetail_status status = dovetail_shader_create(device, given, &made, message);
                 dovetail_shader_destroy(made);
                 return status;
               });
  checkReading("description->options", dovetail_shader_options(),
               [&](const dovetail_shader_options *given, dovetail_message *message) {
                 dovetail_shader_description description = describe(textured_frag, DOVETAIL_STAGE_FRAGMENT);
                 description.options = given;
                 dovetail_shader *made = nullptr;
                 const dovetail_status status = dovetail_shader_create(device, &description, &made, message);
                 dovetail_shader_destroy(made);
                 return status;
               });
  checkReading("options", dovetail_program_options(),
               [&](const dovetail_program_options *given, dovetail_message *message) {
                 dovetail_program *made = nullptr;
                 const dovetail_status status =
                     dovetail_program_create(device, program.shaders().data(), 2, given, &made, message);
                 dovetail_program_destroy(made);
                 return status;
               });
  const dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  checkReading("description", fields, [&](const dovetail_pipeline_state *given, dovetail_message *message) {
    dovetail_state *made = nullptr;
    const dovetail_status status = dovetail_state_create(device, given, &made, message);
    dovetail_state_destroy(made);
    return status;
  });
  dovetail_ycbcr_conversion conversion = {};
  conversion.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  checkReading("conversion", conversion, [](const dovetail_ycbcr_conversion *given, dovetail_message *message) {
    uint32_t dword = 0;
    return dovetail_ycbcr_conversion_get_dword(given, &dword, message);
  });
  State fitting(device, program);
  checkReading("description", fitting.get(), [&](const dovetail_pipeline_state *given, dovetail_message *message) {
    const dovetail_variant *variant = nullptr;
    return dovetail_bind_pipeline_state(binder, program, given, nullptr, nullptr, &variant, message);
  });
  checkReading("options", dovetail_bind_options(), [&](const dovetail_bind_options *given, dovetail_message *message) {
    const dovetail_variant *variant = nullptr;
    return dovetail_bind(binder, program, nullptr, nullptr, given, &variant, message);
  });
  checkReading("options", dovetail_build_options(),
               [&](const dovetail_build_options *given, dovetail_message *message) {
                 const dovetail_variant *variant = nullptr;
                 const dovetail_status status = dovetail_build(device, program, nullptr, given, &variant, message);
                 dovetail_variant_release(variant);
                 return status;
               });
}

TEST_CASE("C: structs are filled in as far as they go, and what is not known of them with 0") {
  Device device;
  FiveStageProgram program(device);
  State state(device, program);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program, state);
  checkFilling<dovetail_format_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_format_get_info("gfx900", 37, taken, message); });
  Program reflected(device, {describe(reflected_vert, DOVETAIL_STAGE_VERTEX)});
  const dovetail_shader *shader = reflected.shaders()[0];
  checkFilling<dovetail_shader_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_info(shader, taken, message); });
  checkFilling<dovetail_interface_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_input(shader, 0, taken, message); });
  checkFilling<dovetail_interface_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_output(shader, 0, taken, message); });
  checkFilling<dovetail_builtin_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_builtin(shader, 0, taken, message); });
  checkFilling<dovetail_descriptor_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_descriptor(shader, 0, taken, message); });
  checkFilling<dovetail_member_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_member(shader, 2, 0, taken, message); });
  checkFilling<dovetail_entry_point_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_entry_point(shader, 0, taken, message); });
  checkFilling<dovetail_spec_constant_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_shader_get_spec_constant(shader, 0, taken, message); });
  checkFilling<dovetail_device_statistics>(
      "statistics", [&](auto *taken, auto *message) { return dovetail_device_get_statistics(device, taken, message); });
  checkFilling<dovetail_pipeline_state>(
      "description", [&](auto *taken, auto *message) { return dovetail_state_get(state, taken, message); });
  checkFilling<dovetail_bind_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_binder_get_last_bind(binder, taken, message); });
  checkFilling<dovetail_variant_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_variant_get_info(variant, taken, message); });
  checkFilling<dovetail_stage_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_variant_get_stage(variant, 0, taken, message); });
  checkFilling<dovetail_part_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_variant_get_part(variant, 0, taken, message); });
  checkFilling<dovetail_code_cost>(
      "cost", [&](auto *taken, auto *message) { return dovetail_variant_get_stage_cost(variant, 0, taken, message); });
  checkFilling<dovetail_code_cost>(
      "cost", [&](auto *taken, auto *message) { return dovetail_variant_get_part_cost(variant, 0, taken, message); });
  checkFilling<dovetail_code_place>(
      "place", [&](auto *taken, auto *message) { return dovetail_variant_find_place(variant, 0, taken, message); });
  checkFilling<dovetail_tessellation_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_variant_get_tessellation(variant, taken, message); });
  checkFilling<dovetail_geometry_info>(
      "info", [&](auto *taken, auto *message) { return dovetail_variant_get_geometry(variant, taken, message); });
}
