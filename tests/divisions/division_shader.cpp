// SPDX-License-Identifier: MIT
#include "tests/divisions/division_shader.h"
#include <bit>

namespace dovetail {

namespace {

constexpr const char *Head = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
)";

// The check. It checks the magnitudes of signed numbers first.
constexpr const char *Check = R"(
layout(local_size_x = 64) in;
struct Parameters {
  uint quotientFault, remainderFault, moduloFault, zero;
  uint turns, first, step, spread, firstFactor, lastFactor, seed;
};
layout(std430, binding = 0) buffer Data {
  Parameters given;
  uint pairs[2], wrong, failure[10];
};
Parameters the;

// Without branches, unlike && and ||.
#define ALL(x, y) all(bvec2(x, y))
#define ANY(x, y) any(bvec2(x, y))
uint tried = 0u;

#if WIDTH == 64
bool isProduct(WORD a, WORD b, WORD q, WORD r) {
  uint64_t highs = (q >> 32) * (b >> 32);
  uint64_t middle = (q >> 32) * (b & 0xffffffffUL) + (q & 0xffffffffUL) * (b >> 32); // one of them is 0
  uint64_t low = (q & 0xffffffffUL) * (b & 0xffffffffUL), product = low + (middle << 32);
  bool overflows = ANY(ANY(highs != 0UL, (middle >> 32) != 0UL), product < low);
  return ALL(ALL(!overflows, product <= a), a - product == r);
}
#elif DIVIDEND_BITS <= 16 && DIVISOR_BITS <= 16
bool isProduct(WORD a, WORD b, WORD q, WORD r) { return ALL(q <= a, a - q * b == r); }
#else
bool isProduct(WORD a, WORD b, WORD q, WORD r) {
  uint high, low;
  umulExtended(q, b, high, low);
  return ALL(ALL(high == 0u, low <= a), a - low == r);
}
#endif

#if SIGNED
spirv_instruction(id = 138) TYPE remainder(TYPE a, TYPE b); // OpSRem
WORD magnitude(NUMBER x) { return WORD(abs(x)); }
// Whether x has the sign of y, if it has any.
bool hasSign(NUMBER x, NUMBER y) { return ANY((x ^ y) >= NUMBER(0), x == NUMBER(0)); }
bool isRight(NUMBER a, NUMBER b, NUMBER q, NUMBER r, NUMBER m) {
  NUMBER sign = a ^ b;
  bool isModulo = m == (hasSign(r, b) ? r : r + b);
  return ALL(ALL(isProduct(magnitude(a), magnitude(b), magnitude(q), magnitude(r)), magnitude(r) < magnitude(b)),
             ALL(ALL(hasSign(q, sign), hasSign(r, a)), isModulo));
}
#else
TYPE remainder(TYPE a, TYPE b) { return a % b; }
WORD magnitude(NUMBER x) { return x; }
bool isRight(NUMBER a, NUMBER b, NUMBER q, NUMBER r, NUMBER m) {
  return ALL(ALL(isProduct(a, b, q, r), r < b), m == r);
}
#endif

void put(uint place, WORD value) {
  failure[place] = uint(value);
#if WIDTH == 64
  failure[place + 1u] = uint(value >> 32);
#endif
}

// Gives the magnitude of the quotient. What loops and conditions say about the operands is hidden from the compiler.
WORD attempt(WORD dividend, WORD divisor) {
  TYPE a = DIVIDEND(NUMBER(dividend + WORD(the.zero))), b = DIVISOR(NUMBER(divisor + WORD(the.zero)));
  if (b == TYPE(0))
    return WORD(0);
#if OVERFLOWS
  if (b == TYPE(-1) && a == TYPE(NUMBER(1) << (8 * BYTES - 1)))
    return WORD(0);
#endif
  NUMBER q = NUMBER(WORD(NUMBER(a / b)) ^ WORD(the.quotientFault));
  NUMBER r = NUMBER(WORD(NUMBER(remainder(a, b))) ^ WORD(the.remainderFault));
  NUMBER m = NUMBER(WORD(NUMBER(a % b)) ^ WORD(the.moduloFault));
  ++tried;
  if (!isRight(NUMBER(a), NUMBER(b), q, r, m) && atomicAdd(wrong, 1u) == 0u) {
    put(0u, WORD(NUMBER(a)));
    put(2u, WORD(NUMBER(b)));
    put(4u, WORD(q));
    put(6u, WORD(r));
    put(8u, WORD(m));
  }
  return magnitude(q);
}

// With all signs.
WORD attemptSigns(WORD dividend, WORD divisor) {
  WORD q = attempt(dividend, divisor);
#if SIGNED
  attempt(WORD(0) - dividend, divisor);
  attempt(dividend, WORD(0) - divisor);
  q = attempt(WORD(0) - dividend, WORD(0) - divisor);
#endif
  return q;
}

// A counter that goes through two keys of the invocation.
uint counter = 0u, keys[2];
uint mixed(uint x) {
  x = (x ^ x >> 17) * 0x2c1b3c6du;
  x = (x ^ x >> 13) * 0x297a2d39u;
  return x ^ x >> 16;
}
uint random32() { return mixed(mixed(++counter ^ keys[0]) + keys[1]); }
WORD randomWord() {
#if WIDTH == 64
  return uint64_t(random32()) << 32 | uint64_t(random32());
#else
  return random32();
#endif
}
// Of all lengths up to `bits`.
WORD randomNumber(uint bits) {
  uint how = random32();
  WORD number = randomWord() >> (uint(WIDTH) - bits) >> how % bits;
  return how >> 31 == 0u ? number : ~number;
}
WORD randomDivisor() { return magnitude(NUMBER(DIVISOR(NUMBER(randomNumber(uint(DIVISOR_BITS)))))); }
uint lengthOf(WORD x) {
#if WIDTH == 64
  if (x >> 32 != 0UL)
    return 33u + uint(findMSB(uint(x >> 32)));
#endif
  return 1u + uint(findMSB(uint(x)));
}
WORD nearMultiple(WORD divisor) {
  uint how = random32(), length = lengthOf(divisor) + uint(SIGNED);
  WORD factor = length < uint(DIVIDEND_BITS) ? randomNumber(uint(DIVIDEND_BITS) - length) : WORD(1);
  return factor * divisor + WORD(how % 3u) - WORD(1);
}

void begin() {
  the = given;
  keys[0] = mixed(the.seed + 0x9e3779b9u * gl_GlobalInvocationID.x);
  keys[1] = mixed(keys[0] ^ 0x5bd1e995u);
}
void end() {
  if (atomicAdd(pairs[0], tried) > ~tried)
    atomicAdd(pairs[1], 1u);
}
)";

// The bodies of the loop over `turn`. `place` is the number of the divisor.
constexpr const char *AllPairs = R"(
  WORD divisor = WORD(the.first + place * the.step);
  for (uint dividend = 0u; dividend >> uint(DIVIDEND_BITS) == 0u; ++dividend)
    attempt(WORD(dividend), divisor);
)";

constexpr const char *ForDivisors = R"(
  for (uint shift = 0u; shift <= 2u * the.spread; ++shift) {
    WORD divisor = the.seed != 0u ? randomDivisor() : WORD(the.first + place * the.step + shift - the.spread);
    if (divisor == WORD(0) || divisor > WORD(MOST_DIVISOR))
      continue;
)";

constexpr const char *Multiples = R"(
    uint multiple = the.firstFactor * uint(divisor);
    for (uint factor = the.firstFactor; factor <= the.lastFactor && multiple <= uint(MOST_DIVIDEND); ++factor) {
      attemptSigns(multiple - 1u, divisor);
      attemptSigns(multiple, divisor);
      multiple += uint(divisor);
    }
    attemptSigns(MOST_DIVIDEND, divisor);
  }
)";

constexpr const char *Divisors = R"(
    WORD multiple = attemptSigns(WORD(MOST_DIVIDEND), divisor) * divisor;
    attemptSigns(multiple, divisor);
    attemptSigns(multiple - WORD(1), divisor);
  }
)";

constexpr const char *Pairs = R"(
  WORD divisor = randomDivisor();
  attempt(random32() >> 31 == 0u ? randomNumber(uint(DIVIDEND_BITS)) : nearMultiple(divisor),
          random32() >> 31 == 0u ? divisor : WORD(0) - divisor);
)";

std::string bodyOf(DivisionWalk walk) {
  switch (walk) {
  case DivisionWalk::AllPairs:
    return AllPairs;
  case DivisionWalk::Multiples:
    return std::string(ForDivisors) + Multiples;
  case DivisionWalk::Divisors:
    return std::string(ForDivisors) + Divisors;
  case DivisionWalk::Pairs:
    return Pairs;
  }
  return {};
}

} // namespace

std::string divisionShader(const DividedForm &form, DivisionWalk walk) {
  const bool isWide = form.width == 64;
  std::string text = Head;
  auto define = [&](const std::string &name, const std::string &value) {
    text += "#define " + name + " " + value + "\n";
  };
  auto number = [&](uint64_t value) { return std::to_string(value) + (isWide ? "UL" : "u"); };
  // The bits of signed numbers include the sign.
  auto bits = [&](uint64_t most) { return std::to_string(std::bit_width(most)); };
  define("WIDTH", std::to_string(form.width));
  define("WORD", isWide ? "uint64_t" : "uint");
  define("NUMBER", std::string(form.isSigned ? "" : "u") + (isWide ? "int64_t" : "int"));
  define("SIGNED", form.isSigned ? "1" : "0");
  define("TYPE", form.type);
  define("DIVIDEND(x)", form.dividend);
  define("DIVISOR(x)", form.divisor);
  define("MOST_DIVIDEND", number(form.mostDividend));
  define("MOST_DIVISOR", number(form.mostDivisor));
  define("DIVIDEND_BITS", bits(form.mostDividend));
  define("DIVISOR_BITS", bits(form.mostDivisor));
  define("OVERFLOWS", form.smallestOverflows ? "1" : "0");
  define("BYTES", form.type.find("16") != std::string::npos ? "2" : isWide ? "8" : "4");
  return text + Check +
         "void main() {\n  begin();\n  for (uint turn = 0u; turn < the.turns; ++turn) {\n"
         "  uint place = gl_GlobalInvocationID.x + turn * (64u * gl_NumWorkGroups.x);\n" +
         bodyOf(walk) + "  }\n  end();\n}\n";
}

} // namespace dovetail
