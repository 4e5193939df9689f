// SPDX-License-Identifier: MIT
#include "src/spirv/module/visible_module.h"
#include "src/spirv/module/instruction_form.h"
#include "src/spirv/module/module.h"
#include <algorithm>
#include <unordered_set>
#include <utility>

namespace dovetail::spirv {

namespace {

// An instruction as it stands in the module, with its head in the first word.
using Words = std::span<const uint32_t>;

spv::Op opcodeOf(Words instruction) {
  return static_cast<spv::Op>(instruction[0] & 0xffff);
}

// The first instruction of the words; empty if no whole instruction is left.
Words first(Words words) {
  const size_t length = words.empty() ? 0 : words[0] >> 16;
  return length > words.size() ? Words() : words.first(length);
}

std::string nameOfSet(Words import) {
  Words words = import.subspan(2);
  return takeString(words);
}

class DebugInstructions {
public:
  explicit DebugInstructions(Words module) {
    for (Words rest = module, each; !(each = first(rest)).empty(); rest = rest.subspan(each.size()))
      if ((opcodeOf(each) == spv::Op::OpExtInstImport && each.size() > 2 && isDebugSet(nameOfSet(each))))
        m_ids.insert(each[1]);
      else if (isCall(each))
        m_ids.insert(each[2]);
  }

  bool contain(Words instruction) const {
    switch (opcodeOf(instruction)) {
    case spv::Op::OpModuleProcessed:
      return true;
    case spv::Op::OpExtInstImport:
    case spv::Op::OpName:
      return instruction.size() > 2 && !m_ids.empty() && m_ids.contains(instruction[1]);
    default:
      return isCall(instruction);
    }
  }

private:
  bool isCall(Words instruction) const {
    const spv::Op opcode = opcodeOf(instruction);
    return (opcode == spv::Op::OpExtInst || opcode == OpExtInstWithForwardRefs) && instruction.size() > 4 &&
           !m_ids.empty() && m_ids.contains(instruction[3]);
  }

  std::unordered_set<uint32_t> m_ids; // of the instruction sets, and results of their instructions
};

bool isNewer(Words instruction, uint32_t version) {
  constexpr uint32_t version15 = 0x10500;
  if (opcodeOf(instruction) == spv::Op::OpCapability && instruction.size() == 2) {
    const auto capability = static_cast<spv::Capability>(instruction[1]);
    return capability == CapabilityQuadControl ||
           (version < version15 &&
            (capability == spv::Capability::ShaderLayer || capability == spv::Capability::ShaderViewportIndex));
  }
  if (opcodeOf(instruction) != spv::Op::OpExecutionMode || instruction.size() != 3)
    return false;
  const auto mode = static_cast<spv::ExecutionMode>(instruction[2]);
  return mode == ModeQuadDerivatives || mode == ModeRequireFullQuads || mode == ModeMaximallyReconverges;
}

} // namespace

bool isDebugSet(std::string_view name) {
  return name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "DebugInfo";
}

VisibleModule showToTools(std::span<const uint32_t> words, bool hidesNewer) {
  constexpr size_t voteWords = 4; // opcode, type, result, condition
  VisibleModule visible;
  visible.words.reserve(words.size());
  visible.offsets.reserve(words.size() / 3); // most instructions have three words or more
  Words rest = words.subspan(std::min<size_t>(HeaderWords, words.size()));
  const DebugInstructions debug(rest);
  bool hasQuadVotes = false;
  // Nearly all modules have long runs of instructions that stay; each is copied at once, up to `rest`.
  auto copied = words.begin();
  auto copyRun = [&] { visible.words.insert(visible.words.end(), std::exchange(copied, rest.begin()), rest.begin()); };
  auto replace = [&](std::initializer_list<uint32_t> by) {
    copyRun();
    visible.words.insert(visible.words.end(), by);
    copied += long(by.size());
  };
  auto offset = [&] { return static_cast<uint32_t>(words.size() - rest.size()); };
  for (Words each; !(each = first(rest)).empty(); rest = rest.subspan(each.size())) {
    const spv::Op opcode = opcodeOf(each);
    const bool hides = hidesNewer && isNewer(each, words[1]);
    if (hides || debug.contain(each)) {
      copyRun();
      copied += long(each.size());
      hasQuadVotes |= hides && opcode == spv::Op::OpCapability && each[1] == uint32_t(CapabilityQuadControl);
      continue;
    }
    visible.offsets.push_back(offset());
    if (opcode == spv::Op::OpSource && each.size() > 1)
      replace({each[0], static_cast<uint32_t>(spv::SourceLanguage::Unknown)});
    else if (hasQuadVotes && each.size() == voteWords && (opcode == OpQuadAll || opcode == OpQuadAny))
      replace({voteWords << 16 | uint32_t(spv::Op::OpLogicalNot)});
  }
  visible.offsets.push_back(offset());
  visible.words.insert(visible.words.end(), copied, words.end()); // with words that form no instruction
  return visible;
}

} // namespace dovetail::spirv
