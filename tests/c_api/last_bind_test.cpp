// SPDX-License-Identifier: MIT
//
// A binder tells about its last bind.
#include "tests/c_api/objects.h"

using namespace dovetail::c_test;

namespace {

dovetail_bind_info lastBindOf(const dovetail_binder *binder) {
  dovetail_bind_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_binder_get_last_bind(binder, &info, message));
  return info;
}

// The program's own state with another format of the only target.
dovetail_pipeline_state withTarget(const State &state, uint32_t format) {
  dovetail_pipeline_state fields = state.get();
  fields.color_targets[0].format = format;
  return fields;
}

constexpr uint32_t R32G32B32A32Sfloat = 109, R32G32B32A32Uint = 107;

} // namespace

TEST_CASE("C: before the first bind, there is no kind of bind") {
  Device device;
  Binder binder(device);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_NONE);
}

TEST_CASE("C: the first bind of a program is one that compiled") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  binder.bind(program);
  const dovetail_bind_info info = lastBindOf(binder);
  CHECK(info.kind == DOVETAIL_BIND_COMPILED);
  CHECK(info.waited == 0);
  CHECK(info.parts_compiled == 2); // the main parts
  CHECK(info.parts_encoded == 2);  // prolog and epilog
  CHECK(info.parts_stored == 0);
  CHECK((info.longest_part == DOVETAIL_PART_VERTEX_MAIN || info.longest_part == DOVETAIL_PART_FRAGMENT_MAIN));
  CHECK(info.longest_part_microseconds > 0);
}

TEST_CASE("C: a prefetch binds nothing") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  dovetail_binder_prefetch(binder, program, nullptr, nullptr);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_NONE);
  binder.bind(program);
  dovetail_binder_prefetch(binder, program, nullptr, nullptr);
  dovetail_binder_prefetch(binder, nullptr, nullptr, nullptr);
  dovetail_binder_prefetch(nullptr, program, nullptr, nullptr);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_COMPILED);
}

TEST_CASE("C: binds of what was bound are unchanged or known") {
  Device device;
  TexturedProgram program(device);
  State first(device, program), second(device, withTarget(first, R32G32B32A32Sfloat));
  Binder binder(device);
  binder.bind(program, first);
  binder.bind(program, second);
  binder.bind(program, first);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_KNOWN);
  binder.bind(program, first);
  const dovetail_bind_info info = lastBindOf(binder);
  CHECK(info.kind == DOVETAIL_BIND_UNCHANGED);
  CHECK(info.longest_part_microseconds == 0);
}

TEST_CASE("C: a state that needs a new epilog is one that encoded") {
  Device device;
  TexturedProgram program(device);
  State first(device, program), second(device, withTarget(first, R32G32B32A32Sfloat));
  Binder binder(device);
  binder.bind(program, first);
  binder.bind(program, second);
  const dovetail_bind_info info = lastBindOf(binder);
  CHECK(info.kind == DOVETAIL_BIND_ENCODED);
  CHECK(info.parts_compiled == 0);
  CHECK(info.parts_encoded == 1);
  CHECK(info.longest_part == DOVETAIL_PART_FRAGMENT_EPILOG);
}

TEST_CASE("C: a new variant of parts that another one has is one that joined") {
  Device device;
  TexturedProgram program(device);
  State first(device, program);
  dovetail_pipeline_state clamped = first.get();
  clamped.depth_clamp_enable = 1; // changes a register only
  State second(device, clamped);
  Binder binder(device);
  binder.bind(program, first);
  binder.bind(program, second);
  const dovetail_bind_info info = lastBindOf(binder);
  CHECK(info.kind == DOVETAIL_BIND_JOINED);
  CHECK(info.parts_encoded + info.parts_compiled + info.parts_stored == 0);
}

TEST_CASE("C: another state that comes to a variant that is there is found") {
  Device device;
  TexturedProgram program(device);
  State first(device, program);
  dovetail_pipeline_state other = first.get();
  other.patch_control_points = 7; // the program has no patches
  State second(device, other);
  Binder binder(device);
  binder.bind(program, first);
  binder.bind(program, second);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_FOUND);
}

TEST_CASE("C: a bind that failed has no kind") {
  Device device;
  TexturedProgram program(device);
  State first(device, program), wrong(device, withTarget(first, R32G32B32A32Uint)); // the shader writes floats
  Binder binder(device);
  binder.bind(program, first);
  const dovetail_variant *variant = nullptr;
  CHECK(dovetail_bind(binder, program, wrong, nullptr, nullptr, &variant, nullptr) != DOVETAIL_OK);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_NONE);
}

TEST_CASE("C: a fallback says that it is one") {
  Device device;
  TexturedProgram program(device);
  State first(device, program);
  Binder binder(device);
  const dovetail_variant *joined = binder.bind(program, first);
  dovetail_pipeline_state smooth = first.get();
  smooth.smoothing = 1; // changes the fragment shader's own code
  smooth.rasterization_samples = 4;
  State second(device, smooth);
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.fallback = joined;
  const dovetail_variant *variant = nullptr;
  CHECK_OK(dovetail_bind(binder, program, second, nullptr, &options, &variant, message));
  CHECK(variant == joined);
  CHECK(lastBindOf(binder).kind == DOVETAIL_BIND_FALLBACK);
  CHECK_OK(dovetail_device_drain(device, message));
}
