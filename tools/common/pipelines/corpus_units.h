// SPDX-License-Identifier: MIT
//
// Lists what a corpus is made of: single shaders, and the programs that their file names form.
#pragma once

#include "src/base/error.h"
#include "src/base/hash.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include <string>
#include <vector>

namespace dovetail {

// Files that are compiled together: graphics shaders of different stages with the same name, a single file, or a
// pipeline of a database.
struct CorpusUnit {
  std::string name; // the file's, or the common part of the names
  std::vector<std::string> files;
  std::string stateFile; // of shaders: their state; empty: a default state

  bool operator==(const CorpusUnit &) const = default;
};

// Finds the shader files below the folders (or the files themselves), as units sorted by name. Each pipeline of a
// database is a unit. Errors: Io for a path that is missing or cannot be read; InvalidInput for a folder without
// shaders.
Result<std::vector<CorpusUnit>> findCorpusUnits(const std::vector<std::string> &paths);

// withStages() keeps the units that have a shader of one of these stages, withoutStages() those that have none. Stages
// come from file names, and in .shader_test files from the sections. Errors: Io.
Result<std::vector<CorpusUnit>> withStages(std::vector<CorpusUnit> units, const StageSet &wanted);
Result<std::vector<CorpusUnit>> withoutStages(std::vector<CorpusUnit> units, const StageSet &unwanted);

// Shaders "light.vert" and "light.frag" may have state files "light.json" and "light.NAME.json" beside them. For each
// of these, the shaders become a unit with that state.
std::vector<CorpusUnit> withStateFiles(std::vector<CorpusUnit> units);

// Names the contents of a unit: its shaders and state. Reads the files, but nothing in them is looked at, so any bytes
// are safe. Errors: Io.
Result<Hash128> contentOf(const CorpusUnit &unit);

// Text for the standard error: one line for each pipeline that a device dumped for another GPU. `gpu`: LLVM's name.
std::string describeOtherGpus(const std::vector<CorpusUnit> &units, std::string_view gpu);

// Puts units into an order that looks random, but depends only on the seed and the number of units.
void shuffleUnits(std::vector<CorpusUnit> &units, uint64_t seed);

} // namespace dovetail
