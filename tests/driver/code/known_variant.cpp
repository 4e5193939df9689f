// SPDX-License-Identifier: MIT
#include "tests/driver/code/known_variant.h"
#include "gfx9-merged/stage_map.h"
#include "merge/check/check_image.h"
#include "parts/kinds/main_part.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "variants/assemble/get_parts.h"
#include "variants/assemble/join_programs.h"
#include "variants/optimize/program_cost.h"
#include <doctest/doctest.h>

namespace dovetail {

namespace {

using lgc::ShaderStage;

template <typename T> T take(Result<T> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

const ProgramCost &costOf(const std::vector<ProgramCost> &costs, HardwareStage stage) {
  auto cost = std::ranges::find(costs, stage, &ProgramCost::stage);
  REQUIRE(cost != costs.end());
  return *cost;
}

} // namespace

VariantRef buildUnderKnowledge(Device &device, const ShaderSet &shaders, const PipelineState &state,
                               const KnowledgeByStage &knowledge) {
  PartMaker &maker = device.partMaker();
  auto sourceUnder = [&](ShaderStage stage) {
    ShaderSource source = sourceOf(shaders, stage, maker.gpuName());
    source.key.knowledge = knowledge[size_t(stage)];
    return source;
  };
  const StageMap stages = take(mapStages(shaders.stageMask(), device.target().hasMergedStages));
  PartRef evaluation;
  if (shaders.shader(ShaderStage::TessEval))
    evaluation = take(maker.getMainPart(sourceUnder(ShaderStage::TessEval))).part;
  const ShaderInterface *evaluationInterface = evaluation ? &*evaluation->interface : nullptr;

  std::vector<ProgramParts> programs;
  for (const HardwareProgram &hardware : stages) {
    REQUIRE(!hardware.shaders.empty()); // geometry shaders are not supported
    ProgramParts &program = programs.emplace_back();
    program.parts.stage = hardware.stage;
    const ShaderStage first = hardware.shaders.front();
    MadePart made;
    if (hardware.isMerged())
      made = take(maker.getMonolithicMerged(hardware.stage, sourceUnder(first), sourceUnder(hardware.shaders[1]), state,
                                            evaluationInterface));
    else if (first == ShaderStage::TessEval || first == ShaderStage::Compute)
      made = take(maker.getMainPart(sourceUnder(first)));
    else
      made = take(maker.getMonolithic(sourceUnder(first), state, evaluationInterface));
    program.parts.parts.push_back(made.part);
    program.uses.push_back({made.part, made.made, made.microseconds});
  }
  VariantRef variant = take(joinPrograms(device.target(), {}, shaders, std::move(programs), state, true, true));
  if (Result<void> checked = checkImage(*variant->image); !checked)
    FAIL(checked.error().text);
  return variant;
}

VariantRef buildJoined(Device &device, const ShaderSet &shaders, const PipelineState &state) {
  return take(device.bind(shaders, state));
}

SceneResult drawWith(const Variant &variant, const Scene &scene, const ShaderSet &shaders) {
  return take(emulate(scene, shaders, *variant.image));
}

uint32_t instructionsOf(const Variant &variant, HardwareStage stage) {
  return costOf(programCosts(*variant.image), stage).instructions;
}

uint32_t vgprsOf(const Variant &variant, HardwareStage stage) {
  return costOf(programCosts(*variant.image), stage).vgprs;
}

} // namespace dovetail
