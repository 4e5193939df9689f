// SPDX-License-Identifier: MIT
//
// Large switches, which a pass makes easier for LLVM, must still do the same: all ways in and out of their cases.
#include "tests/features/computed_words.h"
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;

namespace {

struct SwitchCase {
  std::vector<uint32_t> labels; // none: the default
  uint32_t factor = 3;          // x = x * factor + addend
  uint32_t addend = 0;
  bool breaksIfOdd = false, breaks = false;
};

struct Switch {
  std::vector<SwitchCase> cases;

  std::string glsl() const {
    std::string text = "uint x = data[i]; uint s = data[i] >> 4; switch (s) {\n";
    for (const SwitchCase &one : cases) {
      for (uint32_t label : one.labels)
        text += "case " + std::to_string(label) + ":\n";
      if (one.labels.empty())
        text += "default:\n";
      text += "x = x * " + std::to_string(one.factor) + "u + " + std::to_string(one.addend) + "u;\n";
      if (one.breaksIfOdd)
        text += "if ((x & 1u) != 0u) break;\n";
      if (one.breaks)
        text += "break;\n";
    }
    return text + "}\ndata[i] = x ^ s;\n";
  }

  uint32_t run(uint32_t word) const {
    const uint32_t selector = word >> 4;
    uint32_t x = word;
    size_t at = cases.size();
    for (size_t i = 0; i < cases.size(); ++i)
      if (cases[i].labels.empty())
        at = i;
    for (size_t i = 0; i < cases.size(); ++i)
      for (uint32_t label : cases[i].labels)
        if (label == selector)
          at = i;
    for (; at < cases.size(); ++at) {
      x = x * cases[at].factor + cases[at].addend;
      if (cases[at].breaks || (cases[at].breaksIfOdd && (x & 1)))
        break;
    }
    return x ^ selector;
  }
};

// 64 selectors, `step` apart. The first ones lie before the cases.
void checkRuns(const Switch &large, uint32_t step) {
  std::vector<uint32_t> words(64);
  for (uint32_t i = 0; i < words.size(); ++i)
    words[i] = (i * step) << 4 | (i * 7 & 15);
  const std::vector<uint32_t> after = computedWords(computeOf("", "", large.glsl()), words);
  for (uint32_t i = 0; i < words.size(); ++i) {
    CAPTURE(i);
    CHECK(after[i] == large.run(words[i]));
  }
}

// Cases 2, 3, …, `count` of them, each of which falls to the next.
Switch fallingThrough(uint32_t count) {
  Switch made;
  for (uint32_t i = 0; i < count; ++i)
    made.cases.push_back({{i + 2}, 2 * i + 3, i * i, false, false});
  return made;
}

} // namespace

TEST_CASE("40 cases that fall through, without a default") {
  checkRuns(fallingThrough(40), 1);
}

TEST_CASE("40 cases that fall through to the default, or begin with it, or have it between them") {
  for (size_t place : {size_t(0), size_t(17), size_t(40)}) {
    CAPTURE(place);
    Switch made = fallingThrough(40);
    made.cases.insert(made.cases.begin() + static_cast<std::ptrdiff_t>(place), SwitchCase{{}, 9, 5, false, false});
    checkRuns(made, 1);
  }
}

TEST_CASE("40 cases that fall through, of which some have several labels and some may break") {
  Switch made = fallingThrough(40);
  for (size_t i = 0; i < made.cases.size(); ++i) {
    made.cases[i].breaksIfOdd = i % 7 == 3;
    if (i % 5 == 0)
      made.cases[i].labels.push_back(static_cast<uint32_t>(50 + i));
  }
  checkRuns(made, 1);
}

TEST_CASE("two rows of cases that fall through, and cases that break, in one switch") {
  Switch made = fallingThrough(60);
  for (size_t i : {28u, 29u, 30u, 59u})
    made.cases[i].breaks = true;
  made.cases.push_back({{}, 5, 1, false, false});
  checkRuns(made, 1);
}

TEST_CASE("1,100 cases that meet") {
  Switch made = fallingThrough(1100);
  for (SwitchCase &one : made.cases)
    one.breaks = true;
  SUBCASE("without a default") {}
  SUBCASE("with a default") {
    made.cases.push_back({{}, 5, 1, false, false});
  }
  checkRuns(made, 18);
}
