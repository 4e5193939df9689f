// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <functional>
#include <string>
#include <vector>

namespace dovetail::lgc_tool {

// Does the work in a child process and returns its result. LLVM ends the process on IR that it cannot compile, and its
// readers abort, or worse, on some malformed files: the caller then gets an Error, which names the work.
using Work = std::function<Result<std::vector<std::string>>()>;
Result<std::vector<std::string>> doInChild(const std::string &name, const Work &work);

} // namespace dovetail::lgc_tool
