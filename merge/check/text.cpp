// SPDX-License-Identifier: MIT
//
// Layout, decoding and control flow of a finished image.
#include "merge/check/checks.h"
#include <map>

namespace dovetail::check {

const ImagePart &StageText::partAt(uint32_t offset) const {
  std::span<const ImagePart> all = parts();
  for (const ImagePart &part : all.first(all.size() - 1)) {
    if (offset < part.offset + part.size)
      return part;
  }
  return all.back();
}

std::string Defects::place(const StageText &text, uint32_t offset) {
  const ImagePart &part = text.partAt(offset);
  int64_t inside = int64_t(offset) - part.offset;
  return fmt::format("{}{}{:#x} ({:#x}): ", partSymbol(*text.image, part), inside < 0 ? '-' : '+',
                     inside < 0 ? -inside : inside, offset);
}

static bool isNop(std::span<const uint8_t> code, uint32_t offset) {
  // SOPP opcode 0: s_nop (Vega ISA, SOPP encoding: [31:23] = 0b101111111, [22:16] opcode).
  return code[offset + 3] == 0xbf && code[offset + 2] == 0x80;
}

void checkLayout(const Image &image, Defects &defects) {
  uint32_t size = static_cast<uint32_t>(image.code.size());
  if (image.textSize > size || image.constantsStart > image.constantsEnd || image.constantsEnd > size ||
      (image.constantsStart != image.constantsEnd && image.constantsStart < image.textSize))
    return defects.addGlobal("text [0, {:#x}) and constants [{:#x}, {:#x}) do not fit into {:#x} bytes in this order",
                             image.textSize, image.constantsStart, image.constantsEnd, size);
  if (image.stages.empty())
    return defects.addGlobal("the image has no hardware shader");

  uint32_t previousEnd = 0;
  for (const ImageStage &stage : image.stages) {
    std::string_view name = toString(stage.stage);
    if (stage.partCount == 0 || stage.firstPart + stage.partCount > image.parts.size())
      return defects.addGlobal("{}: has no parts, or parts beyond the image's list", name);
    if (stage.entry % 256 != 0)
      defects.addGlobal("{}: entry {:#x} is not a multiple of 256", name, stage.entry);
    if (stage.entry < previousEnd || stage.size == 0 || stage.size > image.textSize ||
        stage.entry > image.textSize - stage.size)
      return defects.addGlobal("{}: text [{:#x}, +{:#x}) overlaps its neighbour or leaves the text", name, stage.entry,
                               stage.size);

    uint32_t cursor = stage.entry;
    for (unsigned i = 0; i < stage.partCount; ++i) {
      const ImagePart &part = image.parts[stage.firstPart + i];
      if (part.size % 4 != 0 || part.waitStateBytes % 4 != 0 || part.size != part.part->code.size() ||
          part.offset != cursor + part.waitStateBytes || part.offset + part.size > stage.entry + stage.size)
        return defects.addGlobal("{}: part {} at {:#x} (+{:#x}) does not follow the one before it, which ends at {:#x}",
                                 name, i, part.offset, part.size, cursor);
      for (uint32_t offset = cursor; offset < part.offset; offset += 4) {
        if (!isNop(image.code, offset))
          return defects.addGlobal("{}: {:#x}: the gap in front of part {} holds something else than s_nop", name,
                                   offset, i);
      }
      uint64_t constantsEnd = uint64_t(part.constantsOffset) + part.part->constants.size();
      if (!part.part->constants.empty() &&
          (part.constantsOffset < image.constantsStart || constantsEnd > image.constantsEnd ||
           part.constantsOffset % part.part->constantsAlignment != 0))
        return defects.addGlobal("{}: constants of part {} at {:#x} are misaligned or outside the image's constants",
                                 name, i, part.constantsOffset);
      cursor = part.offset + part.size;
    }
    previousEnd = stage.entry + stage.size;
    if (cursor != previousEnd)
      return defects.addGlobal("{}: text ends at {:#x}, its last part at {:#x}", name, previousEnd, cursor);
  }
}

namespace {

// Where an instruction can go on. Offsets that are no instruction are defects; they are left out.
class ControlFlow {
public:
  ControlFlow(StageText &text, Defects &defects) : m_text(text), m_defects(defects) {
    for (uint32_t i = 0; i < text.instructions.size(); ++i)
      m_indexAt[text.instructions[i].offset] = i;
  }

  void find() {
    m_text.successors.resize(m_text.instructions.size());
    m_text.reachable.resize(m_text.instructions.size());
    std::vector<uint32_t> pending = {0};
    m_text.reachable[0] = true;
    while (!pending.empty()) {
      uint32_t index = pending.back();
      pending.pop_back();
      connect(index);
      for (uint32_t successor : m_text.successors[index]) {
        if (!m_text.reachable[successor]) {
          m_text.reachable[successor] = true;
          pending.push_back(successor);
        }
      }
    }
  }

private:
  void connect(uint32_t index) {
    const mc::Instruction &instruction = m_text.instructions[index];
    if (instruction.is(mc::EndsProgram))
      return;
    if (instruction.is(mc::IndirectBranch))
      return m_defects.add(m_text, instruction.offset, "{} goes to an address that cannot be known",
                           instruction.mnemonic);
    if (instruction.is(mc::Branch)) {
      checkTarget(instruction);
      go(index, instruction.branchTarget, "branches");
      if (!instruction.is(mc::Conditional))
        return;
    }
    go(index, instruction.offset + instruction.size, "falls through");
  }

  // A branch stays in its part; its end is where the next part (or the s_nops in front of it) starts.
  void checkTarget(const mc::Instruction &instruction) {
    const ImagePart &part = m_text.partAt(instruction.offset);
    uint32_t target = instruction.branchTarget;
    if (target < part.offset || target > part.offset + part.size)
      m_defects.add(m_text, instruction.offset, "{} leaves its part for {:#x}", instruction.mnemonic, target);
  }

  void go(uint32_t index, uint32_t target, std::string_view how) {
    auto found = m_indexAt.find(target);
    if (found != m_indexAt.end())
      m_text.successors[index].push_back(found->second);
    else
      m_defects.add(m_text, m_text.instructions[index].offset, "{} to {:#x}, where no instruction of this stage starts",
                    how, target);
  }

  StageText &m_text;
  Defects &m_defects;
  std::map<uint32_t, uint32_t> m_indexAt;
};

} // namespace

bool decodeStage(const Image &image, const ImageStage &stage, StageText &text, Defects &defects) {
  text.image = &image;
  text.stage = &stage;
  Result<mc::Disassembler *> disassembler = mc::Disassembler::forGpu(image.gpuName);
  if (!disassembler) {
    defects.addGlobal("{}: {}", toString(stage.stage), disassembler.error().text);
    return false;
  }

  // Only this stage's text is shown to the decoder, so that no instruction can reach beyond it.
  std::span<const uint8_t> code(image.code.data(), stage.entry + stage.size);
  for (uint32_t offset = stage.entry; offset < code.size();) {
    Result<mc::Instruction> instruction = (*disassembler)->decode(code, offset);
    if (!instruction) {
      defects.add(text, offset, "{}", instruction.error().text);
      return false;
    }
    offset += instruction->size;
    text.instructions.push_back(std::move(*instruction));
  }
  for (const ImagePart &part : text.parts()) {
    bool starts = false;
    for (const mc::Instruction &instruction : text.instructions)
      starts |= instruction.offset == part.offset;
    if (!starts && part.size != 0)
      defects.add(text, part.offset, "the part does not start at an instruction");
  }
  ControlFlow(text, defects).find();
  return true;
}

} // namespace dovetail::check
