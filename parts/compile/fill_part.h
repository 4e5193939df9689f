// SPDX-License-Identifier: MIT
//
// The last step in making a part: finds the facts in its code that the join needs.
#pragma once

#include "parts/part.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/isa/encoder.h"
#include <string_view>
#include <vector>

namespace dovetail {

// The content of an object file, as a part needs it.
struct ObjectCode {
  std::vector<uint8_t> code;
  std::vector<uint8_t> constants; // all read-only data sections, one behind the other
  uint32_t constantsAlignment = 4;
  std::vector<Relocation> relocations;
  std::vector<LayoutRelocation> layoutRelocations; // sorted by offset
  Usage usage;
};

// Moves an object's content into a part whose contract is set: counts instructions, summarises hazards, and makes the
// usage cover the contract's registers. Errors: those of decoding and of isa::summarizeHazards.
Result<void> fillPart(Part &part, ObjectCode object, std::string_view gpuName);

// The same for code whose instructions LLVM's code generation has recorded, without what mc::readControl() adds
// (lgc::CompiledShader). If they are not all of the code, the code is decoded.
Result<void> fillPart(Part &part, ObjectCode object, std::vector<isa::Instruction> recorded, std::string_view gpuName);

// The same for encoded code, which is not decoded again. Code and register counts come from the encoder, not from the
// object.
Result<void> fillPart(Part &part, ObjectCode object, const isa::Encoder &encoder, const TargetInfo &target);

} // namespace dovetail
