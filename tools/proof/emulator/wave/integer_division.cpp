// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/integer_division.h"
#include "tools/proof/emulator/wave/wave.h"
#include <bitset>

namespace dovetail::emulator {

namespace {

constexpr uint32_t TwoTo32 = 0x4f800000; // as an f32

bool accumulates(std::string_view name) {
  return name.starts_with("v_mac_") || name.starts_with("v_fmac_");
}

// Whether the instruction computes a * b + c.
bool multipliesAndAdds(std::string_view name) {
  return name == "v_mac_f32" || name == "v_fmac_f32" || name == "v_mad_f32" || name == "v_fma_f32" ||
         name == "v_madmk_f32" || name == "v_fmamk_f32";
}

template <typename F> void forEachVgprSource(const Instruction &instruction, F f) {
  for (unsigned i = 0; i < instruction.src.size(); ++i)
    if (instruction.opcode->srcDwords[i] != 0 && instruction.src[i] >= FirstVgpr)
      f(instruction.src[i] - FirstVgpr);
  if (accumulates(instruction.opcode->name))
    f(instruction.dst - FirstVgpr);
}

} // namespace

bool dividesIntegers(const Wave &wave, const Instruction &reciprocal,
                     const std::function<const Instruction &(uint64_t)> &next) {
  constexpr unsigned MostInstructions = 40;
  constexpr uint32_t LeastScale = 0x4f000000; // 2^31
  std::bitset<256> derived, truncated;
  if (reciprocal.dst < FirstVgpr)
    return false;
  derived.set(reciprocal.dst - FirstVgpr);
  bool hasInteger = false, hasRemainder = false;
  uint64_t address = reciprocal.address + reciprocal.size;
  for (unsigned i = 0; i < MostInstructions; ++i) {
    const Instruction &instruction = next(address);
    if (instruction.opcode == nullptr || instruction.format == Format::Sopp)
      return false;
    address += instruction.size;
    const std::string_view name = instruction.opcode->name;
    if (instruction.dst < FirstVgpr || !name.starts_with("v_"))
      continue;
    bool isDerived = false, isTruncated = false, isNegated = false, isScaled = false;
    for (unsigned source = 0; source < instruction.src.size(); ++source) {
      const unsigned number = instruction.src[source];
      if (instruction.opcode->srcDwords[source] == 0)
        continue;
      const uint32_t scale = number == Literal ? instruction.literal : number < InlineZero ? wave.peekSgpr(number) : 0;
      isScaled |= scale >= LeastScale && scale <= TwoTo32;
      if (number < FirstVgpr)
        continue;
      isDerived |= derived[number - FirstVgpr];
      isTruncated |= truncated[number - FirstVgpr];
      isNegated |= truncated[number - FirstVgpr] && instruction.neg[source];
    }
    if (isDerived && isScaled && name == "v_mul_f32")
      return true;
    hasInteger |= isTruncated && (name == "v_cvt_u32_f32" || name == "v_cvt_i32_f32");
    hasRemainder |= isNegated && multipliesAndAdds(name);
    if (hasInteger && hasRemainder)
      return true;
    derived[instruction.dst - FirstVgpr] = isDerived && instruction.divisionUse == DivisionUse::Float;
    truncated[instruction.dst - FirstVgpr] = isDerived && name == "v_trunc_f32";
  }
  return false;
}

// The lanes whose result is high * 2^32 + low, of two converted integers.
uint64_t IntegerDivision::joinedHalves(const Wave &wave, const Instruction &instruction) const {
  if (!multipliesAndAdds(instruction.opcode->name))
    return 0;
  bool hasFactor = hasLiteralFactor(instruction) && instruction.literal == TwoTo32;
  uint64_t converted = ~uint64_t(0);
  for (uint16_t source : instruction.src) {
    const bool isScalar = source < InlineZero;
    hasFactor |=
        (isScalar && wave.peekSgpr(source) == TwoTo32) || (source == Literal && instruction.literal == TwoTo32);
  }
  forEachVgprSource(instruction, [&](unsigned vgpr) { converted &= m_converted[vgpr]; });
  return hasFactor ? converted : 0;
}

void IntegerDivision::begin(const Wave &wave, const Instruction &instruction, bool isReciprocal) {
  m_result = isReciprocal ? ~uint64_t(0) : 0;
  if (instruction.divisionUse != DivisionUse::Float)
    return;
  forEachVgprSource(instruction, [&](unsigned vgpr) { m_result |= m_exact[vgpr]; });
  m_result |= joinedHalves(wave, instruction);
}

void IntegerDivision::end(const Instruction &instruction, uint64_t written) {
  for (unsigned i = 0; i < instruction.opcode->dstDwords && instruction.dst >= FirstVgpr; ++i) {
    const unsigned vgpr = instruction.dst - FirstVgpr + i;
    if (vgpr >= VgprCount)
      return;
    forget(vgpr, written);
    m_exact[vgpr] |= m_result & written;
    if (instruction.divisionUse == DivisionUse::Conversion)
      m_converted[vgpr] |= written;
  }
}

} // namespace dovetail::emulator
