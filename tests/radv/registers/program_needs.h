// SPDX-License-Identifier: MIT
//
// What the parts of a hardware program say that they need, without the code that merges it: bounds for what is each
// driver's own.
#pragma once

#include "merge/image.h"
#include "src/abi/registers/registers.h"
#include "src/abi/target_info.h"

namespace dovetail {

struct Bounds {
  uint32_t least, most;
  bool contains(uint32_t value) const { return least <= value && value <= most; }
};

// nullopt for what no program owns.
std::optional<HardwareStage> stageOf(RegisterOwner owner);

// RSRC1's VGPRS and SGPRS: from what the parts use, to that or what the hardware can load at the start.
Bounds vgprGranules(const Image &image, HardwareStage stage);
Bounds sgprEights(const Image &image, const TargetInfo &target, HardwareStage stage);

bool usesScratch(const Image &image, HardwareStage stage);

// Some part takes the value, in any component, as it begins.
bool takes(const Image &image, HardwareStage stage, const ValueName &value);

// An entry of a user-data map: what some part takes, the second half of such an address, or nothing.
bool isUserDataOf(const Image &image, HardwareStage stage, uint32_t entry);

} // namespace dovetail
