// SPDX-License-Identifier: MIT
//
// The options, which users set by environment variables (docs/layer.md).
#pragma once

#include "variants/c_api/include/dovetail.h"
#include <csignal>
#include <string>
#include <vector>

namespace dovetail::layer {

// Whether draws are executed in the emulator, too.
enum class ExecuteHow {
  Off,
  Compare, // beside the driver, whose result goes on
};

// When main parts are compiled.
enum class CompileWhen {
  Pipeline,   // when the application creates the pipeline, as drivers do
  Background, // from then on, in the background
  Draw,       // by the first draw that needs them
};

struct Options {
  std::string gpu = "gfx900";
  uint32_t policy = DOVETAIL_POLICY_HOT;
  uint32_t firstTier = DOVETAIL_TIER_NONE; // the library's default
  uint32_t hotBinds = 64;
  uint32_t threads = 1;
  uint64_t memoryBudget = uint64_t(256) << 20;
  std::string store;   // a folder; empty: there is none
  std::string capture; // a folder; empty: nothing is captured
  std::string output;  // a folder; empty: the summary goes to stderr
  CompileWhen compile = CompileWhen::Pipeline;
  double warmUpSeconds = 60;         // later binds are counted again, as binds of the steady state
  bool measuresCpuOfAll = false;     // measure the CPU time of all binds; otherwise only that of new binds
  bool reportsImageIndexing = false; // reported_features.h
  double reportEvery = 5;            // seconds between reports while the application runs; 0: none
  ExecuteHow execute = ExecuteHow::Off;
  // Which draws are executed.
  bool executesNewOnly = false; // the first with each variant
  uint64_t executeEvery = 1;    // of these, every so many
  uint64_t executePixels = 0;   // those that can change at most so many pixels; 0: all
  double executeSeconds = 0;    // while the device is younger; 0: always
  uint32_t executeThreads = 1;
  uint64_t executeFault = 0; // the number of the executed draw whose result gets a fault; 0: none
  int signal = SIGUSR1;      // the signal that asks for the report; 0: none

  // Texts about unreadable values; the defaults stand for them.
  std::vector<std::string> complaints;
};

Options readOptions();

// Whether DOVETAIL_SHADOW_EXECUTE asks for anything; the same in the whole process.
bool isExecutionAsked();

} // namespace dovetail::layer
