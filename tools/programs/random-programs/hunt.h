// SPDX-License-Identifier: MIT
//
// Generates shader after shader, checks each in a child process, and reduces what fails.
#pragma once

#include "tools/programs/random-programs/generate/generate.h"
#include "tools/programs/random-programs/write_find.h"
#include <optional>

namespace dovetail::random_programs {

struct HuntOptions {
  GeneratorOptions generator; // its seed is the first shader's
  std::vector<std::string> gpus = {"gfx900", "gfx803"};
  bool allCodes = false;                     // joined, monolithic and optimised for each shader, rather than in turns
  std::optional<unsigned> optimizationLevel; // none: 2, and now and then 0, 1 or 3
  std::string spirvPasses;
  bool usesSpirv = true, usesGlsl = true; // with both, every fifth shader goes by way of GLSL
  uint64_t count = 0;                     // of shaders; 0: as many as there is time for
  std::chrono::seconds seconds{60};
  unsigned jobs = 2;
  bool reduces = true;
  std::chrono::seconds reduceLimit{120};
  std::string finds; // the folder that finds are written to; "": none
  size_t maxFinds = 100;
};

struct HuntResult {
  uint64_t shaders = 0, programs = 0, runs = 0; // runs: of shaders, by GPU and code
  std::map<std::string, uint64_t> programsByWay;
  uint64_t failures = 0;                 // shaders that failed
  uint64_t slow = 0;                     // that took too long once, and not again
  uint64_t ofProducer = 0;               // that failed by the fault of spirv-opt or glslang
  std::map<std::string, uint64_t> kinds; // finds by kindOf()
  std::vector<Find> finds;
  double seconds = 0;
};

// `report` is given a line now and then.
HuntResult hunt(const HuntOptions &options, const std::function<void(const std::string &)> &report);

// The ways that a seed's shader goes.
std::vector<Way> waysOf(const HuntOptions &options, uint64_t seed);

} // namespace dovetail::random_programs
