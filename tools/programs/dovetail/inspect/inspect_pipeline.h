// SPDX-License-Identifier: MIT
//
// One pipeline in all detail: its parts, what its joined, monolithic and optimised code cost and differ in, and code
// with the lines that it comes from and the registers that are live.
#pragma once

#include "tools/common/pipelines/subject.h"
#include "variants/bind/device.h"

namespace dovetail {

enum class InspectedCode : uint8_t { Joined, Monolithic, Optimized };

// `code`: which is shown. Errors: those of Device::bind(), buildOptimizedVariant() and the disassembler.
Result<std::string> describePipeline(Device &device, const Subject &subject, InspectedCode code);

// The mnemonics of which `other` has more or fewer than `code`, most first: "+3 v_mov_b32_e32, -1 s_nop". Both are
// programs of one stage. Errors: those of the disassembler.
Result<std::string> compareMnemonics(const Image &code, const Image &other, size_t stage);

} // namespace dovetail
