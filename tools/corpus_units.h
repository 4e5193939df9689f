// SPDX-License-Identifier: MIT
//
// What a corpus is made of: shaders, alone or in pairs.
#pragma once

#include "src/base/error.h"
#include <string>
#include <vector>

namespace dovetail {

// Files that are compiled together: a vertex and a fragment shader of the same name, or a single file.
struct CorpusUnit {
  std::string name; // the file's, or what a pair's names have in common
  std::vector<std::string> files;

  bool operator==(const CorpusUnit &) const = default;
};

// The shader files below the folders (or the files themselves), sorted by name, as units. Errors: Io for a path that is
// not there or cannot be read.
Result<std::vector<CorpusUnit>> findCorpusUnits(const std::vector<std::string> &paths);

// Puts units into an order that looks random and depends on nothing but the seed and their number.
void shuffleUnits(std::vector<CorpusUnit> &units, uint64_t seed);

} // namespace dovetail
