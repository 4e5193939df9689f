// SPDX-License-Identifier: MIT
//
// Measures the emulator: wave instructions per second of our own programs, joined for gfx900. Only emulate() is timed;
// the figure includes the cost of waves, draws and their tables. Each program runs several times, and its best run
// counts. The last column is a hash of everything that the program has drawn and written, and of which bits of it were
// undefined. A change that only makes the emulator faster keeps this hash.
// To profile: `perf record` and `valgrind --tool=callgrind --toggle-collect='dovetail::emulate(*'`.
#include "src/base/hash.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/pipelines/draw_case.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>

namespace dovetail {

namespace {

struct Options {
  std::vector<std::string> programs;
  std::string gpu = "gfx900";
  uint32_t size = 256;
  uint64_t seed = 1;
  bool randomState = false;
  unsigned runs = 5;
  emulator::Variation variation;
};

// Arithmetic, sampling, transcendental functions, loops, LDS, buffers, tessellation and geometry.
constexpr const char *Programs[] = {
    "pbr.vert pbr.frag",
    "phong.vert phong.frag",
    "terrain.vert terrain.frag",
    "water.vert water.frag",
    "sample_dims.frag",
    "math_trig.frag",
    "math_matrix.frag",
    "nested_flow.frag",
    "skinning.vert",
    "particles.comp",
    "reduction.comp",
    "types_64bit.comp",
    "tess_quads_odd.vert tess_quads_odd.tesc tess_quads_odd.tese tess_quads_odd.frag",
    "geom_layers.vert geom_layers.geom geom_layers.frag",
};

struct Figure {
  EmulationStatistics statistics;
  double seconds = 0;
  Hash128 hash;
  double rate() const { return double(statistics.instructions) / seconds / 1e6; }
};

// CPU time of this thread, on which the emulator runs; other work of the machine does not count.
double cpuSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

Hash128 hashOf(const SceneResult &result, const EmulationStatistics &statistics) {
  Hasher hasher;
  auto add = [&](std::span<const uint8_t> bytes) { hasher.add(bytes.size()).addBytes(std::as_bytes(bytes)); };
  for (const ScenePicture &picture : result.colors)
    add(picture.bytes);
  add(result.depth.bytes);
  add(result.stencil.bytes);
  for (const std::vector<uint8_t> &buffer : result.buffers)
    add(buffer);
  for (const std::vector<uint8_t> &image : result.images)
    add(image);
  hasher.add(statistics.waves).add(statistics.instructions);
  for (const uint64_t events : statistics.undefinedEvents)
    hasher.add(events);
  return hasher.finish();
}

Result<Figure> measure(Device &device, const std::string &program, const Options &options) {
  DrawRequest request;
  request.width = request.height = options.size;
  request.seed = options.seed;
  request.randomState = options.randomState;
  std::string_view rest = program;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    request.files.push_back(name.find('/') == std::string_view::npos ? fmt::format("{}/{}", DOVETAIL_OWN_SHADERS, name)
                                                                     : std::string(name));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  const DrawCase drawCase = DOVETAIL_TRY(makeDrawCase(request));
  const VariantRef variant = DOVETAIL_TRY(buildDrawn(device, drawCase, DrawnCode::Joined));
  Figure best;
  for (unsigned run = 0; run < options.runs; ++run) {
    Figure figure;
    const double start = cpuSeconds();
    const SceneResult result =
        DOVETAIL_TRY(emulate(drawCase.scene, drawCase.shaders, *variant->image, &figure.statistics, options.variation));
    figure.seconds = cpuSeconds() - start;
    figure.hash = hashOf(result, figure.statistics);
    if (run == 0 || figure.seconds < best.seconds)
      best = figure;
  }
  return best;
}

Result<int> run(const Options &options) {
  const std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(options.gpu, {}));
  std::vector<std::string> programs = options.programs;
  if (programs.empty())
    programs.assign(std::begin(Programs), std::end(Programs));
  print(fmt::format("{:50} {:>8} {:>13} {:>9} {:>12}  {}\n", "program", "waves", "instructions", "ms", "million/s",
                    "result"));
  Figure sum;
  int failed = 0;
  for (const std::string &program : programs) {
    Result<Figure> measured = measure(*device, program, options);
    if (!measured) {
      print(fmt::format("{:50} {}\n", program.substr(0, 50), measured.error().text));
      ++failed;
      continue;
    }
    const Figure &figure = *measured;
    print(fmt::format("{:50} {:8} {:13} {:9.2f} {:12.2f}  {}\n", program.substr(0, 50), figure.statistics.waves,
                      figure.statistics.instructions, figure.seconds * 1e3, figure.rate(), figure.hash.toHex()));
    DOVETAIL_CHECK(finishOutput());
    sum.statistics.waves += figure.statistics.waves;
    sum.statistics.instructions += figure.statistics.instructions;
    sum.seconds += figure.seconds;
  }
  print(fmt::format("{:50} {:8} {:13} {:9.2f} {:12.2f}\n", "all", sum.statistics.waves, sum.statistics.instructions,
                    sum.seconds * 1e3, sum.rate()));
  return failed == 0 ? 0 : 1;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  Options options;
  CLI::App app("Wave instructions per second of the emulator");
  app.add_option("PROGRAM", options.programs, "shaders of tests/shaders, or paths, one program an argument");
  addGpuOption(app, options.gpu)->capture_default_str();
  app.add_option("--size", options.size, "width and height of the framebuffer")->capture_default_str();
  app.add_option("--runs", options.runs, "the best of so many counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--noise", options.variation.roundingNoise, "seed of rounding noise; 0: none")->capture_default_str();
  app.add_option("--undefined", options.variation.undefinedChoices, "seed of what is undefined; 0: as the hardware")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of what is made up")->capture_default_str();
  app.add_flag("--random-state", options.randomState, "a state by the seed, instead of the default one");
  CLI11_PARSE(app, argc, argv);
  Result<int> result = run(options);
  if (!result) {
    std::fprintf(stderr, "emulator-benchmark: %s\n", result.error().text.c_str());
    return 1;
  }
  return *result;
}
