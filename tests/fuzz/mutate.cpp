// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate.h"
#include <algorithm>
#include <array>
#include <limits>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

namespace dovetail::fuzz {

using spv::Op;

namespace {

constexpr uint32_t HeaderLength = 5;
constexpr uint32_t Everywhere = std::numeric_limits<uint32_t>::max();

uint32_t below(std::mt19937_64 &random, size_t limit) {
  return limit == 0 ? 0 : static_cast<uint32_t>(random() % limit);
}

// Small numbers, powers of two, extremes and anything.
uint32_t interestingWord(std::mt19937_64 &random) {
  switch (below(random, 4)) {
  case 0:
    return below(random, 17);
  case 1:
    return 1u << below(random, 32);
  case 2: {
    constexpr std::array words = {0xffffffffu, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0x7f800000u,
                                  0x7fc00000u, 0x3f800000u, 0xffffu,     0x10000u};
    return words[below(random, words.size())];
  }
  default:
    return static_cast<uint32_t>(random());
  }
}

constexpr uint16_t code(Op op) {
  return static_cast<uint16_t>(op);
}

// Opcodes with the same operands and the same demands on their types.
const std::vector<std::vector<uint16_t>> &opcodeFamilies() {
  static const std::vector<std::vector<uint16_t>> families = {
      {code(Op::OpFAdd), code(Op::OpFSub), code(Op::OpFMul), code(Op::OpFDiv), code(Op::OpFRem), code(Op::OpFMod)},
      {code(Op::OpIAdd), code(Op::OpISub), code(Op::OpIMul), code(Op::OpSDiv), code(Op::OpUDiv), code(Op::OpSRem),
       code(Op::OpSMod), code(Op::OpUMod), code(Op::OpBitwiseAnd), code(Op::OpBitwiseOr), code(Op::OpBitwiseXor),
       code(Op::OpShiftLeftLogical), code(Op::OpShiftRightLogical), code(Op::OpShiftRightArithmetic)},
      {code(Op::OpIEqual), code(Op::OpINotEqual), code(Op::OpUGreaterThan), code(Op::OpSGreaterThan),
       code(Op::OpULessThan), code(Op::OpSLessThan), code(Op::OpULessThanEqual), code(Op::OpSLessThanEqual)},
      {code(Op::OpFOrdEqual), code(Op::OpFUnordEqual), code(Op::OpFOrdNotEqual), code(Op::OpFUnordNotEqual),
       code(Op::OpFOrdLessThan), code(Op::OpFUnordLessThan), code(Op::OpFOrdGreaterThanEqual),
       code(Op::OpFUnordGreaterThanEqual)},
      {code(Op::OpDPdx), code(Op::OpDPdy), code(Op::OpFwidth), code(Op::OpDPdxFine), code(Op::OpFwidthCoarse),
       code(Op::OpFNegate)},
      {code(Op::OpLogicalAnd), code(Op::OpLogicalOr), code(Op::OpLogicalEqual), code(Op::OpLogicalNotEqual)},
      {code(Op::OpAtomicIAdd), code(Op::OpAtomicISub), code(Op::OpAtomicSMin), code(Op::OpAtomicUMin),
       code(Op::OpAtomicSMax), code(Op::OpAtomicUMax), code(Op::OpAtomicAnd), code(Op::OpAtomicOr),
       code(Op::OpAtomicXor), code(Op::OpAtomicExchange)},
      {code(Op::OpGroupNonUniformIAdd), code(Op::OpGroupNonUniformIMul), code(Op::OpGroupNonUniformSMin),
       code(Op::OpGroupNonUniformUMax), code(Op::OpGroupNonUniformBitwiseAnd), code(Op::OpGroupNonUniformBitwiseXor)},
      {code(Op::OpKill), code(Op::OpUnreachable), code(Op::OpReturn)},
      {code(Op::OpConvertFToS), code(Op::OpConvertFToU)},
      {code(Op::OpConvertSToF), code(Op::OpConvertUToF)},
      {code(Op::OpAny), code(Op::OpAll)},
      {code(Op::OpNot), code(Op::OpSNegate), code(Op::OpBitReverse), code(Op::OpBitCount)},
  };
  return families;
}

bool isConstant(uint16_t opcode) {
  return (opcode >= code(Op::OpConstantTrue) && opcode <= code(Op::OpConstantNull)) ||
         (opcode >= code(Op::OpSpecConstantTrue) && opcode <= code(Op::OpSpecConstantOp)) ||
         opcode == code(Op::OpUndef);
}

bool isType(uint16_t opcode) {
  return opcode >= code(Op::OpTypeVoid) && opcode <= code(Op::OpTypeForwardPointer);
}

bool endsBlock(uint16_t opcode) {
  return (opcode >= code(Op::OpBranch) && opcode <= code(Op::OpUnreachable)) ||
         opcode == code(Op::OpTerminateInvocation);
}

} // namespace

Seed::Seed(std::vector<uint32_t> words) : m_words(std::move(words)) {
  bool inFunction = false;
  std::unordered_map<uint32_t, bool> types;
  size_t firstOfBlock = 0; // in m_values
  for (uint32_t offset = HeaderLength; offset < m_words.size();) {
    uint32_t length = m_words[offset] >> 16;
    uint16_t opcode = static_cast<uint16_t>(m_words[offset]);
    if (length == 0 || offset + length > m_words.size())
      break;
    inFunction |= opcode == code(Op::OpFunction);
    m_instructions.push_back({offset, length, opcode, inFunction});
    if (isType(opcode) && length > 1)
      types[m_words[offset + 1]] = true;
    if (opcode == code(Op::OpLabel))
      firstOfBlock = m_values.size();
    // An instruction whose first operand is a type has a result behind it.
    if (length > 2 && types.contains(m_words[offset + 1]) && !isType(opcode)) {
      if (inFunction)
        m_values.push_back({m_words[offset + 2], m_words[offset + 1], offset, offset});
      else if (isConstant(opcode))
        m_values.push_back({m_words[offset + 2], m_words[offset + 1], 0, Everywhere});
    }
    if (endsBlock(opcode))
      for (size_t i = firstOfBlock; i < m_values.size(); ++i)
        m_values[i].blockEnd = offset;
    offset += length;
  }
}

const Seed::Instruction *Seed::pick(Random &random, std::span<const uint16_t> opcodes) const {
  std::vector<const Instruction *> matches;
  for (const Instruction &instruction : m_instructions)
    if (std::find(opcodes.begin(), opcodes.end(), instruction.opcode) != opcodes.end())
      matches.push_back(&instruction);
  return matches.empty() ? nullptr : matches[below(random, matches.size())];
}

void Seed::swapSameTypedId(Words &words, Random &random) const {
  // Several tries, since some operands are no id that has a neighbour of its type.
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    const Instruction &instruction = m_instructions[below(random, m_instructions.size())];
    if (!instruction.inFunction || instruction.length < 2 || instruction.offset + instruction.length > words.size())
      continue;
    uint32_t place = instruction.offset + 1 + below(random, instruction.length - 1);
    auto old =
        std::find_if(m_values.begin(), m_values.end(), [&](const ValueId &value) { return value.id == words[place]; });
    if (old == m_values.end() || old->offset == instruction.offset)
      continue;
    std::vector<uint32_t> candidates;
    for (const ValueId &value : m_values)
      if (value.type == old->type && value.id != old->id && value.offset < instruction.offset &&
          instruction.offset <= value.blockEnd)
        candidates.push_back(value.id);
    if (candidates.empty())
      continue;
    words[place] = candidates[below(random, candidates.size())];
    return;
  }
}

void Seed::changeConstant(Words &words, Random &random) const {
  constexpr std::array opcodes = {code(Op::OpConstant), code(Op::OpSpecConstant)};
  const Instruction *constant = pick(random, opcodes);
  if (constant && constant->offset + constant->length <= words.size() && constant->length > 3)
    words[constant->offset + 3 + below(random, constant->length - 3)] = interestingWord(random);
}

void Seed::changeOpcode(Words &words, Random &random) const {
  const auto &families = opcodeFamilies();
  for (unsigned attempt = 0; attempt < 10; ++attempt) {
    const std::vector<uint16_t> &family = families[below(random, families.size())];
    const Instruction *instruction = pick(random, family);
    if (!instruction || instruction->offset >= words.size())
      continue;
    words[instruction->offset] = (words[instruction->offset] & 0xffff0000u) | family[below(random, family.size())];
    return;
  }
}

// A number that is not an id: a decoration's, an index into a composite, the shape of a type.
void Seed::changeLiteral(Words &words, Random &random) const {
  constexpr std::array opcodes = {code(Op::OpDecorate),
                                  code(Op::OpMemberDecorate),
                                  code(Op::OpCompositeExtract),
                                  code(Op::OpCompositeInsert),
                                  code(Op::OpVectorShuffle),
                                  code(Op::OpTypeImage),
                                  code(Op::OpTypeVector),
                                  code(Op::OpExecutionMode),
                                  code(Op::OpTypeInt),
                                  code(Op::OpTypeFloat),
                                  code(Op::OpSwitch),
                                  code(Op::OpTypeMatrix),
                                  code(Op::OpGroupNonUniformIAdd),
                                  code(Op::OpVariable),
                                  code(Op::OpTypePointer)};
  const Instruction *instruction = pick(random, opcodes);
  if (!instruction || instruction->length < 3 || instruction->offset + instruction->length > words.size())
    return;
  uint32_t place = instruction->offset + 2 + below(random, instruction->length - 2);
  words[place] = below(random, 3) == 0 ? interestingWord(random) : below(random, 12);
}

void Seed::changeExtendedInstruction(Words &words, Random &random) const {
  constexpr std::array opcodes = {code(Op::OpExtInst)};
  const Instruction *instruction = pick(random, opcodes);
  if (instruction && instruction->offset + 5 <= words.size())
    words[instruction->offset + 4] = below(random, 84);
}

void Seed::apply(unsigned kind, Words &words, Random &random) const {
  if (words.size() <= HeaderLength)
    return;
  auto somewhere = [&] { return below(random, words.size()); };
  auto at = [&](uint32_t place) { return words.begin() + place; };
  switch (kind) {
  case 0: // flipped bits
    for (unsigned count = 1 + below(random, 4); count > 0; --count)
      words[somewhere()] ^= 1u << below(random, 32);
    break;
  case 1: // truncation
    words.resize(somewhere());
    break;
  case 2:
    std::swap(words[somewhere()], words[somewhere()]);
    break;
  case 3:
    words.insert(at(somewhere()), interestingWord(random));
    break;
  case 4:
    words.erase(at(somewhere()));
    break;
  case 5:
    words[somewhere()] = interestingWord(random);
    break;
  case 6: { // an operand becomes any id
    const Instruction &instruction = m_instructions[below(random, m_instructions.size())];
    if (instruction.length > 1 && instruction.offset + instruction.length <= words.size())
      words[instruction.offset + 1 + below(random, instruction.length - 1)] = 1 + below(random, m_words[3]);
    break;
  }
  case 7: { // an instruction goes
    const Instruction &instruction = m_instructions[below(random, m_instructions.size())];
    if (instruction.offset + instruction.length <= words.size())
      words.erase(at(instruction.offset), at(instruction.offset + instruction.length));
    break;
  }
  case 8: { // an instruction comes twice
    const Instruction &instruction = m_instructions[below(random, m_instructions.size())];
    if (instruction.offset + instruction.length <= words.size()) {
      Words copy(at(instruction.offset), at(instruction.offset + instruction.length));
      words.insert(at(instruction.offset), copy.begin(), copy.end());
    }
    break;
  }
  case 9:
    changeConstant(words, random);
    break;
  case 10:
    changeOpcode(words, random);
    break;
  case 11:
    changeLiteral(words, random);
    break;
  case 12:
    changeExtendedInstruction(words, random);
    break;
  default:
    swapSameTypedId(words, random);
    break;
  }
}

std::vector<uint32_t> Seed::mutate(Random &random) const {
  Words words = m_words;
  if (m_instructions.empty())
    return words;
  for (unsigned count = 1 + below(random, 3); count > 0; --count) {
    // Every other mutant is made by the kinds that keep modules valid.
    unsigned kind = below(random, 2) ? below(random, KindCount) : 9 + below(random, KindCount - 9);
    apply(kind, words, random);
  }
  return words;
}

} // namespace dovetail::fuzz
