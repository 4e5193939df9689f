// SPDX-License-Identifier: MIT
//
// Mutations of SPIR-V modules. Most random changes are caught by the validator, so half of the kinds keep the structure
// of instructions and types intact and reach the translator: other constants, other ids of the same type, other opcodes
// of the same form.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace dovetail::fuzz {

// A module that is mutated, with the facts about it that the mutations need.
class Seed {
public:
  explicit Seed(std::vector<uint32_t> words);

  // One to three mutations. The same generator state gives the same mutant.
  std::vector<uint32_t> mutate(std::mt19937_64 &random) const;

private:
  struct Instruction {
    uint32_t offset;
    uint32_t length;
    uint16_t opcode;
    bool inFunction;
  };
  // A value that may be named from some place on, until the end of its block (constants: everywhere).
  struct ValueId {
    uint32_t id;
    uint32_t type;
    uint32_t offset;
    uint32_t blockEnd;
  };

  using Words = std::vector<uint32_t>;
  using Random = std::mt19937_64;
  static constexpr unsigned KindCount = 15;
  void apply(unsigned kind, Words &words, Random &random) const;
  void swapSameTypedId(Words &words, Random &random) const;
  void changeConstant(Words &words, Random &random) const;
  void changeOpcode(Words &words, Random &random) const;
  void changeLiteral(Words &words, Random &random) const;
  void changeExtendedInstruction(Words &words, Random &random) const;
  const Instruction *pick(Random &random, std::span<const uint16_t> opcodes) const;

  Words m_words;
  std::vector<Instruction> m_instructions;
  std::vector<ValueId> m_values;
};

} // namespace dovetail::fuzz
