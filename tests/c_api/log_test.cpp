// SPDX-License-Identifier: MIT
//
// A device tells about itself: its log, its compiles, and builds that fail or take long, as files.
#include "tests/c_api/bad_calls.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string_view>

using namespace dovetail::c_test;

TEST_CASE("C: each compile is told once, with its shader's name") {
  struct Told {
    std::mutex mutex;
    std::vector<std::string> shaders;
    uint32_t instructions = 0;
  } told;
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.compile_user = &told;
  options.on_compile = [](void *user, const dovetail_compile_event *event) {
    Told &told = *static_cast<Told *>(user);
    std::lock_guard lock(told.mutex);
    CHECK(event->size == sizeof *event);
    CHECK(event->status == DOVETAIL_OK);
    CHECK(event->error == std::string_view());
    CHECK(event->purpose == DOVETAIL_COMPILE_FOR_CALLER);
    CHECK((event->kind == DOVETAIL_PART_VERTEX_MAIN || event->kind == DOVETAIL_PART_FRAGMENT_MAIN));
    CHECK(event->microseconds > 0);
    CHECK(event->codegen_microseconds > 0);
    told.shaders.push_back(event->shaders);
    told.instructions += event->instruction_count;
  };
  Device device(options);
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  std::ranges::sort(told.shaders);
  CHECK(told.shaders == std::vector<std::string>{"fragment shader", "vertex shader"});
  CHECK(told.instructions < infoOf(variant).instruction_count); // with prolog and epilog
}

TEST_CASE("C: a device draws with first code if it is asked to, and LLVM's takes its place") {
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.first_tier = DOVETAIL_TIER_FIRST_CODE;
  Device device(options);
  TexturedProgram program(device);
  Binder binder(device);
  const auto tiers = [&] {
    const dovetail_variant *variant = binder.bind(program);
    std::vector<uint32_t> found;
    for (uint32_t index = 0; index < infoOf(variant).part_count; ++index) {
      auto part = sized<dovetail_part_info>();
      CHECK_OK(dovetail_variant_get_part(variant, index, &part, message));
      if (part.tier != DOVETAIL_TIER_NONE)
        found.push_back(part.tier);
    }
    return found;
  };
  tiers();
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(tiers() == std::vector<uint32_t>(2, DOVETAIL_TIER_LLVM));
  auto statistics = sized<dovetail_device_statistics>();
  CHECK_OK(dovetail_device_get_statistics(device, &statistics, message));
  CHECK(statistics.first_code_parts + statistics.first_code_refused == 2);
  CHECK(statistics.changed_over_variants == (statistics.first_code_parts > 0));
}

TEST_CASE("C: the log has as much as is asked for") {
  for (const uint32_t wanted : {uint32_t(DOVETAIL_LOG_WARNING), uint32_t(DOVETAIL_LOG_DEBUG)}) {
    struct Log {
      std::mutex mutex;
      unsigned infos = 0, compiles = 0, others = 0;
    } log;
    dovetail_device_options options = {};
    options.gpu = "gfx900";
    options.log_level = wanted;
    options.log_user = &log;
    options.log = [](void *user, dovetail_log_level level, const char *) {
      Log &log = *static_cast<Log *>(user);
      std::lock_guard lock(log.mutex);
      ++(level == DOVETAIL_LOG_INFO ? log.infos : level == DOVETAIL_LOG_DEBUG ? log.compiles : log.others);
    };
    Device device(options);
    TexturedProgram program(device);
    Binder binder(device);
    binder.bind(program);
    CHECK(log.infos == (wanted == DOVETAIL_LOG_DEBUG ? 1 : 0));
    CHECK(log.compiles == (wanted == DOVETAIL_LOG_DEBUG ? 2 : 0));
    CHECK(log.others == 0);
  }
}

TEST_CASE("C: a build that takes long leaves a file, which the log names") {
  struct Log {
    std::mutex mutex;
    std::string text;
  } log;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("dovetail-dumps-" + std::to_string(uintptr_t(&log)));
  const std::string path = folder.string();
  dovetail_device_options options = {};
  options.gpu = "gfx900";
  options.dump_path = path.c_str();
  options.dump_slow_milliseconds = 0.001;
  options.log_user = &log;
  options.log = [](void *user, dovetail_log_level level, const char *text) {
    Log &log = *static_cast<Log *>(user);
    std::lock_guard lock(log.mutex);
    CHECK(level == DOVETAIL_LOG_WARNING);
    log.text = text;
  };
  {
    Device device(options);
    TexturedProgram program(device);
    Binder binder(device);
    binder.bind(program);
  }
  size_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    CHECK(log.text.find(entry.path().string()) != std::string::npos);
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    CHECK(text.find("[VsSpirv]\n07230203 ") != std::string::npos);
    CHECK(text.find("hasState = 1\n") != std::string::npos);
  }
  CHECK(files == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("C: options of logs and dumps that cannot be are refused") {
  const auto check = [](auto spoil, std::string_view named) {
    dovetail_device_options options = sized<dovetail_device_options>();
    options.gpu = "gfx900";
    spoil(options);
    auto *device = garbage<dovetail_device>();
    dovetail_message message;
    checkBad(dovetail_device_create(&options, &device, &message), message, named);
  };
  check([](auto &options) { options.log_level = 4; }, "options->log_level is 4");
  check([](auto &options) { options.dump_path = ""; }, "options->dump_path is empty");
  check([](auto &options) { options.dump_slow_milliseconds = -1; }, "options->dump_slow_milliseconds is -1");
  check([](auto &options) { options.archive_count = 9; }, "options->archive_count is 9");
  check([](auto &options) { options.first_tier = 3; }, "options->first_tier is 3");
}
