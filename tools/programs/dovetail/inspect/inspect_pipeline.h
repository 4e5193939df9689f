// SPDX-License-Identifier: MIT
//
// Describes one pipeline in all detail: its parts; the costs and differences of its joined, monolithic and optimised
// code; the code with its source lines and live registers.
#pragma once

#include "tools/common/pipelines/subject.h"
#include "variants/bind/device.h"

namespace dovetail {

enum class InspectedCode : uint8_t { Joined, Monolithic, Optimized, FirstCode };

// `code`: the kind of code to print. First code is compared with the others only if it is asked for. Errors: those of
// Device::bind(), buildOptimizedVariant() and the disassembler.
Result<std::string> describePipeline(Device &device, const Subject &subject, InspectedCode code);

// The mnemonics that `other` has more or less often than `code`, greatest difference first: "+3 v_mov_b32_e32, -1
// s_nop". Both are programs of one stage. Errors: those of the disassembler.
Result<std::string> compareMnemonics(const Image &code, const Image &other, size_t stage);

} // namespace dovetail
