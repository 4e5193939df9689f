// SPDX-License-Identifier: MIT
//
// Counts of first code as the text that a worker process sends.
#pragma once

#include "parts/cache/first_code_counts.h"
#include <nlohmann/json.hpp>

namespace dovetail {

template <typename Json> Json firstCodeToJson(const FirstCodeCounts &counts) {
  return {{"made", counts.made}, {"reasons", counts.reasons}};
}

template <typename Json> FirstCodeCounts firstCodeFromJson(const Json &json) {
  FirstCodeCounts counts;
  counts.made = json.at("made");
  for (const auto &[reason, count] : json.at("reasons").items())
    counts.refuse(reason, count.template get<uint64_t>());
  return counts;
}

} // namespace dovetail
