// SPDX-License-Identifier: MIT
//
// Writes the layer's report: a summary for terminals, JSON for programs, and a page for browsers.
#pragma once

#include "tools/programs/layer/session/session.h"
#include <string_view>

namespace dovetail::layer {

struct Report {
  std::string program; // the application's executable
  int process = 0;
  Options options;
  std::vector<std::string> warnings;
  Session::Totals totals;
  std::vector<const Problem *> problems; // the session's
  std::map<std::string, uint64_t> unfollowed;
  std::vector<CapturedVariant> captured;
};

// By dovetail_bind_kind.
std::string_view nameOfBind(size_t kind);
// Says in words why a bind took so long.
std::string describeCause(const Stall &stall);

std::string printText(const Report &report);
std::string printJson(const Report &report);
std::string printHtml(const Report &report);

// Writes all three into the output folder, with shaders and states of refused pipelines. Without a folder, writes the
// summary to stderr. Replaces an earlier report of the same session.
void writeReport(const Session &session);

} // namespace dovetail::layer
