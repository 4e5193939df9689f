// SPDX-License-Identifier: MIT
//
// What a corpus is made of: shaders, alone or as the programs that their names say.
#pragma once

#include "src/base/error.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include <string>
#include <vector>

namespace dovetail {

// Files that are compiled together: graphics shaders of different stages with the same name, or a single file; or a
// pipeline of a database.
struct CorpusUnit {
  std::string name; // the file's, or what the names have in common
  std::vector<std::string> files;

  bool operator==(const CorpusUnit &) const = default;
};

// The shader files below the folders (or the files themselves), sorted by name, as units. Of a database, each pipeline
// is a unit. Errors: Io for a path that is
// not there or cannot be read; InvalidInput for a folder without any.
Result<std::vector<CorpusUnit>> findCorpusUnits(const std::vector<std::string> &paths);

// Those of the units that have a shader of one of these stages, or those that have none, by the names of their files
// and, in .shader_test files, by the sections. Errors: Io.
Result<std::vector<CorpusUnit>> withStages(std::vector<CorpusUnit> units, const StageSet &wanted);
Result<std::vector<CorpusUnit>> withoutStages(std::vector<CorpusUnit> units, const StageSet &unwanted);

// Which pipelines a device dumped for another GPU than this one, for the standard error: a line for each. `gpu`: LLVM's
// name.
std::string describeOtherGpus(const std::vector<CorpusUnit> &units, std::string_view gpu);

// Puts units into an order that looks random and depends on nothing but the seed and their number.
void shuffleUnits(std::vector<CorpusUnit> &units, uint64_t seed);

} // namespace dovetail
