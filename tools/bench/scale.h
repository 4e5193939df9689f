// SPDX-License-Identifier: MIT
//
// Measures how binds behave as variants become many: up to a million, of 1,000 main parts, 300 prologs and 300 epilogs.
#pragma once

#include "src/base/error.h"
#include <string>

namespace dovetail {

// Files to write; empty: none.
struct ScaleOutputs {
  std::string json; // an object with "points", a list of objects with the fields of the table
  std::string html; // the same figures as charts
};

// Prints a table with a row for each measured number of variants, and writes the files. Errors: InvalidInput for too
// few variants; those of the shaders and binds; Io.
Result<void> runScale(uint64_t variants, const ScaleOutputs &outputs);

// Describes the fields of the JSON, for --help.
extern const char *const ScaleFields;

} // namespace dovetail
