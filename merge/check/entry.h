// SPDX-License-Identifier: MIT
//
// The contents of registers when a stage starts, read back from the register values of the finished image alone.
#pragma once

#include "merge/image.h"
#include "src/abi/value.h"
#include <map>

namespace dovetail::check {

// The values that registers hold; only registers that the driver or the hardware really sets.
std::map<Register, ValueName> entryValues(const Image &image, const ImageStage &stage);

// One past the last SGPR that the driver sets.
unsigned userSgprsEnd(const Image &image, const ImageStage &stage);

// The stage's RSRC1; 0 if the image does not program it.
uint32_t rsrc1(const Image &image, const ImageStage &stage);
// The stage's RSRC2, likewise.
uint32_t rsrc2(const Image &image, const ImageStage &stage);
// Any register's value; 0 if the image does not program it.
uint32_t registerValue(const Image &image, uint32_t address);

} // namespace dovetail::check
