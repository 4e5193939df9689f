// SPDX-License-Identifier: MIT
//
// Writes the layer's report: a summary for terminals, JSON for programs, and a page for browsers.
#pragma once

#include "tools/programs/layer/report/stutter.h"
#include <string_view>

namespace dovetail::layer {

enum class ReportTime {
  Running, // the application goes on, and a later report replaces this one
  Signal,  // likewise, but somebody asked for this report
  End,
};

struct Report {
  ReportTime time = ReportTime::End;
  std::string program; // the application's executable
  Application application;
  int process = 0;
  Options options;
  std::vector<std::string> warnings;
  Session::Totals totals;
  Stutter stutter;
  std::vector<const Problem *> problems; // the session's
  std::map<std::string, uint64_t> unfollowed;
  std::vector<CapturedVariant> captured;
};

// By dovetail_bind_kind.
std::string_view nameOfBind(size_t kind);
// "final", or a sentence about what comes later.
std::string describeTime(const Report &report);
// Says in words why a bind took so long.
std::string describeCause(const Stall &stall);

std::string printText(const Report &report);
std::string printJson(const Report &report);
std::string printHtml(const Report &report);

// Writes all three into the output folder, with shaders and states of refused pipelines. Without a folder, writes the
// summary to stderr. Replaces an earlier report of the same session: each file at once, so that whoever reads it finds
// the earlier one or the new one, also when the process is killed.
void writeReport(const Session &session, ReportTime time);

} // namespace dovetail::layer
