// SPDX-License-Identifier: MIT
//
// What the tool does with pipelines: compiles pipeline modules as a whole or in parts, and links ELF files.
#pragma once

#include "src/lgc/step.h"
#include "tools/programs/lgc/lgc_options.h"

namespace dovetail::lgc_tool {

// A shader or a pipeline module, as bitcode, to what the options ask for. The observer sees all that is compiled for
// it, one module after the other; nullptr: there is none. Errors: those of compiling.
Result<std::string> compilePipeline(const Options &options, const std::string &name, const std::string &bitcode,
                                    const lgc::StepObserver &observer);

// `state`: of the module, as bitcode, that has the pipeline's state. Errors: those of linking.
Result<std::string> linkFiles(const Options &options, const std::string &state,
                              const std::vector<std::string> &elfFiles, const lgc::StepObserver &observer);

// The shaders of a pipeline module, each as bitcode of a module that the middle-end takes.
Result<std::vector<std::string>> splitPipeline(const Options &options, const std::string &name,
                                               const std::string &bitcode);

} // namespace dovetail::lgc_tool
