// SPDX-License-Identifier: MIT
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <array>
#include <cstdint>

namespace dovetail {

// The components of each colour, and of each second blend source, that a fragment shader stores to anywhere. A
// component that is only declared is undefined after a draw, down to single array elements. The answer comes from the
// SPIR-V: compiled code might have lost a store.
struct WrittenColors {
  std::array<uint32_t, MaxColorTargets> colors = {};
  std::array<uint32_t, MaxColorTargets> secondSources = {};
};

// Errors: those of parseModule().
Result<WrittenColors> findWrittenColors(const ShaderDescription &fragment);

} // namespace dovetail
