// SPDX-License-Identifier: MIT
//
// The options of `dovetail corpus`, and its two ways to go through a corpus.
#pragma once

#include "src/base/error.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

struct CorpusOptions {
  std::vector<std::string> folders;
  ReadOptions read;
  std::string gpu = "gfx900";
  WorkerPoolOptions pool;
  bool monolithic = false;
  std::string parts;               // --parts
  std::vector<std::string> stages; // only units that have a shader of one of these stages; empty: all units
  bool firstCode = false;
  std::string jsonFile;
  size_t limit = 0; // 0: all
  uint64_t seed = 0;
  // --draw
  bool draw = false;
  bool optimized = false;
  std::vector<std::string> modes;
  uint32_t size = 32;
  std::string colorFormat;
  bool defaultState = false;
  bool radv = false;
};

// Draws every unit and prints how many match. The exit status is 1 if any differs.
Result<int> drawCorpus(const CorpusOptions &options, const std::vector<CorpusUnit> &units);

// The exit status of both commands: the shell's status for a signal that interrupted the pool; otherwise whether
// anything failed.
int corpusStatus(int signal, bool hasFailed);

} // namespace dovetail
