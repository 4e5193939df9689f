// SPDX-License-Identifier: MIT
//
// Lists the pipelines of captures, each with its costliest program, in the order in which a developer would look at
// them.
#pragma once

#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/programs/dovetail/inspect/inspected_json.h"

namespace dovetail {

struct ListOptions {
  std::string gpu = "gfx900";
  WorkerPoolOptions pool;
  size_t limit = 50; // rows; 0: all
  std::string jsonFile;
  ReadOptions read;
};

// Compiles a unit. Runs in a worker process, so its result travels as text.
std::string inspectUnit(const CorpusUnit &unit, const ListOptions &options);
// Errors: Internal for a text that inspectUnit() has not written.
Result<InspectedPipeline> parseInspected(const std::string &text);

// Worst program first; pipelines that failed come last.
void sortByWorst(std::vector<InspectedPipeline> &pipelines);
// Prints at most `limit` rows (0: all). The last lines say what is left out, and why.
std::string printList(const std::vector<InspectedPipeline> &pipelines, size_t limit);

// Compiles all units in worker processes, and prints the list. The exit status is 1 if any failed.
Result<int> listPipelines(const std::vector<CorpusUnit> &units, const ListOptions &options);

} // namespace dovetail
