// SPDX-License-Identifier: MIT
//
// A thread that draws needs a value that the optimiser is just making: the thread does not wait.
#include "parts/cache/single_flight.h"
#include "tests/variants/background/job_gates.h"
#include <doctest/doctest.h>
#include <thread>

using namespace dovetail;

namespace {

using Flight = SingleFlight<int, int>;
constexpr int Key = 7;

// A thread that makes the value, and goes on when the test tells it to.
class SlowMaker {
public:
  SlowMaker(Flight &flight, bool isOptimizer, Result<int> value) {
    m_thread = std::thread([this, &flight, isOptimizer, value] {
      std::optional<OptimizingScope> scope;
      if (isOptimizer)
        scope.emplace();
      m_lookup = flight.getOrMake(Key, [&] {
        m_entered.open();
        m_release.wait();
        return value;
      });
    });
    m_entered.wait();
  }
  ~SlowMaker() {
    m_release.open();
    if (m_thread.joinable())
      m_thread.join();
  }
  Result<Flight::Lookup> finish() {
    m_release.open();
    m_thread.join();
    return m_lookup;
  }

private:
  Gate m_entered, m_release;
  Result<Flight::Lookup> m_lookup;
  std::thread m_thread;
};

Result<int> failure() {
  return makeError(ErrorCode::CompileFailed, "no value");
}

} // namespace

TEST_CASE("a thread that draws makes what the optimiser is making, and the first value stays") {
  Flight flight;
  SlowMaker optimizer(flight, true, 1);
  auto drawn = flight.getOrMake(Key, [] { return Result<int>(2); });
  REQUIRE(drawn);
  CHECK(drawn->value == 2);
  CHECK(drawn->made);
  CHECK_FALSE(drawn->waited);
  auto optimized = optimizer.finish();
  REQUIRE(optimized);
  CHECK(optimized->value == 2);
  CHECK_FALSE(optimized->made);
  CHECK(flight.find(Key) == 2);
  CHECK(flight.overtakings() == 1);
}

TEST_CASE("once it is overtaken, the optimiser's value is in the table for all") {
  Flight flight;
  SlowMaker optimizer(flight, true, 1);
  REQUIRE(flight.getOrMake(Key, [] { return Result<int>(2); }));
  auto third = flight.getOrMake(Key, [] { return Result<int>(3); });
  REQUIRE(third);
  CHECK(third->value == 2);
  CHECK_FALSE(third->made);
}

TEST_CASE("an optimiser waits for an optimiser, and for a thread that draws") {
  for (bool firstIsOptimizer : {true, false}) {
    Flight flight;
    SlowMaker first(flight, firstIsOptimizer, 1);
    Result<Flight::Lookup> second;
    std::thread waiter([&] {
      OptimizingScope scope;
      second = flight.getOrMake(Key, [] { return Result<int>(2); });
    });
    REQUIRE(first.finish());
    waiter.join();
    REQUIRE(second);
    CHECK(second->value == 1);
    CHECK_FALSE(second->made);
    CHECK(flight.overtakings() == 0);
  }
}

TEST_CASE("a thread that draws and fails where the optimiser does not leaves it its flight") {
  Flight flight;
  SlowMaker optimizer(flight, true, 1);
  CHECK_FALSE(flight.getOrMake(Key, failure));
  CHECK_FALSE(flight.find(Key));
  auto optimized = optimizer.finish();
  REQUIRE(optimized);
  CHECK(optimized->made);
  CHECK(flight.find(Key) == 1);
}

TEST_CASE("an optimiser that fails after it was overtaken has the other's value") {
  Flight flight;
  SlowMaker optimizer(flight, true, failure());
  REQUIRE(flight.getOrMake(Key, [] { return Result<int>(2); }));
  auto optimized = optimizer.finish();
  REQUIRE(optimized);
  CHECK(optimized->value == 2);
}

TEST_CASE("an optimiser that fails leaves nothing behind") {
  Flight flight;
  SlowMaker optimizer(flight, true, failure());
  CHECK_FALSE(optimizer.finish());
  auto next = flight.getOrMake(Key, [] { return Result<int>(3); });
  REQUIRE(next);
  CHECK(next->made);
}

TEST_CASE("a value that was made beside the optimiser and forgotten is made again") {
  Flight flight;
  SlowMaker optimizer(flight, true, 1);
  REQUIRE(flight.getOrMake(Key, [] { return Result<int>(2); }));
  REQUIRE(flight.eraseIf(Key, [](int) { return true; }));
  auto optimized = optimizer.finish();
  REQUIRE(optimized);
  CHECK(optimized->value == 1);
  CHECK(optimized->made);
}
