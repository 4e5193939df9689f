// SPDX-License-Identifier: MIT
//
// From API stages to hardware programs on GFX9. The front end there launches no LS and no ES of its own: a vertex
// shader in front of a tessellation control shader runs in the first half of the HS program, and the shader in front of
// a geometry shader in the first half of the GS program. Behind a geometry shader, a copy shader in the VS program
// exports what it wrote.
//
// | API stages          | hs       | gs       | vs   | ps | cs |
// |---------------------|----------|----------|------|----|----|
// | VS, FS              |          |          | VS   | FS |    |
// | VS, TCS, TES, FS    | VS + TCS |          | TES  | FS |    |
// | VS, GS, FS          |          | VS + GS  | copy | FS |    |
// | VS, TCS, TES, GS, FS| VS + TCS | TES + GS | copy | FS |    |
// | CS                  |          |          |      |    | CS |
#pragma once

#include "merge/plan.h"
#include "src/base/error.h"
#include "src/lgc/shader_modes.h"
#include <boost/container/static_vector.hpp>
#include <string_view>

namespace dovetail {

// One program that the hardware launches, and the API shaders that it runs one after the other.
struct HardwareProgram {
  HardwareStage stage = HardwareStage::Vs;
  boost::container::static_vector<lgc::ShaderStage, 2> shaders; // empty: the copy shader of a geometry shader

  bool isMerged() const { return shaders.size() == 2; }
  bool operator==(const HardwareProgram &) const = default;
};

// In the order in which the programs run.
using StageMap = boost::container::static_vector<HardwareProgram, MaxStagesPerImage>;

// The programs for a set of API stages (lgc::stageBit()s). A fragment shader may be missing, and may stand alone.
// Errors: InvalidInput for stages that no pipeline has together.
Result<StageMap> mapStages(uint32_t stageMask);

// The same, for stages that parts can be planned for. Errors: also Unsupported, naming the program and its stages,
// where a merged program or a copy shader would be needed.
Result<StageMap> planStages(uint32_t stageMask);

// "vertex", "tessellation control", …
std::string_view toString(lgc::ShaderStage stage);

} // namespace dovetail
