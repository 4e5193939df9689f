// SPDX-License-Identifier: MIT
//
// The last step of every build: from the parts of all programs to a variant. No compiler runs in it.
#pragma once

#include "variants/build/get_parts.h"

namespace dovetail {

// Joins the programs of the shaders to one image and notes how long that took. Errors: JoinRefused.
Result<VariantRef> joinPrograms(const TargetInfo &target, const VariantKey &key, const ShaderSet &shaders,
                                std::vector<ProgramParts> programs, const PipelineState &canonicalState,
                                bool isMonolithic, bool isOptimized = false);

} // namespace dovetail
