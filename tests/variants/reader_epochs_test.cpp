// SPDX-License-Identifier: MIT
#include "variants/bind/reader_epochs.h"
#include <doctest/doctest.h>
#include <thread>
#include <utility>
#include <vector>

using namespace dovetail;

namespace {

void retire(ReaderEpochs &epochs, std::shared_ptr<const void> object) {
  const void *address = object.get();
  ReaderEpochs::Removal removal;
  removal.add(std::move(object), address);
  epochs.retire(std::move(removal));
}

// Counts those that were destroyed.
struct Counted {
  explicit Counted(std::atomic<int> &destroyed) : destroyed(destroyed) {}
  ~Counted() { ++destroyed; }
  std::atomic<int> &destroyed;
};

struct Epochs {
  std::atomic<int> destroyed = 0;
  ReaderEpochs epochs;
  ReaderEpochs::Reader reader, other;

  Epochs() {
    epochs.add(reader);
    epochs.add(other);
  }
  ~Epochs() {
    epochs.remove(reader);
    epochs.remove(other);
  }
  const void *retire() {
    auto object = std::make_shared<Counted>(destroyed);
    const void *address = object.get();
    ::retire(epochs, std::move(object));
    return address;
  }
};

} // namespace

TEST_CASE("what nobody reads is destroyed by the next collect, and not before") {
  Epochs test;
  test.retire();
  CHECK(test.destroyed == 0);
  test.epochs.collect();
  CHECK(test.destroyed == 1);
  CHECK(test.epochs.retiredCount() == 0);
}

TEST_CASE("what was removed while somebody read stays until all that read then have left") {
  Epochs test;
  test.epochs.enter(test.reader);
  test.epochs.enter(test.other);
  test.retire();
  test.epochs.leave(test.reader);
  test.epochs.collect();
  CHECK(test.destroyed == 0);
  test.epochs.leave(test.other);
  test.epochs.collect();
  CHECK(test.destroyed == 1);
}

TEST_CASE("a reader that began after the removal does not keep it") {
  Epochs test;
  test.retire();
  test.epochs.enter(test.reader);
  test.epochs.collect();
  CHECK(test.destroyed == 1);
  test.epochs.leave(test.reader);
}

TEST_CASE("a reader keeps what is removed after it began, not what was removed before") {
  Epochs test;
  test.retire();
  test.epochs.enter(test.reader);
  test.retire();
  test.epochs.collect();
  CHECK(test.destroyed == 1);
  CHECK(test.epochs.retiredCount() == 1);
  test.epochs.leave(test.reader);
}

TEST_CASE("what is pinned stays, beyond the end of reading, until something else is pinned") {
  Epochs test;
  auto object = std::make_shared<Counted>(test.destroyed);
  test.epochs.enter(test.reader);
  test.reader.pin(nullptr, object.get());
  test.epochs.leave(test.reader);
  const void *address = object.get();
  retire(test.epochs, std::move(object));
  test.epochs.collect();
  CHECK(test.destroyed == 0);
  CHECK(test.epochs.pinned().contains(address));
  test.reader.pin(nullptr, nullptr);
  test.epochs.collect();
  CHECK(test.destroyed == 1);
}

TEST_CASE("pins of a reader that goes, go") {
  std::atomic<int> destroyed = 0;
  ReaderEpochs epochs;
  ReaderEpochs::Reader reader;
  epochs.add(reader);
  auto object = std::make_shared<Counted>(destroyed);
  const void *address = object.get();
  reader.pin(address, nullptr);
  retire(epochs, std::move(object));
  epochs.remove(reader);
  epochs.collect();
  CHECK(destroyed == 1);
}

TEST_CASE("what is still retired when the epochs go is destroyed with them") {
  std::atomic<int> destroyed = 0;
  {
    ReaderEpochs epochs;
    retire(epochs, std::make_shared<Counted>(destroyed));
  }
  CHECK(destroyed == 1);
}

TEST_CASE("threads read a pointer while another replaces it: none sees what was destroyed, and all of it is") {
  constexpr int Replacements = 3000;
  struct Checked : Counted {
    using Counted::Counted;
    ~Checked() { isAlive.store(false, std::memory_order_relaxed); }
    std::atomic<bool> isAlive = true;
  };
  std::atomic<int> destroyed = 0;
  {
    ReaderEpochs epochs;
    auto owner = std::make_shared<Checked>(destroyed);
    std::atomic<Checked *> current = owner.get();
    std::atomic<bool> ends = false;
    std::atomic<int> dead = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        ReaderEpochs::Reader reader;
        epochs.add(reader);
        const Checked *pinned = nullptr;
        while (!ends.load(std::memory_order_relaxed)) {
          if (pinned)
            dead += !pinned->isAlive.load(std::memory_order_relaxed);
          epochs.enter(reader);
          pinned = current.load(std::memory_order_seq_cst);
          reader.pin(pinned, nullptr);
          dead += !pinned->isAlive.load(std::memory_order_relaxed);
          epochs.leave(reader);
        }
        epochs.remove(reader);
      });
    for (int i = 0; i < Replacements; ++i) {
      auto next = std::make_shared<Checked>(destroyed);
      current.store(next.get(), std::memory_order_seq_cst);
      retire(epochs, std::exchange(owner, std::move(next)));
      epochs.collect();
    }
    ends = true;
    for (std::thread &thread : threads)
      thread.join();
    epochs.collect();
    CHECK(dead == 0);
    CHECK(destroyed == Replacements);
    CHECK(epochs.retiredCount() == 0);
  }
  CHECK(destroyed == Replacements + 1);
}
