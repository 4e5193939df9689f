// SPDX-License-Identifier: MIT
//
// `dovetail inspect` lists the pipelines of a capture, the worst first, or shows one of them in all detail.
#include "tools/common/command/options.h"
#include "tools/common/command/write_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/inspect/inspect_list.h"
#include "tools/programs/dovetail/inspect/inspect_pipeline.h"
#include <CLI/CLI.hpp>
#include <filesystem>

namespace dovetail {

namespace {

struct InspectOptions {
  std::vector<std::string> inputs;
  ListOptions list;
  bool isGpuGiven = false;
  InspectedCode code = InspectedCode::Joined;
};

bool holdsMany(const std::string &path) {
  std::error_code failure;
  return isPipelineDatabase(path) || std::filesystem::is_directory(path, failure);
}

Result<int> inspect(const InspectOptions &options) {
  if (std::ranges::any_of(options.inputs, holdsMany))
    return listPipelines(DOVETAIL_TRY(findCorpusUnits(options.inputs)), options.list);
  const Subject subject = DOVETAIL_TRY(readSubject(options.inputs, options.list.read));
  const bool isDumped = !options.isGpuGiven && !subject.gpuName.empty();
  std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(isDumped ? subject.gpuName : options.list.gpu));
  print(DOVETAIL_TRY(describePipeline(*device, subject, options.code)));
  return 0;
}

} // namespace

void addInspectCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App *command =
      app.add_subcommand("inspect", "List the pipelines of captures by what they cost, or show one in all detail");
  command
      ->add_option(
          "FILE", options->inputs,
          "a capture (FILE.foz) or a folder: a list; a pipeline (FILE.foz#N, FILE.pipe) or its shaders: all detail")
      ->required()
      ->check(notEmpty());
  addReadOptions(*command, options->list.read);
  CLI::Option *gpu = addGpuOption(*command, options->list.gpu)->capture_default_str();
  addPoolOptions(*command, options->list.pool, "pipeline of a list");
  command->add_option("--limit", options->list.limit, "rows of a list; 0: all")
      ->check(wholeNumber())
      ->capture_default_str();
  command
      ->add_option("--json", options->list.jsonFile,
                   "write all programs of a list to a file; -: to the standard output")
      ->check(notEmpty());
  addChoice<InspectedCode>(
      *command, "--code",
      {{"joined", InspectedCode::Joined},
       {"monolithic", InspectedCode::Monolithic},
       {"optimized", InspectedCode::Optimized},
       {"first-code", InspectedCode::FirstCode}},
      [options](InspectedCode code) { options->code = code; },
      "which code of a pipeline is shown: joined (the default), monolithic, optimized, or joined with first code");
  command->callback([options, gpu, &chosen] {
    options->isGpuGiven = gpu->count() > 0;
    options->list.read.sourceLines = true;
    chosen = [options] { return inspect(*options); };
  });
}

} // namespace dovetail
