// SPDX-License-Identifier: MIT
//
// Lists the effect of each field of PipelineState: the part whose code depends on it, or the register, descriptor or
// link constant that carries it. A few fields change a main part's own code; these have a predicate that says when. A
// fragment program of such a state is compiled as a whole on first use. Other main parts are compiled for it and joined
// as usual.
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
  // The main parts depend on a field only as applyToMainPart says.
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
  StateReader reader;     // the first reader, if there are several
  std::string_view how;
  // Main parts: applies the field's effect on the shader's code, if any. The set must have the shader.
  void (*applyToMainPart)(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) = nullptr;
};

// One row for each field, in the order of the struct; several rows if several readers have different reasons.
std::span<const StateRow> stateTable();

// The pieces of a state that parts depend on, by the reader of a field: vertex prologs read only the vertex input,
// fragment epilogs the colour output, and all others the rest. A field can be in several pieces.
enum class StatePiece : uint8_t { VertexInput, ColorOutput, Rest };
constexpr uint8_t bitOf(StatePiece piece) {
  return uint8_t(1u << unsigned(piece));
}
// For each field of PipelineState, in the order of the struct: the pieces that have it, as a mask of bitOf().
std::span<const uint8_t> piecesOfFields();

// The effect of the state on the code of this stage's shader; a default MainPartState: none.
MainPartState mainPartState(const PipelineState &state, const ShaderSet &shaders, lgc::ShaderStage stage);

// The same for all stages.
using MainPartStates = std::array<MainPartState, lgc::ShaderStageCount>;
MainPartStates mainPartStates(const PipelineState &state, const ShaderSet &shaders);

} // namespace dovetail
