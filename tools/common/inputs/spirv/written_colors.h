// SPDX-License-Identifier: MIT
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <array>
#include <cstdint>

namespace dovetail {

// The components of each colour, and of each second source of blending, that a fragment shader stores to anywhere.
// What it only declares, down to single elements of an array, is undefined after a draw. This is read from the SPIR-V,
// and not asked of what was compiled, which might have lost a store.
struct WrittenColors {
  std::array<uint32_t, MaxColorTargets> colors = {};
  std::array<uint32_t, MaxColorTargets> secondSources = {};
};

// Errors: those of parseModule().
Result<WrittenColors> findWrittenColors(const ShaderDescription &fragment);

} // namespace dovetail
