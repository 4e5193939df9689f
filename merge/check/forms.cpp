// SPDX-License-Identifier: MIT
//
// Forms of instructions that no part may have, because LLVM encodes them wrongly or hardware is said to execute them
// wrongly (docs/llvm-defects.md).
#include "merge/check/checks.h"
#include "merge/check/entry.h"

namespace dovetail::check {

namespace {

using isa::Instruction;
using isa::RegisterFile;

bool isWideShift(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_lshlrev_b64") || inst.mnemonic.starts_with("v_lshrrev_b64") ||
         inst.mnemonic.starts_with("v_ashrrev_i64");
}

} // namespace

void checkForms(const Program &program, Defects &defects) {
  const bool isGfx9 = program.image.gpuName.starts_with("gfx9");
  const unsigned lastVgpr = ((rsrc1(program.image, program.stage) & 63) + 1) * 4 - 1; // VGPRs come in blocks of 4
  for (const Instruction &inst : program.instructions) {
    // SIPeepholeSDWA mistakes bytes for others, and makes forms that the hardware does not have.
    if (inst.is(isa::Sdwa))
      defects.add<SdwaForm>(program.place(inst.offset), inst.mnemonic);
    // The first source of a shift is its amount.
    if (isGfx9 && isWideShift(inst) && !inst.reads.empty() && inst.reads[0].file == RegisterFile::Vgpr &&
        inst.reads[0].count == 1 && inst.reads[0].first == lastVgpr)
      defects.add<ShiftByLastVgpr>(program.place(inst.offset), inst.mnemonic, lastVgpr);
  }
}

} // namespace dovetail::check
