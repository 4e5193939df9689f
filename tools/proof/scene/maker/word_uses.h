// SPDX-License-Identifier: MIT
//
// Translators of shaders turn a uniform block into arrays without names: of 32-bit integers and, for doubles, of 64-bit
// integers (Mesa's zink), or of float vectors (Direct3D's bytecode). The operations on the words tell which have
// another type than declared, and which are the columns of a matrix.
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
  bool isInteger = false; // otherwise a float
  bool isMatrix = false;
  uint32_t column = 0, row = 0; // in that matrix
};

// Words whose use differs from their declared type (integer or float). Key: set, binding, bytes from the start of the
// block.
using WordUses = std::map<std::tuple<uint32_t, uint32_t, uint32_t>, WordUse>;

// Errors: those of parseModule().
Result<WordUses> findWordUses(const ShaderSet &shaders);

// If a block has such words, writes floats between 0.1 and 0.9, integers from 0 to 3, and matrices near identity.
void writeWords(const WordUses &uses, uint32_t set, uint32_t binding, uint64_t seed, std::span<uint8_t> bytes);

} // namespace dovetail
