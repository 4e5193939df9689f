// SPDX-License-Identifier: MIT
//
// Generates shader after shader, checks each in a child process, and reduces those that fail.
#pragma once

#include "tools/programs/random-programs/generate/generate.h"
#include "tools/programs/random-programs/write_find.h"
#include <optional>

namespace dovetail::random_programs {

struct HuntOptions {
  GeneratorOptions generator; // its seed is that of the first shader
  std::vector<std::string> gpus = {"gfx900", "gfx803"};
  bool allCodes = false;  // check joined, monolithic and optimised code of each shader; otherwise they take turns
  bool firstCode = false; // also check first code of each shader
  std::optional<unsigned> optimizationLevel; // nullopt: 2, and now and then 0, 1 or 3
  std::string spirvPasses;
  bool usesSpirv = true, usesGlsl = true; // if both are set, every fifth shader goes through GLSL
  uint64_t count = 0;                     // shaders; 0: as many as the time allows
  std::chrono::seconds seconds{60};
  unsigned jobs = 2;
  bool reduces = true;
  std::chrono::seconds reduceLimit{120};
  std::string finds; // the folder for finds; "": none
  size_t maxFinds = 100;
};

struct HuntResult {
  uint64_t shaders = 0, programs = 0, runs = 0; // runs: shaders, by GPU and code
  std::map<std::string, uint64_t> programsByWay;
  uint64_t failures = 0;                 // shaders that failed
  FirstCodeCounts firstCode;             // of all shaders that were checked with it
  uint64_t slow = 0;                     // shaders that took too long once, but not again
  uint64_t ofProducer = 0;               // failures that are the fault of spirv-opt or glslang
  std::map<std::string, uint64_t> kinds; // finds by kindOf()
  std::vector<Find> finds;
  double seconds = 0;
};

// `report` gets a line now and then.
HuntResult hunt(const HuntOptions &options, const std::function<void(const std::string &)> &report);

// The ways in which a seed's shader is run.
std::vector<Way> waysOf(const HuntOptions &options, uint64_t seed);

} // namespace dovetail::random_programs
