// SPDX-License-Identifier: MIT
//
// The last step of every build: makes a variant of the parts of all programs. No compiler runs in it.
#pragma once

#include "merge/join.h"
#include "variants/assemble/get_parts.h"

namespace dovetail {

// Joins programs to one image and notes how long that took. Errors: JoinRefused.
Result<std::shared_ptr<Variant>> joinStages(const JoinInput &input, const VariantKey &key);

// A variant whose image is combined from two known images. Errors: those of combine().
Result<VariantRef> combineVariant(const Image &front, const Image &pixel, const VariantKey &key);

// Like joinStages(), for programs that note how their parts were found or made.
Result<VariantRef> joinPrograms(const TargetInfo &target, const VariantKey &key, const ShaderSet &shaders,
                                std::vector<ProgramParts> programs, const PipelineState &canonicalState,
                                bool isMonolithic, bool isOptimized = false);

} // namespace dovetail
