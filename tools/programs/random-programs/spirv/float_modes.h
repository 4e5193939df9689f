// SPDX-License-Identifier: MIT
//
// Lists the execution modes of floats by the members of FloatMode.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::random_programs {

struct FloatModeRow {
  bool FloatMode::*flag;
  spv::Capability capability;
  spv::ExecutionMode mode;
};

constexpr FloatModeRow FloatModeRows[] = {
    {&FloatMode::keepsDenormals, spv::Capability::DenormPreserve, spv::ExecutionMode::DenormPreserve},
    {&FloatMode::flushesDenormals, spv::Capability::DenormFlushToZero, spv::ExecutionMode::DenormFlushToZero},
    {&FloatMode::roundsToEven, spv::Capability::RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE},
    {&FloatMode::roundsToZero, spv::Capability::RoundingModeRTZ, spv::ExecutionMode::RoundingModeRTZ},
    {&FloatMode::keepsSigns, spv::Capability::SignedZeroInfNanPreserve, spv::ExecutionMode::SignedZeroInfNanPreserve},
};

constexpr Scalar FloatScalars[] = {Scalar::F16, Scalar::F32, Scalar::F64};

} // namespace dovetail::random_programs
