// SPDX-License-Identifier: MIT
//
// From API stages to hardware programs. GFX8 launches a program for each API stage, and a copy shader behind a geometry
// shader, which exports what that wrote. GFX9's front end launches no LS and no ES of its own: a vertex shader in front
// of a tessellation control shader runs in the first half of the HS program, and the shader in front of a geometry
// shader in the first half of the GS program.
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
  // Empty: the copy shader of a geometry shader (Vs), or what stands for a missing fragment shader (Ps).
  boost::container::static_vector<lgc::ShaderStage, 2> shaders;

  bool isMerged() const { return shaders.size() == 2; }
  bool operator==(const HardwareProgram &) const = default;
};

// In the order in which the programs run.
using StageMap = boost::container::static_vector<HardwareProgram, MaxStagesPerImage>;

// The programs for a set of API stages (lgc::stageBit()s). A fragment shader may be missing, or stand alone.
// hasMergedStages: of the GPU (TargetInfo). Errors: InvalidInput for stages that no pipeline has
// together.
Result<StageMap> mapStages(uint32_t stageMask, bool hasMergedStages);

// Whether something can be drawn or dispatched with these stages: a fragment shader alone can be compiled only. Errors:
// InvalidInput, naming the stages that are missing or too many.
Result<void> checkStages(uint32_t stageMask);

// "vertex", "tessellation control", …
std::string_view toString(lgc::ShaderStage stage);

} // namespace dovetail
