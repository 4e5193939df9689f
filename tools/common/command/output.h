// SPDX-License-Identifier: MIT
//
// Prints a tool's text, and writes files that may be the standard output.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

// Prints to the standard output, or to the standard error if a file has reserved the standard output. finishOutput()
// reports failures.
void print(std::string_view text);

// Errors: Io, with the system's reason, if any printed text did not arrive: stdout may be a full disk.
Result<void> finishOutput();

// Whether the path is "-".
bool isStandardOutput(std::string_view path);

// Call this before anything is printed, for each file that writeOutput() will write. The path may be "-": that file
// then has the standard output to itself. Errors: InvalidInput
// - for a terminal, which shows bytes as garbage;
// - for a second file "-";
// - for a file that is also in `inputs` ("FILE.foz#N" reads FILE.foz).
Result<void> reserveOutput(const std::string &path, std::span<const std::string> inputs = {});

// As writeFileAtomically(); "-" is the standard output.
Result<void> writeOutput(const std::string &path, std::span<const uint8_t> bytes);
Result<void> writeOutput(const std::string &path, std::string_view text);

} // namespace dovetail
