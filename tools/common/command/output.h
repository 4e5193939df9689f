// SPDX-License-Identifier: MIT
//
// What a tool prints, and files that may be the standard output.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

// To the standard output, or to the standard error once the standard output is a file's. Whether it arrived,
// finishOutput() tells.
void print(std::string_view text);

// Errors: Io, with the system's reason, if anything that was printed did not arrive: stdout may be a full disk.
Result<void> finishOutput();

// "-": the standard output.
bool isStandardOutput(std::string_view path);

// To be called before anything is printed if a file of the command line, which may be "-", is going to be written by
// writeOutput(): the standard output is the file's alone then. Errors: InvalidInput for a terminal, which shows bytes
// as garbage, for a second such file, and for one of the files that are read ("FILE.foz#N" reads FILE.foz).
Result<void> reserveOutput(const std::string &path, std::span<const std::string> inputs = {});

// As writeFileAtomically(); "-" is the standard output.
Result<void> writeOutput(const std::string &path, std::span<const uint8_t> bytes);
Result<void> writeOutput(const std::string &path, std::string_view text);

} // namespace dovetail
