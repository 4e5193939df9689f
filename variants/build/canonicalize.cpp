// SPDX-License-Identifier: MIT
#include "variants/build/canonicalize.h"
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <type_traits>

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

namespace {

// Hashes fields that fit 32 bits, all at once: a draw thread hashes states, and adding them one by one to a Hasher
// takes ten times as long.
class FieldHasher {
public:
  template <typename T> FieldHasher &add(T value) {
    static_assert(sizeof(T) <= 4 || std::is_same_v<T, size_t>);
    if (m_count == m_fields.size())
      flush();
    m_fields[m_count++] = static_cast<uint32_t>(value);
    return *this;
  }

  Hash128 finish() {
    if (!m_rest)
      return hashBytes(bytes());
    flush();
    return m_rest->finish();
  }

private:
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_fields).first(m_count)); }
  // More than is usual.
  void flush() {
    if (!m_rest)
      m_rest.emplace();
    m_rest->addBytes(bytes());
    m_count = 0;
  }

  std::array<uint32_t, 256> m_fields; // not cleared, for it takes time
  size_t m_count = 0;
  std::optional<Hasher> m_rest;
};

} // namespace

Hash128 hashState(const PipelineState &state) {
  FieldHasher hasher;
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
