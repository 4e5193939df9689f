// SPDX-License-Identifier: MIT
//
// Prints what became of executed draws, for the layer's report.
#pragma once

#include "tools/common/report/page.h"
#include "tools/programs/layer/session/execution_counts.h"
#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

namespace dovetail::layer {

// Appends lines of text.
void printExecution(const ExecutionTotals &totals, fmt::memory_buffer &text);
nlohmann::ordered_json executionJson(const ExecutionTotals &totals);
// Adds the section of the page, with the pictures of the first misses.
void addExecution(const ExecutionTotals &totals, report::Page &page);

} // namespace dovetail::layer
