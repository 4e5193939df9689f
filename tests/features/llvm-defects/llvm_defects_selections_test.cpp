// SPDX-License-Identifier: MIT
//
// LLVM turns a selection by a comparison of floats into a minimum, a maximum or a selection of other operands. That is
// wrong for NaN (#213029) and for zeros whose signs count (#93414). Here, each of SPIR-V's comparisons with constants
// selects halves, floats and doubles, with each combination of arms. A lane has a pair of eight numbers; the 64 lanes
// have all pairs.
#include "tests/features/computed_words.h"
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace dovetail;

namespace {

// A number with its bits as a half and as a float, and the upper word of a double, whose lower word is 0.
struct Number {
  double value;
  uint32_t half, single, upperDouble;

  uint32_t bits(unsigned width) const { return width == 16 ? half : width == 32 ? single : upperDouble; }
};

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr std::array<Number, 8> Numbers = {{{0.0, 0, 0, 0},
                                            {-0.0, 0x8000, 0x80000000, 0x80000000},
                                            {1.5, 0x3e00, 0x3fc00000, 0x3ff80000},
                                            {-1.5, 0xbe00, 0xbfc00000, 0xbff80000},
                                            {std::numeric_limits<double>::quiet_NaN(), 0x7e00, 0x7fc00000, 0x7ff80000},
                                            {Infinity, 0x7c00, 0x7f800000, 0x7ff00000},
                                            {-Infinity, 0xfc00, 0xff800000, 0xfff00000},
                                            {3.25, 0x4280, 0x40500000, 0x400a0000}}};

constexpr std::array<const char *, 6> Relations = {"Equal",       "NotEqual",      "LessThan",
                                                   "GreaterThan", "LessThanEqual", "GreaterThanEqual"};
constexpr std::array<const char *, 5> Arms = {"%x %k", "%k %x", "%y %k", "%k %y", "%x %y"};

bool holds(size_t relation, bool isUnordered, double x, double k) {
  if (std::isnan(x))
    return isUnordered;
  const bool results[] = {x == k, x != k, x<k, x> k, x <= k, x >= k};
  return results[relation];
}

std::string constant(const std::string &name, const std::string &type, const std::string &value) {
  return name + " = OpConstant " + type + " " + value + "\n";
}

// %name becomes the number whose bits the lane finds at word %first_name and behind it.
std::string load(const std::string &name, unsigned width) {
  const std::string converted = width == 32 ? "%word_" + name : "%bits_" + name;
  return "%at_" + name + " = OpIAdd %uint %first_" + name + " %i\n%place_" + name +
         " = OpAccessChain %pointer %data %none %at_" + name + "\n%word_" + name + " = OpLoad %uint %place_" + name +
         "\n" +
         (width == 16   ? "%bits_" + name + " = OpUConvert %integer %word_" + name + "\n"
          : width == 64 ? "%wide_" + name + " = OpUConvert %integer %word_" + name + "\n%bits_" + name +
                              " = OpShiftLeftLogical %integer %wide_" + name + " %n32\n"
                        : "") +
         "%" + name + " = OpBitcast %number " + converted + "\n";
}

// LLVM folds a selection only if nothing else uses its comparison. So each pair of arms compares a number of its own,
// for ordered and for unordered comparisons.
constexpr size_t CopyCount = Arms.size() * 2;

struct Row {
  size_t relation, arms;
  bool isUnordered;
};

std::string shaderOf(unsigned width, size_t compared, const std::vector<Row> &rows) {
  const std::string bits = std::to_string(width);
  std::string text = "OpCapability Shader\nOpCapability SignedZeroInfNanPreserve\n";
  if (width != 32)
    text += "OpCapability Float" + bits + "\nOpCapability Int" + bits + "\n";
  text += "OpExtension \"SPV_KHR_float_controls\"\nOpMemoryModel Logical GLSL450\n"
          "OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 64 1 1\n"
          "OpExecutionMode %main SignedZeroInfNanPreserve " +
          bits +
          "\nOpDecorate %id BuiltIn LocalInvocationIndex\nOpDecorate %words ArrayStride 4\nOpDecorate %block Block\n"
          "OpMemberDecorate %block 0 Offset 0\nOpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n"
          "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n" +
          (width == 32 ? "" : "%integer = OpTypeInt " + bits + " 0\n") + "%number = OpTypeFloat " + bits +
          "\n%function = OpTypeFunction %void\n%words = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %words\n"
          "%blocks = OpTypePointer StorageBuffer %block\n%pointer = OpTypePointer StorageBuffer %uint\n"
          "%ids = OpTypePointer Input %uint\n%id = OpVariable %ids Input\n%data = OpVariable %blocks StorageBuffer\n";
  text += constant("%none", "%uint", "0");
  for (size_t copy = 0; copy < CopyCount; ++copy)
    text += constant("%first_x" + std::to_string(copy), "%uint", std::to_string((rows.size() + copy) * 64));
  text += constant("%first_y", "%uint", std::to_string((rows.size() + CopyCount) * 64));
  text += constant("%n32", "%uint", "32") + constant("%k", "%number",
                                                     compared == 0   ? "0"
                                                     : compared == 1 ? "-0.0"
                                                                     : "3.25");
  for (size_t row = 0; row < rows.size(); ++row)
    text += constant("%first" + std::to_string(row), "%uint", std::to_string(row * 64));
  text += "%main = OpFunction %void None %function\n%start = OpLabel\n%i = OpLoad %uint %id\n" + load("y", width);
  for (size_t copy = 0; copy < CopyCount; ++copy)
    text += load("x" + std::to_string(copy), width);
  for (size_t row = 0; row < rows.size(); ++row) {
    const std::string n = std::to_string(row);
    const std::string x = "%x" + std::to_string(rows[row].arms * 2 + rows[row].isUnordered);
    std::string arms = Arms[rows[row].arms];
    if (const size_t at = arms.find("%x"); at != std::string::npos)
      arms.replace(at, 2, x);
    text += "%c" + n + " = Op" + (rows[row].isUnordered ? "FUnord" : "FOrd") + Relations[rows[row].relation] +
            " %bool " + x + " %k\n%s" + n + " = OpSelect %number %c" + n + " " + arms + "\n%b" + n +
            " = OpBitcast %integer %s" + n + "\n";
    text += width == 16   ? "%w" + n + " = OpUConvert %uint %b" + n + "\n"
            : width == 32 ? "%w" + n + " = OpCopyObject %uint %b" + n + "\n"
                          : "%u" + n + " = OpShiftRightLogical %integer %b" + n + " %n32\n%w" + n +
                                " = OpUConvert %uint %u" + n + "\n";
    text += "%j" + n + " = OpIAdd %uint %first" + n + " %i\n%p" + n + " = OpAccessChain %pointer %data %none %j" + n +
            "\nOpStore %p" + n + " %w" + n + "\n";
  }
  text += "OpReturn\nOpFunctionEnd\n";
  if (width != 32)
    return text;
  for (size_t at; (at = text.find("%integer")) != std::string::npos;)
    text.replace(at, 8, "%uint");
  return text;
}

} // namespace

TEST_CASE("LLVM #213029, #93414: selections by all comparisons with constants, of all widths") {
  std::vector<Row> rows;
  for (size_t relation = 0; relation < Relations.size(); ++relation)
    for (const bool isUnordered : {false, true})
      for (size_t arms = 0; arms < Arms.size(); ++arms)
        rows.push_back({relation, arms, isUnordered});
  for (const unsigned width : {16u, 32u, 64u})
    for (const size_t compared : {0, 1, 7}) {
      std::vector<uint32_t> words(rows.size() * 64);
      for (size_t index = 0; index < CopyCount * 64; ++index)
        words.push_back(Numbers[index & 7].bits(width));
      for (size_t lane = 0; lane < 64; ++lane)
        words.push_back(Numbers[lane >> 3].bits(width));
      const std::vector<uint32_t> after = computedWords(computeOfAssembly(shaderOf(width, compared, rows)), words);
      for (size_t row = 0; row < rows.size(); ++row) {
        const auto expected = [&](size_t lane) {
          const Number &x = Numbers[lane & 7], &y = Numbers[lane >> 3], &k = Numbers[compared];
          const Number *arms[][2] = {{&x, &k}, {&k, &x}, {&y, &k}, {&k, &y}, {&x, &y}};
          const bool isFirst = holds(rows[row].relation, rows[row].isUnordered, x.value, k.value);
          return arms[rows[row].arms][isFirst ? 0 : 1]->bits(width);
        };
        size_t lane = 0; // the first one that is wrong
        while (lane + 1 < 64 && after[row * 64 + lane] == expected(lane))
          ++lane;
        CAPTURE(width);
        CAPTURE(compared);
        CAPTURE(std::string(Relations[rows[row].relation]));
        CAPTURE(rows[row].isUnordered);
        CAPTURE(std::string(Arms[rows[row].arms]));
        CHECK(after[row * 64 + lane] == expected(lane));
      }
    }
}
