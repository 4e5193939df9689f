// SPDX-License-Identifier: MIT
//
// Integer division and remainder, against C++: all pairs of 8 bits, pairs at all borders, and random pairs of all
// lengths. DOVETAIL_DIVISION_PAIRS is the number of random pairs of each width.
#include "tests/features/computed_words.h"
#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace dovetail;

namespace {

const std::string Types = "GL_EXT_shader_explicit_arithmetic_types";
// data[] has dividends, divisors, quotients and remainders, in this order and each of as many words.
const std::string Lane = "uint n = uint(data.length()) / (4u * WORDS), k = i + 64u * gl_WorkGroupID.x;\n";

struct Pair {
  uint64_t dividend, divisor;
};

// `quotient` and `remainder`: expressions of `a` and `b`. All are of a type whose values have `words` words.
std::vector<Pair> divide(const std::vector<Pair> &pairs, const std::string &type, unsigned words,
                         const std::string &quotient, const std::string &remainder) {
  const bool isWide = words == 2;
  auto load = [&](const std::string &place) {
    return type + (isWide ? "(uint64_t(data[2u * (" + place + ")]) | uint64_t(data[2u * (" + place + ") + 1u]) << 32)"
                          : "(data[" + place + "])");
  };
  auto store = [&](const std::string &place, const std::string &value) {
    return isWide ? "data[2u * (" + place + ")] = uint(" + value + "); data[2u * (" + place +
                        ") + 1u] = uint(uint64_t(" + value + ") >> 32);\n"
                  : "data[" + place + "] = uint(" + value + ");\n";
  };
  const size_t count = (pairs.size() + 63) / 64 * 64;
  const ShaderSet shaders =
      computeOf(Types, "#define WORDS " + std::to_string(words) + "u\n",
                Lane + type + " a = " + load("k") + ", b = " + load("n + k") + ";\n" + type + " q = " + quotient +
                    ", r = " + remainder + ";\n" + store("2u * n + k", "q") + store("3u * n + k", "r"));
  std::vector<uint32_t> data(4 * words * count);
  auto put = [&](size_t place, uint64_t value) {
    for (unsigned word = 0; word < words; ++word)
      data[words * place + word] = uint32_t(value >> 32 * word);
  };
  for (size_t i = 0; i < count; ++i) {
    put(i, i < pairs.size() ? pairs[i].dividend : 1);
    put(count + i, i < pairs.size() ? pairs[i].divisor : 1);
  }
  data = computedWords(shaders, data, [&](Scene &scene) { scene.workgroups = {uint32_t(count / 64), 1, 1}; });
  std::vector<Pair> results;
  for (size_t i = 0; i < pairs.size(); ++i) {
    auto get = [&](size_t place) {
      return data[words * place] | (isWide ? uint64_t(data[words * place + 1]) << 32 : 0);
    };
    results.push_back({get(2 * count + i), get(3 * count + i)});
  }
  return results;
}

// GLSL's operator, which is OpSMod for signed numbers: the result has the divisor's sign.
template <typename Wide> Wide modulo(Wide a, Wide b) {
  const Wide rest = a % b;
  return std::is_signed_v<Wide> && rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

// Counts wrong results for numbers of the width of `Number`, sign- or zero-extended to the words of the results.
template <typename Number, typename Wide> size_t countWrong(const std::vector<Pair> &pairs, const std::string &type) {
  const std::vector<Pair> results = divide(pairs, type, sizeof(Wide) / 4, "a / b", "a % b");
  size_t wrong = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Wide a = Wide(Number(pairs[i].dividend)), b = Wide(Number(pairs[i].divisor));
    using Word = std::make_unsigned_t<Wide>;
    const bool isRight =
        Word(results[i].dividend) == Word(Number(a / b)) && Word(results[i].divisor) == Word(Number(modulo(a, b)));
    if (!isRight && wrong++ == 0)
      MESSAGE(type, ": ", int64_t(a), " / ", int64_t(b), " gives ", results[i].dividend, ", ", results[i].divisor);
  }
  return wrong;
}

template <typename Number> bool isDefined(uint64_t dividend, uint64_t divisor) {
  const bool overflows = std::is_signed_v<Number> && Number(divisor) == Number(-1) &&
                         Number(dividend) == std::numeric_limits<Number>::min();
  return Number(divisor) != 0 && !overflows;
}

// Powers of two, sums and differences of two of them, their neighbours and inversions.
template <typename Number> std::vector<Pair> borderPairs() {
  constexpr unsigned bits = 8 * sizeof(Number);
  std::vector<uint64_t> numbers;
  for (unsigned high = 0; high < bits; ++high)
    for (const uint64_t low : {uint64_t(0), uint64_t(1) << high / 2})
      for (const int64_t step : {-1, 0, 1})
        for (const uint64_t flip : {uint64_t(0), ~uint64_t(0)})
          numbers.push_back(((uint64_t(1) << high) + low + uint64_t(step)) ^ flip);
  std::vector<Pair> pairs;
  for (const uint64_t dividend : numbers)
    for (const uint64_t divisor : numbers)
      if (isDefined<Number>(dividend, divisor))
        pairs.push_back({dividend, divisor});
  return pairs;
}

size_t randomCount() {
  const char *given = std::getenv("DOVETAIL_DIVISION_PAIRS");
  return given ? std::strtoull(given, nullptr, 10) : 20'000;
}

// Random pairs of all lengths. Half of the dividends are near a multiple of the divisor.
template <typename Number> std::vector<Pair> randomPairs(size_t count, std::mt19937_64 &random) {
  constexpr unsigned bits = 8 * sizeof(Number);
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    auto number = [&] {
      const uint64_t magnitude = random() >> (64 - bits) >> random() % bits;
      return random() % 2 ? magnitude : ~magnitude;
    };
    Pair pair = {number(), number()};
    if (random() % 2)
      pair.dividend = pair.dividend / 2 * pair.divisor + uint64_t(int64_t(random() % 3) - 1);
    if (isDefined<Number>(pair.dividend, pair.divisor))
      pairs.push_back(pair);
  }
  return pairs;
}

template <typename Number> void tryWidth(const std::string &type) {
  CHECK(countWrong<Number, Number>(borderPairs<Number>(), type) == 0);
  std::mt19937_64 random(18);
  constexpr size_t Most = 200'000;
  for (size_t left = randomCount(); left;) {
    const size_t count = std::min(left, Most);
    CHECK(countWrong<Number, Number>(randomPairs<Number>(count, random), type) == 0);
    left -= count;
  }
}

template <typename Number> std::vector<Pair> allBytePairs(bool isNarrowResult) {
  std::vector<Pair> pairs;
  for (unsigned dividend = 0; dividend < 256; ++dividend)
    for (unsigned divisor = 1; divisor < 256; ++divisor)
      if (!isNarrowResult || isDefined<Number>(dividend, divisor))
        pairs.push_back({dividend, divisor});
  return pairs;
}

} // namespace

TEST_CASE("all quotients and remainders of 8 bits") {
  // As numbers of 8 bits, the smallest number divided by -1 is undefined. As numbers of 32 bits the quotient is 128.
  for (const std::string type : {"int8_t", "uint8_t"}) {
    const bool isSigned = type == "int8_t";
    const std::vector<Pair> pairs = isSigned ? allBytePairs<int8_t>(true) : allBytePairs<uint8_t>(true);
    const std::vector<Pair> results =
        divide(pairs, "uint", 1, "uint(" + type + "(a) / " + type + "(b))", "uint(" + type + "(a) % " + type + "(b))");
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const int a = isSigned ? int8_t(pairs[i].dividend) : uint8_t(pairs[i].dividend);
      const int b = isSigned ? int8_t(pairs[i].divisor) : uint8_t(pairs[i].divisor);
      wrong += uint32_t(a / b) != results[i].dividend || uint32_t(modulo(a, b)) != results[i].divisor;
    }
    CHECK(wrong == 0);
  }
  for (const char *extract : {"bitfieldExtract(int(%), 0, 8)", "bitfieldExtract(%, 0, 8)"}) {
    auto of = [&](const char *name) { return std::string(extract).replace(std::string(extract).find('%'), 1, name); };
    const bool isSigned = std::string(extract).find("int(") != std::string::npos;
    const std::vector<Pair> pairs = allBytePairs<int8_t>(false);
    const std::vector<Pair> results =
        divide(pairs, "uint", 1, "uint(" + of("a") + " / " + of("b") + ")", "uint(" + of("a") + " % " + of("b") + ")");
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const int a = isSigned ? int8_t(pairs[i].dividend) : uint8_t(pairs[i].dividend);
      const int b = isSigned ? int8_t(pairs[i].divisor) : uint8_t(pairs[i].divisor);
      wrong += uint32_t(a / b) != results[i].dividend || uint32_t(modulo(a, b)) != results[i].divisor;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("quotients and remainders of 32 bits") {
  tryWidth<uint32_t>("uint");
  tryWidth<int32_t>("int");
}

TEST_CASE("quotients and remainders of 64 bits") {
  tryWidth<uint64_t>("uint64_t");
  tryWidth<int64_t>("int64_t");
}

TEST_CASE("quotients of numbers that are known to be below a power of two") {
  std::mt19937_64 random(7);
  for (const unsigned bits : {15u, 16u, 19u, 20u, 21u, 23u, 24u, 25u}) {
    CAPTURE(bits);
    const uint32_t mask = (1u << bits) - 1;
    std::vector<Pair> pairs = randomPairs<uint32_t>(randomCount() / 4, random);
    for (const Pair &border : borderPairs<uint32_t>())
      pairs.push_back(border);
    std::erase_if(pairs, [&](const Pair &pair) { return (pair.divisor & mask) == 0; });
    const std::string limit = "& " + std::to_string(mask) + "u)";
    const std::vector<Pair> results =
        divide(pairs, "uint", 1, "(a " + limit + " / (b " + limit, "(a " + limit + " % (b " + limit);
    const std::string count = ", 0, " + std::to_string(bits) + ")";
    std::vector<Pair> signedPairs = pairs;
    std::erase_if(signedPairs, [&](const Pair &pair) { return (pair.divisor & mask) == 0; });
    const std::vector<Pair> signedResults =
        divide(signedPairs, "int", 1, "bitfieldExtract(a" + count + " / bitfieldExtract(b" + count,
               "bitfieldExtract(a" + count + " % bitfieldExtract(b" + count);
    auto extended = [&](uint64_t number) { return int32_t(uint32_t(number) << (32 - bits)) >> (32 - bits); };
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const uint32_t a = uint32_t(pairs[i].dividend) & mask, b = uint32_t(pairs[i].divisor) & mask;
      wrong += results[i].dividend != a / b || results[i].divisor != a % b;
      const int32_t c = extended(pairs[i].dividend), d = extended(pairs[i].divisor);
      wrong += uint32_t(signedResults[i].dividend) != uint32_t(c / d) ||
               uint32_t(signedResults[i].divisor) != uint32_t(modulo(c, d));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("64-bit quotients of numbers that fit into 32 bits") {
  std::mt19937_64 random(11);
  std::vector<Pair> pairs = randomPairs<int32_t>(randomCount() / 4, random);
  for (const Pair &border : borderPairs<int32_t>())
    pairs.push_back(border);
  pairs.push_back({0x80000000, 0xffffffff});
  // Sign-extended, as signed and as unsigned numbers; zero-extended.
  for (const std::string form : {"int64_t(int(%))", "uint64_t(int64_t(int(%)))", "uint64_t(uint(%))"}) {
    CAPTURE(form);
    auto of = [&](const char *name) { return std::string(form).replace(form.find('%'), 1, name); };
    const std::vector<Pair> results = divide(pairs, "uint64_t", 2, "uint64_t(" + of("a") + " / " + of("b") + ")",
                                             "uint64_t(" + of("a") + " % " + of("b") + ")");
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const int64_t a = int32_t(pairs[i].dividend), b = int32_t(pairs[i].divisor);
      uint64_t quotient = uint64_t(a) / uint64_t(b), remainder = uint64_t(a) % uint64_t(b);
      if (form[0] == 'i')
        quotient = uint64_t(a / b), remainder = uint64_t(modulo(a, b));
      if (form == "uint64_t(uint(%))")
        quotient = uint32_t(a) / uint32_t(b), remainder = uint32_t(a) % uint32_t(b);
      wrong += results[i].dividend != quotient || results[i].divisor != remainder;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("quotients by constants of 64 bits") {
  std::mt19937_64 random(5);
  std::vector<Pair> pairs = randomPairs<uint64_t>(2000, random);
  for (const std::string divisor :
       {"3", "7", "10", "641", "1000000007", "4294967295", "4294967297", "9223372036854775807"}) {
    CAPTURE(divisor);
    const uint64_t number = std::stoull(divisor);
    const std::vector<Pair> results = divide(pairs, "uint64_t", 2, "a / " + divisor + "ul", "a % " + divisor + "ul");
    const std::vector<Pair> negative = divide(pairs, "uint64_t", 2, "uint64_t(int64_t(a) / -" + divisor + "l)",
                                              "uint64_t(int64_t(a) % -" + divisor + "l)");
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const uint64_t a = pairs[i].dividend;
      wrong += results[i].dividend != a / number || results[i].divisor != a % number;
      wrong += negative[i].dividend != uint64_t(int64_t(a) / -int64_t(number)) ||
               negative[i].divisor != uint64_t(modulo(int64_t(a), -int64_t(number)));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("vectors are divided component by component") {
  const ShaderSet shaders = computeOf(Types, "",
                                      "uvec3 a = uvec3(data[i], data[64u + i], data[128u + i]); uvec3 b = uvec3(7u, "
                                      "data[64u + i] & 255u | 1u, data[i] | 1u);\n"
                                      "uvec3 q = a / b, r = a % b; for (uint k = 0u; k < 3u; ++k) { data[192u + 64u * "
                                      "k + i] = q[k]; data[384u + 64u * k + i] = r[k]; }");
  std::vector<uint32_t> data(576);
  std::mt19937 random(3);
  for (size_t i = 0; i < 192; ++i)
    data[i] = random();
  const std::vector<uint32_t> results = computedWords(shaders, data);
  for (unsigned i = 0; i < 64; ++i) {
    const uint32_t divisors[] = {7, (data[64 + i] & 255) | 1, data[i] | 1};
    for (unsigned k = 0; k < 3; ++k) {
      CHECK(results[192 + 64 * k + i] == data[64 * k + i] / divisors[k]);
      CHECK(results[384 + 64 * k + i] == data[64 * k + i] % divisors[k]);
    }
  }
}
