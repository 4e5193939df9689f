// SPDX-License-Identifier: MIT
//
// What translators of shaders leave of a uniform block are arrays without names: of integers (Mesa's zink) of 32 bits
// and, for doubles, of 64, or of vectors of floats (those of Direct3D's bytecode). What a shader computes with them
// tells which are of the other kind, and which are the columns of a matrix.
#pragma once

#include "src/base/error.h"
#include "variants/shader.h"
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

namespace dovetail {

struct WordUse {
  uint32_t bits = 32;
  bool isInteger = false; // else a float
  bool isMatrix = false;
  uint32_t column = 0, row = 0; // of that matrix
};

// Words that are integers by their type and floats by their use, or the other way round: set, binding, bytes from the
// start of the block.
using WordUses = std::map<std::tuple<uint32_t, uint32_t, uint32_t>, WordUse>;

// Errors: those of parseModule().
Result<WordUses> findWordUses(const ShaderSet &shaders);

// Writes floats between 0.1 and 0.9, integers from 0 to 3, and matrices near to identity, where a block has such words.
void writeWords(const WordUses &uses, uint32_t set, uint32_t binding, uint64_t seed, std::span<uint8_t> bytes);

} // namespace dovetail
