// SPDX-License-Identifier: MIT
//
// Code makes the address of a constant by s_getpc_b64 and by adding a literal distance to the low half of the result.
// This check follows each sum from the instruction that reads the PC: the address must lie in the constants or the code
// of the same part.
#include "merge/check/checks.h"
#include <cstring>

namespace dovetail::check {

namespace {

bool isScalarRegister(const isa::RegisterRange &range, uint16_t index) {
  return range.file == isa::RegisterFile::Sgpr && range.first <= index && index < range.first + range.count;
}

// Reads the literal of a scalar instruction, which is its second dword.
bool literalOf(const Program &program, const isa::Instruction &inst, int32_t &literal) {
  if (inst.size != 8)
    return false;
  std::memcpy(&literal, &program.image.code[inst.offset + 4], 4);
  return true;
}

} // namespace

void checkConstants(const Program &program, Defects &defects) {
  constexpr unsigned Window = 16; // between s_getpc_b64 and the addition
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction &getpc = program.instructions[i];
    if (getpc.mnemonic != "s_getpc_b64" || getpc.writes.empty() || getpc.writes[0].file != isa::RegisterFile::Sgpr)
      continue;
    constexpr uint32_t FarBranch = 3; // this s_getpc_b64 belongs to a branch; walkControlFlow() checks branches
    if (i + FarBranch < program.instructions.size() && program.instructions[i + FarBranch].endsFarBranch())
      continue;
    const uint16_t low = getpc.writes[0].first;
    uint32_t node = i;
    for (unsigned step = 0; step < Window && program.successors[node].size() == 1; ++step) {
      node = program.successors[node][0];
      const isa::Instruction &inst = program.instructions[node];
      bool readsLow = false, writesLow = false;
      for (const isa::RegisterRange &range : inst.reads)
        readsLow |= isScalarRegister(range, low);
      for (const isa::RegisterRange &range : inst.writes)
        writesLow |= isScalarRegister(range, low);
      int32_t distance;
      if (inst.mnemonic == "s_add_u32" && readsLow && literalOf(program, inst, distance)) {
        int64_t target = int64_t(getpc.offset) + getpc.size + distance;
        const ImagePart *part = program.partAt(getpc.offset);
        bool inConstants = part && target >= part->constantsOffset &&
                           target < int64_t(part->constantsOffset) + int64_t(part->part->constants.size());
        bool inCode = part && target >= part->offset && target < int64_t(part->offset) + part->size;
        if (!inConstants && !inCode)
          defects.add<AddressOutsideConstants>(program.place(inst.offset), target);
      }
      if (writesLow)
        break;
    }
  }
}

} // namespace dovetail::check
