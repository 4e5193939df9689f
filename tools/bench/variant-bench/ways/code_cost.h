// SPDX-License-Identifier: MIT
//
// Measures the code of a program's hardware shaders.
#pragma once

#include "tools/bench/variant-bench/measure/programs.h"
#include "variants/bind/device.h"
#include <array>
#include <optional>

namespace dovetail {

struct StageCost {
  double instructions = 0, vgprs = 0, waves = 0, bytes = 0;
};

enum class CodeKind : uint8_t { Joined, Monolithic, Optimized, RadvAco, RadvLlvm };
constexpr unsigned CodeKindCount = unsigned(CodeKind::RadvLlvm) + 1;
std::string_view toString(CodeKind kind);
std::string_view toWord(CodeKind kind);

// The costs of one hardware shader. Kinds that nobody could make are missing.
struct ShaderCost {
  std::string program;
  HardwareStage stage = HardwareStage::Vs;
  std::array<std::optional<StageCost>, CodeKindCount> costs;
};

// Measures joined, monolithic and optimised code, under the first state of the grid. If a variant could not be
// optimised, the joined one counts. Errors: those of binding.
Result<std::vector<ShaderCost>> measureOwnCode(Device &device, const BenchProgram &program);

} // namespace dovetail
