// SPDX-License-Identifier: MIT
//
// What RADV's disassembly says about a program: the encodings beside its instructions.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct RadvListing {
  // The bits that the listing knows. LLVM's has neither the targets of branches nor the distances to constants.
  struct Word {
    uint32_t value = 0, known = ~0u;
  };
  std::vector<Word> words;         // of the instructions, without the constants behind them
  std::vector<size_t> distances;   // words that are the low half of the distance from them to constants
  size_t constants = 0;            // dwords behind them that the listing has
  size_t instructions = 0;         // repeated ones are counted each time
  bool exportsUndefined = false;   // from a VGPR that the wave does not have
  std::set<std::string> mnemonics; // as LLVM writes them, without _e32, _e64, _sdwa and _dpp

  // Whether these dwords, which begin with the program, are that program.
  bool describes(std::span<const uint32_t> memory) const;
  // How many of these dwords, which it describes, are its code and constants; more than that if nobody knows.
  size_t size(std::span<const uint32_t> memory) const;

private:
  std::optional<size_t> target(std::span<const uint32_t> memory, size_t distance) const;
};

// The text of an executable's "Assembly", by ACO or LLVM. Errors: Unsupported for a line that is not understood.
Result<RadvListing> readRadvListing(std::string_view text);

} // namespace dovetail
