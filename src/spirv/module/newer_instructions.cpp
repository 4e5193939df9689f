// SPDX-License-Identifier: MIT
#include "src/spirv/module/newer_instructions.h"
#include "src/spirv/module/module.h"
#include <algorithm>
#include <array>

namespace dovetail::spirv {

namespace {

constexpr size_t VoteWords = 4; // opcode, type, result, condition

constexpr uint32_t Version15 = 0x10500;

bool isCapability(std::span<const uint32_t> instruction, spv::Capability capability) {
  return instruction.size() == 2 && (instruction[0] & 0xffff) == uint32_t(spv::Op::OpCapability) &&
         instruction[1] == uint32_t(capability);
}

bool isNewer(std::span<const uint32_t> instruction, uint32_t version) {
  switch (static_cast<spv::Op>(instruction[0] & 0xffff)) {
  case spv::Op::OpCapability:
    return isCapability(instruction, CapabilityQuadControl) ||
           (version < Version15 && (isCapability(instruction, spv::Capability::ShaderLayer) ||
                                    isCapability(instruction, spv::Capability::ShaderViewportIndex)));
  case spv::Op::OpExecutionMode: {
    constexpr std::array modes = {ModeQuadDerivatives, ModeRequireFullQuads, ModeMaximallyReconverges};
    return instruction.size() == 3 &&
           std::ranges::find(modes, static_cast<spv::ExecutionMode>(instruction[2])) != modes.end();
  }
  default:
    return false;
  }
}

} // namespace

// Whether an instruction is newer than the tools or the version. Votes of quads are only where their capability is.
static bool hasNewer(const VisibleModule &given) {
  size_t at = HeaderWords;
  for (size_t i = 0; i + 1 < given.offsets.size(); ++i) {
    const std::span<const uint32_t> each = std::span(given.words).subspan(at, given.words[at] >> 16);
    at += each.size();
    if (isNewer(each, given.words[1]))
      return true;
  }
  return false;
}

VisibleModule showToTools(std::span<const uint32_t> words) {
  VisibleModule given = hideDebugInstructions(words);
  if (!hasNewer(given))
    return given;
  VisibleModule shown;
  shown.words.reserve(given.words.size());
  shown.offsets.reserve(given.offsets.size());
  const size_t header = given.offsets.empty() ? 0 : std::min<size_t>(HeaderWords, given.words.size());
  shown.words.assign(given.words.begin(), given.words.begin() + long(header));
  bool hasQuadControl = false;
  size_t at = header;
  // Every offset except the last one is that of a whole instruction.
  for (size_t i = 0; i + 1 < given.offsets.size(); ++i) {
    const std::span<const uint32_t> each = std::span(given.words).subspan(at, given.words[at] >> 16);
    at += each.size();
    if (isNewer(each, header > 1 ? given.words[1] : 0)) {
      hasQuadControl |= isCapability(each, CapabilityQuadControl);
      shown.hidden.push_back(given.offsets[i]);
      continue;
    }
    shown.offsets.push_back(given.offsets[i]);
    const size_t begin = shown.words.size();
    shown.words.insert(shown.words.end(), each.begin(), each.end());
    const auto opcode = static_cast<spv::Op>(each[0] & 0xffff);
    if (hasQuadControl && each.size() == VoteWords && (opcode == OpQuadAll || opcode == OpQuadAny))
      shown.words[begin] = VoteWords << 16 | uint32_t(spv::Op::OpLogicalNot);
  }
  shown.offsets.push_back(given.offsets.back());
  shown.words.insert(shown.words.end(), given.words.begin() + long(at),
                     given.words.end()); // words that form no instruction
  return shown;
}

} // namespace dovetail::spirv
