// SPDX-License-Identifier: MIT
//
// Hardware stages: the programs that the GPU's front end launches. On GFX9 an LS runs inside the HS program and an ES
// inside the GS program, so there only Hs, Gs, Vs, Ps and Cs have programs of their own. Sources: PAL's
// palPipelineAbi.h, HardwareStage and AbiSymbolType, for the names; LLPC's ShaderMerger.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace dovetail {

enum class HardwareStage : uint8_t { Ls, Hs, Es, Gs, Vs, Ps, Cs };
constexpr unsigned HardwareStageCount = 7;

// "ls", "hs", … as in PAL metadata (".vs") and entry symbols (_amdgpu_vs_main).
constexpr std::string_view toString(HardwareStage stage) {
  constexpr std::string_view Names[HardwareStageCount] = {"ls", "hs", "es", "gs", "vs", "ps", "cs"};
  return Names[unsigned(stage)];
}

} // namespace dovetail
