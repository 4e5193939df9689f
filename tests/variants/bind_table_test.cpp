// SPDX-License-Identifier: MIT
#include "tests/variants/synthetic_variants.h"
#include "variants/bind/bind_table.h"
#include "variants/bind/use_periods.h"
#include <doctest/doctest.h>
#include <thread>

using namespace dovetail;

namespace {

Hash128 keyOf(uint64_t number) {
  return Hasher().add(number).finish();
}

void fill(BindTable &table, const Hash128 &key, const VariantRef &variant) {
  table.withSlot(key, [&](VariantSlot &slot) { table.setCurrent(slot, variant); });
}

} // namespace

TEST_CASE("slots are found by key, and others are not") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  VariantRef variant = synthetic::makeVariant(1);
  fill(table, keyOf(1), variant);
  REQUIRE(table.find(keyOf(1)));
  CHECK(table.find(keyOf(1)).slot().key == keyOf(1));
  CHECK(table.find(keyOf(1)).variant() == variant.get());
  CHECK_FALSE(table.find(keyOf(2)));
}

TEST_CASE("keys that agree in one half are different slots") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  VariantRef a = synthetic::makeVariant(1), b = synthetic::makeVariant(2), c = synthetic::makeVariant(3);
  fill(table, {5, 7}, a);
  fill(table, {5, 8}, b);
  fill(table, {6, 7}, c);
  CHECK(table.find({5, 7}).variant() == a.get());
  CHECK(table.find({5, 8}).variant() == b.get());
  CHECK(table.find({6, 7}).variant() == c.get());
  CHECK_FALSE(table.find({6, 8}));
}

TEST_CASE("keys that agree in their low half are told apart wherever they are in a line") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  std::vector<VariantRef> variants;
  for (uint64_t high = 0; high < 8; ++high) {
    variants.push_back(synthetic::makeVariant(high));
    fill(table, {high, 7}, variants.back());
  }
  for (uint64_t high = 0; high < 8; ++high)
    CHECK(table.find({high, 7}).variant() == variants[high].get());
  CHECK_FALSE(table.find({8, 7}));
}

TEST_CASE("keys that begin at the last cell go on at the first") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  VariantRef variant = synthetic::makeVariant(1);
  for (uint64_t low = 1; low < 6; ++low)
    fill(table, {~uint64_t(0), low}, variant);
  for (uint64_t low = 1; low < 6; ++low)
    CHECK(table.find({~uint64_t(0), low}));
  CHECK_FALSE(table.find({~uint64_t(0), 6}));
}

TEST_CASE("a table that grew has all that it had") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  VariantRef variant = synthetic::makeVariant(1);
  for (uint64_t number = 0; number < 5000; ++number)
    fill(table, keyOf(number), variant);
  CHECK(table.size() == 5000);
  unsigned missing = 0;
  for (uint64_t number = 0; number < 5000; ++number)
    missing += !table.find(keyOf(number));
  CHECK(missing == 0);
}

TEST_CASE("what is removed is not found, what is not removed is") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  VariantRef even = synthetic::makeVariant(1), odd = synthetic::makeVariant(2);
  for (uint64_t number = 0; number < 1000; ++number)
    fill(table, keyOf(number), number % 2 ? odd : even);
  CHECK(synthetic::removeSlots(table, [&](const VariantSlot &slot) { return slot.current() == odd.get(); }) == 500);
  unsigned wrong = 0;
  for (uint64_t number = 0; number < 1000; ++number)
    wrong += bool(table.find(keyOf(number))) != (number % 2 == 0);
  CHECK(wrong == 0);
  epochs.collect();
  CHECK(odd.use_count() == 1);
  CHECK(even.use_count() == 501);
}

TEST_CASE("whoever still has a removed slot finds nothing in it") {
  ReaderEpochs epochs;
  ReaderEpochs::Reader reader;
  epochs.add(reader);
  BindTable table(epochs);
  fill(table, keyOf(1), synthetic::makeVariant(1));
  epochs.enter(reader);
  BindTable::Place place = table.find(keyOf(1));
  reader.pin(place.array(), place.variant());
  epochs.leave(reader);
  synthetic::removeSlots(table, [](const VariantSlot &) { return true; });
  epochs.collect();
  CHECK(place.read(std::memory_order_relaxed).variant() == nullptr);
  epochs.remove(reader);
}

TEST_CASE("what was replaced stays for those that read, and goes after them") {
  ReaderEpochs epochs;
  ReaderEpochs::Reader reader;
  epochs.add(reader);
  BindTable table(epochs);
  VariantRef joined = synthetic::makeVariant(1);
  fill(table, keyOf(1), joined);
  std::weak_ptr<const Variant> weak = joined;
  joined.reset();
  epochs.enter(reader);
  fill(table, keyOf(1), synthetic::makeVariant(2));
  epochs.collect();
  CHECK_FALSE(weak.expired());
  epochs.leave(reader);
  epochs.collect();
  CHECK(weak.expired());
  epochs.remove(reader);
}

TEST_CASE("what a cell is bound to is told apart from its bits of the key and its countdown") {
  const VariantRef variant = synthetic::makeVariant(1), other = synthetic::makeVariant(2);
  constexpr uint64_t KeyHigh = 0x89ab;
  BoundCell cell = BoundVariant(KeyHigh, variant.get()).bits();
  CHECK(BoundVariant(cell).variant() == variant.get());
  CHECK_FALSE(BoundVariant(cell).counts());
  cell |= BoundVariant::Counts;
  const BoundVariant bound = BoundVariant(cell).with(other.get());
  CHECK(bound.variant() == other.get());
  CHECK(bound.counts());
  CHECK(bound.mayBe(KeyHigh));
  CHECK_FALSE(bound.mayBe(KeyHigh + 1));
  CHECK(bound.with(nullptr).variant() == nullptr);
}

TEST_CASE("a slot that moves takes along when it was used") {
  ReaderEpochs epochs;
  BindTable table(epochs);
  const VariantRef variant = synthetic::makeVariant(1);
  for (uint64_t number = 0; number < 10'000; ++number) // so many that the shards grow
    table.withSlot(keyOf(number), [&](VariantSlot &slot) {
      table.setCurrent(slot, variant);
      noteUse(*slot.lastUse, uint16_t(number % 4096));
    });
  unsigned wrong = 0;
  for (uint64_t number = 0; number < 10'000; ++number)
    wrong += table.find(keyOf(number)).lastUse() != number % 4096;
  CHECK(wrong == 0);
}

TEST_CASE("each of a few variants begins a period, of many each of some") {
  UsePeriods periods;
  for (uint32_t made = 1; made <= 500; ++made) {
    const uint16_t before = periods.current();
    periods.advance(made, made);
    CHECK(periods.current() == before + 1);
    CHECK(periods.beginOf(periods.current()) == made);
  }
  const uint16_t before = periods.current();
  constexpr uint32_t Held = 100'000;
  for (uint32_t made = 501; made <= 501 + Held; ++made)
    periods.advance(made, Held);
  CHECK(periods.current() - before > 400);
  CHECK(periods.current() - before <= 512);
}

TEST_CASE("a countdown is over once, however many threads count") {
  BoundCell cell = 0;
  VariantSlot slot;
  slot.cell = &cell;
  slot.setCountdown(1000);
  CHECK(BoundVariant(cell).counts());
  std::atomic<int> over = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i)
        over += slot.countDown();
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(over == 1);
  CHECK(slot.countdown == 0);
  CHECK_FALSE(BoundVariant(cell).counts()); // so binds need not test for it
}

TEST_CASE("threads find every slot while another inserts, replaces and removes, and the table grows and shrinks") {
  constexpr uint64_t Stable = 200, Passing = 2000;
  ReaderEpochs epochs;
  BindTable table(epochs);
  auto stable = [](uint64_t number) { return keyOf(number); };
  auto passing = [](uint64_t number) { return keyOf(1'000'000 + number); };
  for (uint64_t number = 0; number < Stable; ++number)
    fill(table, stable(number), synthetic::makeVariant(number, 64 + number));
  std::atomic<bool> ends = false;
  std::atomic<unsigned> wrong = 0, found = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      ReaderEpochs::Reader reader;
      epochs.add(reader);
      for (uint64_t number = 0; !ends.load(std::memory_order_relaxed); number = (number + 1) % Stable) {
        epochs.enter(reader);
        BindTable::Place place;
        const Variant *variant = nullptr;
        do {
          place = table.find(stable(number));
          variant = place.variant();
        } while (place && !variant && table.hasMoved(stable(number), place));
        if (variant)
          reader.pin(place.array(), variant);
        epochs.leave(reader);
        // Every version of this variant has this size.
        if (!variant || variant->image->code.size() != 64 + number)
          ++wrong;
        else
          ++found;
      }
      epochs.remove(reader);
    });
  for (int round = 0; round < 10; ++round) {
    for (uint64_t number = 0; number < Passing; ++number)
      fill(table, passing(number), synthetic::makeVariant(0, 1));
    for (uint64_t number = 0; number < Stable; ++number)
      fill(table, stable(number), synthetic::makeVariant(number, 64 + number));
    epochs.collect();
    CHECK(synthetic::removeSlots(
              table, [](const VariantSlot &slot) { return slot.current()->image->code.size() == 1; }) == Passing);
    epochs.collect();
  }
  ends = true;
  for (std::thread &thread : threads)
    thread.join();
  epochs.collect();
  CHECK(wrong == 0);
  CHECK(found > 0);
  CHECK(epochs.retiredCount() == 0);
}
