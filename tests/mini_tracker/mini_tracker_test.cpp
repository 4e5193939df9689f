// SPDX-License-Identifier: MIT
//
// Tests tools/run-mini-tracker as a user runs it: builds the example against the installed libraries and reads its
// output.
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace {

struct DrawLine {
  std::string object, variant;
  uint64_t instructions;
};

struct Tracker {
  std::string output;
  std::vector<std::vector<DrawLine>> frames;
};

// Runs the tracker twice. Returns both runs.
std::pair<Tracker, Tracker> runTracker(const std::string &arguments) {
  const std::string command = "BUILD='" DOVETAIL_BUILD_ROOT "' NO_BUILD=1 '" DOVETAIL_SOURCE_ROOT
                              "/tools/run-mini-tracker' " +
                              arguments + " 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char buffer[4096];
  while (size_t length = fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, length);
  const int status = pclose(pipe);
  REQUIRE_MESSAGE(status == 0, output);

  static const std::regex Line("  (\\w+(?: \\w+)?) +changed: .*bind +\\d+ ns +(\\w+) +(\\d+) instructions.*");
  std::pair<Tracker, Tracker> runs;
  Tracker *run = &runs.first;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("Once more"))
      run = &runs.second;
    run->output += line + '\n';
    if (line.starts_with("frame "))
      run->frames.emplace_back();
    else if (std::regex_match(line, match, Line))
      run->frames.back().push_back({match[1], match[2], std::stoull(match[3])});
  }
  return runs;
}

} // namespace

TEST_CASE("the mini-tracker draws joined variants first, optimized ones later, and the same picture with both") {
  const auto [cold, warm] = runTracker("--frames 6 --size 64");
  for (const Tracker *run : {&cold, &warm}) {
    CAPTURE(run->output);
    REQUIRE(run->frames.size() == 6);
    CHECK(run->output.find("all 6 frames are the same picture") != std::string::npos);
    for (const std::vector<DrawLine> &frame : run->frames)
      REQUIRE(frame.size() == 5);
  }
  // An object's optimized variant can be published before the object is first drawn only if it was made for an earlier
  // object. The first object has no earlier one.
  CHECK(cold.frames[0][0].variant == "joined");
  const std::vector<DrawLine> &last = cold.frames.back();
  uint64_t joined = 0, optimized = 0;
  for (size_t object = 0; object < last.size(); ++object) {
    CAPTURE(last[object].object);
    CHECK(last[object].variant == "optimized");
    if (cold.frames[0][object].variant == "joined")
      CHECK(last[object].instructions <= cold.frames[0][object].instructions);
    joined += cold.frames[0][object].instructions;
    optimized += last[object].instructions;
  }
  CHECK(optimized < joined);
  // The store has all that the second run needs.
  CHECK(cold.output.find("\n0 parts made") == std::string::npos);
  CHECK(warm.output.find("\n0 parts made") != std::string::npos);
}

TEST_CASE("without optimization the mini-tracker stays with joined variants") {
  const auto [cold, warm] = runTracker("--frames 2 --size 32 --policy off");
  for (const Tracker *run : {&cold, &warm})
    for (const std::vector<DrawLine> &frame : run->frames)
      for (const DrawLine &draw : frame)
        CHECK(draw.variant == "joined");
  CHECK(cold.output.find(" 0 optimized") != std::string::npos); // LLVM's code in the place of first code is published
}

TEST_CASE("the mini-tracker optimizes what is hot") {
  const auto [cold, warm] = runTracker("--frames 8 --size 32 --policy hot --hot-binds 3");
  CAPTURE(cold.output);
  for (size_t object = 0; object < 5; ++object) {
    CHECK(cold.frames[0][object].variant == "joined");
    CHECK(cold.frames[7][object].variant == "optimized");
  }
}
