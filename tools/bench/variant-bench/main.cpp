// SPDX-License-Identifier: MIT
//
// variant-bench measures the costs of variants: our ways side by side, and beside RADV, in one run.
#include "src/first/first_code.h"
#include "tools/bench/variant-bench/instructions/command.h"
#include "tools/bench/variant-bench/print_bench.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <unistd.h>

namespace dovetail {

namespace {

struct Outputs {
  std::string json, html, picture;
};

// For a terminal: one line, which is overwritten again and again.
void showProgress(const std::string &what) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

void endProgress() {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K");
}

// Does the longest measurements less often.
void makeQuick(BenchOptions &options) {
  options.grid = {3, 3, 1};
  options.runs = 2;
}

Result<int> bench(const BenchOptions &options, const Outputs &outputs) {
  for (const std::string &path : {outputs.json, outputs.html, outputs.picture})
    if (!path.empty())
      DOVETAIL_CHECK(reserveOutput(path));
  Result<BenchResults> results = runBench(options, showProgress);
  endProgress();
  if (!results)
    return makeError(results.error().code, "{}", results.error().text);
  if (!outputs.json.empty())
    DOVETAIL_CHECK(writeOutput(outputs.json, printBenchJson(*results)));
  if (!outputs.html.empty())
    DOVETAIL_CHECK(writeOutput(outputs.html, printBenchHtml(*results)));
  if (!outputs.picture.empty())
    DOVETAIL_CHECK(writeOutput(outputs.picture, printBenchPicture(*results)));
  print(printBench(*results) + "\n" + printScriptLines(*results));
  DOVETAIL_CHECK(finishOutput());
  return 0;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app("Measures what variants cost, beside RADV on the same shaders and states");
  BenchOptions options;
  Outputs outputs;
  InstructionCommand instructions;
  bool isQuick = false, noRadv = false, onlySteps = false;
  // Other options override the settings of --quick.
  for (int i = 1; i < argc; ++i)
    isQuick |= std::string_view(argv[i]) == "--quick";
  if (isQuick)
    makeQuick(options);
  app.add_option("PATH", options.paths, "shader files or folders of them; without any, the benchmark's own")
      ->check(notEmpty());
  app.add_option("--limit", options.limit, "at most so many programs, chosen at random; 0: all")
      ->transform(wholeNumber());
  app.add_option("--vertex-inputs", options.grid.vertexInputs, "vertex inputs of each program")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
  app.add_option("--color-states", options.grid.colors, "colour states of each program")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
  app.add_option("--other-states", options.grid.others, "other states of each program")
      ->capture_default_str()
      ->check(CLI::Range(1u, MaxOtherStates));
  app.add_flag_callback(
      "--llvm-first", [&] { options.firstTier = CodeTier::Llvm; }, "no first code: first draws wait for LLVM's");
  app.add_option("--rounds", options.rounds, "rounds that count; one more warms up")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
  app.add_option("--known", options.knownVariants, "how many variants known binds choose from")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10'000'000u));
  app.add_option("--first-uses", options.firstUses, "states that are new to each pair of shaders")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--cpu", options.cpu, "the CPU to run on; otherwise the one that it begins on")
      ->check(CLI::Range(0u, unsigned(CPU_SETSIZE) - 1));
  addGpuOption(app, options.gpu)->capture_default_str();
  app.add_flag("--no-radv", noRadv, "leave RADV out");
  app.add_flag("--only-steps", onlySteps, "leave out the programs' variants, measure single steps alone");
  app.add_flag("--quick", isQuick, "fewer states and rounds: the last lines within 90 seconds");
  app.add_option("--json", outputs.json, "write everything that was measured to this file (-: standard output)")
      ->check(notEmpty());
  app.add_option("--html", outputs.html, "write a report for a browser to this file (-: standard output)")
      ->check(notEmpty());
  app.add_option("--picture", outputs.picture, "write the report's first chart to this SVG file (-: standard output)")
      ->check(notEmpty());
  addInstructionOptions(app, instructions);
  CLI11_PARSE(app, argc, argv);
  first::setStepChecks(false); // drivers have them in no release
  options.radv = !noRadv;
  options.ways = !onlySteps;
  Result<int> status =
      instructions.isChosen || instructions.side
          ? runInstructions(instructions, {.paths = options.paths, .gpu = options.gpu, .radv = !noRadv})
          : bench(options, outputs);
  if (!status) {
    std::fprintf(stderr, "variant-bench: %s\n", status.error().text.c_str());
    return 1;
  }
  return *status;
}
