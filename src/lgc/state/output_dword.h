// SPDX-License-Identifier: MIT
//
// Stages hand outputs to each other in slots (src/abi/interface/interface_slots.h). This says where each output of a
// shader lies.
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

// std::nullopt for outputs that no vertex has (Depth, Stencil, SampleMask).
std::optional<VertexDword> vertexDwordOf(OutputSlot output, unsigned component);

// A component of an output, for the reverse direction.
struct OutputComponent {
  OutputSlot output;
  unsigned component;
};
// std::nullopt if the slot is out of range, or the component has no meaning.
std::optional<OutputComponent> outputOf(VertexDword dword);

// The place of element `component` of a built-in array or vector. std::nullopt for built-ins that do not travel in
// memory.
std::optional<VertexDword> vertexDwordOf(BuiltIn builtIn, unsigned component = 0);

// The place from which a component of a fragment shader's input comes. Locations are the API's, or a ParameterLocation.
// std::nullopt for the point coordinate, and for values out of range.
std::optional<VertexDword> vertexDwordOfParameter(unsigned location, unsigned component);

} // namespace lgc
