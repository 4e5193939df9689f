// SPDX-License-Identifier: MIT
//
// Many threads of many processes make variants from one set of shaders and states with one store, which is pruned
// meanwhile. Each variant is compared with one that was built without a store.
#include "parts/cache/part_maker.h"
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_shaders.h"
#include "variants/bind/binder.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned Processes = 4, Threads = 8;

// A program under a state.
struct Case {
  ShaderSet set;
  PipelineState state;
};

Result<std::vector<Case>> makeCases() {
  std::vector<Case> cases;
  for (const ShaderSet &set : DOVETAIL_TRY(testShaderSets(effort<size_t>(3, 4))))
    for (uint64_t number = 0; number < TestStateCount; number += effort<uint64_t>(8, 1))
      cases.push_back({set, testState(set, number)});
  return cases;
}

// Covers everything that is uploaded and programmed.
std::string fingerprint(const Image &image) {
  Hasher hasher;
  hasher.addBytes(std::as_bytes(std::span(image.code)));
  for (const RegisterValue &value : image.registers)
    hasher.add(value.address).add(value.value);
  for (const ImageStage &stage : image.stages)
    hasher.add(stage.stage).add(stage.entry).add(stage.size);
  for (const LoadRelocation &relocation : image.loadRelocations)
    hasher.add(relocation.offset).add(relocation.kind).add(relocation.target);
  return hasher.finish().toHex();
}

// Reports the fingerprint of each case, built alone and without a store.
std::string buildReferences(const std::vector<Case> &cases, const Child::Report &report) {
  Result<std::unique_ptr<Device>> device = Device::create("gfx900");
  if (!device)
    return device.error().text;
  for (const Case &test : cases) {
    Result<VariantRef> variant = (*device)->bind(test.set, test.state);
    if (!variant)
      return variant.error().text;
    report(fingerprint(*(*variant)->image));
  }
  return "";
}

struct Totals {
  std::atomic<uint64_t> binds = 0, stored = 0, made = 0, devices = 0;
};

// One of the threads: binds all cases in a random order of its own.
std::string bindAll(Device &device, const std::vector<ProgramRef> &programs, const std::vector<StateRef> &states,
                    const std::vector<std::string> &references, uint64_t seed, Clock::time_point end, Totals &totals) {
  std::vector<size_t> order(programs.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  Binder binder(device);
  for (size_t index : order) {
    if (Clock::now() >= end)
      break;
    Result<const Variant *> variant = binder.bind(programs[index], states[index]);
    if (!variant)
      return variant.error().text;
    ++totals.binds;
    if (fingerprint(*(*variant)->image) != references[index])
      return fmt::format("case {} is not what it is without a store", index);
  }
  return "";
}

// The life of one device. Returns "" or the first defect.
std::string useDevice(const std::string &path, const std::vector<Case> &cases,
                      const std::vector<std::string> &references, uint64_t seed, Clock::time_point end,
                      Totals &totals) {
  std::mutex mutex;
  std::string defect;
  auto report = [&](std::string text) {
    std::lock_guard<std::mutex> lock(mutex);
    if (defect.empty())
      defect = std::move(text);
  };
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm; // the store has no first code
  options.store.path = path;
  options.onLog = [&](LogLevel, std::string_view text) { report("warning: " + std::string(text)); };
  Result<std::unique_ptr<Device>> device = Device::create(std::move(options));
  if (!device)
    return device.error().text;
  std::vector<ProgramRef> programs;
  std::vector<StateRef> states;
  for (const Case &test : cases) {
    std::vector<ShaderRef> shaders;
    for (const ShaderRef &shader : test.set.shaders)
      if (shader)
        shaders.push_back(shader);
    Result<ProgramRef> program = (*device)->createProgram(shaders);
    if (!program)
      return program.error().text;
    programs.push_back(*program);
    states.push_back(makeState(test.state));
  }
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < Threads; ++thread)
    threads.emplace_back([&, thread] {
      std::string text = bindAll(**device, programs, states, references, seed * Threads + thread, end, totals);
      if (!text.empty())
        report(std::move(text));
    });
  for (std::thread &thread : threads)
    thread.join();
  const DeviceStatistics statistics = (*device)->statistics();
  totals.stored += statistics.parts.stored;
  totals.made += statistics.parts.made;
  ++totals.devices;
  if (defect.empty() && seed % 5 == 0) {
    // Prunes the store while others use its parts.
    const std::shared_ptr<PartStore> store = (*device)->partMaker().cache().store();
    if (!store)
      return "the device has no store";
    if (Result<uint64_t> pruned = store->prune(seed % 2 * statistics.store.bytes / 16); !pruned)
      return pruned.error().text;
  }
  return defect;
}

} // namespace

TEST_CASE("8 threads of 4 processes use one store and get what they would get without it") {
  const auto duration = std::chrono::seconds(effort(6, 60));
  Result<std::vector<Case>> cases = makeCases();
  REQUIRE_MESSAGE(cases, cases.error().text);

  std::vector<std::string> references;
  {
    Child builder([&](const Child::Report &report) { return buildReferences(*cases, report); });
    std::string line;
    while (builder.readLine(line, 5 * Patience))
      references.push_back(line);
    REQUIRE(builder.wait() == "");
  }
  REQUIRE(references.size() == cases->size());

  TemporaryFolder folder;
  const std::string path = folder / "store";
  std::vector<std::unique_ptr<Child>> children;
  for (unsigned process = 0; process < Processes; ++process)
    children.push_back(std::make_unique<Child>([&](const Child::Report &report) {
      const Clock::time_point end = Clock::now() + duration;
      Totals totals;
      std::string defect;
      for (uint64_t life = 0; defect.empty() && (life == 0 || Clock::now() < end); ++life)
        // The first life lasts until everything is built, however slow the machine is.
        defect = useDevice(path, *cases, references, seed() + life * Processes + process,
                           life == 0 ? Clock::time_point::max() : end, totals);
      report(fmt::format("{} {} {} {}", totals.binds.load(), totals.stored.load(), totals.made.load(),
                         totals.devices.load()));
      return defect;
    }));

  uint64_t sums[4] = {};
  for (std::unique_ptr<Child> &child : children) {
    // The watchdog: it ends a deadlock.
    std::string line;
    if (child->readLine(line, duration + 5 * Patience)) {
      unsigned long values[4] = {};
      CHECK(std::sscanf(line.c_str(), "%lu %lu %lu %lu", &values[0], &values[1], &values[2], &values[3]) == 4);
      for (size_t index = 0; index < 4; ++index)
        sums[index] += values[index];
    }
    CHECK(child->wait() == "");
  }
  CHECK(sums[1] > 0);
  CHECK(sums[2] > 0);
  MESSAGE(sums[0], " binds of ", cases->size(), " variants by ", sums[3], " devices in ", Processes, " processes with ",
          Threads, " threads each; ", sums[1], " parts came from the store, ", sums[2], " were made");
  CHECK(inChild([&] { return checkHealthy(path, {}, 1); }) == "");
}
