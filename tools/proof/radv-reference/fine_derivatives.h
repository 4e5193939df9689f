// SPDX-License-Identifier: MIT
//
// Whether the derivatives of a quad are fine or coarse is a driver's choice for OpDPdx and the like: RADV with ACO
// chooses otherwise than lavapipe. SPIR-V that makes the choice itself gives pictures that can be compared.
#pragma once

#include "src/base/error.h"
#include "variants/shader.h"

namespace dovetail {

// The shader with all derivatives fine that have a choice. Errors: those of createShader().
Result<ShaderRef> withFineDerivatives(const ShaderRef &shader);

} // namespace dovetail
