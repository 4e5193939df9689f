// SPDX-License-Identifier: MIT
#include "tools/programs/layer/report/report.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace dovetail::layer {

namespace {

// Returns whether the file is written.
bool writeFile(const std::filesystem::path &path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + ".new";
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file)
    std::filesystem::rename(temporary, path, error);
  return file && !error;
}

// Writes modules as files that `dovetail compile` reads.
void writeProblem(const std::filesystem::path &folder, const std::string &name, const Problem &problem) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string stem = fmt::format("{}-{}", name, problem.number);
  for (const StageSource &stage : problem.stages) {
    const std::vector<uint32_t> &words = stage.module->words;
    const std::string extension = nameOf(stage).substr(0, 4); // "vert", "frag" and so on
    const std::filesystem::path path = folder / fmt::format("{}.{}.spv", stem, extension);
    if (!std::filesystem::exists(path, error)) // by an earlier report of this session
      writeFile(path, {reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t)});
  }
}

} // namespace

std::string_view nameOfBind(size_t kind) {
  constexpr std::string_view Names[BindKindCount] = {"refused", "unchanged", "known",    "found",
                                                     "joined",  "encoded",   "compiled", "fallback"};
  return Names[kind];
}

std::string describeCause(const Stall &stall) {
  const dovetail_bind_info &bind = stall.bind;
  std::string cause;
  const auto add = [&](const std::string &text) { cause += (cause.empty() ? "" : ", ") + text; };
  if (bind.parts_compiled > 0)
    add(fmt::format("{} parts compiled", bind.parts_compiled));
  if (bind.parts_encoded > 0)
    add(fmt::format("{} parts encoded", bind.parts_encoded));
  if (bind.parts_stored > 0)
    add(fmt::format("{} parts read from the store", bind.parts_stored));
  if (bind.waited)
    add("waited for another thread");
  if (bind.longest_part_microseconds > 0)
    add(fmt::format("longest: {} with {:.0f} us", nameOfPart(bind.longest_part), bind.longest_part_microseconds));
  const BindTime &time = stall.time;
  if (time.cpuNanoseconds > 0 && time.nanoseconds > 2 * time.cpuNanoseconds + ShortestStall && !bind.waited)
    add("the thread was interrupted");
  if (cause.empty())
    cause = bind.kind == DOVETAIL_BIND_JOINED ? "the join"
            : time.cpuNanoseconds > 0         ? "no part: its caches were cold, or the system or a host took the CPU"
                                              : "no part: the thread was interrupted, or its caches were cold";
  return cause;
}

std::string describeTime(const Report &report) {
  switch (report.time) {
  case ReportTime::Running:
    return fmt::format("not final: written after {:.1f} s, while the application ran", report.totals.seconds);
  case ReportTime::Signal:
    return fmt::format("not final: written after {:.1f} s, on the signal", report.totals.seconds);
  case ReportTime::End:
    break;
  }
  return "final";
}

void writeReport(const Session &session, ReportTime time) {
  Report report;
  report.time = time;
  report.application = session.application();
  report.program = nameOfProgram();
  report.process = getpid();
  report.options = session.options();
  report.warnings = session.warnings();
  report.problems = session.problems().all();
  report.unfollowed = session.problems().unfollowed();
  session.collect(report.totals);
  report.stutter = summarizeFrames(report.totals, session.startNanoseconds());
  if (session.captures())
    report.captured = session.captures()->variants();

  const auto printSummary = [&] {
    const std::string text = printText(report);
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
  };
  if (report.options.output.empty())
    return printSummary();
  const std::filesystem::path folder = report.options.output;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  // A process may have several sessions, one after the other: the start time tells their reports apart.
  const std::string name = nameOfRun(session.startNanoseconds());
  if (!writeFile(folder / (name + ".txt"), printText(report)) ||
      !writeFile(folder / (name + ".json"), printJson(report)) ||
      !writeFile(folder / (name + ".html"), printHtml(report))) {
    (void)fmt::print(stderr, "dovetail shadow: DOVETAIL_SHADOW_OUTPUT: no report can be written to {}{}{}\n",
                     folder.string(), error ? ": " : "", error ? error.message() : "");
    return printSummary();
  }
  for (const Problem *problem : report.problems)
    writeProblem(folder / "refused", name, *problem);
}

} // namespace dovetail::layer
