// SPDX-License-Identifier: MIT
#include "variants/state/check_state.h"
#include <array>
#include <optional>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// The primitives that a geometry shader gets from each topology.
GeometryInput assembled(VkPrimitiveTopology topology) {
  switch (topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    return GeometryInput::Points;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return GeometryInput::Lines;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    return GeometryInput::LinesAdjacency;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
    return GeometryInput::TrianglesAdjacency;
  default:
    return GeometryInput::Triangles;
  }
}

// The primitives that the tessellator makes; nothing as long as no shader declares them.
std::optional<GeometryInput> tessellated(const lgc::TessellationMode &control,
                                         const lgc::TessellationMode &evaluation) {
  if (control.pointMode || evaluation.pointMode)
    return GeometryInput::Points;
  TessPrimitive primitive =
      evaluation.primitive != TessPrimitive::Undeclared ? evaluation.primitive : control.primitive;
  if (primitive == TessPrimitive::Undeclared)
    return std::nullopt;
  return primitive == TessPrimitive::Isolines ? GeometryInput::Lines : GeometryInput::Triangles;
}

std::string_view toString(GeometryInput input) {
  constexpr std::array<std::string_view, 5> Names = {"points", "lines", "lines with adjacency", "triangles",
                                                     "triangles with adjacency"};
  return Names[size_t(input)];
}

} // namespace

Result<void> checkTopology(const ShaderSet &shaders, const PipelineState &state) {
  const spirv::Reflection *control = shaders.reflection(ShaderStage::TessControl);
  const spirv::Reflection *evaluation = shaders.reflection(ShaderStage::TessEval);
  const spirv::Reflection *geometry = shaders.reflection(ShaderStage::Geometry);
  bool isPatches = state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  if (shaders.shader(ShaderStage::Vertex) && isPatches != (control != nullptr))
    return makeError(ErrorCode::StateMismatch, "{}",
                     control ? "tessellation shaders take patches, but the topology of the state is another one"
                             : "the topology of the state is patches, but there are no tessellation shaders");
  if (!geometry)
    return {};
  std::optional<GeometryInput> given =
      control ? tessellated(control->tessellation, evaluation->tessellation) : assembled(state.topology);
  if (given && *given != geometry->geometry.input)
    return makeError(ErrorCode::StateMismatch, "the geometry shader takes {}, but {} {}",
                     toString(geometry->geometry.input), control ? "the tessellator makes" : "the state gives it",
                     toString(*given));
  return {};
}

VkPrimitiveTopology defaultTopology(const ShaderSet &shaders) {
  if (shaders.shader(ShaderStage::TessControl))
    return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  const spirv::Reflection *geometry = shaders.reflection(ShaderStage::Geometry);
  switch (geometry ? geometry->geometry.input : GeometryInput::Triangles) {
  case GeometryInput::Points:
    return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  case GeometryInput::Lines:
    return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  case GeometryInput::LinesAdjacency:
    return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
  case GeometryInput::Triangles:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  case GeometryInput::TrianglesAdjacency:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
  }
  return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

} // namespace dovetail
