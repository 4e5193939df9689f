// SPDX-License-Identifier: MIT
//
// PC-relative constants: s_getpc_b64 followed by s_add_u32 of a literal to the low half forms an address. It must lie
// in the constants of the part that forms it. An s_getpc without such an add only lends its high half to 32-bit
// pointers.
#include "merge/check/checks.h"
#include <cstring>

namespace dovetail::check {

namespace {

// The literal of an eight-byte SALU instruction (the second dword).
uint32_t literalOf(const StageText &text, const mc::Instruction &instruction) {
  uint32_t literal;
  std::memcpy(&literal, text.image->code.data() + instruction.offset + 4, sizeof(literal));
  return literal;
}

bool touches(const boost::container::small_vector_base<mc::RegisterRange> &ranges, unsigned sgpr) {
  for (const mc::RegisterRange &range : ranges) {
    if (range.file == mc::RegisterFile::Sgpr && range.first <= sgpr && sgpr < unsigned(range.first) + range.count)
      return true;
  }
  return false;
}

void checkAddress(const StageText &text, const mc::Instruction &add, uint32_t pc, Defects &defects) {
  const ImagePart &part = text.partAt(add.offset);
  int64_t target = int64_t(pc) + static_cast<int32_t>(literalOf(text, add));
  int64_t start = part.constantsOffset;
  int64_t end = start + static_cast<int64_t>(part.part->constants.size());
  if (target < start || target >= end)
    defects.add(text, add.offset, "forms the address {:#x}, outside the constants of its part [{:#x}, {:#x})", target,
                start, end);
}

} // namespace

void checkConstantAddresses(const StageText &text, Defects &defects) {
  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    const mc::Instruction &getpc = text.instructions[index];
    if (getpc.mnemonic != "s_getpc_b64" || getpc.writes.empty())
      continue;
    unsigned low = getpc.writes.front().first;
    uint32_t pc = getpc.offset + getpc.size;
    // The add is in the same basic block, before anything else writes the register.
    for (uint32_t next = index + 1; next < text.instructions.size(); ++next) {
      const mc::Instruction &instruction = text.instructions[next];
      bool isAdd = instruction.mnemonic == "s_add_u32" && instruction.size == 8 && touches(instruction.reads, low);
      if (isAdd)
        checkAddress(text, instruction, pc, defects);
      if (isAdd || touches(instruction.writes, low) || instruction.is(mc::Branch | mc::EndsProgram))
        break;
    }
  }
}

} // namespace dovetail::check
