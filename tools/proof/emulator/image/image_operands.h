// SPDX-License-Identifier: MIT
//
// The vector operands of MIMG instructions: addresses in VADDR, of which A16 packs two into a register, and texels in
// VDATA, packed by DMASK and by D16 ("Vega" ISA manual, sections 8.3 and 8.4.1; that A16
// packs gradients, too: README-ISA.md of Mesa's ACO).
#pragma once

#include "tools/proof/emulator/image/image_view.h"
#include "tools/proof/emulator/wave/wave.h"
#include <array>
#include <bit>

namespace dovetail::emulator {

// Reads one operand after the other. The references are valid as long as no VGPR is written.
class AddressOperands {
public:
  AddressOperands(Wave &wave, const Instruction &instruction)
      : m_wave(wave), m_isPacked(instruction.a16), m_next(instruction.vaddr) {}

  // The next register, always of 32 bits.
  const Lanes &dword() { return m_wave.readVgpr(m_next++); }
  // The next register: with A16 only the low half is used.
  Lanes single(bool isFloat);
  // The next values, which A16 packs. An odd last one has a register of its own.
  template <size_t Count> std::array<Lanes, Count> group(unsigned count, bool isFloat) {
    std::array<Lanes, Count> values = {};
    readGroup(std::span(values).first(count), isFloat);
    return values;
  }

private:
  void readGroup(std::span<Lanes> values, bool isFloat);

  Wave &m_wave;
  bool m_isPacked;
  unsigned m_next;
};

// How many coordinates the image's type takes, and whether the last one of them is a slice: T# and DA decide.
struct CoordinateCount {
  unsigned position = 0; // x; x, y; x, y, z; on cubes two
  bool hasSlice = false; // on cubes the face, with 8 for each cube of an array
};
CoordinateCount coordinateCount(const ImageView &image, const Instruction &instruction);

// Writes the components in `mask` to the VGPRs from VDATA on, in lanes that are on, and puts them in flight. With TFE
// or LWE one more dword is `status`: 0 in lanes all of whose texels are resident.
void writeTexels(Wave &wave, const Instruction &instruction, const std::array<Lanes, 4> &components, unsigned mask,
                 bool isFloat, const Lanes &status = {});

// r, g, b, a of stores. What DMASK leaves out is 0.
std::array<Lanes, 4> readTexels(Wave &wave, const Instruction &instruction, TexelNumeric numeric);

} // namespace dovetail::emulator
