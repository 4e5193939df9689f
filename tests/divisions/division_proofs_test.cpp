// SPDX-License-Identifier: MIT
//
// Proofs of divisions (division_proof.h). With DOVETAIL_SOAK set, the long form, `tools/soak divisions`, which prints
// each proof.
#include "tests/divisions/division_proof.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail;

namespace {

DividedForm unsignedForm(const std::string &name, unsigned width, const std::string &type, const std::string &dividend,
                         unsigned dividendBits, const std::string &divisor, unsigned divisorBits) {
  const auto most = [](unsigned bits) { return ~uint64_t(0) >> (64 - bits); };
  return {name, width, false, type, dividend, divisor, most(dividendBits), most(divisorBits)};
}

DividedForm signedForm(const std::string &name, unsigned width, const std::string &type, const std::string &dividend,
                       unsigned dividendBits, const std::string &divisor, unsigned divisorBits, bool overflows) {
  const auto most = [](unsigned bits) { return uint64_t(1) << (bits - 1); };
  return {name, width, true, type, dividend, divisor, most(dividendBits), most(divisorBits), overflows};
}

std::string low(unsigned bits) {
  return fmt::format("bitfieldExtract(x, 0, {})", bits);
}

const DividedForm Uint16 = unsignedForm("uint16_t", 32, "uint16_t", "uint16_t(x)", 16, "uint16_t(x)", 16);
const DividedForm Int16 = signedForm("int16_t", 32, "int16_t", "int16_t(x)", 16, "int16_t(x)", 16, true);
const DividedForm UintOf16 = unsignedForm("16 bits of uint", 32, "uint", low(16), 16, low(16), 16);
const DividedForm IntOf16 = signedForm("16 bits of int", 32, "int", low(16), 16, low(16), 16, false);
const DividedForm UintOf20 = unsignedForm("20 bits of uint by 24", 32, "uint", low(20), 20, low(24), 24);
const DividedForm IntOf20 = signedForm("20 bits of int by 24", 32, "int", low(20), 20, low(24), 24, false);
const DividedForm UintOf24 = unsignedForm("24 bits of uint", 32, "uint", low(24), 24, low(24), 24);
const DividedForm IntOf24 = signedForm("24 bits of int", 32, "int", low(24), 24, low(24), 24, false);
const DividedForm Uint = unsignedForm("uint", 32, "uint", "x", 32, "x", 32);
const DividedForm Int = signedForm("int", 32, "int", "x", 32, "x", 32, true);
const DividedForm Uint64 = unsignedForm("uint64_t", 64, "uint64_t", "x", 64, "x", 64);
const DividedForm Int64 = signedForm("int64_t", 64, "int64_t", "x", 64, "x", 64, true);

const DividedForm Narrow[] = {Uint16, Int16, UintOf16, IntOf16};
const DividedForm Wide[] = {UintOf24, IntOf24, Uint, Int, Uint64, Int64};

bool isLong() {
  return std::getenv("DOVETAIL_SOAK") != nullptr;
}

enum Rounding : uint8_t { Nearest, Up, Down, TowardZero };
const DivisionSetting Exact = {}, TooSmall = {"gfx900", -1}, TooLarge = {"gfx900", 1}, OtherGpu = {"gfx803"},
                      SmallTowardZero = {"gfx900", -1, TowardZero}, LargeTowardZero = {"gfx900", 1, TowardZero};
using Settings = std::vector<DivisionSetting>;

// Every error of the reciprocal, and every rounding of the operations around it. Signed divisions divide magnitudes in
// the same way, so fewer settings are enough.
Settings settingsOf(const DividedForm &form) {
  if (form.isSigned)
    return {TooSmall, TooLarge, SmallTowardZero, LargeTowardZero, OtherGpu};
  Settings settings;
  for (const int ulps : {-1, 0, 1}) {
    for (const unsigned rounding : {Nearest, Up, Down, TowardZero})
      settings.push_back({"gfx900", ulps, rounding});
    settings.push_back({"gfx803", ulps});
  }
  return settings;
}

std::string describe(const DividedForm &form, const DivisionSetting &setting) {
  constexpr const char *Roundings[] = {"", ", rounded up", ", rounded down", ", rounded toward zero"};
  return fmt::format("{}, {}, reciprocal {:+}{}", form.name, setting.gpu, setting.reciprocalUlps,
                     Roundings[setting.rounding]);
}

// Returns the number of pairs under one setting, which is the same under all.
uint64_t prove(const DividedForm &form, DivisionWalk walk, const std::vector<DivisionPass> &passes,
               const Settings &settings) {
  uint64_t pairs = 0;
  for (const DivisionSetting &setting : settings) {
    const std::string what = describe(form, setting);
    const std::clock_t start = std::clock();
    const DivisionOutcome outcome = proveDivisions(form, walk, passes, setting);
    if (isLong()) {
      fmt::print("{}: {} pairs, {} wrong, {:.1f} s of a core\n", what, outcome.pairs, outcome.wrong,
                 double(std::clock() - start) / CLOCKS_PER_SEC);
      std::fflush(stdout);
    }
    CHECK_MESSAGE(outcome.wrong == 0, what, ": ", outcome.failure);
    CHECK(outcome.pairs > 0);
    CHECK((pairs == 0 || outcome.pairs == pairs));
    pairs = outcome.pairs;
  }
  return pairs;
}

// All divisors, with all multiples. Those up to 64 have so many that they take several waves.
constexpr uint32_t FactorsOfWave = 1 << 13;
std::vector<DivisionPass> allMultiples(const DividedForm &form) {
  constexpr uint32_t Invocations = 1024 * 64;
  std::vector<DivisionPass> passes = {
      {.workgroups = 1024, .turns = uint32_t(form.mostDivisor / Invocations + 1), .first = 64}};
  for (uint32_t factor = 1; factor <= form.mostDividend; factor += FactorsOfWave)
    passes.push_back({.firstFactor = factor, .lastFactor = factor + FactorsOfWave - 1});
  return passes;
}

uint64_t countOfMultiples(const DividedForm &form) {
  const uint64_t waves = (form.mostDividend + FactorsOfWave - 1) / FactorsOfWave;
  uint64_t pairs = 0;
  for (uint64_t divisor = 1; divisor <= form.mostDivisor; ++divisor)
    pairs += 2 * (form.mostDividend / divisor) * (divisor == 64 ? 2 : 1) + (divisor < 64 ? waves : 1);
  pairs += waves; // 64 is in both
  return pairs * (form.isSigned ? 4 : 1) - (form.smallestOverflows ? 2 * (1 + waves) : 0);
}

// All divisors below 2^24.
const std::vector<DivisionPass> AllOf24Bits = {{.workgroups = 256, .turns = 1 << 10}};

// All divisors of 32 bits whose inverses may differ in a way that counts. From 2^26 on, these are the neighbours of all
// floats and of all middles between two floats: there the float changes that the divisor is converted to. All divisors
// between two such borders begin with the same inverse. The inverse is too large for one of them only if it is too
// large for the largest. If it is not, one step of Newton's method leaves an error below 2^-30, which is largest for
// the smallest divisor.
std::vector<DivisionPass> allInverses() {
  std::vector<DivisionPass> passes = {{.workgroups = 1024, .turns = 1 << 10}, {.first = ~63u}};
  for (uint32_t power = 26; power < 32; ++power)
    passes.push_back(
        {.workgroups = 1024, .turns = 1 << 8, .first = 1u << power, .step = 1u << (power - 24), .spread = 1});
  return passes;
}

// About `count` random operands in the long form.
std::vector<DivisionPass> randomPasses(uint32_t count) {
  constexpr uint32_t Workgroups = 160;
  if (!isLong())
    return {{.workgroups = 1, .turns = 40, .seed = 1}};
  return {{.workgroups = Workgroups, .turns = count / (Workgroups * 64) * 11 / 10, .seed = 1}};
}

} // namespace

TEST_CASE("proof: all pairs of 16 bits") {
  for (const DividedForm &form : Narrow) {
    const std::vector<DivisionPass> passes = {
        {.workgroups = isLong() ? 1024u : 1u, .first = isLong() ? 0u : 32700u, .step = isLong() ? 1u : 3u}};
    const uint64_t pairs = prove(form, DivisionWalk::AllPairs, passes, {Exact});
    if (isLong())
      CHECK(pairs == uint64_t(65535) * 65536 - (form.smallestOverflows ? 1 : 0));
  }
}

TEST_CASE("proof: all multiples of 16 bits") {
  for (const DividedForm &form : Narrow)
    if (isLong())
      CHECK(prove(form, DivisionWalk::Multiples, allMultiples(form), settingsOf(form)) == countOfMultiples(form));
    else
      prove(form, DivisionWalk::Multiples, {{.first = 97, .step = 89}}, {TooSmall, TooLarge, OtherGpu});
}

TEST_CASE("proof: all multiples of 20 bits by 24 bits") {
  const std::vector<DivisionPass> few = {{.workgroups = 2, .first = 1003, .step = 1001}, {.lastFactor = 2000}};
  for (const DividedForm &form : {UintOf20, IntOf20})
    if (isLong())
      CHECK(prove(form, DivisionWalk::Multiples, allMultiples(form), settingsOf(form)) == countOfMultiples(form));
    else
      prove(form, DivisionWalk::Multiples, few, {TooSmall, TooLarge, OtherGpu, SmallTowardZero, LargeTowardZero});
}

// Each divisor with three dividends.

TEST_CASE("proof: all divisors of 24 bits") {
  if (!isLong())
    return;
  for (const DividedForm &form : {UintOf24, IntOf24})
    CHECK(prove(form, DivisionWalk::Divisors, AllOf24Bits, {TooSmall, TooLarge, OtherGpu}) ==
          3 * (form.isSigned ? 4 : 1) * form.mostDivisor);
}

TEST_CASE("proof: all inverses of 32 bits") {
  if (!isLong())
    return;
  CHECK(prove(Uint, DivisionWalk::Divisors, allInverses(), {TooSmall, TooLarge, SmallTowardZero, OtherGpu}) ==
        3 * ((uint64_t(1) << 26) + 64 + 6 * 3 * (uint64_t(1) << 24)));
}

TEST_CASE("proof: random divisors of 24 and 32 and 64 bits") {
  for (const DividedForm &form : Wide)
    prove(form, DivisionWalk::Divisors, randomPasses(1'000'000),
          isLong() ? settingsOf(form) : Settings{TooSmall, TooLarge, OtherGpu});
}

TEST_CASE("proof: random pairs of 24 and 32 and 64 bits") {
  for (const DividedForm &form : Wide) {
    const uint64_t pairs = prove(form, DivisionWalk::Pairs, randomPasses(10'000'000), {Exact});
    if (isLong()) {
      CHECK(pairs >= 10'000'000);
      prove(form, DivisionWalk::Pairs, randomPasses(1'000'000), {TooSmall, TooLarge, OtherGpu});
    }
  }
}

// Proofs of the proofs.

TEST_CASE("a proof finds each planted fault in every pair") {
  for (const DivisionWalk walk :
       {DivisionWalk::AllPairs, DivisionWalk::Multiples, DivisionWalk::Divisors, DivisionWalk::Pairs})
    for (const DividedForm &form : {IntOf16, UintOf20, Uint, Int64}) {
      if ((walk == DivisionWalk::AllPairs && form.mostDividend > 0xffff) ||
          (walk == DivisionWalk::Multiples && form.mostDividend > 0xfffff))
        continue;
      CAPTURE(form.name);
      const DivisionPass pass = {.first = 30'000, .seed = walk == DivisionWalk::Multiples ? 0u : 1u};
      for (unsigned which = 0; which < 3; ++which) {
        PlantedFaults faults = {};
        faults[which] = 1;
        const DivisionOutcome outcome = proveDivisions(form, walk, {pass}, Exact, faults);
        CHECK(outcome.pairs > 0);
        CHECK(outcome.wrong == outcome.pairs);
      }
    }
}

// The estimates of 32 and 64 bits forgive an inverse that is too small, because Newton's method mends it.
TEST_CASE("a proof finds reciprocals that are further off than hardware's may be") {
  const DivisionPass multiples = {.workgroups = 2, .first = 1003, .step = 1001}, divisors = {.turns = 40, .seed = 1};
  for (const int ulps : {-16, 16})
    for (const DividedForm &form : {UintOf20, IntOf20})
      CHECK(proveDivisions(form, DivisionWalk::Multiples, {multiples}, {"gfx900", ulps}).wrong > 0);
  for (const DividedForm &form : {Uint, Int, Uint64, Int64})
    CHECK(proveDivisions(form, DivisionWalk::Divisors, {divisors}, {"gfx900", 16}).wrong > 0);
}
