// SPDX-License-Identifier: MIT
//
// compile-growth measures how compile times grow with shaders. Prints a table, and fails if a bound is broken.
#include "src/first/first_code.h"
#include "tools/bench/compile-growth/growth_table.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/write_file.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

namespace dovetail {

namespace {

struct Options {
  std::vector<std::string> families;
  GrowthSubject subject = {.gpu = "gfx900"};
  unsigned timeoutSeconds = 30;
  unsigned sizes = ~0u;
  unsigned repeats = 1;
  bool instructions = false;
  bool list = false;
  std::string source;
};

Result<const Family *> findFamily(const std::string &name) {
  for (const Family &family : compileGrowthFamilies())
    if (family.name == name)
      return &family;
  return makeError(ErrorCode::InvalidInput, "there is no family \"{}\"; --list names them", name);
}

// "NAME:SIZE"
Result<int> printSource(const std::string &what) {
  const size_t colon = what.find(':');
  const Family *family = DOVETAIL_TRY(findFamily(what.substr(0, colon)));
  const unsigned size =
      colon == std::string::npos ? family->sizes.front() : std::strtoul(&what[colon + 1], nullptr, 10);
  print(family->text(size));
  return 0;
}

// The least of several runs: other load on the machine only adds time.
Result<GrowthFigure> measureBest(const Family &family, unsigned size, const Options &options) {
  GrowthFigure best;
  for (unsigned run = 0; run < options.repeats; ++run) {
    GrowthFigure figure =
        DOVETAIL_TRY(measureGrowth(family, size, options.subject, std::chrono::seconds(options.timeoutSeconds)));
    if (run == 0 || figure.seconds < best.seconds)
      best = std::move(figure);
  }
  return best;
}

// Prints the family, as far as first code makes it. After a shader that takes too long, or that first
// code refuses, larger sizes are not tried.
Result<std::vector<GrowthRow>> measureFamily(const Family &family, const Options &options) {
  print(fmt::format("\n{} ({})\n", family.name, family.unit));
  DOVETAIL_CHECK(finishOutput());
  std::vector<GrowthRow> rows;
  for (const unsigned size : family.sizes.first(std::min<size_t>(options.sizes, family.sizes.size()))) {
    addGrowthRow(rows, family, size, DOVETAIL_TRY(measureBest(family, size, options)),
                 options.instructions ? GrowthMeasure::Instructions : GrowthMeasure::Time,
                 options.subject.tier == CodeTier::Llvm ? LlvmBounds : FirstCodeBounds);
    print(printGrowthRow(rows.back()) + "\n");
    DOVETAIL_CHECK(finishOutput());
    const GrowthFigure::Status status = rows.back().figure.status;
    if (status == GrowthFigure::Status::TimedOut || status == GrowthFigure::Status::LlvmMade)
      break;
  }
  return rows;
}

Result<int> run(const Options &options) {
  if (!options.source.empty())
    return printSource(options.source);
  std::vector<const Family *> families;
  for (const std::string &name : options.families)
    families.push_back(DOVETAIL_TRY(findFamily(name)));
  if (families.empty())
    for (const Family &family : compileGrowthFamilies())
      families.push_back(&family);
  if (options.list) {
    for (const Family *family : families)
      print(fmt::format("{} ({}: {})\n", family->name, family->unit, fmt::join(family->sizes, ", ")));
    return 0;
  }
  print(fmt::format("{:>7} {:>9} {:>9} {:>6} {:>7} {:>6} {:>7} {:>9} {:>9}\n", "size",
                    options.subject.tier == CodeTier::Llvm ? "user s" : "CPU s", "M instr", "x/dbl", "valid s", "rest",
                    "MB", "words", "code"));
  std::vector<std::string_view> failed, refused, validated;
  for (const Family *family : families) {
    const std::vector<GrowthRow> rows = DOVETAIL_TRY(measureFamily(*family, options));
    const FamilyOutcome outcome = judgeFamily(rows);
    if (hasSlowValidation(rows))
      validated.push_back(family->name);
    if (outcome != FamilyOutcome::Passed)
      (outcome == FamilyOutcome::Failed ? failed : refused).push_back(family->name);
  }
  print(fmt::format("\n{} families, {} beyond the bounds{}{}\n", families.size(), failed.size(),
                    failed.empty() ? "" : ": ", fmt::join(failed, ", ")));
  if (!validated.empty())
    print(fmt::format("{} within the bounds only without SPIRV-Tools' validator: {}\n", validated.size(),
                      fmt::join(validated, ", ")));
  if (!refused.empty())
    print(
        fmt::format("{} refused by first code at their smallest size: {}\n", refused.size(), fmt::join(refused, ", ")));
  DOVETAIL_CHECK(finishOutput());
  return failed.empty() && refused.empty() ? 0 : 1;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app("Measures how long compiles take as shaders grow");
  Options options;
  app.add_option("FAMILY", options.families, "families to measure; without any, all");
  addGpuOption(app, options.subject.gpu)->capture_default_str();
  app.add_option("--timeout", options.timeoutSeconds, "seconds until a compile is given up")
      ->capture_default_str()
      ->check(CLI::Range(1u, 3600u));
  app.add_option("--sizes", options.sizes, "only so many sizes of each family, from the smallest on")
      ->check(CLI::Range(1u, 100u));
  app.add_option("--repeats", options.repeats, "runs of each; the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1u, 100u));
  app.add_flag("--instructions", options.instructions,
               "compare instructions from size to size, not time, where they can be counted");
  app.add_flag_callback(
      "--first-code", [&] { options.subject.tier = CodeTier::FirstCode; },
      "make main parts by first code, and print why it refuses shaders");
  app.add_flag("--list", options.list, "list families and their sizes");
  app.add_option("--source", options.source, "print one shader: FAMILY or FAMILY:SIZE")->check(notEmpty());
  CLI11_PARSE(app, argc, argv);
  first::setStepChecks(false); // drivers have them in no release
  Result<int> status = run(options);
  if (!status) {
    std::fprintf(stderr, "compile-growth: %s\n", status.error().text.c_str());
    return 1;
  }
  return *status;
}
