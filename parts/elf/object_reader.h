// SPDX-License-Identifier: MIT
//
// Reads the relocatable object file that LLVM makes of one part, once, when the part is made. Joining works on the
// plain data only.
#pragma once

#include "parts/compile/fill_part.h"

namespace dovetail {

// The object must hold one function of the stage's calling convention. Errors: Unsupported for contents that a part
// cannot hold (writable data, calls, relocation types without a RelocationKind), naming section or symbol; Internal for
// metadata that LLVM does not make.
Result<ObjectCode> readObject(std::span<const uint8_t> elf, HardwareStage stage);

} // namespace dovetail
