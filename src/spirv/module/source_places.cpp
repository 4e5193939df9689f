// SPDX-License-Identifier: MIT
#include "src/spirv/module/source_places.h"
#include "src/spirv/module/module.h"
#include "src/spirv/module/terminator.h"
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <unordered_map>

namespace dovetail::spirv {

namespace {

// A line applies to the instructions behind it, at most to the end of its block (SPIR-V, OpLine).
bool endsBlock(spv::Op opcode) {
  return isTerminator(opcode) || opcode == spv::Op::OpFunctionEnd;
}

} // namespace

SourcePlaces::SourcePlaces(std::span<const uint32_t> words) {
  std::unordered_map<uint32_t, std::string> strings; // by id, like all of these
  std::unordered_map<uint32_t, uint32_t> sources;    // DebugSource: the string with its name
  std::unordered_map<uint32_t, uint32_t> constants;
  uint32_t debugInfo = 0; // the instruction set

  auto setPlace = [&](uint32_t from, uint32_t file, uint32_t line) {
    m_starts[from] = static_cast<uint32_t>(m_places.size());
    m_places.push_back({strings[file], line});
  };
  auto setNoPlace = [&](uint32_t from) {
    if (!m_starts.empty() && m_starts.rbegin()->second != NoPlace)
      m_starts[from] = NoPlace;
  };
  auto readDebugInfo = [&](uint32_t result, uint32_t number, std::span<const uint32_t> operands, uint32_t next) {
    if (number == NonSemanticShaderDebugInfo100DebugSource && !operands.empty())
      sources[result] = operands[0];
    if (number == NonSemanticShaderDebugInfo100DebugLine && operands.size() >= 2)
      setPlace(next, sources[operands[0]], constants[operands[1]]);
    if (number == NonSemanticShaderDebugInfo100DebugNoLine)
      setNoPlace(next);
  };

  for (uint32_t at = HeaderWords; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      break;
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    std::span<const uint32_t> operands = words.subspan(at + 1, length - 1);
    at += length;
    // The module is valid, so these instructions have as many operands as the grammar demands.
    switch (opcode) {
    case spv::Op::OpString: {
      const uint32_t result = operands[0];
      operands = operands.subspan(1);
      strings[result] = takeString(operands);
      break;
    }
    case spv::Op::OpExtInstImport: {
      const uint32_t result = operands[0];
      operands = operands.subspan(1);
      if (takeString(operands) == "NonSemantic.Shader.DebugInfo.100")
        debugInfo = result;
      break;
    }
    case spv::Op::OpConstant:
      constants[operands[1]] = operands[2];
      break;
    case spv::Op::OpExtInst:
      if (operands[2] == debugInfo)
        readDebugInfo(operands[1], operands[3], operands.subspan(4), at);
      break;
    case spv::Op::OpLine:
      setPlace(at, operands[0], operands[1]);
      break;
    case spv::Op::OpNoLine:
      setNoPlace(at);
      break;
    default:
      if (endsBlock(opcode))
        setNoPlace(at);
      break;
    }
  }
}

const SourcePlace *SourcePlaces::find(uint32_t wordOffset) const {
  auto behind = m_starts.upper_bound(wordOffset);
  if (behind == m_starts.begin())
    return nullptr;
  const uint32_t index = std::prev(behind)->second;
  return index == NoPlace ? nullptr : &m_places[index];
}

} // namespace dovetail::spirv
