// SPDX-License-Identifier: MIT
//
// The last step in making a part: finds the facts in its code that the join needs.
#pragma once

#include "parts/compile/object_reader.h"
#include "src/abi/target_info.h"
#include "src/isa/encoder.h"
#include <string_view>
#include <vector>

namespace dovetail {

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
