// SPDX-License-Identifier: MIT
//
// Source: src/abi/registers/registers.def says who owns which bits, as docs/driver-contract.md tells drivers.
#include "tools/proof/emulator/driver/written_registers.h"
#include "merge/registers/register_runs.h"
#include "src/abi/registers/register_fields.h"
#include <algorithm>

namespace dovetail {

Result<void> writeRegistersOf(const Image &image, emulator::Generation generation,
                              emulator::HardwareRegisters &registers) {
  const std::span<const RegisterMask> masks =
      registerMasks(generation == emulator::Generation::Gfx9 ? RegisterGenerations::Gfx9 : RegisterGenerations::Gfx8);
  const RegisterRuns written = registerRuns(image);
  for (const RegisterRun &run : written.runs)
    for (uint32_t i = 0; i < run.count; ++i) {
      const uint32_t address = run.address + i, value = written.valuesOf(run)[i];
      const auto mask = std::ranges::lower_bound(masks, address, {}, &RegisterMask::address);
      if (mask == masks.end() || mask->address != address)
        return makeError(ErrorCode::CheckFailed, "the image sets {}, which no image is to set", registerName(address));
      if ((value & ~mask->imageBits) != 0)
        return makeError(ErrorCode::CheckFailed, "the image sets bits {:#x} of {}, which are the driver's",
                         value & ~mask->imageBits, registerName(address));
      registers[address] = value;
    }
  return {};
}

} // namespace dovetail
