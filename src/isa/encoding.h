// SPDX-License-Identifier: MIT
//
// Much of an instruction follows from its first dwords alone, without a table of opcodes: its microcode format, and the
// fields that decide control flow, exports and hazards. GFX8 and GFX9 share these formats ("Vega" ISA manual, chapter
// 13, but for VINTRP, whose leading bits are wrong there: LLVM's VINTERPInstructions.td and README-ISA.md of Mesa's ACO
// have 110101). GFX10 has other leading bits and opcode numbers ("RDNA 2" ISA manual, chapter 13).
#pragma once

#include "src/isa/instruction.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dovetail::isa {

namespace detail {
extern const std::array<uint32_t, size_t(Encoding::Unknown) + 1> FlagsByEncoding;
}

// Generations with equal formats.
enum class Microcode : uint8_t { Gfx8And9, Gfx10 };
constexpr unsigned MicrocodeCount = 2;
// `gpuName`: LLVM's.
constexpr Microcode microcodeOf(std::string_view gpuName) {
  return gpuName.starts_with("gfx103") ? Microcode::Gfx10 : Microcode::Gfx8And9;
}

Encoding encodingOf(uint32_t firstDword, Microcode microcode = Microcode::Gfx8And9);
// Flags that follow from the format alone: Salu, Valu, Vmem, …
inline uint32_t flagsOf(Encoding encoding) {
  return detail::FlagsByEncoding[size_t(encoding)];
}
// Also the flags that follow from other fields of the first dword: SDWA, DPP, GDS.
uint32_t flagsOf(Encoding encoding, uint32_t firstDword, Microcode microcode = Microcode::Gfx8And9);
// Whether the word is a whole instruction, if it is one at all: no field of it announces another dword.
bool isWhole(uint32_t firstDword, Microcode microcode);
// SOPP and SOPK: sets the immediate and the flags of control flow. The instruction's mnemonic and offset must be set
// already.
void describeControl(uint32_t firstDword, Instruction &instruction);
// The target of the s_setpc_b64 at this offset of the text, if it ends a far branch: one whose distance exceeds the 16
// bits of a branch instruction. Right in front of it stand s_getpc_b64 and two additions of a literal distance to the
// halves of its result (LLVM: SIInstrInfo::insertIndirectBranch). The caller must know whether all control flow to the
// s_setpc_b64 has come through these instructions.
std::optional<uint32_t> farBranchTarget(std::span<const uint8_t> text, uint32_t offset,
                                        Microcode microcode = Microcode::Gfx8And9);

} // namespace dovetail::isa
