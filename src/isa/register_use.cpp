// SPDX-License-Identifier: MIT
#include "src/isa/register_use.h"
#include "src/abi/target_info.h"
#include <algorithm>

namespace dovetail::isa {

namespace {

// "VCC, FLAT_SCRATCH, XNACK_MASK" behind the last numbered SGPR, in the order in which LLVM counts them
// (getNumExtraSGPRs). Instructions that merely could use one list it as implicit.
uint16_t specialSgprs(const RegisterRange &range) {
  if (range.file == RegisterFile::Vcc)
    return 2;
  if (range.file == RegisterFile::XnackMask && !range.implicit)
    return 4;
  if (range.file == RegisterFile::FlatScratch && !range.implicit)
    return 6;
  return 0;
}

} // namespace

RegisterUse registersUsed(std::span<const Instruction> instructions) {
  RegisterUse use;
  auto count = [&](const RegisterRange &range) {
    if (range.file == RegisterFile::Vgpr)
      use.vgprs = std::max<uint16_t>(use.vgprs, range.first + range.count);
    else if (range.file != RegisterFile::Sgpr)
      use.specialSgprs = std::max(use.specialSgprs, specialSgprs(range));
    else if (range.first < NumberedSgprs)
      use.numberedSgprs = std::max<uint16_t>(use.numberedSgprs, range.first + range.count);
  };
  for (const Instruction &instruction : instructions) {
    std::for_each(instruction.reads.begin(), instruction.reads.end(), count);
    std::for_each(instruction.writes.begin(), instruction.writes.end(), count);
  }
  return use;
}

} // namespace dovetail::isa
