// SPDX-License-Identifier: MIT
//
// What becomes of each field of PipelineState: which part's code depends on it, or which register, descriptor or link
// constant carries it. The few that change a main part's own code have a predicate that says when; such a fragment
// program is compiled as a whole on first use.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include "src/state/main_part_state.h"
#include "src/state/pipeline_state.h"
#include <span>
#include <string_view>

namespace dovetail {

enum class StateReader : uint8_t {
  VertexProlog,
  GeometryProlog,
  FragmentProlog,
  FragmentMain, // only as applyToMainPart says
  FragmentEpilog,
  ComputeProlog,
  LinkConstant,
  Register,
  Descriptor,
};

std::string_view toString(StateReader reader);

struct StateRow {
  std::string_view field; // of PipelineState
  StateReader reader;     // the first of them, if there are several
  std::string_view how;
  // FragmentMain: what the field changes in the fragment shader's code, if anything.
  void (*applyToMainPart)(const PipelineState &state, const spirv::Reflection &fragment,
                          MainPartState &result) = nullptr;
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

// What state changes in the code of this fragment shader; a default MainPartState: nothing, so its parts can be joined.
MainPartState mainPartState(const PipelineState &state, const spirv::Reflection &fragment);

} // namespace dovetail
