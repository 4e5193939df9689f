// SPDX-License-Identifier: MIT
//
// The needs of a hardware program's parts, taken without the code that merges them. They are bounds for values that
// each driver chooses itself.
#pragma once

#include "merge/image.h"
#include "src/abi/registers/registers.h"
#include "src/abi/target_info.h"

namespace dovetail {

struct Bounds {
  uint32_t least, most;
  bool contains(uint32_t value) const { return least <= value && value <= most; }
};

// nullopt if no program owns the register.
std::optional<HardwareStage> stageOf(RegisterOwner owner);

// RSRC1's VGPRS and SGPRS: at least the registers that the parts use, at most those or the ones that the hardware can
// load at the start.
Bounds vgprGranules(const Image &image, HardwareStage stage);
Bounds sgprEights(const Image &image, const TargetInfo &target, HardwareStage stage);

bool usesScratch(const Image &image, HardwareStage stage);

// Whether some part takes the value, in any component, as it begins.
bool takes(const Image &image, HardwareStage stage, const ValueName &value);

// Whether an entry of a user-data map is a value that some part takes, the second half of such an address, or nothing.
bool isUserDataOf(const Image &image, HardwareStage stage, uint32_t entry);

} // namespace dovetail
