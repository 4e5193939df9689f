// SPDX-License-Identifier: MIT
//
// Prologs and epilogs of every kind, made from their keys: encoded on the calling thread, because a draw may wait for
// them, or compiled from the same listing, to be compared. Whoever asks has looked for the key before, so it is for him
// to put that into the part (key_bytes.h).
#pragma once

#include "parts/kinds/around/surroundings.h"

namespace lgc {
class BuilderContext;
} // namespace lgc

namespace dovetail {

// `Key`: of a row of parts/part_kinds.def. `target`: the GPU of the key. Errors: Unsupported if registers do not
// suffice.
template <typename Key> Result<Part> encodePart(const Key &key, const TargetInfo &target);

// Errors: those of the compiler.
template <typename Key> Result<Part> compilePart(const Key &key, lgc::BuilderContext &context);

} // namespace dovetail
