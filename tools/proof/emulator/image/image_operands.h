// SPDX-License-Identifier: MIT
//
// The vector operands of MIMG instructions: addresses in VADDR, which A16 packs two to a register, and texels in VDATA,
// packed by DMASK and by D16 ("Vega" ISA manual, sections 8.3 and 8.4.1; README-ISA.md of Mesa's ACO for A16, which
// packs gradients, too).
#pragma once

#include "tools/proof/emulator/image/image_view.h"
#include "tools/proof/emulator/wave/wave.h"
#include <array>
#include <bit>

namespace dovetail::emulator {

// Reads one operand after the other. References are valid until a VGPR is written.
class AddressOperands {
public:
  AddressOperands(Wave &wave, const Instruction &instruction)
      : m_wave(wave), m_instruction(instruction), m_isPacked(instruction.a16) {}

  // The next register, always of 32 bits.
  const Lanes &dword() {
    ++m_count;
    return last();
  }
  // The next register; with A16, its low half.
  Lanes single(bool isFloat);
  // The next values, which A16 packs. If their number is odd, the last has a register of its own.
  template <size_t Count> std::array<Lanes, Count> group(unsigned count, bool isFloat) {
    std::array<Lanes, Count> values = {};
    readGroup(std::span(values).first(count), isFloat);
    return values;
  }

private:
  void readGroup(std::span<Lanes> values, bool isFloat);

  // The register that was read last. Registers follow each other, or the instruction lists them; past its list, the
  // wave has trapped.
  const Lanes &last();

  Wave &m_wave;
  const Instruction &m_instruction;
  bool m_isPacked;
  unsigned m_count = 0; // registers that were read
};

// How many coordinates the image's type takes, and whether the last is a slice: T# and DA decide.
struct CoordinateCount {
  unsigned position = 0; // x; x, y; x, y, z; two on cubes
  bool hasSlice = false; // on cubes the face, plus 8 for each cube of an array
};
CoordinateCount coordinateCount(const ImageView &image, const Instruction &instruction);

// Writes the components in `mask` to the VGPRs from VDATA on, in lanes that are on, and puts them in flight. With TFE
// or LWE, `status` follows as one more dword: 0 in lanes whose texels are all resident.
void writeTexels(Wave &wave, const Instruction &instruction, const std::array<Lanes, 4> &components, unsigned mask,
                 bool isFloat, const Lanes &status = {});

// r, g, b, a of stores. Components that DMASK lacks are 0.
std::array<Lanes, 4> readTexels(Wave &wave, const Instruction &instruction, TexelNumeric numeric);

} // namespace dovetail::emulator
