// SPDX-License-Identifier: MIT
//
// Compiles pipeline modules as a whole or in parts, and links ELF files.
#pragma once

#include "src/lgc/step.h"
#include "tools/programs/lgc/lgc_options.h"

namespace dovetail::lgc_tool {

// Compiles a shader or a pipeline module, given as bitcode, to what the options ask for. The observer sees all modules
// that are compiled for it, one after the other; nullptr: no observer. Errors: those of compiling.
Result<std::string> compilePipeline(const Options &options, const std::string &name, const std::string &bitcode,
                                    const lgc::StepObserver &observer);

// `state`: bitcode of the module that has the pipeline's state. Errors: those of linking.
Result<std::string> linkFiles(const Options &options, const std::string &state,
                              const std::vector<std::string> &elfFiles, const lgc::StepObserver &observer);

// The shaders of a pipeline module, each as bitcode of a module for the middle-end.
Result<std::vector<std::string>> splitPipeline(const Options &options, const std::string &name,
                                               const std::string &bitcode);

} // namespace dovetail::lgc_tool
