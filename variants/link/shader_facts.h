// SPDX-License-Identifier: MIT
//
// What linking wants to know of a shader beyond its part: which of a pipeline's state concerns it. An unlinked ELF has
// it in a note, because the shader itself is not there any more.
#pragma once

#include "src/base/boxed.h"
#include "src/lgc/state/state_fields.h"
#include "variants/shader.h"

namespace dovetail {

namespace spirv {
constexpr DescriptorKind lastOf(DescriptorKind) {
  return DescriptorKind::InputAttachment;
}
} // namespace spirv

// A resource that the shader names: what of it decides in which forms a layout may have it (resourceFormsOf()).
struct ResourceFact {
  uint32_t set = 0;
  uint32_t binding = 0;
  spirv::DescriptorKind kind = spirv::DescriptorKind::UniformBuffer;
  bool isMultisampled = false;

  bool operator==(const ResourceFact &) const = default;
};
DOVETAIL_FIELDS(ResourceFact, set, binding, kind, isMultisampled)

struct ShaderFacts {
  std::string name; // what Errors and reports call the shader
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  Hash128 hash; // Shader::hash
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  // Locations that it declares.
  std::vector<uint32_t> vertexInputs;
  std::vector<uint32_t> fragmentInputs;
  std::vector<uint32_t> fragmentOutputs;
  bool readsPointCoord = false;
  uint32_t clipDistances = 0; // that it may write
  std::vector<ResourceFact> resources;
  bool interpolatesAt = false;
  std::array<uint32_t, MaxXfbBuffers> xfbStrides = {};
  lgc::TessellationMode tessellation;
  lgc::GeometryShaderMode geometry;
  bool passesThrough = false;
  // Of a shader that was compiled to assume something (StageKnowledge): how it is without that. The linker finds out
  // from it what may be assumed in another pipeline.
  Boxed<ShaderInterface> plain;
  // Of one that was compiled as a whole: of the main part alone, from which the whole's key follows.
  Boxed<ShaderInterface> main;

  bool operator==(const ShaderFacts &) const = default;
};
DOVETAIL_FIELDS(ShaderFacts, name, stage, hash, colorInputs, vertexInputs, fragmentInputs, fragmentOutputs,
                readsPointCoord, clipDistances, resources, interpolatesAt, xfbStrides, tessellation, geometry,
                passesThrough, plain, main)

ShaderFacts factsOf(const Shader &shader);

// A shader with these facts and nothing else: state is canonicalised and checked for it as for the one that they are of
// (canonicalize.h, check_topology.h, state_table.h), but it cannot be compiled.
ShaderRef shaderOf(const ShaderFacts &facts);

} // namespace dovetail
