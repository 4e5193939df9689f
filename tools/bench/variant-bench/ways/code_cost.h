// SPDX-License-Identifier: MIT
//
// What the code of a program's hardware shaders is like.
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

// Of one hardware shader. What nobody could make is not there.
struct ShaderCost {
  std::string program;
  HardwareStage stage = HardwareStage::Vs;
  std::array<std::optional<StageCost>, CodeKindCount> costs;
};

// Joined, monolithic and optimised, under the first state of the grid; a variant that could not be optimised is the
// joined one. Errors: those of binding.
Result<std::vector<ShaderCost>> measureOwnCode(Device &device, const BenchProgram &program);

} // namespace dovetail
