// SPDX-License-Identifier: MIT
//
// Measures the cost of VK_LAYER_DOVETAIL_shadow for a draw, with Dovetail's bind in it, for several streams of
// commands:
//
//   build/tests/layer/layer-benchmark build/tools/programs/layer/libVkLayer_dovetail_shadow.so [STREAM] [DRAWS]
//
// The layer's summary of each stream, on the standard error, has its own cost without the bind.
#include "tests/layer/null-driver/null_app.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

namespace {

using dovetail::null_driver::App;

struct Stream {
  const char *name;
  size_t pipelines;
  bool isDynamic;
  bool isCold; // the caches are cold when a draw begins, as if a driver or an application had used them
  std::function<void(App &, size_t)> record; // commands of the draw with this number
};

const Stream Streams[] = {
    {"same", 1, false, false, [](App &, size_t) {}},
    {"constants", 1, false, false, [](App &app, size_t) { app.pushConstants(); }},
    {"two", 2, false, false, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"many", 64, false, false, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"dynamic", 1, true, false, [](App &app, size_t number) { app.setTopology(number); }},
    {"many-dynamic", 64, true, false,
     [](App &app, size_t number) {
       app.bindPipeline(number);
       app.setTopology(number);
     }},
    {"cold", 64, false, true, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"cold-dynamic", 64, true, true,
     [](App &app, size_t number) {
       app.bindPipeline(number);
       app.setTopology(number);
     }},
};

// Fills the caches with other data.
void useCaches() {
  static std::vector<uint8_t> much(size_t(48) << 20);
  for (size_t at = 0; at < much.size(); at += 64)
    ++much[at];
}

void measure(const char *layer, const Stream &stream, size_t draws) {
  using Clock = std::chrono::steady_clock;
  App app(layer, stream.pipelines, stream.isDynamic);
  app.bindPipeline(0);
  app.setTopology(0);
  for (size_t number = 0; number < 2 * stream.pipelines; ++number) {
    stream.record(app, number);
    app.draw();
  }
  Clock::duration time = {};
  if (stream.isCold) {
    draws = draws / 1000 + 32;
    for (size_t number = 0; number < draws; ++number) {
      useCaches();
      const Clock::time_point start = Clock::now();
      stream.record(app, number);
      app.draw();
      time += Clock::now() - start;
    }
  } else {
    const Clock::time_point start = Clock::now();
    for (size_t number = 0; number < draws; ++number) {
      stream.record(app, number);
      app.draw();
    }
    time = Clock::now() - start;
  }
  std::printf("%-14s %8.1f ns a draw\n", stream.name,
              std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(draws));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: layer-benchmark LAYER [STREAM] [DRAWS]\n");
    return 2;
  }
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  const size_t draws = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1000000;
  for (const Stream &stream : Streams)
    if (wanted.empty() || wanted == stream.name)
      measure(argv[1], stream, draws);
}
