// SPDX-License-Identifier: MIT
#include "tests/c_api/objects.h"
#include <array>
#include <string_view>
#include <thread>

using namespace dovetail::c_test;

namespace {

// Binds alternating states and returns the code of one of them.
std::vector<uint8_t> drawOn(const char *gpu) {
  Device device(gpu);
  TexturedProgram program(device);
  State plain(device, program);
  dovetail_pipeline_state description = plain.get();
  description.color_targets[0].blend_enable = 1;
  State blending(device, description);
  Binder binder(device);
  const dovetail_variant *variant = nullptr;
  for (int i = 0; i < 20; ++i)
    variant = binder.bind(program, i % 2 ? plain : blending);
  const dovetail_variant_info info = infoOf(variant);
  CHECK(info.gpu == std::string_view(gpu));
  CHECK(statisticsOf(device).binds == 20);
  return {info.code, info.code + info.code_size};
}

} // namespace

TEST_CASE("C: two devices for different GPUs work in one process at the same time") {
  const std::array<const char *, 2> gpus = {"gfx900", "gfx803"};
  const std::vector<uint8_t> alone[2] = {drawOn(gpus[0]), drawOn(gpus[1])};
  CHECK(alone[0] != alone[1]);
  std::vector<uint8_t> together[2];
  for (int round = 0; round < 3; ++round) {
    std::thread first([&] { together[0] = drawOn(gpus[0]); });
    std::thread second([&] { together[1] = drawOn(gpus[1]); });
    first.join();
    second.join();
    CHECK(together[0] == alone[0]);
    CHECK(together[1] == alone[1]);
  }
}

TEST_CASE("C: threads share a device's variants") {
  Device device(withLlvm()); // nothing changes over meanwhile
  TexturedProgram program(device);
  std::array<const dovetail_variant *, 4> found = {};
  std::vector<std::thread> threads;
  for (auto &variant : found)
    threads.emplace_back([&] {
      Binder binder(device);
      variant = binder.bind(program);
      CHECK(dovetail_variant_retain(variant, nullptr) == DOVETAIL_OK);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const dovetail_variant *variant : found) {
    CHECK(variant == found[0]);
    dovetail_variant_release(variant);
  }
  CHECK(statisticsOf(device).joined_variants == 1);
}
