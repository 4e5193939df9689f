// SPDX-License-Identifier: MIT
#include "tools/common/command/options.h"
#include "src/abi/get_target.h"
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace dovetail {

namespace {

constexpr char GpuType[] = "GPU"; // completion offers the GPUs for options of this type

CLI::Validator toGpuName() {
  return CLI::Validator(
      [](std::string &name) {
        name = gpuNameOf(name);
        return std::string();
      },
      "");
}

} // namespace

CLI::Validator wholeNumber() {
  return CLI::Validator(
      [](std::string &text) {
        uint64_t number = 0;
        auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        return code == std::errc() ? std::string() : "\"" + text + "\" is no whole number from 0 to 2^64 - 1";
      },
      "");
}

CLI::Validator notEmpty() {
  return CLI::Validator([](std::string &text) { return text.empty() ? std::string("is empty") : std::string(); }, "");
}

CLI::Validator oneOf(const std::vector<std::string> &words) {
  return CLI::Validator(
      [words](std::string &word) {
        return std::ranges::find(words, word) != words.end()
                   ? std::string()
                   : fmt::format("\"{}\" is none of {}", word, fmt::join(words, ", "));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

std::string gpuNameOf(const std::string &name) {
  const Result<const TargetInfo *> target = getTarget(name);
  return target ? std::string((*target)->gpuName) : name;
}

CLI::Option *addGpuOption(CLI::App &command, std::string &gpu, const std::string &description) {
  return command.add_option("--gpu", gpu, description)->type_name(GpuType)->transform(toGpuName());
}

CLI::Option *addGpuOption(CLI::App &command, std::vector<std::string> &gpus, const std::string &description) {
  return command.add_option("--gpu", gpus, description)
      ->type_name(GpuType)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(toGpuName());
}

void addPoolOptions(CLI::App &command, WorkerPoolOptions &pool, const std::string &unit) {
  pool.jobs = std::max(1u, std::thread::hardware_concurrency());
  command.add_option("--jobs", pool.jobs, "processes at a time")->check(CLI::Range(1u, 1024u));
  command
      .add_option_function<unsigned>(
          "--timeout", [&pool](unsigned seconds) { pool.timeout = std::chrono::seconds(seconds); },
          "seconds for one " + unit)
      ->check(CLI::Range(1u, 86400u))
      ->default_str(std::to_string(std::chrono::duration_cast<std::chrono::seconds>(pool.timeout).count()));
}

void addMemoryOption(CLI::App &command, WorkerPoolOptions &pool) {
  command.add_option("--memory", pool.maxMemory, "so much memory a process may take, for example 2G; 0: no limit")
      ->transform(CLI::AsSizeValue(false))
      ->transform(wholeNumber()) // CLI11 calls the last transform first
      ->default_str(std::to_string(pool.maxMemory >> 30) + "G");
}

} // namespace dovetail
