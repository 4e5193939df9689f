// SPDX-License-Identifier: MIT
#include "tools/bench/scale.h"
#include "tools/bench/many_states.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/report/page.h"
#include "variants/bind/binder.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dovetail {

const char *const ScaleFields =
    "Fields of each point: variants (how many there are), new_ns (median time of a bind that makes a variant from "
    "parts that are known, of those since the point before), new_p99_ns, longest_ns (the longest of these; all three "
    "without binds that the system interrupted, or in which a page of memory was touched for the first time), "
    "faulting_ns (median time of those that touched one), longest_faulting_ns, longest_faulting_faults (page faults of "
    "that one), page_faults (mean of a bind), known_ns (mean time of a bind that finds its variant, at random among "
    "all), code_bytes (mean of a variant), other_bytes (what the process holds for a variant beside its code).";

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t Programs = 500, Sides = 300;
constexpr uint64_t KnownBinds = 200'000;

// A textured surface. Each program has a number of its own.
constexpr const char *VertexText = R"(#version 450
layout(constant_id = 0) const int number = 0;
layout(set = 0, binding = 0) uniform Camera { mat4 projection; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec3 normalOut;
layout(location = 1) out vec2 uvOut;
void main() {
  gl_Position = projection * vec4(position, 1.0);
  normalOut = normal;
  uvOut = uv * float(number + 2);
}
)";
constexpr const char *FragmentText = R"(#version 450
layout(constant_id = 0) const int number = 0;
layout(set = 1, binding = 0) uniform sampler2D image;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(image, uv) * (normal.z + float(number + 2)); }
)";

struct Scenery {
  std::unique_ptr<Device> device;
  std::vector<ProgramRef> programs;
  std::vector<StateRef> states; // any two of the first Sides differ in vertex input and colour output

  // variant -> pair: each pair of program and state has one number.
  const ProgramRef &program(uint64_t variant) const { return programs[variant % Programs]; }
  const StateRef &state(uint64_t variant) const { return states[variant / Programs]; }
};

Result<ProgramRef> makeProgram(Device &device, const std::vector<std::vector<uint32_t>> &modules, uint32_t number) {
  std::vector<ShaderRef> shaders;
  for (auto stage : {lgc::ShaderStage::Vertex, lgc::ShaderStage::Fragment}) {
    const auto &words = modules[stage == lgc::ShaderStage::Fragment];
    shaders.push_back(DOVETAIL_TRY(createShader({"scale", words, "main", stage, {{0, number}}})));
  }
  return device.createProgram(shaders);
}

// Makes the first variant of each program on all processors, which makes the main parts; then all prologs and epilogs.
Result<void> makeParts(const Scenery &scenery) {
  const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Result<void>> outcomes(count);
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < count; ++thread)
      threads.emplace_back([&, thread] {
        Binder binder(*scenery.device);
        for (uint32_t program = thread; program < Programs && outcomes[thread]; program += count)
          if (auto bound = binder.bind(scenery.programs[program], scenery.states[0]); !bound)
            outcomes[thread] = tl::unexpected(bound.error());
      });
  }
  for (const Result<void> &outcome : outcomes)
    DOVETAIL_CHECK(outcome);
  Binder binder(*scenery.device);
  for (uint32_t side = 0; side < Sides; ++side)
    DOVETAIL_TRY(binder.bind(scenery.programs[0], scenery.states[side]));
  return {};
}

Result<Scenery> makeScenery(uint64_t variants) {
  Scenery scenery;
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm;
  options.memoryBudget = uint64_t(1) << 40;
  scenery.device = DOVETAIL_TRY(Device::create(std::move(options)));
  const auto modules = DOVETAIL_TRY(translateGlsl(
      {{lgc::ShaderStage::Vertex, "scale", VertexText}, {lgc::ShaderStage::Fragment, "scale", FragmentText}}));
  for (uint32_t number = 0; number < Programs; ++number)
    scenery.programs.push_back(DOVETAIL_TRY(makeProgram(*scenery.device, modules, number)));
  const PipelineState base = defaultState(scenery.programs[0]->set);
  const uint64_t states = std::max<uint64_t>(Sides, (variants + Programs - 1) / Programs);
  for (uint32_t state = 0; state < states; ++state)
    scenery.states.push_back(
        makeState(makeManyState(base, state % Sides, (state % Sides + state / Sides * 7) % Sides)));
  return scenery;
}

uint64_t residentBytes() {
  uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

// Counts of this thread (getrusage).
struct SystemCounts {
  long interruptions; // the system took the processor away
  long pageFaults;    // first touches of a page, for which the system found memory

  static SystemCounts now() {
    rusage usage = {};
    getrusage(RUSAGE_THREAD, &usage);
    return {usage.ru_nivcsw, usage.ru_minflt};
  }
};

// Times of binds that made a variant, in nanoseconds.
struct NewBinds {
  std::vector<double> undisturbed, faulting; // without and with page faults; interrupted binds are left out
  long pageFaults = 0;
  double longestFaulting = 0;
  long faultsOfLongest = 0;

  explicit NewBinds(size_t count) {
    undisturbed.reserve(count); // so that no memory is freed and taken again between variants
    faulting.reserve(count);
  }
  void add(double nanoseconds, const SystemCounts &before, const SystemCounts &after) {
    const long faults = after.pageFaults - before.pageFaults;
    pageFaults += faults;
    if (after.interruptions != before.interruptions)
      return;
    (faults == 0 ? undisturbed : faulting).push_back(nanoseconds);
    if (faults != 0 && nanoseconds > longestFaulting) {
      longestFaulting = nanoseconds;
      faultsOfLongest = faults;
    }
  }
  uint64_t bytes() const { return (undisturbed.size() + faulting.size()) * sizeof(double); }
};

// The value below which this share of the values lies; sorts them. 0 without values.
double quantile(std::vector<double> &values, double share) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, size_t(double(values.size()) * share))];
}

struct Point {
  uint64_t variants = 0;
  double newMedian = 0, newP99 = 0, longest = 0, faulting = 0, longestFaulting = 0, known = 0; // ns
  long faultsOfLongest = 0;
  double pageFaults = 0, codeBytes = 0, otherBytes = 0; // per variant
};

double nanosecondsSince(Clock::time_point &last) {
  const Clock::time_point now = Clock::now();
  return std::chrono::duration<double, std::nano>(now - std::exchange(last, now)).count();
}

// 1,000, 2,000, 5,000, 10,000, ... and `variants`.
std::vector<uint64_t> stepsUpTo(uint64_t variants) {
  std::vector<uint64_t> steps;
  for (uint64_t power = 1000; power < variants; power *= 10)
    for (uint64_t step : {power, 2 * power, 5 * power})
      if (step < variants)
        steps.push_back(step);
  steps.push_back(variants);
  return steps;
}

// Makes the system find memory for so many bytes, then gives the memory back. On a virtual machine, the first touch of
// a page can take milliseconds; a plain loop of malloc and memset shows the same.
void warmMemory(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory != MAP_FAILED)
    munmap(memory, bytes);
}

// The mean of a bind, in nanoseconds.
Result<double> timeKnownBinds(const Scenery &scenery, Binder &binder, uint64_t variants) {
  uint64_t random = 1;
  Clock::time_point last = Clock::now();
  for (uint64_t bind = 0; bind < KnownBinds; ++bind) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const uint64_t variant = (random >> 33) % variants;
    DOVETAIL_TRY(binder.bind(scenery.program(variant), scenery.state(variant)));
  }
  return nanosecondsSince(last) / double(KnownBinds);
}

nlohmann::ordered_json jsonOf(const Scenery &scenery, const std::vector<Point> &points) {
  nlohmann::ordered_json list;
  for (const Point &point : points)
    list.push_back({{"variants", point.variants},
                    {"new_ns", point.newMedian},
                    {"new_p99_ns", point.newP99},
                    {"longest_ns", point.longest},
                    {"faulting_ns", point.faulting},
                    {"longest_faulting_ns", point.longestFaulting},
                    {"longest_faulting_faults", point.faultsOfLongest},
                    {"page_faults", point.pageFaults},
                    {"known_ns", point.known},
                    {"code_bytes", point.codeBytes},
                    {"other_bytes", point.otherBytes}});
  return {{"gpu", scenery.device->target().gpuName},
          {"main_parts", 2 * Programs},
          {"prologs", Sides},
          {"epilogs", Sides},
          {"points", std::move(list)}};
}

std::string htmlOf(const std::vector<Point> &points) {
  using report::Unit;
  auto series = [&](std::string name, double Point::*field, double unit = 1) {
    report::Series result = {std::move(name), {}};
    for (const Point &point : points)
      result.points.emplace_back(double(point.variants), point.*field / unit);
    return result;
  };
  const report::Axis variants = {"variants", Unit::Plain, true};
  constexpr double Nanoseconds = 1000; // per microsecond
  report::Page page("Binds among very many variants");
  page.paragraph(fmt::format("Up to {} variants of {} main parts, {} prologs and {} epilogs, all of which are known "
                             "beforehand; one thread. Made by bind-benchmark --scale.",
                             points.back().variants, 2 * Programs, Sides, Sides));
  page.section("Time of a bind");
  page.figure(report::LineChart{variants,
                                {"time", Unit::Microseconds, true},
                                {series("that makes a variant, median", &Point::newMedian, Nanoseconds),
                                 series("that makes a variant, 99th percentile", &Point::newP99, Nanoseconds),
                                 series("the longest", &Point::longest, Nanoseconds),
                                 series("that touches new memory, median", &Point::faulting, Nanoseconds),
                                 series("the longest of these", &Point::longestFaulting, Nanoseconds),
                                 series("that finds its variant, mean", &Point::known, Nanoseconds)},
                                {}},
              "Of the binds since the point before. The longest is what a draw can stall for when a table grows. What "
              "touches new memory waits for the system's page fault, and is in its own curve alone. Both scales are "
              "logarithmic.");
  page.section("Memory of a variant");
  page.figure(report::LineChart{variants,
                                {"bytes", Unit::Bytes},
                                {series("code", &Point::codeBytes), series("all else", &Point::otherBytes)},
                                {}},
              "Of the whole process, divided by the variants.");
  return page.html();
}

} // namespace

Result<void> runScale(uint64_t variants, const ScaleOutputs &outputs) {
  if (variants <= Programs)
    return makeError(ErrorCode::InvalidInput, "--variants {}: each of the {} programs has one beforehand", variants,
                     Programs);
  Scenery scenery = DOVETAIL_TRY(makeScenery(variants));
  DOVETAIL_CHECK(makeParts(scenery));
  const PartCacheStatistics parts = scenery.device->statistics().parts;

  constexpr size_t BytesOfVariant = 3000; // an estimate
  warmMemory(variants * BytesOfVariant);
  // From here on, no bind makes a part, and each program has its first variant.
  Binder binder(*scenery.device);
  std::vector<Point> points;
  fmt::print("{:>9} {:>7} {:>7} {:>11} {:>12} {:>11} {:>11} {:>11} {:>9} {:>11} {:>12}\n", "variants", "new ns",
             "p99 ns", "longest us", "faulting: ns", "longest us", "its faults", "page faults", "known ns",
             "code bytes", "other bytes");
  const uint64_t before = residentBytes();
  uint64_t made = Programs;
  double code = 0;
  for (const uint64_t step : stepsUpTo(variants)) {
    NewBinds binds(step - made);
    Point point;
    const double count = double(step - made);
    for (; made < step; ++made) {
      const SystemCounts countsBefore = SystemCounts::now();
      Clock::time_point last = Clock::now();
      const Variant *variant = DOVETAIL_TRY(binder.bind(scenery.program(made), scenery.state(made)));
      const double nanoseconds = nanosecondsSince(last);
      binds.add(nanoseconds, countsBefore, SystemCounts::now());
      code += double(variant->image->code.size());
    }
    point.known = DOVETAIL_TRY(timeKnownBinds(scenery, binder, made));
    point.variants = made;
    point.newMedian = quantile(binds.undisturbed, 0.5);
    point.newP99 = quantile(binds.undisturbed, 0.99);
    point.longest = quantile(binds.undisturbed, 1);
    point.faulting = quantile(binds.faulting, 0.5);
    point.pageFaults = double(binds.pageFaults) / count;
    point.codeBytes = code / double(made - Programs);
    point.otherBytes = double(residentBytes() - before - binds.bytes()) / double(made - Programs) - point.codeBytes;
    point.longestFaulting = binds.longestFaulting;
    point.faultsOfLongest = binds.faultsOfLongest;
    fmt::print("{:>9} {:>7.0f} {:>7.0f} {:>11.1f} {:>12.0f} {:>11.1f} {:>11} {:>11.2f} {:>9.1f} {:>11.0f} {:>12.0f}\n",
               made, point.newMedian, point.newP99, point.longest / 1000, point.faulting, point.longestFaulting / 1000,
               point.faultsOfLongest, point.pageFaults, point.known, point.codeBytes, point.otherBytes);
    points.push_back(point);
  }
  if (scenery.device->statistics().parts.made != parts.made)
    return makeError(ErrorCode::Internal, "parts were made, which had to be known");
  if (!outputs.json.empty())
    DOVETAIL_CHECK(writeFileAtomically(outputs.json, jsonOf(scenery, points).dump(1) + "\n"));
  if (!outputs.html.empty())
    DOVETAIL_CHECK(writeFileAtomically(outputs.html, htmlOf(points)));
  return {};
}

} // namespace dovetail
