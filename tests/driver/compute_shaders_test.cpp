// SPDX-License-Identifier: MIT
//
// The compute shaders of tests/shaders in the emulator. Joined and monolithic code must write the same bits, and
// lavapipe must agree where it can. Where it cannot (its subgroups differ from GFX9's), the tests work out the results.
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <map>

using namespace dovetail;

namespace {

constexpr unsigned Lanes = 64;

Scene sceneOf(const OwnProgram &program, uint64_t seed) {
  Result<Scene> scene = makeScene(program.shaders, randomState(program.shaders, seed), {seed, 16, 16});
  if (!scene)
    FAIL(scene.error().text);
  return *scene;
}

SceneResult run(const Scene &scene, const ShaderSet &shaders, bool monolithic) {
  Result<VariantRef> variant = sharedDevice().bind(shaders, scene.state, {monolithic});
  if (!variant)
    FAIL(variant.error().text);
  Result<SceneResult> result = emulate(scene, shaders, *(*variant)->image);
  if (!result)
    FAIL(result.error().text);
  return *result;
}

std::vector<OwnProgram> computePrograms() {
  std::vector<OwnProgram> programs = readOwnPrograms();
  std::erase_if(programs, [](const OwnProgram &program) { return !program.name.ends_with(".comp"); });
  return programs;
}

// The first buffer as words, before and after a run of the program.
struct Run {
  std::vector<uint32_t> before, after;

  int32_t integer(size_t index) const { return int32_t(before[index]); }
  float number(size_t index) const { return std::bit_cast<float>(before[index]); }
  float result(size_t index) const { return std::bit_cast<float>(after[index]); }
};

std::vector<uint32_t> wordsOf(const std::vector<uint8_t> &bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

Run runProgram(const std::string &name, const std::array<uint32_t, 3> &workgroups) {
  for (const OwnProgram &program : computePrograms()) {
    if (program.name != name)
      continue;
    Scene scene = sceneOf(program, 1);
    REQUIRE(!scene.buffers.empty());
    scene.workgroups = workgroups;
    return {wordsOf(scene.buffers[0]), wordsOf(run(scene, program.shaders, false).buffers[0])};
  }
  FAIL(name << " is not there");
  return {};
}

constexpr unsigned Groups = 2;

TEST_CASE("joined and monolithic compute shaders write the same bits") {
  for (const OwnProgram &program : computePrograms()) {
    for (uint64_t seed = 1; seed != 4; ++seed) {
      CAPTURE(program.name);
      CAPTURE(seed);
      Scene scene = sceneOf(program, seed);
      SceneResult joined = run(scene, program.shaders, false), monolithic = run(scene, program.shaders, true);
      CHECK((joined.buffers == monolithic.buffers));
      CHECK((joined.images == monolithic.images));
      bool hasWritten = joined.buffers != scene.buffers;
      for (size_t i = 0; i != scene.images.size(); ++i)
        hasWritten |= joined.images[i] != scene.images[i].bytes;
      CHECK(hasWritten);
    }
  }
}

TEST_CASE("lavapipe agrees with compute shaders whose results Vulkan defines") {
  const std::map<std::string, const char *> differing = {
      {"math_bitfield.comp", "a negative operand of %, which lavapipe takes for OpSRem"},
      {"spirv15.comp", "lavapipe takes the descriptor of one lane for all"},
      {"types_16bit.comp", "half-precision square roots and exponentials differ by more than an ulp in the end"},
      {"types_64bit.comp", "the low half of a double's bits is added as an integer, which shows its last bit"},
  };
  size_t compared = 0;
  for (const OwnProgram &program : computePrograms()) {
    if (differing.contains(program.name))
      continue;
    CAPTURE(program.name);
    Scene scene = sceneOf(program, 1);
    SceneResult ours = run(scene, program.shaders, false);
    Result<SceneResult> reference = drawReference(scene);
    if (!reference && reference.error().code == ErrorCode::Unsupported)
      continue; // subgroups of another size: see below
    REQUIRE_MESSAGE(reference, reference.error().text);
    Comparison comparison = compare(scene, ours, *reference);
    CHECK_MESSAGE(comparison.matches, comparison.text);
    ++compared;
  }
  CHECK(compared >= 14);
}

TEST_CASE("every invocation knows its place") {
  Run run = runProgram("compute_ids.comp", {2, 2, 2});
  // Two workgroups of 4 x 4 x 4 in each direction; an invocation's index counts the whole grid.
  for (unsigned z = 0; z != 8; ++z)
    for (unsigned y = 0; y != 8; ++y)
      for (unsigned x = 0; x != 8; ++x) {
        size_t word = ((z * 8 + y) * 8 + x) * 4;
        unsigned local = (z % 4 * 4 + y % 4) * 4 + x % 4;
        CHECK(run.after[word] == x / 4 + y / 4);
        CHECK(run.after[word + 1] == local);
        CHECK(run.after[word + 2] == z % 4);
        CHECK(run.after[word + 3] == local + Lanes);
      }
}

template <typename T, typename F> T reduce(const std::vector<T> &values, size_t begin, size_t end, T start, F f) {
  for (size_t i = begin; i != end; ++i)
    start = f(start, values[i]);
  return start;
}

TEST_CASE("subgroup reductions, scans and clusters") {
  Run run = runProgram("subgroup_arithmetic.comp", {1, 1, 1});
  std::vector<int32_t> s(Lanes);
  std::vector<uint32_t> u(Lanes);
  std::array<std::vector<double>, 2> f = {std::vector<double>(Lanes), std::vector<double>(Lanes)};
  for (unsigned i = 0; i != Lanes; ++i) {
    s[i] = run.integer(i);
    u[i] = run.before[Lanes + i];
    for (unsigned j = 0; j != 2; ++j)
      f[j][i] = run.number(2 * Lanes + 2 * i + j);
  }
  auto add = [](auto a, auto b) { return decltype(a)(a + b); };
  auto min = [](auto a, auto b) { return std::min(a, b); };
  auto max = [](auto a, auto b) { return std::max(a, b); };
  auto multiply = [](auto a, auto b) { return a * b; };
  auto multiplyInteger = [](int32_t a, int32_t b) { return int32_t(uint32_t(a) * uint32_t(b)); };
  auto bitAnd = [](uint32_t a, uint32_t b) { return a & b; };
  auto bitOr = [](uint32_t a, uint32_t b) { return a | b; };
  auto bitXor = [](uint32_t a, uint32_t b) { return a ^ b; };
  constexpr int32_t Largest = std::numeric_limits<int32_t>::max();
  constexpr double Infinity = std::numeric_limits<double>::infinity();

  for (unsigned i = 0; i != Lanes; ++i) {
    CAPTURE(i);
    uint32_t integers = uint32_t(reduce(s, 0, Lanes, 0, add)) + uint32_t(reduce(s, 0, Lanes, 1, multiplyInteger)) +
                        uint32_t(reduce(s, 0, Lanes, Largest, min)) + uint32_t(reduce(s, 0, Lanes, -Largest - 1, max)) +
                        uint32_t(reduce(s, 0, i + 1, 0, add)) + uint32_t(reduce(s, 0, i, Largest, min));
    CHECK(run.after[i] == integers);

    size_t by8 = i / 8 * 8, by2 = i / 2 * 2, by32 = i / 32 * 32, by4 = i / 4 * 4, by16 = i / 16 * 16;
    uint32_t bits = reduce(u, 0, Lanes, ~0u, bitAnd) + reduce(u, 0, Lanes, 0u, bitOr) +
                    reduce(u, 0, Lanes, 0u, bitXor) + reduce(u, 0, i + 1, 0u, max) + reduce(u, 0, i, 0u, add) +
                    reduce(u, by8, by8 + 8, 0u, add) + reduce(u, by2, by2 + 2, 0u, bitXor) +
                    reduce(u, 0, i + 1, 0u, bitOr) + reduce(u, by32, by32 + 32, ~0u, min);
    CHECK(run.after[Lanes + i] == bits);

    for (unsigned j = 0; j != 2; ++j) {
      const std::vector<double> &c = f[j];
      double sum = reduce(c, 0, Lanes, 0.0, add) + reduce(c, 0, Lanes, Infinity, min) +
                   reduce(c, 0, Lanes, -Infinity, max) + reduce(c, 0, i + 1, 1.0, multiply) +
                   reduce(c, 0, i, -Infinity, max) + reduce(c, by4, by4 + 4, -Infinity, max) +
                   reduce(c, by16, by16 + 16, 1.0, multiply);
      float result = run.result(2 * Lanes + 2 * i + j);
      if (std::isinf(sum)) // the exclusive maximum of the first lane
        CHECK(result == float(sum));
      else
        CHECK(result == doctest::Approx(sum).epsilon(1e-5));
    }
  }
}

TEST_CASE("shuffles and quad operations") {
  Run run = runProgram("subgroup_shuffle.comp", {Groups, 1, 1});
  for (size_t group = 0; group != Groups; ++group) {
    using Vector = std::array<float, 4>;
    std::array<Vector, Lanes> v, old;
    for (unsigned lane = 0; lane != Lanes; ++lane)
      for (unsigned j = 0; j != 4; ++j)
        v[lane][j] = run.number((group * Lanes + lane) * 4 + j);
    auto forEach = [&](auto f) {
      old = v;
      for (unsigned lane = 0; lane != Lanes; ++lane)
        f(lane);
    };
    forEach([&](unsigned lane) {
      for (unsigned j = 0; j != 4; ++j)
        v[lane][j] += old[(lane + 7) & 63][j];
    });
    forEach([&](unsigned lane) {
      for (unsigned j = 0; j != 2; ++j)
        v[lane][j] += old[lane ^ 5][j];
    });
    // A value from a lane that does not exist may be anything: NAN stands for it.
    forEach([&](unsigned lane) {
      v[lane][0] += (lane >= 1 ? old[lane - 1][0] : NAN) + (lane + 2 < Lanes ? old[lane + 2][1] : NAN);
    });
    forEach([&](unsigned lane) {
      for (unsigned j = 0; j != 4; ++j)
        v[lane][j] += old[(lane & ~3u) + 2][j] + old[lane ^ 1][j] + old[lane ^ 2][j];
    });
    forEach([&](unsigned lane) { v[lane][2] += old[lane ^ 3][3]; });
    for (unsigned lane = 0; lane != Lanes; ++lane)
      for (unsigned j = 0; j != 4; ++j)
        if (!std::isnan(v[lane][j]))
          CHECK(run.result((group * Lanes + lane) * 4 + j) == doctest::Approx(v[lane][j]).epsilon(1e-5));
    CHECK(!std::isnan(v[4][0]));
  }
}

TEST_CASE("votes, ballots and broadcasts") {
  Run run = runProgram("subgroup_vote_ballot.comp", {Groups, 1, 1});
  for (size_t group = 0; group != Groups; ++group) {
    const uint32_t *v = &run.before[group * Lanes];
    uint64_t even = 0;
    bool all = true, any = false, equal = true;
    for (unsigned lane = 0; lane != Lanes; ++lane) {
      even |= uint64_t(v[lane] % 2 == 0) << lane;
      all &= v[lane] > 2;
      any |= v[lane] > 100;
      equal &= v[lane] == v[0];
    }
    REQUIRE(even != 0);
    for (unsigned lane = 0; lane != Lanes; ++lane) {
      uint64_t below = (uint64_t(1) << lane) - 1, self = uint64_t(1) << lane;
      uint32_t expected = unsigned(lane == 0) | all << 1 | any << 2 | equal << 3;
      expected += even & self ? 16 : 0;
      expected += even >> 5 & 1 ? 32 : 0;
      expected += uint32_t(std::popcount(even) + std::popcount(even & (below | self)) + std::popcount(even & below));
      expected += uint32_t(std::countr_zero(even) + (63 - std::countl_zero(even)));
      expected += v[3] + v[0];
      uint64_t mask = ~below;
      expected += uint32_t(mask) + uint32_t(mask >> 32);
      CHECK(run.after[group * Lanes + lane] == expected);
    }
  }
}

} // namespace
