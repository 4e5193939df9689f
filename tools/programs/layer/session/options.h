// SPDX-License-Identifier: MIT
//
// What users choose, by environment variables (docs/layer.md).
#pragma once

#include "variants/c_api/include/dovetail.h"
#include <csignal>
#include <string>
#include <vector>

namespace dovetail::layer {

// When main parts are compiled.
enum class CompileWhen {
  Pipeline,   // when the application makes the pipeline, as drivers do
  Background, // begun then, in the background
  Draw,       // by the first draw that needs them
};

struct Options {
  std::string gpu = "gfx900";
  uint32_t policy = DOVETAIL_POLICY_HOT;
  uint32_t hotBinds = 64;
  uint32_t threads = 1;
  uint64_t memoryBudget = uint64_t(256) << 20;
  std::string store;   // a folder; empty: there is none
  std::string capture; // a folder; empty: nothing is captured
  std::string output;  // a folder; empty: the summary goes to stderr
  CompileWhen compile = CompileWhen::Pipeline;
  double warmUpSeconds = 60;     // binds after it are counted once more, as those of the steady state
  bool measuresCpuOfAll = false; // of all binds; else of those that are new
  int signal = SIGUSR1;          // that asks for the report; 0: none does

  // What could not be read; defaults stand for it.
  std::vector<std::string> complaints;
};

Options readOptions();

} // namespace dovetail::layer
