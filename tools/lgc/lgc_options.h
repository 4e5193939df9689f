// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <string>
#include <vector>

namespace dovetail::lgc_tool {

// Of PAL's pipeline ABI: LLVM writes registers by their numbers, as version 2 wants it.
constexpr unsigned PalAbiVersion = 2;

enum class FileType { Assembly, Object, Null };

struct Options {
  std::vector<std::string> inputs; // "-": the standard input
  std::string gpu;
  std::string output; // "-": the standard output
  FileType fileType = FileType::Object;
  bool emitLlvm = false;
  bool verifyIr = false;
  unsigned extract = 0; // the number of a module, from 1; 0: all
  bool runsPasses = false;
  std::string passes;
};

// The command line, in LLVM's notation; LLVM's own options are taken, too. `-help` and `-version` exit.
Result<Options> parseOptions(int argumentCount, char **arguments);

} // namespace dovetail::lgc_tool
