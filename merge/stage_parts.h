// SPDX-License-Identifier: MIT
//
// The parts of one hardware shader, in running order. A plain vertex shader has two (prolog, main), a fragment shader
// two or three, and a merged GFX9 stage up to five plus the glue.
#pragma once

#include "parts/part.h"
#include "src/abi/hardware_stage.h"
#include <boost/container/static_vector.hpp>

namespace dovetail {

// Five parts ([prolog][main][prolog][main][epilog]) and two pieces of glue.
constexpr unsigned MaxPartsPerStage = 7;
// A tessellated pipeline with a geometry shader on GFX8: Ls, Hs, Es, Gs, Vs (copy shader), Ps.
constexpr unsigned MaxStagesPerImage = 6;

struct StageParts {
  HardwareStage stage = HardwareStage::Vs;
  boost::container::static_vector<PartRef, MaxPartsPerStage> parts;
};

} // namespace dovetail
