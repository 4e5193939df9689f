// SPDX-License-Identifier: MIT
//
// Finds the instruction at an offset of an image: a program counter of a trace or of a fault, minus the address of the
// code.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <optional>
#include <string>

namespace dovetail {

struct CodePlace {
  uint32_t stage = 0;           // index into image.stages
  std::optional<uint32_t> part; // index into image.parts; nothing: an s_nop that the join put between two parts
  uint32_t instruction = 0;     // where the instruction begins, in the image
  uint32_t size = 0;            // of the instruction
  std::string text;             // "v_mov_b32_e32 v0, s3"
};

// The offset may be in the middle of an instruction. Thread-safe; decodes the code in front of it in the same part.
// Errors: InvalidInput for an offset that is in no program; those of the disassembler.
Result<CodePlace> findPlace(const Image &image, uint32_t offset);

} // namespace dovetail
