// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/code_gain.h"
#include "variants/optimize/pack_parameters.h"
#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <map>

namespace dovetail {

namespace {

struct Sum {
  size_t programs = 0;
  uint64_t instructions[2] = {}, vgprs[2] = {}, parameters[2] = {}; // joined, optimised

  void add(const ProgramCost &joined, const ProgramCost &optimized) {
    ++programs;
    instructions[0] += joined.instructions;
    instructions[1] += optimized.instructions;
    vgprs[0] += joined.vgprs;
    vgprs[1] += optimized.vgprs;
    parameters[0] += joined.parameters;
    parameters[1] += optimized.parameters;
  }
};

std::string printRow(const std::string &name, std::string_view stage, const Sum &sum, const std::string &remark = {}) {
  auto change = [](const uint64_t(&values)[2]) {
    return values[0] ? 100.0 * (double(values[1]) - double(values[0])) / double(values[0]) : 0.0;
  };
  return fmt::format("{:44.44} {:5} {:7} -> {:7} {:+7.1f}% {:6} -> {:6} {:+7.1f}% {:4} -> {:4}{}{}\n", name, stage,
                     sum.instructions[0], sum.instructions[1], change(sum.instructions), sum.vgprs[0], sum.vgprs[1],
                     change(sum.vgprs), sum.parameters[0], sum.parameters[1], remark.empty() ? "" : "  ", remark);
}

const ShaderInterface *interfaceOf(const Image &image, HardwareStage program) {
  auto found = std::ranges::find(image.stages, program, &ImageStage::stage);
  return found == image.stages.end() ? nullptr : found->interface;
}

// The joined shader says how a location is read; the optimised shader says which components it still reads.
uint32_t leastParametersOf(const Image &joined, const Image &optimized, const PipelineState &state) {
  const ShaderInterface *vs = interfaceOf(joined, HardwareStage::Vs);
  const ShaderInterface *before = interfaceOf(joined, HardwareStage::Ps);
  const ShaderInterface *after = interfaceOf(optimized, HardwareStage::Ps);
  if (!vs || !before || !after)
    return 0;
  ShaderInterface fragment = *before;
  fragment.inputComponents = after->inputComponents;
  fragment.fragment.colorInputs = after->fragment.colorInputs;
  return leastParameters(fragment, vs->preRaster.parameters, state.spriteCoordEnable);
}

uint64_t parametersOf(const std::vector<ProgramCost> &costs) {
  uint64_t sum = 0;
  for (const ProgramCost &cost : costs)
    sum += cost.parameters;
  return sum;
}

std::string printParameters(const std::vector<CodeGain> &gains) {
  uint64_t before = 0, after = 0, least = 0;
  std::vector<std::string> beyond;
  for (const CodeGain &gain : gains) {
    before += parametersOf(gain.joined);
    after += parametersOf(gain.optimized);
    least += gain.leastParameters;
    if (parametersOf(gain.optimized) > gain.leastParameters)
      beyond.push_back(fmt::format("{} ({} of {})", std::filesystem::path(gain.name).filename().string(),
                                   parametersOf(gain.optimized), gain.leastParameters));
  }
  std::string text =
      fmt::format("{} parameters joined, {} optimised; {} would do for what is read\n", before, after, least);
  if (!beyond.empty())
    text += fmt::format("{} have more than would do: {}\n", beyond.size(), fmt::join(beyond, ", "));
  return text;
}

} // namespace

Result<CodeGain> measureGain(Device &device, const DrawCase &drawCase, const std::string &name) {
  VariantRef joined = DOVETAIL_TRY(buildDrawn(device, drawCase, DrawnCode::Joined));
  OptimizedBuild build = DOVETAIL_TRY(buildOptimized(device, drawCase));
  const Image &before = *joined->image, &after = build.variant ? *build.variant->image : before;
  const bool isRasterised = !drawCase.scene.state.rasterizerDiscardEnable;
  return CodeGain{name, build.rejection, programCosts(before), programCosts(after),
                  isRasterised ? leastParametersOf(before, after, drawCase.scene.state) : 0};
}

std::string printGains(const std::vector<CodeGain> &gains) {
  std::string text = fmt::format("{:44} {:5} {:>18} {:>8} {:>16} {:>8} {:>12}\n", "program", "stage", "instructions",
                                 "", "VGPRs", "", "parameters");
  std::map<HardwareStage, Sum> stages;
  Sum total;
  size_t better = 0, equal = 0, worse = 0, built = 0;
  std::map<std::string, std::vector<std::string>> rejected; // names of pipelines by reason
  for (const CodeGain &gain : gains) {
    const std::string name = std::filesystem::path(gain.name).filename().string();
    if (gain.rejection.empty())
      ++built;
    else
      rejected[gain.rejection].push_back(name);
    for (size_t i = 0; i < gain.joined.size(); ++i) {
      const ProgramCost &joined = gain.joined[i], &optimized = gain.optimized[i];
      const bool isWorse = needsMore(optimized, joined);
      const bool isEqual = optimized == joined;
      ++(isWorse ? worse : isEqual ? equal : better);
      Sum own;
      own.add(joined, optimized);
      stages[joined.stage].add(joined, optimized);
      total.add(joined, optimized);
      text += printRow(name, toString(joined.stage), own, isWorse ? "worse" : "");
    }
  }
  for (const auto &[stage, sum] : stages)
    text += printRow(fmt::format("all {} programs", sum.programs), toString(stage), sum);
  text += printRow(fmt::format("all {} programs", total.programs), "", total);
  text += fmt::format("{} programs are better, {} equal, {} worse; {} of {} variants are optimised\n", better, equal,
                      worse, built, gains.size());
  text += printParameters(gains);
  for (const auto &[rejection, names] : rejected)
    text += fmt::format("{} rejected, {}: {}\n", names.size(), rejection, fmt::join(names, ", "));
  return text;
}

} // namespace dovetail
