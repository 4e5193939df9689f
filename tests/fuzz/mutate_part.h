// SPDX-License-Identifier: MIT
//
// Makes another part of the same key, as a writer other than our compiler might have put into a store, with a right
// checksum.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <random>

namespace dovetail::fuzz {

// Removes, doubles or exchanges some elements of lists; drops some optional facts, or takes those of `other`; then
// changes some bytes of the encoding. Errors: those of decodePart().
Result<Part> mutatePart(const Part &part, const Part &other, std::mt19937_64 &random);

} // namespace dovetail::fuzz
