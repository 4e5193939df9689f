// SPDX-License-Identifier: MIT
//
// The known differences between RADV's machine code and lavapipe, with reasons: other results, or code that cannot be
// run. Everything else must match.
#pragma once

#include "tools/proof/radv/radv_pipelines.h"
#include <optional>
#include <string_view>

namespace dovetail {

struct KnownDifference {
  enum class Instead : uint8_t {
    RunsOnly, // must run without a trap
    NotRun,   // is refused by RADV, or the emulator rightly refuses it
    OneLevel, // must match where levels make no difference: with images of one level, and one filter
  };
  std::string_view unit;
  std::string_view backends; // "ACO", "LLVM" or both
  std::string_view channels; // beginnings of ChannelDifference::what, separated by commas; the others must match
  Instead instead;
  std::string_view reason;
  std::string_view family = {}; // Mesa's name of the only GPU that the difference concerns; empty: all
};

// nullptr if there is none. `unit` is the name without folders.
const KnownDifference *findKnownDifference(std::string_view unit, RadvBackend backend, std::string_view family);

// Whether a channel is one of those that may differ.
bool mayDiffer(const KnownDifference &known, std::string_view channel);

} // namespace dovetail
