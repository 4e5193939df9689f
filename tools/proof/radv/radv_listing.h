// SPDX-License-Identifier: MIT
//
// Reads RADV's disassembly of a program: the encodings beside its instructions.
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
  // A word, and the bits of it that the listing knows. LLVM's listing lacks the targets of branches and the distances
  // to constants.
  struct Word {
    uint32_t value = 0, known = ~0u;
  };
  std::vector<Word> words;         // of the instructions, without the constants behind them
  std::vector<size_t> distances;   // indices of words that hold the low half of a distance to constants
  size_t constants = 0;            // dwords of constants that the listing has
  size_t instructions = 0;         // repeated ones count each time
  bool exportsUndefined = false;   // exports from a VGPR that the wave does not have
  std::set<std::string> mnemonics; // as LLVM writes them, without _e32, _e64, _sdwa and _dpp

  // Whether these dwords begin with this program.
  bool describes(std::span<const uint32_t> memory) const;
  // How many of these dwords are the program's code and constants; more if the number of constants is unknown. The
  // listing must describe `memory`.
  size_t size(std::span<const uint32_t> memory) const;

private:
  std::optional<size_t> target(std::span<const uint32_t> memory, size_t distance) const;
};

// Reads the text of an executable's "Assembly", from ACO or LLVM. Errors: Unsupported for a line that is not
// understood.
Result<RadvListing> readRadvListing(std::string_view text);

} // namespace dovetail
