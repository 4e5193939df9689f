// SPDX-License-Identifier: MIT
#include "variants/state/canonicalize.h"
#include "src/base/field_bytes.h"
#include "src/lgc/ops/op_types.h"
#include "src/state/state_fields.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

using lgc::ShaderStage;

bool reads(const spirv::Reflection &vertex, uint32_t location) {
  return std::ranges::any_of(vertex.vertexInputs, [&](const auto &input) { return input.location == location; });
}

bool writes(const spirv::Reflection &fragment, uint32_t location) {
  return std::ranges::any_of(fragment.fragmentOutputs, [&](const auto &output) { return output.location == location; });
}

bool readsInputAttachments(const spirv::Reflection &fragment) {
  return std::ranges::any_of(fragment.descriptors, [](const spirv::DescriptorBinding &binding) {
    return binding.kind == spirv::DescriptorKind::InputAttachment;
  });
}

void canonicalizeVertexInput(PipelineState &state, const spirv::Reflection *vertex) {
  std::erase_if(state.vertexAttributes,
                [&](const auto &attribute) { return !vertex || !reads(*vertex, attribute.location); });
  std::ranges::sort(state.vertexAttributes, {}, &VertexAttribute::location);
  std::erase_if(state.vertexBindings, [&](const auto &binding) {
    return std::ranges::none_of(state.vertexAttributes,
                                [&](const auto &attribute) { return attribute.binding == binding.binding; });
  });
  std::ranges::sort(state.vertexBindings, {}, &VertexBinding::binding);
  for (VertexBinding &binding : state.vertexBindings)
    if (binding.inputRate == VK_VERTEX_INPUT_RATE_VERTEX)
      binding.divisor = 1;
}

void canonicalizeColorTargets(PipelineState &state, const spirv::Reflection *fragment) {
  for (uint32_t location = 0; location < MaxColorTargets; ++location) {
    ColorTarget &target = state.colorTargets[location];
    bool isWritten = fragment && (writes(*fragment, location) || (state.broadcastColor0 && writes(*fragment, 0)));
    if (target.format == VK_FORMAT_UNDEFINED || !isWritten) {
      target = {};
      continue;
    }
    if (!target.blendEnable) {
      ColorTarget plain;
      plain.format = target.format;
      plain.writeMask = target.writeMask;
      target = plain;
    }
  }
}

// Whether the fragment shader was described with inputs that are GL's colours.
bool hasColorInputs(const ShaderSet &shaders) {
  const ShaderRef &fragment = shaders.shader(ShaderStage::Fragment);
  return fragment && std::ranges::any_of(fragment->description.colorInputs, [](const lgc::ColorInputLocations &color) {
           return color.front != lgc::ColorInputLocations::None;
         });
}

// The locations that the fragment shader interpolates, as a mask.
uint32_t inputLocations(const spirv::Reflection &fragment) {
  constexpr uint32_t locations = 32;
  uint32_t mask = 0;
  for (const spirv::InterfaceLocation &input : fragment.inputs)
    if (input.location < locations)
      mask |= 1u << input.location;
  return mask;
}

bool readsPointCoord(const spirv::Reflection &fragment) {
  constexpr auto pointCoord = uint32_t(lgc::BuiltIn::PointCoord);
  return std::ranges::any_of(fragment.builtIns, [](const spirv::BuiltInVariable &variable) {
    return variable.builtIn == pointCoord && !variable.isOutput;
  });
}

bool drawsPoints(const PipelineState &state, const ShaderSet &shaders) {
  if (const spirv::Reflection *geometry = shaders.reflection(ShaderStage::Geometry))
    return geometry->geometry.output == GeometryOutput::Points;
  const spirv::Reflection *control = shaders.reflection(ShaderStage::TessControl);
  if (const spirv::Reflection *evaluation = shaders.reflection(ShaderStage::TessEval))
    return evaluation->tessellation.pointMode || (control && control->tessellation.pointMode);
  return state.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
}

// Sprites are kept for other primitives than points, because a driver's polygon mode makes points of triangles.
void canonicalizePoints(PipelineState &state, const ShaderSet &shaders) {
  const spirv::Reflection *fragment = shaders.reflection(ShaderStage::Fragment);
  state.pointSmoothing = state.pointSmoothing && fragment && drawsPoints(state, shaders);
  state.spriteCoordEnable &= fragment ? inputLocations(*fragment) : 0;
  if (!fragment || (state.spriteCoordEnable == 0 && !readsPointCoord(*fragment)))
    state.spriteCoordLowerLeft = false;
}

// The number of clip distances that the shader may write.
unsigned clipDistanceCount(const spirv::Reflection &shader) {
  constexpr uint32_t clipDistance = uint32_t(lgc::BuiltIn::ClipDistance);
  unsigned count = 0;
  for (const spirv::BuiltInVariable &variable : shader.builtIns)
    if (variable.builtIn == clipDistance && variable.isOutput)
      count = std::max(count, variable.elements);
  return std::min(count, 8u);
}

} // namespace

PipelineState canonicalize(const PipelineState &state, const ShaderSet &shaders) {
  const spirv::Reflection *fragment = shaders.reflection(ShaderStage::Fragment);
  PipelineState canonical = state;
  canonicalizeVertexInput(canonical, shaders.reflection(ShaderStage::Vertex));
  canonicalizeColorTargets(canonical, fragment);
  // With one sample, all places in a pixel are the same.
  if (state.rasterizationSamples <= 1) {
    canonical.sampleShadingEnable = false;
    canonical.perSampleInterpolation = false;
    canonical.multisampleDisable = false;
    canonical.barycentricOptimization = false;
    canonical.smoothing = false;
  }
  if (!fragment || !readsInputAttachments(*fragment))
    canonical.layeredFramebuffer = false;
  if (state.topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST || !shaders.shader(ShaderStage::TessControl)) {
    canonical.patchControlPoints = PipelineState().patchControlPoints;
    canonical.tessellationDomainLowerLeft = PipelineState().tessellationDomainLowerLeft;
  }
  const std::optional<ShaderStage> lastStage = shaders.lastInFront();
  const spirv::Reflection *last = lastStage ? shaders.reflection(*lastStage) : nullptr;
  canonical.clipDistanceEnable |= uint8_t(0xff << (last ? clipDistanceCount(*last) : 0)); // those not written
  if (!last || std::ranges::none_of(last->xfbStrides, [](uint32_t stride) { return stride != 0; }))
    canonical.transformFeedbackEnable = true;
  if (!shaders.shader(ShaderStage::Compute))
    canonical.squareComputeWaves = false;
  if (!hasColorInputs(shaders)) {
    canonical.colorTwoSide = false;
    canonical.flatShadeColors = false;
    canonical.clampVertexColor = false;
  }
  canonicalizePoints(canonical, shaders);
  return canonical;
}

Hash128 StateHashes::hash() const {
  return FieldWriter().add(vertexInput).add(colorOutput).add(rest).hash();
}

namespace {

// Adds a field, but without the contents that do not matter and would take time.
template <typename Field> [[gnu::always_inline]] inline void addField(FieldWriter &bytes, const Field &field) {
  if constexpr (std::is_same_v<Field, std::vector<VertexBinding>>) {
    bytes.add(uint32_t(field.size()));
    for (VertexBinding binding : field) {
      binding.stride = 0; // the buffer descriptor has it
      bytes.add(binding);
    }
  } else if constexpr (std::is_same_v<Field, decltype(PipelineState::colorTargets)>) {
    uint8_t count = MaxColorTargets; // up to the last target that is not the default
    while (count > 0 && field[count - 1] == ColorTarget())
      --count;
    bytes.add(count);
    for (uint8_t target = 0; target < count; ++target)
      bytes.add(field[target]);
  } else {
    bytes.add(field);
  }
}

} // namespace

StateHashes hashState(const PipelineState &state) {
  FieldWriter vertexInput, colorOutput, rest;
  const uint8_t *isIn = piecesOfFields().data();
  forEachField(
      state, [&](std::string_view, const auto &field) __attribute__((always_inline)) {
        const uint8_t mask = *isIn++;
        if (mask & bitOf(StatePiece::VertexInput))
          addField(vertexInput, field);
        if (mask & bitOf(StatePiece::ColorOutput))
          addField(colorOutput, field);
        if (mask & bitOf(StatePiece::Rest))
          addField(rest, field);
      });
  return {vertexInput.hash(), colorOutput.hash(), rest.hash()};
}

} // namespace dovetail
