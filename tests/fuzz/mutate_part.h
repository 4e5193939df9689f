// SPDX-License-Identifier: MIT
//
// Another part of the same key: what somebody else than our compiler might have put into a store, with a checksum that
// is right.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <random>

namespace dovetail::fuzz {

// Some elements of lists are removed, doubled or exchanged, some things that a part may have are not there, or those of
// `other` are; then some bytes of its encoding are changed. Errors: those of decodePart().
Result<Part> mutatePart(const Part &part, const Part &other, std::mt19937_64 &random);

} // namespace dovetail::fuzz
