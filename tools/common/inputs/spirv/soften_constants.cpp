// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/soften_constants.h"
#include "tools/proof/spirv/spirv_words.h"
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace dovetail {

namespace {

constexpr float Large = 16;

// Divides only by a power of two, so the mantissa stays the same.
float soften(float value) {
  constexpr int BitsAboveHalf = 3;
  int exponent = 0;
  return std::ldexp(std::frexp(value, &exponent), BitsAboveHalf);
}

class Softener {
public:
  explicit Softener(std::span<const uint32_t> words) : m_words(words), m_bound(words[SpirvBoundWord]) {}

  // Returns no words if nothing is multiplied by a large constant.
  std::vector<uint32_t> run() {
    m_result.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    eachInstruction(m_words, [&](SpirvInstruction inst) {
      const size_t at = m_result.size();
      m_result.insert(m_result.end(), inst.begin(), inst.end());
      if (inst.size() > 1 && opcodeOf(inst) == spv::Op::OpTypeFloat)
        noteFloat(inst);
      else if (inst.size() > 3)
        visit(inst, at);
    });
    m_result[SpirvBoundWord] = m_bound;
    if (!m_isSofter)
      m_result.clear();
    return std::move(m_result);
  }

private:
  void noteFloat(SpirvInstruction inst) {
    if (inst.size() > 2 && inst[2] == 32)
      m_floats.insert(inst[1]);
  }

  void visit(SpirvInstruction inst, size_t at) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpConstant:
      if (const float value = std::bit_cast<float>(inst[3]);
          m_floats.contains(inst[1]) && std::isfinite(value) && std::fabs(value) >= Large)
        addTwin(inst, {std::bit_cast<uint32_t>(soften(value))});
      break;
    case spv::Op::OpConstantComposite: {
      std::vector<uint32_t> elements(inst.begin() + 3, inst.end());
      bool isChanged = false;
      for (uint32_t &element : elements)
        isChanged |= replace(element);
      if (isChanged)
        addTwin(inst, elements);
      break;
    }
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpDot:
      for (size_t operand = 3; operand < inst.size(); ++operand)
        m_isSofter |= replace(m_result[at + operand]);
      break;
    default:
      break;
    }
  }

  // Adds a second constant behind the first one.
  void addTwin(SpirvInstruction inst, const std::vector<uint32_t> &operands) {
    m_twins[inst[2]] = m_bound;
    m_result.push_back(inst[0]);
    m_result.push_back(inst[1]);
    m_result.push_back(m_bound++);
    m_result.insert(m_result.end(), operands.begin(), operands.end());
  }

  bool replace(uint32_t &id) {
    auto found = m_twins.find(id);
    if (found == m_twins.end())
      return false;
    id = found->second;
    return true;
  }

  std::span<const uint32_t> m_words;
  std::vector<uint32_t> m_result;
  uint32_t m_bound;
  bool m_isSofter = false;
  std::set<uint32_t> m_floats;          // 32-bit types
  std::map<uint32_t, uint32_t> m_twins; // softened constants by the original's id
};

} // namespace

std::vector<uint32_t> softenConstants(std::span<const uint32_t> words) {
  std::vector<uint32_t> softened;
  if (words.size() >= SpirvHeaderWords)
    softened = Softener(words).run();
  return softened.empty() ? std::vector(words.begin(), words.end()) : softened;
}

} // namespace dovetail
