// SPDX-License-Identifier: MIT
//
// Input files of a command line, which may be the standard input.
#pragma once

#include "src/base/error.h"
#include <string>

namespace dovetail {

struct InputFile {
  std::string name; // for Errors: the path, or "<stdin>"
  std::string content;
};

// As readWholeFile(); "-" is the standard input.
Result<InputFile> readInputFile(const std::string &path);

} // namespace dovetail
