// SPDX-License-Identifier: MIT
//
// The pipelines of captures, each with its costliest program, in the order in which a developer would look at them.
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

// Of a unit, in a worker process: what it finds travels as text.
std::string inspectUnit(const CorpusUnit &unit, const ListOptions &options);
// Errors: Internal for a text that is none of inspectUnit().
Result<InspectedPipeline> parseInspected(const std::string &text);

// Worst program first; pipelines that failed come last.
void sortByWorst(std::vector<InspectedPipeline> &pipelines);
// At most so many rows (0: all), and what is left out and why in the last lines.
std::string printList(const std::vector<InspectedPipeline> &pipelines, size_t limit);

// Compiles all units in worker processes, and prints the list. The exit status is 1 if any failed.
Result<int> listPipelines(const std::vector<CorpusUnit> &units, const ListOptions &options);

} // namespace dovetail
