// SPDX-License-Identifier: MIT
//
// Compilers divide integers with floats: code converts the operands, multiplies one by the reciprocal of the other, and
// corrects the resulting integer. All this is exact by construction. If rounding noise moved such a quotient, it would
// tell nothing about the program, and it would hide wrong divisions. So IntegerDivision follows the registers and lanes
// that hold such floats, until they are integers again. Results that are made of them get no noise.
//
// Such a float comes from v_rcp_iflag_f32, the reciprocal of a converted integer, or is the sum of the converted halves
// of a 64-bit integer, high * 2^32 + low. A program may also divide by a converted integer itself; the following
// instructions tell. LLVM's integer divisions multiply the reciprocal by nearly 2^32
// (AMDGPUTargetLowering::LowerUDIVREM). Or they truncate the quotient, and make both an integer and the remainder of it
// (LowerDIVREM24). Divisions of other forms get noise: the judge excuses an integer only if a float of the program
// moves it (tools/common/pipelines/draw_case.h).
#pragma once

#include "tools/proof/emulator/isa/instruction_uses.h"
#include <array>
#include <cstdint>
#include <functional>

namespace dovetail::emulator {

// Whether a reciprocal belongs to a division of integers. `next`: the instruction at an address.
bool dividesIntegers(const Wave &wave, const Instruction &reciprocal,
                     const std::function<const Instruction &(uint64_t)> &next);

class IntegerDivision {
public:
  // Called around each vector ALU instruction. `isReciprocal`: result of dividesIntegers(). `written`: the lanes that
  // the instruction writes.
  void begin(const Wave &wave, const Instruction &instruction, bool isReciprocal);
  void end(const Instruction &instruction, uint64_t written);
  // Called when anything else writes a register.
  void forget(unsigned vgpr, uint64_t lanes) {
    m_exact[vgpr] &= ~lanes;
    m_converted[vgpr] &= ~lanes;
  }

  // The lanes whose result gets no noise. Valid between begin() and end().
  uint64_t exactLanes() const { return m_result; }

private:
  uint64_t joinedHalves(const Wave &wave, const Instruction &instruction) const;

  static constexpr size_t VgprCount = 256;
  std::array<uint64_t, VgprCount> m_exact = {};     // lanes that hold floats of a division
  std::array<uint64_t, VgprCount> m_converted = {}; // lanes that hold an integer converted to a float
  uint64_t m_result = 0;
};

} // namespace dovetail::emulator
