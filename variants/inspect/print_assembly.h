// SPDX-License-Identifier: MIT
#pragma once

#include "merge/image.h"
#include "parts/compile/line_table.h"
#include "src/base/error.h"
#include <functional>
#include <span>
#include <string>

namespace dovetail {

// The whole text of the image as assembly, with the border of each part and its contract. `lines`: the source lines of
// instructions (source_lines.h); `describe` writes them in a comment in front of the instructions. Thread-safe; takes
// milliseconds. Errors: those of the disassembler.
Result<std::string> printAssembly(const Image &image, std::span<const CodeLine> lines = {},
                                  const std::function<std::string(const CodeLine &)> &describe = {});

} // namespace dovetail
