// SPDX-License-Identifier: MIT
//
// Compilers divide integers by floats: the operands are converted, one is multiplied with the reciprocal of the other,
// and the integer that this gives is corrected. All that is exact by construction, so a quotient that rounding noise
// moves says nothing about the program, and noise would hide divisions that are wrong. IntegerDivision follows which
// lanes of which registers hold such floats, until they are integers again. Results that are made of them get no noise.
//
// Such a float comes from v_rcp_iflag_f32, the reciprocal of a converted integer, or is the sum of the converted halves
// of a 64-bit integer, high * 2^32 + low. A program may divide by a converted integer, too; what comes next tells.
// LLVM's divisions of integers multiply the reciprocal with nearly 2^32 (AMDGPUTargetLowering::LowerUDIVREM), or
// truncate the quotient, and take both an integer and the remainder from that (LowerDIVREM24). Divisions of another
// form get noise: the judge excuses an integer only if a float of the program moves it
// (tools/common/pipelines/draw_case.h).
#pragma once

#include "tools/proof/emulator/isa/instruction_uses.h"
#include <array>
#include <cstdint>
#include <functional>

namespace dovetail::emulator {

// Whether a reciprocal is one of a division of integers. `next`: the instruction at an address.
bool dividesIntegers(const Wave &wave, const Instruction &reciprocal,
                     const std::function<const Instruction &(uint64_t)> &next);

class IntegerDivision {
public:
  // Around each vector ALU instruction. `isReciprocal`: dividesIntegers(). `written`: the lanes that it writes.
  void begin(const Wave &wave, const Instruction &instruction, bool isReciprocal);
  void end(const Instruction &instruction, uint64_t written);
  // For what else writes a register.
  void forget(unsigned vgpr, uint64_t lanes) {
    m_exact[vgpr] &= ~lanes;
    m_converted[vgpr] &= ~lanes;
  }

  // The lanes whose result gets no noise, between begin() and end().
  uint64_t exactLanes() const { return m_result; }

private:
  uint64_t joinedHalves(const Wave &wave, const Instruction &instruction) const;

  static constexpr size_t VgprCount = 256;
  std::array<uint64_t, VgprCount> m_exact = {};     // lanes with floats of a division
  std::array<uint64_t, VgprCount> m_converted = {}; // lanes with an integer that has become a float
  uint64_t m_result = 0;
};

} // namespace dovetail::emulator
