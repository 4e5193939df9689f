// SPDX-License-Identifier: MIT
//
// Each allocation fails once, in everything that changes data shared by threads. A call that throws must have changed
// nothing, nobody may wait for ever, and the next try must succeed.
#include "tests/failing_allocations.h"
#include "tests/variants/background/background_device.h"
#include "tests/variants/synthetic_variants.h"
#include "variants/optimize/optimization_queue.h"
#include <functional>
#include <new>
#include <thread>

using namespace dovetail;
using dovetail::test::allocationsLeft;

namespace {

// Repeats `call`, with each allocation failing in turn, until it succeeds, and `check` after each failure. Returns the
// number of failures.
unsigned failEachAllocation(const std::function<void()> &call, const std::function<void()> &check) {
  constexpr unsigned MaxAllocations = 10'000;
  for (unsigned count = 0; count < MaxAllocations; ++count) {
    allocationsLeft = long(count);
    try {
      call();
      const bool hasFailed = allocationsLeft < 0; // an allocation failed, and the call succeeded all the same
      allocationsLeft = -1;
      if (!hasFailed)
        return count;
    } catch (const std::bad_alloc &) {
      allocationsLeft = -1;
    }
    check();
  }
  FAIL("it never succeeds");
  return 0;
}

Hash128 keyOf(uint64_t number) {
  return Hasher().add(number).finish();
}

} // namespace

TEST_CASE("a bind table that cannot grow, replace or remove has all that it had") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  constexpr uint64_t Count = 40;
  std::vector<VariantRef> variants;
  for (uint64_t number = 0; number <= Count; ++number)
    variants.push_back(synthetic::makeVariant(number));
  // All keys are in one shard, so that it grows.
  auto key = [](uint64_t number) { return Hash128{number, number + 1}; };
  uint64_t held = 0;
  auto allAreHeld = [&] {
    unsigned wrong = 0;
    for (uint64_t number = 0; number < held; ++number) {
      wrong += table.find(key(number)).variant() != variants[number].get();
    }
    CHECK(wrong == 0);
  };
  unsigned failures = 0;
  for (; held < Count; ++held)
    failures += failEachAllocation(
        [&] { table.withSlot(key(held), [&](VariantSlot &slot) { table.setCurrent(slot, variants[held]); }); },
        allAreHeld);
  CHECK(failures > 0);

  failures = failEachAllocation(
      [&] { table.withSlot(key(0), [&](VariantSlot &slot) { table.setCurrent(slot, variants[Count]); }); }, allAreHeld);
  CHECK(failures > 0);
  std::swap(variants[0], variants[Count]);
  allAreHeld();

  failures = failEachAllocation(
      [&] { table.removeIf(0, [&](const VariantSlot &slot) { return slot.current() == variants[1].get(); }); },
      allAreHeld);
  CHECK(failures > 0);
  CHECK_FALSE(table.find(key(1)));
  epochs.collect();
  CHECK(epochs.retiredCount() == 0);
  CHECK(variants[1].use_count() == 1);
  CHECK(variants[2].use_count() == 2);
}

TEST_CASE("a flight that memory runs out in lands, whoever waits for it") {
  for (long count = 0;; ++count) {
    VariantTable table;
    Gate isMaking, isAsked;
    std::atomic<bool> hasFailed = false;
    std::thread maker([&] {
      try {
        (void)table.getOrMake({keyOf(1)}, [&]() -> Result<VariantRef> {
          isMaking.open();
          isAsked.wait();
          allocationsLeft = count;
          auto longText = std::string(100, 'x');
          return makeError(ErrorCode::CompileFailed, "a text that needs memory: {}", longText);
        });
      } catch (const std::bad_alloc &) {
        hasFailed = true;
      }
      allocationsLeft = -1;
    });
    isMaking.wait();
    std::thread waiter([&] {
      isAsked.open();
      CHECK_FALSE(table.getOrMake({keyOf(1)}, []() -> Result<VariantRef> {
        return makeError(ErrorCode::CompileFailed, "it was over before this thread came");
      }));
    });
    maker.join();
    waiter.join();
    CHECK(table.getOrMake({keyOf(1)}, [] { return Result<VariantRef>(synthetic::makeVariant(1)); })->made);
    if (!hasFailed) {
      CHECK(count > 1);
      return;
    }
  }
}

TEST_CASE("a table of variants that memory runs out for makes the variant the next time") {
  VariantTable table;
  VariantRef variant = synthetic::makeVariant(1);
  CHECK(failEachAllocation([&] { (void)table.getOrMake(variant->key, [&] { return Result<VariantRef>(variant); }); },
                           [&] { CHECK(table.find(variant->key) == nullptr); }) > 0);
  CHECK(table.find(variant->key) == variant);
  CHECK(table.size() == 1);
}

TEST_CASE("jobs that memory runs out for are not taken in; those that were are run or told") {
  OptimizationQueue queue({.threads = 1, .maxQueued = 2});
  std::atomic<int> ended = 0;
  int accepted = 0;
  auto enqueue = [&](bool isUrgent) {
    OptimizationQueue::Job job;
    job.run = [&](const std::function<bool()> &) -> Result<void> {
      ++ended;
      return {};
    };
    job.onCancelled = [&] { ++ended; };
    job.priority = isUrgent ? JobPriority::Urgent : JobPriority::Optional;
    accepted += queue.enqueue(std::move(job));
  };
  for (int round = 0; round < 20; ++round)
    failEachAllocation([&] { enqueue(round % 2); },
                       [&] {
                         OptimizationQueueStatistics now = queue.statistics();
                         CHECK(now.queued == now.finished + now.failed + now.cancelled + now.waiting + now.running);
                       });
  queue.drain();
  CHECK(accepted == ended);
  CHECK(accepted > 0);
}

TEST_CASE("a Binder that memory runs out for leaves nothing behind, and a bind changes nothing") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  VariantRef first = synthetic::makeVariant(1), second = synthetic::makeVariant(2);
  PipelineState fields, otherFields;
  fields.vertexBindings = {{0, 16}};
  otherFields.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_INSTANCE, 1}, {1, 16}, {2, 16}, {3, 16}};
  for (uint32_t location = 0; location < 12; ++location)
    otherFields.vertexAttributes.push_back({location, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16 * location});
  synthetic::insert(*device, program, makeState(fields), first);
  synthetic::insert(*device, program, makeState(otherFields), second);

  std::unique_ptr<Binder> binder;
  CHECK(failEachAllocation([&] { binder = std::make_unique<Binder>(*device); },
                           [&] { CHECK(device->statistics().binds == 0); }) > 0);
  CHECK(*binder->bind(program, fields) == first.get());
  const Variant *bound = nullptr;
  CHECK(failEachAllocation([&] { bound = *binder->bind(program, otherFields); },
                           [&] {
                             CHECK(binder->current() == first);
                             CHECK(*binder->bind(program, fields) == first.get());
                           }) > 0);
  CHECK(bound == second.get());
  CHECK(binder->current() == second);
  device->core().tables().collect(); // visits all Binders that it knows
}

TEST_CASE("an eviction that memory runs out in leaves tables that are right, and no draw fails for it") {
  auto device = synthetic::makeDevice(100'000);
  std::vector<ProgramRef> programs;
  std::vector<VariantRef> variants;
  StateRef state = synthetic::makeState(1);
  for (unsigned number = 0; number < 20; ++number) {
    programs.push_back(synthetic::makeProgram(number));
    variants.push_back(synthetic::makeVariant(number, 10'000));
    synthetic::insert(*device, programs[number], state, variants[number]);
  }
  variants.clear();
  unsigned before = 20;
  CHECK(failEachAllocation([&] { device->core().budget().enforce(); },
                           [&] {
                             unsigned known = 0;
                             Binder binder(*device);
                             for (const ProgramRef &program : programs)
                               known += binder.bind(program, state).has_value();
                             CHECK(known <= before);
                             before = known;
                           }) > 0);
  CHECK(device->core().budget().heldBytes() <= 100'000);
}

TEST_CASE("a bind that never compiles and that memory runs out for is asked for again") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  const BindOptions neverCompiles = {.neverCompiles = true};
  const StateRef state = pairState();
  bool isReady = false;
  CHECK(failEachAllocation([&] { isReady |= binder.bind(program, state, {}, neverCompiles).has_value(); },
                           [&] { CHECK(device->statistics().background.waiting <= 1); }) > 0);
  CHECK_FALSE(isReady);
  device.finish();
  CHECK(binder.bind(program, state, {}, neverCompiles));
}
