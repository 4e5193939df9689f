// SPDX-License-Identifier: MIT
//
// Makes prologs and epilogs of every kind from their keys. They are encoded on the calling thread, because a draw may
// wait for them, or compiled from the same listing, for comparison. The caller has already looked for the key, so the
// caller puts the key into the part (key_bytes.h).
#pragma once

#include "parts/kinds/around/surroundings.h"

namespace lgc {
class BuilderContext;
} // namespace lgc

namespace dovetail {

// `Key`: the key of a row of parts/part_kinds.def. `target`: the key's GPU. Errors: Unsupported if registers do not
// suffice.
template <typename Key> Result<Part> encodePart(const Key &key, const TargetInfo &target);

// Errors: those of the compiler.
template <typename Key> Result<Part> compilePart(const Key &key, lgc::BuilderContext &context);

} // namespace dovetail
