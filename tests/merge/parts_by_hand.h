// SPDX-License-Identifier: MIT
//
// Small parts written as assembly, with the contracts of the project's register ABI, and stages made of them. Tests
// change one thing and look at the consequences.
#pragma once

#include "merge/join.h"
#include "parts/part.h"
#include <string_view>
#include <vector>

namespace dovetail::test {

constexpr ValueName valueOf(ValueKind kind, uint8_t index = 0, uint8_t component = 0) {
  return {kind, index, component};
}
constexpr Register sgpr(uint16_t index) {
  return {RegisterBank::Sgpr, index};
}
constexpr Register vgpr(uint16_t index) {
  return {RegisterBank::Vgpr, index};
}

// A part with this code and its hazard summary; the rest is empty.
Part makePart(PartKind kind, std::string_view assembly);
// Sets the code, and computes the hazard summary and the SGPRs of the code anew.
void setCode(Part &part, std::string_view assembly);

// Fetches attr0.xy to v4 and v5; preserves s0..s7 and v0..v3.
Part vertexProlog();
// attr0.xy to pos0 and param0.
Part vertexMain();
// Interpolates attribute 0 and hands mrt0.rgba on in v0..v3.
Part fragmentMain();
// mrt0 as FP16.
Part fragmentEpilog();
// A compute main part with 16 user SGPRs, the global table and push constants, and local_invocation_id.x in v0; the
// code must end with s_endpgm.
Part computeMain(std::string_view assembly);
// A part to put in front of it, which preserves nothing and hands on nothing.
Part computePiece(std::string_view assembly);

// A branch through s[4:5]. `distance`: bytes from the address that s_getpc_b64 gives. LLVM makes it where 16 bits are
// too few.
std::vector<uint32_t> farBranch(int64_t distance);

StageParts stageOf(HardwareStage stage, std::vector<Part> parts);
// Stands for a missing fragment shader.
StageParts nullFragmentStage();
// gfx900.
const TargetInfo &target();
// A default state.
const PipelineState &state();

Result<ImageRef> joinStages(std::vector<StageParts> stages, const PipelineState &pipelineState = state(),
                            UserDataNodes layout = {{UserDataNodeType::PushConstants, 0, 0, 0, 16}});
Result<ImageRef> joinCompute(std::vector<Part> parts);
// The vertex and fragment stages of the parts above.
std::vector<StageParts> drawStages();

// Replaces a part by another version, as if the join had been given that version.
void replacePart(Image &image, unsigned index, const Part &part);

} // namespace dovetail::test
