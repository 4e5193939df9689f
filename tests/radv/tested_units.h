// SPDX-License-Identifier: MIT
//
// The common beginning of this folder's programs: whether RADV is there, and which own programs are taken.
#pragma once

#include "tools/common/pipelines/corpus_units.h"
#include "tools/proof/radv/radv_pipelines.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace dovetail {

constexpr int SkippedStatus = 77; // meson's exit status

// Prints a message if RADV is not there.
inline bool isRadvThere() {
  const bool isThere = std::filesystem::exists(RadvDriver);
  if (!isThere)
    std::printf("SKIPPED: %s is not there (package mesa-vulkan-drivers): nothing was tested\n", RadvDriver);
  return isThere;
}

// The units below the paths; if `limit` is not 0, that many of them, chosen by the seed. Errors: those of
// findCorpusUnits.
inline Result<std::vector<CorpusUnit>> chooseUnits(const std::vector<std::string> &paths, size_t limit, uint64_t seed) {
  std::vector<CorpusUnit> units = DOVETAIL_TRY(findCorpusUnits(paths));
  if (limit) {
    shuffleUnits(units, seed);
    units.resize(std::min(units.size(), limit));
  }
  return units;
}

} // namespace dovetail
