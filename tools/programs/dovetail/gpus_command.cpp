// SPDX-License-Identifier: MIT
//
// `dovetail gpus` lists the GPUs for which Dovetail compiles.
#include "src/abi/get_target.h"
#include "tools/common/pipelines/report.h"
#include "tools/programs/dovetail/commands.h"
#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

namespace dovetail {

namespace {

Result<int> listGpus() {
  std::vector<std::vector<std::string>> rows = {
      {"name", "generation", "merged stages", "SGPRs", "VGPRs per lane", "waves per SIMD", "chips"}};
  for (const TargetInfo &target : allTargets())
    rows.push_back({std::string(target.gpuName), fmt::format("GFX{}", target.gfxIp.major),
                    target.hasMergedStages ? "yes" : "no", std::to_string(target.maxSgprs),
                    std::to_string(target.vgprsPerSimd), std::to_string(target.maxWavesPerSimd),
                    fmt::to_string(fmt::join(chipsOf(target), ", "))});
  print(printTable(rows));
  return 0;
}

} // namespace

void addGpusCommand(CLI::App &app, Command &chosen) {
  CLI::App *command = app.add_subcommand("gpus", "List the GPUs that can be compiled for");
  command->callback([&chosen] { chosen = listGpus; });
}

} // namespace dovetail
