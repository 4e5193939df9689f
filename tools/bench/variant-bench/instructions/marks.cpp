// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/marks.h"
#include <charconv>
#include <optional>

namespace dovetail {

namespace {

// Source: valgrind's manual, "Callgrind Format Specification". What follows the trigger is the text that the process
// gave to CALLGRIND_DUMP_STATS_AT. The summary is what the process has executed since the dump before. The totals
// behind it also count what functions executed before CALLGRIND_ZERO_STATS (valgrind 3.19).
constexpr std::string_view Trigger = "desc: Trigger: ", Request = "Client Request: ", Summary = "summary: ";

} // namespace

Result<std::vector<Mark>> readMarks(std::string_view dumps) {
  std::vector<Mark> marks;
  std::optional<std::string> label; // of the dump whose summary is still to come
  auto checkSummary = [&]() -> Result<void> {
    if (label)
      return makeError(ErrorCode::InvalidInput, "the dump of \"{}\" has no summary", *label);
    return {};
  };
  while (!dumps.empty()) {
    const std::string_view line = dumps.substr(0, dumps.find('\n'));
    dumps.remove_prefix(std::min(line.size() + 1, dumps.size()));
    if (line.starts_with(Trigger)) {
      DOVETAIL_CHECK(checkSummary());
      if (const std::string_view cause = line.substr(Trigger.size()); cause.starts_with(Request))
        label = cause.substr(Request.size());
    } else if (label && line.starts_with(Summary)) {
      Mark mark = {*label, 0};
      const std::string_view number = line.substr(Summary.size());
      const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), mark.instructions);
      if (code != std::errc() || end != number.data() + number.size())
        return makeError(ErrorCode::InvalidInput, "the summary of \"{}\" is \"{}\"", *label, number);
      marks.push_back(std::move(mark));
      label.reset();
    }
  }
  DOVETAIL_CHECK(checkSummary());
  return marks;
}

std::string printMark(const Mark &mark) {
  return fmt::format("{}{}{}\n{}{}\n", Trigger, Request, mark.label, Summary, mark.instructions);
}

} // namespace dovetail
