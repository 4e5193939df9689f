// SPDX-License-Identifier: MIT
#include "parts/cache/part_cache.h"
#include <barrier>
#include <doctest/doctest.h>
#include <new>
#include <stdexcept>
#include <thread>

using namespace dovetail;

namespace {

PartKey keyOf(uint64_t number) {
  return {PartKind::FragmentEpilog, {0, number}};
}

PartRef makePart(const PartKey &key) {
  auto part = std::make_shared<Part>();
  part->key = key;
  part->code = {0, 0, 0x81, 0xbf};
  return part;
}

} // namespace

TEST_CASE("a part is made on the first look-up and found on the second") {
  PartCache cache;
  PartLookup first = *cache.getOrMake(keyOf(1), [] { return makePart(keyOf(1)); });
  PartLookup second = *cache.getOrMake(keyOf(1), []() -> Result<PartRef> {
    FAIL("made twice");
    return nullptr;
  });
  CHECK(first.made);
  CHECK_FALSE(second.made);
  CHECK(first.part == second.part);
}

TEST_CASE("keys that differ only in their kind are different parts") {
  PartCache cache;
  PartKey prolog = {PartKind::VertexProlog, {0, 1}};
  PartRef epilogPart = cache.getOrMake(keyOf(1), [] { return makePart(keyOf(1)); })->part;
  PartRef prologPart = cache.getOrMake(prolog, [&] { return makePart(prolog); })->part;
  CHECK(epilogPart != prologPart);
}

TEST_CASE("eight threads that ask at the same time make a part once") {
  PartCache cache;
  std::atomic<int> makes = 0;
  std::barrier start(8);
  std::vector<PartRef> got(8);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      got[i] = cache
                   .getOrMake(keyOf(7),
                              [&]() -> Result<PartRef> {
                                ++makes;
                                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                return makePart(keyOf(7));
                              })
                   ->part;
    });
  }
  threads.clear();
  CHECK(makes == 1);
  for (const PartRef &part : got)
    CHECK(part == got[0]);
  CHECK(cache.statistics().found == 7);
}

TEST_CASE("while one part is made, another can be made and found") {
  PartCache cache;
  Result<PartLookup> outer = cache.getOrMake(keyOf(1), [&]() -> Result<PartRef> {
    // Runs while key 1 is made. It would deadlock if that held a lock.
    CHECK(cache.getOrMake(keyOf(2), [] { return makePart(keyOf(2)); })->made);
    CHECK(cache.find(keyOf(2)) != nullptr);
    CHECK(cache.find(keyOf(1)) == nullptr);
    return makePart(keyOf(1));
  });
  CHECK(outer->made);
}

TEST_CASE("an Error is returned and not remembered") {
  PartCache cache;
  Result<PartLookup> failed =
      cache.getOrMake(keyOf(3), []() -> Result<PartRef> { return makeError(ErrorCode::CompileFailed, "no luck"); });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().text == "no luck");
  CHECK(cache.getOrMake(keyOf(3), [] { return makePart(keyOf(3)); })->made);
  CHECK(cache.statistics().failed == 1);
}

TEST_CASE("an exception in a maker becomes an Error") {
  PartCache cache;
  Result<PartLookup> failed =
      cache.getOrMake(keyOf(4), []() -> Result<PartRef> { throw std::runtime_error("out of luck"); });
  REQUIRE_FALSE(failed);
  CHECK((failed.error().code == ErrorCode::Internal));
}

TEST_CASE("that memory ran out in a maker is thrown on, and not remembered") {
  PartCache cache;
  CHECK_THROWS_AS((void)cache.getOrMake(keyOf(4), []() -> Result<PartRef> { throw std::bad_alloc(); }), std::bad_alloc);
  CHECK(cache.getOrMake(keyOf(4), [] { return makePart(keyOf(4)); })->made);
  CHECK(cache.statistics().failed == 1);
}

TEST_CASE("statistics count the bytes of what is held") {
  PartCache cache;
  (void)cache.getOrMake(keyOf(1), [] { return makePart(keyOf(1)); });
  (void)cache.getOrMake(keyOf(2), [] { return makePart(keyOf(2)); });
  CHECK(cache.statistics().bytes == 8);
  CHECK(cache.parts().size() == 2);
}
