// SPDX-License-Identifier: MIT
//
// Programs that were built with an older or a newer header. (That no struct has padding, without which this would not
// work, is checked by the compiler: struct_padding.c.)
#include "tests/c_api/objects.h"
#include <cstddef>
#include <cstring>
#include <string_view>

using namespace dovetail::c_test;

namespace {

// A struct of a later version of the header: it has more members.
template <typename T> struct Later {
  T known;
  uint64_t added[4];
};

bool contains(const dovetail_message &message, std::string_view text) {
  return std::string_view(message.text).find(text) != std::string_view::npos;
}

} // namespace

TEST_CASE("C: an older struct has the defaults for what it lacks") {
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  // What the older version does not have is not looked at.
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

TEST_CASE("C: a newer struct is taken if the new members are 0") {
  Later<dovetail_device_options> options = {};
  options.known.size = sizeof options;
  options.known.gpu = "gfx900";
  dovetail_device *device = nullptr;
  CHECK_OK(dovetail_device_create(&options.known, &device, message));
  CHECK_OK(dovetail_device_destroy(device, message));
}

TEST_CASE("C: a newer struct that asks for something new is refused") {
  Later<dovetail_device_options> options = {};
  options.known.size = sizeof options;
  options.known.gpu = "gfx900";
  options.added[3] = uint64_t(1) << 56;
  dovetail_device *device = nullptr;
  dovetail_message message;
  CHECK(dovetail_device_create(&options.known, &device, &message) == DOVETAIL_BAD_ARGUMENT);
  CHECK(device == nullptr);
  CHECK_MESSAGE(contains(message, "byte " + std::to_string(sizeof options - 1)), message.text);
}

TEST_CASE("C: sizes that were never set are refused") {
  for (size_t size : {size_t(0), size_t(4), size_t(9), sizeof(dovetail_device_options) + 4, size_t(1) << 40}) {
    CAPTURE(size);
    dovetail_device_options options = {};
    options.gpu = "gfx900";
    options.size = size;
    dovetail_device *device = nullptr;
    dovetail_message message;
    CHECK(dovetail_device_create(&options, &device, &message) == DOVETAIL_BAD_ARGUMENT);
    CHECK_MESSAGE(contains(message, "options->size is " + std::to_string(size)), message.text);
  }
}

TEST_CASE("C: an older struct is filled in as far as it goes") {
  Device device;
  dovetail_device_statistics statistics;
  std::memset(&statistics, 0xee, sizeof statistics);
  statistics.size = offsetof(dovetail_device_statistics, known_binds);
  CHECK_OK(dovetail_device_get_statistics(device, &statistics, message));
  CHECK(statistics.binds == 0);
  CHECK(statistics.unchanged_binds == 0);
  CHECK(statistics.known_binds == 0xeeeeeeeeeeeeeeee);
  CHECK(statistics.size == offsetof(dovetail_device_statistics, known_binds));
}

TEST_CASE("C: what is not known of a newer struct is filled with 0") {
  Device device;
  Later<dovetail_device_statistics> statistics;
  std::memset(&statistics, 0xee, sizeof statistics);
  statistics.known.size = sizeof statistics;
  CHECK_OK(dovetail_device_get_statistics(device, &statistics.known, message));
  for (uint64_t added : statistics.added)
    CHECK(added == 0);
  CHECK(statistics.known.store_is_readable == 0);
}
