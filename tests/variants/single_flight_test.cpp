// SPDX-License-Identifier: MIT
//
// Single flight of variants: the table, and Binders of many threads.
#include "src/base/asking_thread.h"
#include "tests/variants/background/background_device.h"
#include "tests/variants/synthetic_variants.h"
#include "variants/bind/variant_table.h"
#include <barrier>
#include <thread>

using namespace dovetail;

namespace {

VariantKey keyOf(uint64_t number) {
  return {Hasher().add(number).finish()};
}

void runThreads(unsigned count, const std::function<void(unsigned)> &run) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < count; ++thread)
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      run(thread);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

TEST_CASE("threads that ask for a variant at the same time have it built once") {
  VariantTable table;
  std::atomic<int> builds = 0, made = 0;
  VariantRef variant = synthetic::makeVariant(1);
  runThreads(8, [&](unsigned) {
    auto lookup = table.getOrMake(keyOf(1), [&]() -> Result<VariantRef> {
      ++builds;
      return variant;
    });
    CHECK(lookup->value == variant);
    made += lookup->made;
  });
  CHECK(builds == 1);
  CHECK(made == 1);
  CHECK(table.size() == 1);
}

TEST_CASE("an Error goes to all that waited, and the next one tries again") {
  VariantTable table;
  Gate isBuilding, mayFail;
  std::atomic<int> builds = 0;
  auto fail = [&]() -> Result<VariantRef> {
    ++builds;
    isBuilding.open();
    mayFail.wait();
    return makeError(ErrorCode::CompileFailed, "as the test wants it");
  };
  std::thread builder([&] { CHECK_FALSE(table.getOrMake(keyOf(1), fail).has_value()); });
  isBuilding.wait();
  std::atomic<bool> isAsking = false;
  std::thread waiter([&] {
    isAsking = true;
    CHECK_FALSE(table.getOrMake(keyOf(1), fail).has_value());
  });
  while (!isAsking)
    std::this_thread::yield();
  mayFail.open();
  builder.join();
  waiter.join();
  CHECK(table.size() == 0);
  CHECK(table.getOrMake(keyOf(1), [] { return Result<VariantRef>(synthetic::makeVariant(1)); })->made);
}

TEST_CASE("a thread that may not wait makes what another is making, and the first one that is ready wins") {
  VariantTable table;
  Gate isBuilding, mayFinish;
  const VariantRef slow = synthetic::makeVariant(1), quick = synthetic::makeVariant(1);
  std::thread builder([&] {
    auto lookup = table.getOrMake(keyOf(1), [&]() -> Result<VariantRef> {
      isBuilding.open();
      mayFinish.wait();
      return slow;
    });
    CHECK(lookup->value == quick);
    CHECK_FALSE(lookup->made);
  });
  isBuilding.wait();
  {
    const WaitlessScope scope(true);
    auto lookup = table.getOrMake(keyOf(1), [&] { return Result<VariantRef>(quick); });
    CHECK(lookup->value == quick);
    CHECK(lookup->made);
  }
  mayFinish.open();
  builder.join();
  CHECK(table.overtakings() == 1);
}

TEST_CASE("nobody waits for a variant other than its own") {
  VariantTable table;
  auto outer = table.getOrMake(keyOf(1), [&]() -> Result<VariantRef> {
    // Runs on a thread of its own, which would wait for ever if the table were locked.
    std::thread([&] {
      for (uint64_t number = 2; number < 100; ++number)
        CHECK(table.getOrMake(keyOf(number), [&] { return Result<VariantRef>(synthetic::makeVariant(number)); })->made);
    }).join();
    return synthetic::makeVariant(1);
  });
  CHECK(outer->made);
  CHECK(table.size() == 99);
}

TEST_CASE("Binders of eight threads that bind one new state have one build, and one variant") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(options);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  std::vector<VariantRef> bound(8);
  runThreads(8, [&](unsigned thread) {
    Binder binder(*device);
    if (binder.bind(program, state).has_value())
      bound[thread] = binder.current();
  });
  REQUIRE(bound[0] != nullptr);
  for (const VariantRef &variant : bound)
    CHECK(variant == bound[0]);
  DeviceStatistics statistics = device->statistics();
  CHECK(statistics.joinedVariants == 1);
  CHECK(statistics.binds == 8);
  CHECK(statistics.waitedBinds + statistics.knownBinds <= 7);
}

TEST_CASE("threads bind while others publish and evict: each has what belongs to its program and state") {
  constexpr unsigned Count = 300, Threads = 4;
  auto device = synthetic::makeDevice(200 * memoryBytes(synthetic::makeVariant(0, 1200).get())); // too little for all
  DeviceCore &core = device->core();
  std::vector<ProgramRef> programs;
  std::vector<StateRef> states;
  for (unsigned number = 0; number < Count; ++number) {
    programs.push_back(synthetic::makeProgram(number));
    states.push_back(synthetic::makeState(number % 7));
  }
  // All versions of a variant have the number's size.
  auto insert = [&](unsigned number, uint64_t version) {
    VariantRef variant = synthetic::makeVariant(number + Count * version, 1000 + number);
    auto lookup = core.tables().getOrMake(variant->key, [&]() -> Result<VariantRef> { return variant; });
    core.tables().fillSlot(synthetic::slotKey(programs[number], states[number]), lookup->value, 0);
  };
  std::atomic<bool> ends = false;
  std::atomic<unsigned> wrong = 0, right = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < Threads; ++thread)
    threads.emplace_back([&, thread] {
      Binder binder(*device);
      VariantRef kept;
      for (unsigned number = thread; !ends.load(std::memory_order_relaxed); number = (number * 5 + 1) % Count) {
        Result<const Variant *> variant = binder.bind(programs[number], states[number]);
        if (!variant)
          continue; // the variant is not in the table now
        wrong += (*variant)->image->code.size() != 1000 + number;
        if (number % 16 == 0)
          kept = binder.current();
        if (kept)
          wrong += kept->image->code.size() % 16 != 1000 % 16;
        ++right;
      }
    });
  for (uint64_t round = 0; round < 20; ++round)
    for (unsigned number = 0; number < Count; ++number) {
      insert(number, 0);
      if (number % 3 == round % 3)
        synthetic::publish(*device, programs[number], states[number],
                           synthetic::makeVariant(number + Count * (round + 1), 1000 + number));
      core.budget().enforce();
    }
  ends = true;
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(right > 0);
  CHECK(device->statistics().evictedVariants > 0);
  core.tables().collect();
  CHECK(core.tables().retiredCount() == 0);
}
