// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/print_bench.h"
#include "tools/bench/variant-bench/first_draw_times.h"
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/common/pipelines/report.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace dovetail {

namespace {

constexpr double NotMeasured = std::numeric_limits<double>::quiet_NaN();

std::string withCommas(double value) {
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  std::string text = value < 0 ? "-" : "";
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

std::vector<std::string> totalRow(const std::string &name, const WayTotal &total) {
  const Spread wall = spreadOf(total.wall);
  return {name,
          std::string(toString(total.way)),
          shortNumber(total.variants),
          shortNumber(total.compiles),
          shortNumber(wall.median / 1000),
          fmt::format("{} - {}", shortNumber(wall.least / 1000), shortNumber(wall.most / 1000)),
          shortNumber(percentile(total.ready, 0.5)),
          shortNumber(percentile(total.ready, 0.99)),
          shortNumber(percentile(total.ready, 1)),
          total.codeBytes > 0 ? shortNumber(total.codeBytes / 1024) : "-",
          shortNumber(total.heapBytes / 1024)};
}

std::string printWays(const BenchResults &results) {
  std::vector<std::vector<std::string>> rows = {{"program", "way", "variants", "compiles", "ms", "of rounds", "us p50",
                                                 "us p99", "us longest", "KB of code", "KB of heap"}};
  for (const ProgramResult &program : results.programs)
    for (const WayTotal &total : totalsOfWays(program))
      rows.push_back(totalRow(program.name, total));
  for (const WayTotal &total : totalsOfWays(results))
    rows.push_back(totalRow("all together", total));
  if (rows.size() == 1)
    return "";
  return "All variants of each program, one after the other; us: until a draw can go on\n\n" + printTable(rows) + "\n";
}

std::string printCode(const BenchResults &results) {
  std::vector<std::vector<std::string>> rows = {{"program", "shader"}};
  for (unsigned kind = 0; kind < CodeKindCount; ++kind)
    rows[0].push_back(std::string(toString(CodeKind(kind))));
  for (const ShaderCost &shader : results.code) {
    std::vector<std::string> &row = rows.emplace_back();
    row = {shader.program, std::string(toString(shader.stage))};
    for (const std::optional<StageCost> &cost : shader.costs)
      row.push_back(cost ? fmt::format("{:.0f} / {:.0f} / {:.0f}", cost->instructions, cost->vgprs, cost->waves) : "-");
  }
  return "Code: instructions / VGPRs / waves of a SIMD\n\n" + printTable(rows) + "\n";
}

std::string printSharing(const BenchResults &results) {
  std::vector<std::vector<std::string>> rows = {{"part", "parts", "in variants", "KB"}};
  for (const auto &[kind, sharing] : results.sharing)
    rows.push_back({std::string(toString(kind)), withCommas(double(sharing.parts)), withCommas(double(sharing.uses)),
                    shortNumber(double(sharing.codeBytes) / 1024)});
  if (rows.size() == 1)
    return "";
  return "Parts that the variants are made of\n\n" + printTable(rows) + "\n";
}

std::string printComparisons(const BenchResults &results) {
  std::vector<std::vector<std::string>> rows = {{"step", "us", "RADV us", "ratio", "of rounds", "RADV's way"}};
  for (const StepComparison &comparison : results.comparisons) {
    const Spread ratio = spreadOf(comparison.ratios());
    rows.push_back({comparison.name, shortNumber(median(comparison.ours)), shortNumber(median(comparison.theirs)),
                    fmt::format("{:.2f}", ratio.median), fmt::format("{:.2f} - {:.2f}", ratio.least, ratio.most),
                    comparison.peer});
  }
  return "Single steps, medians\n\n" + printTable(rows) + "\n";
}

std::string printFirstDraws(const BenchResults &results) {
  if (results.firstDraws.empty())
    return "";
  std::vector<std::vector<std::string>> rows = {{"program"}};
  for (const auto &[phase, time] : results.firstDraws[0].phases)
    rows[0].push_back(phase);
  for (const FirstDraw &draw : results.firstDraws) {
    std::vector<std::string> &row = rows.emplace_back();
    row = {draw.program};
    for (const auto &[phase, time] : draw.phases)
      row.push_back(shortNumber(time));
  }
  return "Where the CPU time of a program's first draw goes, us\n\n" + printTable(rows) + "\n";
}

std::string printLines(const std::string &head, const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += fmt::format("{}: {}\n", head, line);
  return text;
}

} // namespace

std::string shortNumber(double value) {
  if (std::isnan(value))
    return "-";
  const double size = std::abs(value);
  if (size >= 1000)
    return withCommas(value);
  if (value == std::floor(value) || size >= 100)
    return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 10 ? 1 : 2);
}

std::string shortCount(uint64_t count) {
  unsigned zeros = 0;
  uint64_t rest = count;
  for (; rest >= 10 && rest % 10 == 0; rest /= 10)
    ++zeros;
  return rest == 1 && zeros > 0 ? fmt::format("1e{}", zeros) : std::to_string(count);
}

std::string printBench(const BenchResults &results) {
  std::string text = fmt::format("variant-bench on {}, for {}, {} rounds\n\n", results.machine, results.options.gpu,
                                 results.options.rounds);
  text += printWays(results) + printFirstDrawTimes(results) + printSharing(results) + printCode(results) +
          printFirstDraws(results) + printComparisons(results);
  if (!results.noRadv.empty())
    text += fmt::format("RADV was not measured: {}\n", results.noRadv);
  else if (!results.noRadvLlvm.empty())
    text += fmt::format("RADV with LLVM was not measured: {}\n", results.noRadvLlvm);
  text += printLines("refused", results.refused) + printLines("failed", results.failures);
  for (const ProgramResult &program : results.programs)
    for (Way way : AllWays)
      if (const std::string &failure = program.failures[unsigned(way)]; !failure.empty())
        text += fmt::format("failed: {}, {}: {}\n", program.name, toString(way), failure);
  return text;
}

std::string printScriptLines(const BenchResults &results) {
  std::string text;
  std::vector<StepComparison> comparisons = results.comparisons;
  std::ranges::move(compareFirstDraws(results), std::back_inserter(comparisons));
  for (const StepComparison &comparison : comparisons) {
    const std::vector<double> ratios = comparison.ratios();
    text += fmt::format("ratio {} {:.3f}\n", comparison.name, ratios.empty() ? NotMeasured : median(ratios));
  }
  text += fmt::format("us first_use_p50 {:.2f}\n", percentile(results.firstUses, 0.5));
  text += fmt::format("us first_use_p99 {:.2f}\n", percentile(results.firstUses, 0.99));
  for (const auto &[way, word] : {std::pair(Way::Archived, "archived"), std::pair(Way::RadvCached, "radv_cached")})
    for (const ProgramResult &program : results.programs) {
      std::vector<double> first; // draws
      for (const Pass &pass : program.passes[unsigned(way)])
        if (!pass.ready.empty())
          first.push_back(pass.ready.front());
      if (!program.passes[unsigned(Way::Archived)].empty())
        text += fmt::format("us first_draw_{}_{} {:.0f}\n", word, program.name,
                            first.empty() ? NotMeasured : median(first));
    }
  text += fmt::format("us trivial_part {:.0f}\n", median(results.trivialPart));
  text +=
      fmt::format("ns known_bind_{} {:.1f}\n", shortCount(results.options.knownVariants), median(results.knownBind));
  return text;
}

} // namespace dovetail
