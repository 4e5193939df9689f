// SPDX-License-Identifier: MIT
//
// A level is stored through an access chain of one index, constant or not, from one of two built-in arrays; or all
// levels of an array are stored at once.
#include "tests/mutations/distinct_levels.h"
#include "tools/proof/spirv/spirv_words.h"
#include <bit>
#include <map>

namespace dovetail::mutations {

namespace {

// Larger than the differences that the spacing of edges rounds away.
constexpr float Step = 1.25f;

class Rewriter {
public:
  explicit Rewriter(const std::vector<uint32_t> &words) : m_words(words), m_bound(words[SpirvBoundWord]) {
    eachInstruction(words, [&](SpirvInstruction inst) { index(inst); });
  }

  std::vector<uint32_t> run() {
    m_out.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    eachInstruction(m_words, [&](SpirvInstruction inst) {
      if (opcodeOf(inst) == spv::Op::OpFunction && m_more.empty())
        declareConstants();
      const uint32_t stored = opcodeOf(inst) == spv::Op::OpStore ? larger(inst[1], inst[2]) : 0;
      const size_t begin = m_out.size();
      m_out.insert(m_out.end(), inst.begin(), inst.end());
      if (stored != 0)
        m_out[begin + 2] = stored;
    });
    m_out[SpirvBoundWord] = m_bound;
    return std::move(m_out);
  }

private:
  struct Array {
    uint32_t type = 0;
    uint32_t levels = 0;
  };

  void index(SpirvInstruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpDecorate:
      if (inst.size() < 4 || static_cast<spv::Decoration>(inst[2]) != spv::Decoration::BuiltIn)
        return;
      if (static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::TessLevelOuter)
        m_arrays[inst[1]].levels = 4;
      if (static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::TessLevelInner)
        m_arrays[inst[1]].levels = 2;
      return;
    case spv::Op::OpTypeFloat:
      if (inst[2] == 32)
        m_float = inst[1];
      return;
    case spv::Op::OpTypePointer: // result, storage class, pointee
      m_pointees[inst[1]] = inst[3];
      return;
    case spv::Op::OpVariable: // type, result
      if (auto array = m_arrays.find(inst[2]); array != m_arrays.end())
        array->second.type = m_pointees[inst[1]];
      return;
    case spv::Op::OpAccessChain: // type, result, base, indices
      if (inst.size() == 5 && m_arrays.contains(inst[3]))
        m_edges[inst[2]] = inst[4];
      return;
    default:
      return;
    }
  }

  void declareConstants() {
    m_step = constant(Step);
    for (unsigned edge = 0; edge < 4; ++edge)
      m_more.push_back(constant(Step * float(edge)));
  }

  uint32_t constant(float value) {
    appendInstruction(m_out, spv::Op::OpConstant, {m_float, m_bound, std::bit_cast<uint32_t>(value)});
    return m_bound++;
  }

  uint32_t sum(uint32_t value, uint32_t more) {
    appendInstruction(m_out, spv::Op::OpFAdd, {m_float, m_bound, value, more});
    return m_bound++;
  }

  // The id of the larger value to store instead, or 0.
  uint32_t larger(uint32_t pointer, uint32_t value) {
    if (auto edge = m_edges.find(pointer); edge != m_edges.end()) {
      const uint32_t number = m_bound++, more = m_bound++;
      appendInstruction(m_out, spv::Op::OpConvertSToF, {m_float, number, edge->second});
      appendInstruction(m_out, spv::Op::OpFMul, {m_float, more, number, m_step});
      return sum(value, more);
    }
    auto array = m_arrays.find(pointer);
    if (array == m_arrays.end())
      return 0;
    for (uint32_t edge = 0; edge < array->second.levels; ++edge) {
      const uint32_t level = m_bound++;
      appendInstruction(m_out, spv::Op::OpCompositeExtract, {m_float, level, value, edge});
      const uint32_t raised = sum(level, m_more[edge]), whole = m_bound++;
      appendInstruction(m_out, spv::Op::OpCompositeInsert, {array->second.type, whole, raised, value, edge});
      value = whole;
    }
    return value;
  }

  const std::vector<uint32_t> &m_words;
  std::vector<uint32_t> m_out;
  uint32_t m_bound = 0, m_float = 0, m_step = 0;
  std::vector<uint32_t> m_more; // by edge
  std::map<uint32_t, uint32_t> m_pointees;
  std::map<uint32_t, Array> m_arrays;   // by variable
  std::map<uint32_t, uint32_t> m_edges; // the index, by the access chain's id
};

} // namespace

std::vector<uint32_t> withDistinctLevels(const std::vector<uint32_t> &words) {
  return Rewriter(words).run();
}

} // namespace dovetail::mutations
