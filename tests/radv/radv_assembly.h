// SPDX-License-Identifier: MIT
//
// RADV's disassembly back to machine code, through LLVM's assembler.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct RadvCode {
  std::vector<uint8_t> bytes;      // instructions and the constants behind them
  size_t codeBytes = 0;            // instructions alone
  size_t instructions = 0;         // in the text, repeated ones counted each time
  bool exportsUndefined = false;   // from a VGPR that the wave does not have
  std::set<std::string> mnemonics; // as LLVM writes them, without _e32, _e64, _sdwa and _dpp
};

// The text of an executable's "Assembly", by ACO or LLVM. Beside each instruction RADV writes its encoding, which must
// be what LLVM's assembler gives for it; branches of LLVM's are not resolved there yet, and are taken from their
// labels. Errors: Unsupported for code whose constants the text lacks; CheckFailed where the encodings disagree.
Result<RadvCode> assembleRadv(std::string_view text);

} // namespace dovetail
