// SPDX-License-Identifier: MIT
//
// Maps API stages to hardware programs. GFX8 launches a program for each API stage. Behind a geometry shader it also
// launches a copy shader, which exports the vertices that the geometry shader wrote. GFX9's front end launches no LS
// and no ES of its own: a vertex shader in front of a tessellation control shader runs in the first half of the HS
// program, and the shader in front of a geometry shader in the first half of the GS program.
//
// | API stages, GFX8    | ls | hs  | es  | gs | vs   | ps | cs |
// |---------------------|----|-----|-----|----|------|----|----|
// | VS, FS              |    |     |     |    | VS   | FS |    |
// | VS, TCS, TES, FS    | VS | TCS |     |    | TES  | FS |    |
// | VS, GS, FS          |    |     | VS  | GS | copy | FS |    |
// | VS, TCS, TES, GS, FS| VS | TCS | TES | GS | copy | FS |    |
// | CS                  |    |     |     |    |      |    | CS |
//
// | API stages, GFX9    | hs       | gs       | vs   | ps | cs |
// |---------------------|----------|----------|------|----|----|
// | VS, FS              |          |          | VS   | FS |    |
// | VS, TCS, TES, FS    | VS + TCS |          | TES  | FS |    |
// | VS, GS, FS          |          | VS + GS  | copy | FS |    |
// | VS, TCS, TES, GS, FS| VS + TCS | TES + GS | copy | FS |    |
// | CS                  |          |          |      |    | CS |
//
// Where the FS is missing, PS is the null fragment shader.
#pragma once

#include "merge/stage_parts.h"
#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include <boost/container/static_vector.hpp>
#include <string_view>

namespace dovetail {

// One program that the hardware launches, and the API shaders that it runs one after the other.
struct HardwareProgram {
  HardwareStage stage = HardwareStage::Vs;
  // Empty for the copy shader of a geometry shader (Vs), and for the null fragment shader (Ps).
  boost::container::static_vector<lgc::ShaderStage, 2> shaders;

  bool isMerged() const { return shaders.size() == 2; }
  bool operator==(const HardwareProgram &) const = default;
};

// In the order in which the programs run.
using StageMap = boost::container::static_vector<HardwareProgram, MaxStagesPerImage>;

// The programs for a set of API stages (lgc::stageBit()s). A fragment shader may be missing, or stand alone.
// hasMergedStages: the GPU's (TargetInfo). Errors: InvalidInput for stages that make no pipeline together.
Result<StageMap> mapStages(uint32_t stageMask, bool hasMergedStages);

// Checks that these stages can draw or dispatch: a fragment shader alone can only be compiled. Errors: InvalidInput,
// naming the stages that are missing or too many.
Result<void> checkStages(uint32_t stageMask);

// "vertex", "tessellation control", …
std::string_view toString(lgc::ShaderStage stage);

} // namespace dovetail
