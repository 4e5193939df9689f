// SPDX-License-Identifier: MIT
//
// What becomes of each field of PipelineState: which part's code depends on it, or which register, descriptor or link
// constant carries it. The few that change a main part's own code have a predicate that says when. A fragment program
// of such a state is compiled as a whole on first use; other main parts are compiled for it and joined as ever.
#pragma once

#include "src/state/main_part_state.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <span>
#include <string_view>

namespace dovetail {

enum class StateReader : uint8_t {
  VertexProlog,
  GeometryProlog,
  FragmentProlog,
  // Only as applyToMainPart says.
  FragmentMain,
  PreRasterMain, // of the last shader in front of the rasteriser
  TessControlMain,
  FragmentEpilog,
  ComputeProlog,
  LinkConstant,
  Register,
  Descriptor,
};

std::string_view toString(StateReader reader);

// A bit for each location at which the last shader in front of the rasteriser writes one of GL's colours, front or
// back.
uint32_t clampedLocations(std::span<const lgc::ColorInputLocations> colors);

struct StateRow {
  std::string_view field; // of PipelineState
  StateReader reader;     // the first of them, if there are several
  std::string_view how;
  // Of main parts: what the field changes in the shader's code, if anything. The shader is there.
  void (*applyToMainPart)(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) = nullptr;
};

// One row for each field, in the order of the struct; more than one where several readers have different reasons.
std::span<const StateRow> stateTable();

// The pieces of a state that parts depend on, by who reads a field: vertex prologs see the vertex input alone, fragment
// epilogs the colour output, and all others the rest. A field can be in several pieces.
enum class StatePiece : uint8_t { VertexInput, ColorOutput, Rest };
constexpr unsigned StatePieceCount = 3;
constexpr uint8_t bitOf(StatePiece piece) {
  return uint8_t(1u << unsigned(piece));
}
// In which of them each field of PipelineState is, in the order of the struct: a mask of bitOf().
std::span<const uint8_t> piecesOfFields();

// What state changes in the code of the shader of this stage; a default MainPartState: nothing.
MainPartState mainPartState(const PipelineState &state, const ShaderSet &shaders, lgc::ShaderStage stage);

// The same of all stages.
using MainPartStates = std::array<MainPartState, lgc::ShaderStageCount>;
MainPartStates mainPartStates(const PipelineState &state, const ShaderSet &shaders);

} // namespace dovetail
