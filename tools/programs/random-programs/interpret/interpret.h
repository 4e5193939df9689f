// SPDX-License-Identifier: MIT
//
// Runs a random program on the CPU as its generator means it. All invocations go through a statement together; those
// that have left are masked out. So barriers and subgroup operations see all active invocations.
//
// The interpreter defines the right results, and guards against undefined programs: anything that SPIR-V or Vulkan
// leaves open ends it, and is named.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <bitset>
#include <optional>

namespace dovetail::random_programs {

constexpr uint32_t MaxLanes = 256, SubgroupLanes = 64;
using LaneMask = std::bitset<MaxLanes>;

// An undefined operation in a program.
struct UndefinedPlace {
  const Expression *expression = nullptr; // or
  const Statement *statement = nullptr;
  std::string reason;
  uint32_t program = 0; // its number
};

struct Interpretation {
  std::vector<uint32_t> output;                               // Shader::outputWords()
  std::array<std::vector<uint64_t>, ContentCount> scratch;    // as Shader::scratch
  std::vector<uint32_t> counters;                             // CounterWords for each small program
  std::array<std::vector<uint32_t>, CaptureBuffers> captured; // words, if vertices are captured
  bool partsSubgroups = false;                                // some invocations of one operate without the others
  std::optional<UndefinedPlace> undefined;                    // if set, the other members mean nothing
};

Interpretation interpret(const Shader &shader);

// A counter's value before the first atomic.
uint32_t initialCounter(uint32_t index);

} // namespace dovetail::random_programs
