// SPDX-License-Identifier: MIT
//
// The last step of every build: from the parts of all programs to a variant. No compiler runs in it.
#pragma once

#include "merge/join.h"
#include "variants/assemble/get_parts.h"

namespace dovetail {

// Joins programs to one image and notes how long that took. Errors: JoinRefused.
Result<std::shared_ptr<Variant>> joinStages(const JoinInput &input, const VariantKey &key);

// A variant with an image of two that are known. Errors: those of combine().
Result<VariantRef> combineVariant(const Image &front, const Image &pixel, const VariantKey &key);

// Like joinStages() for programs of which it is noted how their parts were come by.
Result<VariantRef> joinPrograms(const TargetInfo &target, const VariantKey &key, const ShaderSet &shaders,
                                std::vector<ProgramParts> programs, const PipelineState &canonicalState,
                                bool isMonolithic, bool isOptimized = false);

} // namespace dovetail
