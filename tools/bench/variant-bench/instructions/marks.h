// SPDX-License-Identifier: MIT
//
// A process that counts its instructions marks where a piece of its work ends. Under callgrind, a mark is a dump of the
// costs since the mark before it. Counters of the CPU write the same lines, so there is one reader.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct Mark {
  std::string label;
  uint64_t instructions = 0; // since the mark before it
};

// Reads the marks of a file of dumps, in their order. Dumps that nobody asked for, as at the end of the process, are
// left out. Errors: InvalidInput for a dump without a summary, as of a process that was killed.
Result<std::vector<Mark>> readMarks(std::string_view dumps);

// Prints the lines of a dump that readMarks() reads.
std::string printMark(const Mark &mark);

} // namespace dovetail
