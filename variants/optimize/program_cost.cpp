// SPDX-License-Identifier: MIT
#include "variants/optimize/program_cost.h"
#include <fmt/format.h>

namespace dovetail {

bool needsMore(const ProgramCost &cost, const ProgramCost &than) {
  return cost.steps() > than.steps() || cost.vgprs > than.vgprs || cost.scratchBytes > than.scratchBytes ||
         cost.parameters > than.parameters;
}

std::vector<ProgramCost> programCosts(const Image &image) {
  std::vector<ProgramCost> costs;
  for (const ImageStage &stage : image.stages)
    costs.push_back({stage.stage, 0, stage.usage.vgprs, stage.usage.scratchBytes,
                     stage.stage == HardwareStage::Vs ? uint32_t(stage.interface->preRaster.parameters.size()) : 0});
  for (const ImagePart &part : image.parts)
    costs[part.stage].instructions += part.part->instructionCount + (part.waitStates ? 1 : 0);
  return costs;
}

std::string describeLoss(const Image &first, const Image &second) {
  std::vector<ProgramCost> before = programCosts(first), after = programCosts(second);
  if (before.size() != after.size())
    return fmt::format("{} programs instead of {}", after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    if (after[i].steps() > before[i].steps() && after[i].parameters <= before[i].parameters)
      return fmt::format("the {} program has {} instructions and {} parameters instead of {} and {}",
                         toString(after[i].stage), after[i].instructions, after[i].parameters, before[i].instructions,
                         before[i].parameters);
    if (after[i].vgprs > before[i].vgprs)
      return fmt::format("the {} program has {} VGPRs instead of {}", toString(after[i].stage), after[i].vgprs,
                         before[i].vgprs);
    if (after[i].scratchBytes > before[i].scratchBytes)
      return fmt::format("the {} program has {} bytes of scratch memory instead of {}", toString(after[i].stage),
                         after[i].scratchBytes, before[i].scratchBytes);
    if (after[i].parameters > before[i].parameters)
      return fmt::format("the {} program exports {} parameters instead of {}", toString(after[i].stage),
                         after[i].parameters, before[i].parameters);
  }
  return {};
}

} // namespace dovetail
