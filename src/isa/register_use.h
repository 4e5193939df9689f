// SPDX-License-Identifier: MIT
//
// Tells which registers a piece of code touches. The hardware allocates numbered and special SGPRs together, the
// special ones last. So parts that share an allocation need the largest count of numbered SGPRs plus the largest count
// of special ones.
#pragma once

#include "src/abi/target_info.h"
#include "src/isa/instruction.h"
#include <algorithm>
#include <cstdint>
#include <span>

namespace dovetail::isa {

struct RegisterUse {
  uint16_t numberedSgprs = 0; // one past the highest SGPR that is read or written by its number
  uint16_t specialSgprs = 0;  // 2: VCC, 4: also XNACK_MASK, 6: also FLAT_SCRATCH
  uint16_t vgprs = 0;         // one past the highest

  void add(const RegisterRange &range) {
    if (range.file == RegisterFile::Vgpr)
      vgprs = std::max<uint16_t>(vgprs, range.first + range.count);
    else if (range.file != RegisterFile::Sgpr)
      addSpecial(range);
    else if (range.first < NumberedSgprs)
      numberedSgprs = std::max<uint16_t>(numberedSgprs, range.first + range.count);
  }

private:
  // Counts VCC, FLAT_SCRATCH and XNACK_MASK behind the last numbered SGPR, in the order in which LLVM counts them
  // (getNumExtraSGPRs). An instruction that might use XNACK_MASK or FLAT_SCRATCH lists it as implicit; that does not
  // count.
  void addSpecial(const RegisterRange &range) {
    if (range.file == RegisterFile::Vcc)
      specialSgprs = std::max<uint16_t>(specialSgprs, 2);
    else if (range.file == RegisterFile::XnackMask && !range.implicit)
      specialSgprs = std::max<uint16_t>(specialSgprs, 4);
    else if (range.file == RegisterFile::FlatScratch && !range.implicit)
      specialSgprs = std::max<uint16_t>(specialSgprs, 6);
  }
};

RegisterUse registersUsed(std::span<const Instruction> instructions);

} // namespace dovetail::isa
