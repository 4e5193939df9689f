// SPDX-License-Identifier: MIT
//
// What the tool does with pipelines: compiles pipeline modules as a whole or in parts, and links ELF files.
#pragma once

#include "tools/lgc/lgc_options.h"

namespace dovetail::lgc_tool {

// A shader or a pipeline module, as bitcode, to what the options ask for. Errors: those of compiling.
Result<std::string> compilePipeline(const Options &options, const std::string &name, const std::string &bitcode);

// `state`: of the module, as bitcode, that has the pipeline's state. Errors: those of linking.
Result<std::string> linkFiles(const Options &options, const std::string &state,
                              const std::vector<std::string> &elfFiles);

} // namespace dovetail::lgc_tool
