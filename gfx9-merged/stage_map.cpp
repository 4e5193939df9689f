// SPDX-License-Identifier: MIT
#include "gfx9-merged/stage_map.h"
#include <array>

namespace dovetail {

namespace {

using lgc::ShaderStage;
using lgc::stageBit;

constexpr uint32_t GraphicsMask = stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::TessControl) |
                                  stageBit(ShaderStage::TessEval) | stageBit(ShaderStage::Geometry) |
                                  stageBit(ShaderStage::Fragment);

HardwareProgram program(HardwareStage stage, std::initializer_list<ShaderStage> shaders) {
  return {stage, shaders};
}

std::string stageNames(uint32_t stageMask) {
  std::string names;
  for (uint32_t index = 0; index < lgc::ShaderStageCount; ++index) {
    auto stage = static_cast<ShaderStage>(index);
    if ((stageMask & stageBit(stage)) != 0)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", toString(stage));
  }
  return names.empty() ? "none" : names;
}

// The stages that every pipeline with these stages must have too.
uint32_t missingStages(uint32_t mask) {
  uint32_t needed = 0;
  uint32_t tessellation = stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval);
  if ((mask & tessellation) != 0)
    needed |= tessellation | stageBit(ShaderStage::Vertex);
  if ((mask & stageBit(ShaderStage::Geometry)) != 0)
    needed |= stageBit(ShaderStage::Vertex);
  return needed & ~mask;
}

// `needed`: stages that are needed besides those that missingStages() finds.
Result<void> checkStages(uint32_t mask, uint32_t needed) {
  const bool hasCompute = (mask & stageBit(ShaderStage::Compute)) != 0;
  if (mask == 0 || (hasCompute && (mask & GraphicsMask) != 0))
    return makeError(ErrorCode::InvalidInput, "no pipeline has these stages together: {}", stageNames(mask));
  if (const uint32_t missing = missingStages(mask) | (needed & ~mask))
    return makeError(ErrorCode::InvalidInput, "a pipeline with these stages ({}) also needs: {}", stageNames(mask),
                     stageNames(missing));
  return {};
}

} // namespace

std::string_view toString(ShaderStage stage) {
  constexpr std::array<std::string_view, lgc::ShaderStageCount> Names = {
      "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
  return Names[static_cast<size_t>(stage)];
}

Result<void> checkStages(uint32_t mask) {
  const bool hasCompute = (mask & stageBit(ShaderStage::Compute)) != 0;
  return checkStages(mask, hasCompute ? 0 : stageBit(ShaderStage::Vertex));
}

Result<StageMap> mapStages(uint32_t mask, bool hasMergedStages) {
  DOVETAIL_CHECK(checkStages(mask, 0));
  bool hasCompute = (mask & stageBit(ShaderStage::Compute)) != 0;
  if (hasCompute)
    return StageMap{program(HardwareStage::Cs, {ShaderStage::Compute})};

  StageMap map;
  // Adds a stage and the stage behind it: as two programs, or as one merged program.
  auto addPair = [&](HardwareStage firstStage, ShaderStage first, HardwareStage secondStage, ShaderStage second) {
    if (hasMergedStages) {
      map.push_back(program(secondStage, {first, second}));
    } else {
      map.push_back(program(firstStage, {first}));
      map.push_back(program(secondStage, {second}));
    }
  };
  // The shader whose outputs reach the geometry shader or the rasteriser.
  ShaderStage last = ShaderStage::Vertex;
  if ((mask & stageBit(ShaderStage::TessControl)) != 0) {
    addPair(HardwareStage::Ls, ShaderStage::Vertex, HardwareStage::Hs, ShaderStage::TessControl);
    last = ShaderStage::TessEval;
  }
  if ((mask & stageBit(ShaderStage::Geometry)) != 0) {
    addPair(HardwareStage::Es, last, HardwareStage::Gs, ShaderStage::Geometry);
    map.push_back(program(HardwareStage::Vs, {}));
  } else if ((mask & stageBit(ShaderStage::Vertex)) != 0) {
    map.push_back(program(HardwareStage::Vs, {last}));
  }
  if ((mask & stageBit(ShaderStage::Fragment)) != 0)
    map.push_back(program(HardwareStage::Ps, {ShaderStage::Fragment}));
  else
    map.push_back(program(HardwareStage::Ps, {}));
  return map;
}

} // namespace dovetail
