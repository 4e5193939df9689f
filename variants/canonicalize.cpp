// SPDX-License-Identifier: MIT
#include "variants/canonicalize.h"
#include <algorithm>

namespace dovetail {

namespace {

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

} // namespace

PipelineState canonicalize(const PipelineState &state, const spirv::Reflection *vertex,
                           const spirv::Reflection *fragment) {
  PipelineState canonical = state;
  canonicalizeVertexInput(canonical, vertex);
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
  if (state.topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) {
    canonical.patchControlPoints = PipelineState().patchControlPoints;
    canonical.tessellationDomainLowerLeft = PipelineState().tessellationDomainLowerLeft;
  }
  return canonical;
}

Hash128 hashState(const PipelineState &state) {
  Hasher hasher;
  hasher.add(state.vertexBindings.size());
  for (const VertexBinding &binding : state.vertexBindings)
    hasher.add(binding.binding).add(binding.inputRate).add(binding.divisor);
  hasher.add(state.vertexAttributes.size());
  for (const VertexAttribute &attribute : state.vertexAttributes)
    hasher.add(attribute.location).add(attribute.binding).add(attribute.format).add(attribute.offset);
  hasher.add(state.topology).add(state.patchControlPoints).add(state.tessellationDomainLowerLeft);
  hasher.add(state.flatProvokingVertexLast);
  hasher.add(state.depthClampEnable).add(state.rasterizerDiscardEnable);
  hasher.add(state.rasterizationSamples).add(state.sampleShadingEnable);
  hasher.add(state.polygonStippleEnable).add(state.colorTwoSide).add(state.flatShadeColors);
  hasher.add(state.perSampleInterpolation).add(state.multisampleDisable).add(state.barycentricOptimization);
  hasher.add(state.layeredFramebuffer).add(state.smoothing);
  hasher.add(state.clipDistanceEnable).add(state.transformFeedbackEnable);
  for (const ColorTarget &target : state.colorTargets)
    hasher.add(target.format)
        .add(target.writeMask)
        .add(target.blendEnable)
        .add(target.srcColorBlendFactor)
        .add(target.dstColorBlendFactor)
        .add(target.colorBlendOp)
        .add(target.srcAlphaBlendFactor)
        .add(target.dstAlphaBlendFactor)
        .add(target.alphaBlendOp);
  hasher.add(state.alphaToCoverageEnable).add(state.alphaToOneEnable).add(state.broadcastColor0);
  hasher.add(state.clampColor).add(state.alphaTestFunc).add(state.depthStencilFormat);
  return hasher.finish();
}

} // namespace dovetail
