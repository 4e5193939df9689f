// SPDX-License-Identifier: MIT
//
// `dovetail compile` makes one joined image of a pipeline's shaders.
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "src/lgc/ir_file.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/inputs/state_file.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/common/pipelines/report.h"
#include "tools/common/pipelines/source_text.h"
#include "tools/common/pipelines/subject.h"
#include "tools/programs/dovetail/commands.h"
#include "variants/assemble/source_lines.h"
#include "variants/bind/device.h"
#include "variants/inspect/print_assembly.h"
#include "variants/link/ir_pipeline.h"
#include <CLI/CLI.hpp>

namespace dovetail {

namespace {

struct CompileOptions {
  std::vector<std::string> shaders;
  ReadOptions read;
  std::string gpu = "gfx900";
  bool isGpuGiven = false;
  std::string stateFile;
  StoreChoice store;
  std::string output;
  bool monolithic = false, firstCode = false;
  std::string assembly;   // "plain", "lines" or nothing
  std::string statistics; // "table", "json" or nothing
  bool debugLines = false;
  bool ir = false;
  std::string emit = "elf"; // the kind of output
  bool printState = false;
};

// Empty unless --emit asks for IR.
Result<std::string> printIr(const std::string &emit, Device &device, const ShaderSet &set, const PipelineState &state) {
  if (emit == "lgc")
    return device.printLinkedIr(set, state);
  if (emit == "lgc-pipeline")
    return writeIrPipeline(set, state, device.target().gpuName, lgc::IrFormat::Text);
  return std::string();
}

Result<int> compile(const CompileOptions &options) {
  std::vector<std::string> inputs = options.shaders;
  inputs.push_back(options.stateFile);
  DOVETAIL_CHECK(reserveOutput(options.output, inputs));
  auto [name, set, state, dumpedFor] = DOVETAIL_TRY(readSubject(options.shaders, options.read));
  const std::string &gpu = options.isGpuGiven || dumpedFor.empty() ? options.gpu : dumpedFor;
  if (!options.stateFile.empty())
    state = DOVETAIL_TRY(readStateFile(options.stateFile, state));

  // The inputs are valid from here on; a store is only made for valid ones.

  std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(gpu, options.store));
  VariantRef variant = DOVETAIL_TRY(
      device->bind(set, state, {options.monolithic, options.firstCode ? CodeTier::FirstCode : CodeTier::Llvm}));
  const FirstCodeCounts firstCode = device->partMaker().firstCodeCounts();
  DOVETAIL_CHECK(checkImage(*variant->image));
  std::vector<CodeLine> lines;
  if (options.debugLines || options.assembly == "lines")
    lines = DOVETAIL_TRY(device->findSourceLines(set, state, *variant));
  const std::vector<uint8_t> elf =
      DOVETAIL_TRY(writePalElf(*variant->image, options.debugLines ? lines : std::vector<CodeLine>()));
  const std::string linkedIr = DOVETAIL_TRY(printIr(options.emit, *device, set, state));

  // The shaders are valid from here on; only printing and writing can fail.

  if (options.printState)
    print(printState(state));
  if (options.ir)
    print(DOVETAIL_TRY(device->printIr(set, state)));
  if (options.firstCode)
    print(printFirstCode(firstCode));
  if (options.assembly == "plain")
    print(DOVETAIL_TRY(printAssembly(*variant->image)));
  if (options.assembly == "lines") {
    SourceText sources;
    print(DOVETAIL_TRY(
        printAssembly(*variant->image, lines, [&](const CodeLine &line) { return sources.describe(line); })));
  }
  if (options.statistics == "table")
    print(DOVETAIL_TRY(printStatistics(*variant, device->target())));
  if (options.statistics == "json")
    print(DOVETAIL_TRY(printStatisticsJson(*variant, device->target())));
  if (!options.output.empty())
    DOVETAIL_CHECK(options.emit != "elf" ? writeOutput(options.output, linkedIr) : writeOutput(options.output, elf));
  return 0;
}

} // namespace

void addCompileCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App *command = app.add_subcommand("compile", "Compile the shaders of one pipeline and join their parts");
  command
      ->add_option(
          "SHADER", options->shaders,
          "GLSL (.vert .tesc .tese .geom .frag .comp), SPIR-V (.spv), SPIR-V assembly (.spvasm), or a captured "
          "pipeline (FILE.foz#N)")
      ->required()
      ->check(notEmpty());
  addReadOptions(*command, options->read);
  CLI::Option *gpu = addGpuOption(*command, options->gpu)->capture_default_str();
  command
      ->add_option("--state", options->stateFile, "pipeline state (JSON); what it leaves out is chosen by reflection")
      ->check(notEmpty());
  command->add_option("-o,--output", options->output, "write a PAL pipeline ELF; -: to the standard output")
      ->check(notEmpty());
  command
      ->add_option("--emit", options->emit,
                   "what -o writes: the pipeline as an ELF (elf), its main parts as the IR that lgc compiles (lgc), or "
                   "all of it as such (lgc-pipeline)")
      ->capture_default_str()
      ->check(CLI::IsMember({"elf", "lgc", "lgc-pipeline"}));
  command->add_flag("-g,--debug-lines", options->debugLines,
                    "put DWARF's line tables into the ELF, for debuggers and llvm-symbolizer");
  addStoreOptions(*command, options->store);
  command->add_flag("--monolithic", options->monolithic, "compile prolog, main and epilog of a stage as one module");
  command->add_flag("--first-code", options->firstCode,
                    "make main parts as first code where it does not refuse them, and print its refusals; a part that "
                    "LLVM has made in the store comes first");
  command
      ->add_flag(
          "--asm{plain}", options->assembly,
          "print the code with the borders and contracts of its parts; with --asm=lines also where it comes from")
      ->check(CLI::IsMember({"plain", "lines"}));
  command
      ->add_flag("--stats{table}", options->statistics,
                 "print size, registers and time of each part, as a table or as JSON (--stats=json)")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--ir", options->ir, "print the optimised LLVM IR of the main parts");
  command->add_flag("--print-state", options->printState, "print the state that was used, as a state file");
  command->callback([options, gpu, &chosen] {
    options->isGpuGiven = gpu->count() > 0;
    options->read.sourceLines = options->debugLines || options->assembly == "lines";
    chosen = [options] { return compile(*options); };
  });
}

} // namespace dovetail
