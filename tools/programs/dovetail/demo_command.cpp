// SPDX-License-Identifier: MIT
//
// `dovetail demo` draws each pair of shaders with 8 vertex inputs × 12 colour states and shows the costs. Main parts
// are compiled once. Prologs and epilogs are made once per state and shared. Each of the 96 variants is a join.
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/cache/part_maker.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/demo_states.h"
#include "tools/common/pipelines/report.h"
#include "tools/programs/dovetail/commands.h"
#include "variants/bind/device.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

namespace dovetail {

namespace {

struct DemoOptions {
  std::vector<std::string> shaders;
  ReadOptions read;
  std::string gpu = "gfx900";
  std::string outputFolder;
  StoreChoice store;
};

// The cost of one pair's variants.
struct PairCost {
  unsigned variants = 0;                        // different variants
  unsigned mains = 0, prologs = 0, epilogs = 0; // made
  double mainMilliseconds = 0, partMilliseconds = 0;
  std::vector<double> joins; // µs
  size_t codeBytes = 0;      // of the first variant
};

void countParts(const Variant &variant, PairCost &cost) {
  for (const PartUse &use : variant.partUses()) {
    if (!use.made)
      continue;
    PartKind kind = use.part->key.kind;
    bool isMain = kind == PartKind::VertexMain || kind == PartKind::FragmentMain;
    ++(isMain ? cost.mains : kind == PartKind::VertexProlog ? cost.prologs : cost.epilogs);
    (isMain ? cost.mainMilliseconds : cost.partMilliseconds) += use.microseconds / 1000;
  }
}

Result<ShaderSet> readPair(const std::string &vertexFile, const std::string &fragmentFile, const ReadOptions &read) {
  return makeShaderSet(DOVETAIL_TRY(readShaders({vertexFile, fragmentFile}, read)));
}

// Binds every state once, which makes the parts. Then joins every variant again: a later new state costs as much as
// such a join.
Result<PairCost> drawPair(Device &device, const ShaderSet &set, const std::string &elfFile) {
  PairCost cost;
  std::set<Hash128> seen;
  std::vector<PipelineState> states;
  PipelineState base = defaultState(set);
  for (const PipelineState &vertexInput : vertexInputStates(base))
    for (const PipelineState &state : colorStates(vertexInput)) {
      VariantRef variant = DOVETAIL_TRY(device.bind(set, state));
      if (!seen.insert(variant->key.hash).second)
        continue; // these shaders do not see the difference to another state
      countParts(*variant, cost);
      states.push_back(canonicalize(state, set));
      DOVETAIL_CHECK(checkImage(*variant->image));
      if (cost.variants++ > 0)
        continue;
      cost.codeBytes = variant->image->textSize;
      if (elfFile.empty())
        continue;
      std::vector<uint8_t> elf = DOVETAIL_TRY(writePalElf(*variant->image));
      DOVETAIL_CHECK(writeFileAtomically(elfFile, elf));
    }
  for (const PipelineState &state : states) {
    VariantKey key = makeVariantKey(set, state, {});
    VariantRef variant = DOVETAIL_TRY(buildVariant(device.partMaker(), key, set, state, {}));
    cost.joins.push_back(variant->joinMicroseconds);
  }
  return cost;
}

std::vector<std::string> printRow(const std::string &name, PairCost cost) {
  std::ranges::sort(cost.joins);
  return {name,
          std::to_string(cost.variants),
          std::to_string(cost.codeBytes),
          std::to_string(cost.mains),
          fmt::format("{:.1f}", cost.mainMilliseconds),
          std::to_string(cost.prologs),
          std::to_string(cost.epilogs),
          fmt::format("{:.1f}", cost.partMilliseconds),
          fmt::format("{:.2f}", cost.joins[cost.joins.size() / 2]),
          fmt::format("{:.2f}", cost.joins[cost.joins.size() * 9 / 10])};
}

Result<int> demonstrate(const DemoOptions &options) {
  if (options.shaders.size() % 2 != 0)
    return makeError(ErrorCode::InvalidInput, "shaders come in pairs: vertex, fragment");
  std::vector<ShaderSet> pairs;
  for (size_t index = 0; index < options.shaders.size(); index += 2)
    pairs.push_back(DOVETAIL_TRY(readPair(options.shaders[index], options.shaders[index + 1], options.read)));

  // The shaders are readable from here on; folders are only made for readable ones.

  std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(options.gpu, options.store));
  if (!options.outputFolder.empty())
    DOVETAIL_CHECK(makeFolder(options.outputFolder));
  std::vector<std::vector<std::string>> rows = {{"shader pair", "variants", "bytes", "mains made", "ms", "prologs made",
                                                 "epilogs made", "ms", "us/join median", "us/join 90%"}};
  for (size_t index = 0; index < pairs.size(); ++index) {
    std::string name = std::filesystem::path(options.shaders[2 * index]).stem().string();
    if (name.ends_with(".vert"))
      name.resize(name.size() - 5);
    std::string elfFile = options.outputFolder.empty() ? "" : options.outputFolder + "/" + name + ".elf";
    rows.push_back(printRow(name, DOVETAIL_TRY(drawPair(*device, pairs[index], elfFile))));
  }
  print(printTable(rows));
  PartCacheStatistics statistics = device->partMaker().cache().statistics();
  print(fmt::format("part cache: {} made, {} found, {} bytes of code\n", statistics.made, statistics.found,
                    statistics.bytes));
  return 0;
}

} // namespace

void addDemoCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App *command = app.add_subcommand("demo", "Show what 96 variants of each pair of shaders cost");
  command->add_option("SHADER", options->shaders, "vertex and fragment shaders in turn")->required()->check(notEmpty());
  addGpuOption(*command, options->gpu)->capture_default_str();
  addReadOptions(*command, options->read);
  command->add_option("-o,--output", options->outputFolder, "folder for one ELF of each pair")->check(notEmpty());
  addStoreOptions(*command, options->store);
  command->callback([options, &chosen] { chosen = [options] { return demonstrate(*options); }; });
}

} // namespace dovetail
