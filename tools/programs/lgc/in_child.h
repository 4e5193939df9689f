// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <functional>
#include <string>
#include <vector>

namespace dovetail::lgc_tool {

// Does the work in a child process and gives what it gives. LLVM ends the process over IR that it cannot compile, and
// its readers abort, or worse, on some malformed files: then that is an Error, which names what the work was.
using Work = std::function<Result<std::vector<std::string>>()>;
Result<std::vector<std::string>> doInChild(const std::string &name, const Work &work);

} // namespace dovetail::lgc_tool
