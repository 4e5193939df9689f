// SPDX-License-Identifier: MIT
//
// What the first dwords of an instruction say without any table of opcodes: which microcode format it has, and the
// fields that control flow, exports and hazards depend on. GFX8 and GFX9 share these formats ("Vega" ISA manual,
// chapter 13, but for VINTRP, whose leading bits are wrong there: LLVM's VINTERPInstructions.td and
// README-ISA.md of Mesa's ACO have 110101).
#pragma once

#include "src/isa/instruction.h"
#include <cstdint>
#include <optional>
#include <span>

namespace dovetail::isa {

Encoding encodingOf(uint32_t firstDword);
// Salu, Valu, Vmem, …: what follows from the format alone.
uint32_t flagsOf(Encoding encoding);
// And from other fields of the first dword: SDWA, DPP, GDS.
uint32_t flagsOf(Encoding encoding, uint32_t firstDword);
// SOPP and SOPK: the immediate, and what it means for control flow. The mnemonic and the offset are known already.
void describeControl(uint32_t firstDword, Instruction &instruction);
// Where the s_setpc_b64 at this offset of the text goes, if it is the end of a branch over more than its instruction's
// 16 bits can say: s_getpc_b64, and two additions of a literal distance to the halves of what that gives, stand right
// in front of it (LLVM: SIInstrInfo::insertIndirectBranch). Whether all that comes there has come through them, is the
// caller's matter.
std::optional<uint32_t> farBranchTarget(std::span<const uint8_t> text, uint32_t offset);

} // namespace dovetail::isa
