// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/inspect/program_row.h"
#include "merge/image_metadata.h"
#include "variants/inspect/code_cost.h"
#include <algorithm>
#include <tuple>

namespace dovetail {

namespace {

// LDS of a compute unit, which has four SIMDs ("Vega" ISA manual, section 2.3).
constexpr uint32_t LdsOfUnit = 64 * 1024, SimdsOfUnit = 4, LanesOfWave = 64;

// How many waves of a SIMD workgroups with so much LDS and so many threads allow.
uint32_t wavesByLds(const TargetInfo &target, uint32_t ldsBytes, uint32_t threads) {
  if (ldsBytes == 0 || threads == 0)
    return target.maxWavesPerSimd;
  const uint32_t groups = LdsOfUnit / std::min(ldsBytes, LdsOfUnit);
  const uint32_t wavesOfGroup = (threads + LanesOfWave - 1) / LanesOfWave;
  return std::clamp(groups * wavesOfGroup / SimdsOfUnit, 1u, target.maxWavesPerSimd);
}

std::string describeLimit(const TargetInfo &target, const ProgramRow &row, uint32_t byLds) {
  std::string text;
  auto add = [&](const std::string &what) { text += (text.empty() ? "" : "; ") + what; };
  auto byVgprs = [&](uint32_t vgprs) { return wavesPerSimd(target, 0, vgprs); };
  auto bySgprs = [&](uint32_t sgprs) { return wavesPerSimd(target, sgprs, 0); };
  if (row.waves >= target.maxWavesPerSimd)
    return "";
  if (byVgprs(row.vgprs) == row.waves)
    add(fmt::format("VGPRs, {} more than for {} waves", registersToAnotherWave(row.vgprs, byVgprs), row.waves + 1));
  if (bySgprs(row.sgprs) == row.waves)
    add(fmt::format("SGPRs, {} more than for {} waves", registersToAnotherWave(row.sgprs, bySgprs), row.waves + 1));
  if (byLds == row.waves)
    add("LDS");
  return text;
}

} // namespace

Result<std::vector<ProgramRow>> programRows(const Image &image, const TargetInfo &target, uint32_t threads) {
  std::vector<ProgramRow> rows;
  const std::vector<CodeCost> costs = DOVETAIL_TRY(costsOfPrograms(image));
  for (size_t index = 0; index < image.stages.size(); ++index) {
    const ImageStage &stage = image.stages[index];
    ProgramRow &row = rows.emplace_back();
    row.stage = toString(stage.stage);
    row.instructions = costs[index].instructions;
    row.cycles = costs[index].cycles;
    row.bytes = stage.size;
    row.sgprs = stage.usage.sgprs;
    row.vgprs = stage.usage.vgprs;
    row.scratchBytes = stage.usage.scratchBytes;
    row.spilledSgprs = stage.usage.spilledSgprs;
    row.spilledVgprs = stage.usage.spilledVgprs;
    row.ldsBytes = ldsBytesOf(image, stage);
    const uint32_t byLds = wavesByLds(target, row.ldsBytes, threads);
    row.waves = std::min(wavesPerSimd(target, row.sgprs, row.vgprs), byLds);
    row.limit = describeLimit(target, row, byLds);
  }
  return rows;
}

bool isWorse(const ProgramRow &first, const ProgramRow &second) {
  auto rank = [](const ProgramRow &row) { return std::tuple(-int64_t(row.waves), row.scratchBytes, row.instructions); };
  return rank(first) > rank(second);
}

} // namespace dovetail
