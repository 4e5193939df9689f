// SPDX-License-Identifier: MIT
#include "tools/common/command/progress.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const TimeLeft::Clock::time_point Start;

} // namespace

TEST_CASE("the time left goes by the latest units") {
  TimeLeft time(Start);
  time.add(Start + std::chrono::seconds(2));
  CHECK(time.print(10) == "20 s");
  time.add(Start + std::chrono::seconds(6)); // 3 s each
  CHECK(time.print(30) == "1 min 30 s");
  CHECK(time.print(1220) == "1 h 01 min");
  CHECK(time.print(0) == "0 s");
  for (int unit = 0; unit < 200; ++unit) // as many as are remembered, 1 s each
    time.add(Start + std::chrono::seconds(100 + unit));
  CHECK(time.print(10) == "10 s");
}

TEST_CASE("with a limit, fewer units are left") {
  CHECK(unitsUntilLimit(100, 10, 0, 5) == 90);
  CHECK(unitsUntilLimit(100, 10, 20, 5) == 30); // each second unit counts
  CHECK(unitsUntilLimit(100, 10, 20, 20) == 0);
  CHECK(unitsUntilLimit(100, 10, 20, 21) == 0); // a unit may have several
  CHECK(unitsUntilLimit(100, 10, 1000, 5) == 90);
  CHECK(unitsUntilLimit(100, 10, 20, 0) == 90); // nothing is known yet
}
