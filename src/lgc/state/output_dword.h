// SPDX-License-Identifier: MIT
//
// Where each output of a shader lies in the slots that stages hand to each other (src/abi/interface/interface_slots.h).
#pragma once

#include "src/abi/interface/interface_slots.h"
#include "src/lgc/state/resource_usage.h"
#include <optional>

namespace lgc {

// One dword of a vertex.
struct VertexDword {
  unsigned slot;
  unsigned component;

  auto operator<=>(const VertexDword &) const = default;
};

// Nothing for what is no output of a vertex (Depth, Stencil, SampleMask).
std::optional<VertexDword> vertexDwordOf(OutputSlot output, unsigned component);

// A component of an output: the other way round.
struct OutputComponent {
  OutputSlot output;
  unsigned component;
};
// Nothing if the slot is out of range, or the component has no meaning.
std::optional<OutputComponent> outputOf(VertexDword dword);

// Where element `component` of a built-in array or vector lies. Nothing for built-ins that do not travel in memory.
std::optional<VertexDword> vertexDwordOf(BuiltIn builtIn, unsigned component = 0);

// Where a component of a fragment shader's input comes from. Locations are the API's, or a ParameterLocation. Nothing
// for the point coordinate and what is out of range.
std::optional<VertexDword> vertexDwordOfParameter(unsigned location, unsigned component);

} // namespace lgc
