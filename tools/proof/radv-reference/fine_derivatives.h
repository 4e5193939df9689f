// SPDX-License-Identifier: MIT
//
// For OpDPdx and the like, a driver chooses whether the derivatives of a quad are fine or coarse. RADV with ACO and
// lavapipe choose differently. SPIR-V that makes the choice itself gives pictures that can be compared.
#pragma once

#include "src/base/error.h"
#include "variants/shader.h"

namespace dovetail {

// The shader with fine derivatives wherever a driver may choose. Errors: those of createShader().
Result<ShaderRef> withFineDerivatives(const ShaderRef &shader);

} // namespace dovetail
