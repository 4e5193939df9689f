// SPDX-License-Identifier: MIT
//
// One vector instruction on values that are the same in all lanes: sources in v0, v1, …; the result in v8 (and v9).
#pragma once

#include "tests/emulator/isa/run_assembly.h"
#include <bit>
#include <doctest/doctest.h>

namespace dovetail::emulator::test {

constexpr uint32_t OldLow = 0xcafe1234, OldHigh = 0xbabe5678; // v8 and v9 before the instruction
constexpr uint8_t UsualMode = 0xc0;                           // f32 denormals flushed, all others kept, to nearest

inline uint32_t f32(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline uint64_t f64(double value) {
  return std::bit_cast<uint64_t>(value);
}
constexpr uint32_t QuietNan = 0x7fc00000, Infinity = 0x7f800000, NegativeInfinity = 0xff800000;

inline uint64_t evaluate64(std::string_view text, const std::vector<uint32_t> &sources, uint8_t mode = UsualMode,
                           const Chip &chip = {}) {
  AssemblyRun run(chip);
  run.setup.floatMode = mode;
  run.setup.vgprs.assign(10, allLanes(0u));
  for (size_t i = 0; i < sources.size(); ++i)
    run.setup.vgprs[i] = allLanes(sources[i]);
  run.setup.vgprs[8] = allLanes(OldLow);
  run.setup.vgprs[9] = allLanes(OldHigh);
  run.run(text);
  CAPTURE(text);
  CHECK(run.trapText() == "");
  return run.vgpr(8, 37) | uint64_t(run.vgpr(9, 37)) << 32;
}

inline uint32_t evaluate(std::string_view text, const std::vector<uint32_t> &sources, uint8_t mode = UsualMode,
                         const Chip &chip = {}) {
  return uint32_t(evaluate64(text, sources, mode, chip));
}

inline float evaluateFloat(std::string_view text, const std::vector<float> &sources, uint8_t mode = UsualMode) {
  std::vector<uint32_t> bits;
  for (float source : sources)
    bits.push_back(f32(source));
  return std::bit_cast<float>(evaluate(text, bits, mode));
}

// Doubles are in v[0:1], v[2:3], v[4:5].
inline double evaluateDouble(std::string_view text, const std::vector<double> &sources, uint8_t mode = UsualMode) {
  std::vector<uint32_t> bits;
  for (double source : sources) {
    bits.push_back(uint32_t(f64(source)));
    bits.push_back(uint32_t(f64(source) >> 32));
  }
  return std::bit_cast<double>(evaluate64(text, bits, mode));
}

// A row of a test's table.
struct Case {
  const char *text;
  std::vector<uint32_t> sources;
  uint32_t expected;
};
inline void checkCases(std::initializer_list<Case> cases, uint8_t mode = UsualMode) {
  for (const Case &each : cases) {
    CAPTURE(each.text);
    uint32_t result = evaluate(each.text, each.sources, mode);
    CAPTURE(fmt::format("{:#x}, expected {:#x}", result, each.expected));
    CHECK(result == each.expected);
  }
}

struct FloatCase {
  const char *text;
  std::vector<float> sources;
  float expected;
};
// Compares bit for bit. Any NaN matches a NaN.
inline void checkCases(std::initializer_list<FloatCase> cases, uint8_t mode = UsualMode) {
  for (const FloatCase &each : cases) {
    CAPTURE(each.text);
    float result = evaluateFloat(each.text, each.sources, mode);
    CAPTURE(fmt::format("{}, expected {}", result, each.expected));
    bool bothNan = result != result && each.expected != each.expected;
    bool agrees = bothNan || f32(result) == f32(each.expected);
    CHECK(agrees);
  }
}

} // namespace dovetail::emulator::test
