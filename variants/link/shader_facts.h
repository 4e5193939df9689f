// SPDX-License-Identifier: MIT
//
// The facts of a shader that linking needs in addition to its part: which of a pipeline's state it depends on. An
// unlinked ELF has them in a note, because the shader itself is no longer there.
#pragma once

#include "src/base/boxed.h"
#include "src/lgc/state/state_fields.h"
#include "variants/shader.h"

namespace dovetail {

namespace spirv {
DOVETAIL_LAST(DescriptorKind, InputAttachment)
} // namespace spirv

// A resource of the shader: the facts that decide in which forms a layout may have it (resourceFormsOf()).
struct ResourceFact {
  uint32_t set = 0;
  uint32_t binding = 0;
  spirv::DescriptorKind kind = spirv::DescriptorKind::UniformBuffer;
  bool isMultisampled = false;

  bool operator==(const ResourceFact &) const = default;
};
DOVETAIL_FIELDS(ResourceFact, set, binding, kind, isMultisampled)

struct ShaderFacts {
  std::string name; // the shader's name in Errors and reports
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  Hash128 hash; // Shader::hash
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  // Declared locations.
  std::vector<uint32_t> vertexInputs;
  std::vector<uint32_t> fragmentInputs;
  std::vector<uint32_t> fragmentOutputs;
  bool readsPointCoord = false;
  uint32_t clipDistances = 0; // the number that it may write
  std::vector<ResourceFact> resources;
  bool interpolatesAt = false;
  std::array<uint32_t, MaxXfbBuffers> xfbStrides = {};
  lgc::TessellationMode tessellation;
  lgc::GeometryShaderMode geometry;
  bool passesThrough = false;
  // The interface without assumptions, for a shader that was compiled with some (StageKnowledge). From it, the linker
  // finds the assumptions that hold in another pipeline.
  Boxed<ShaderInterface> plain;
  // The main part's interface, for a shader that was compiled as a whole. The whole's key follows from it.
  Boxed<ShaderInterface> main;

  bool operator==(const ShaderFacts &) const = default;
};
DOVETAIL_FIELDS(ShaderFacts, name, stage, hash, colorInputs, vertexInputs, fragmentInputs, fragmentOutputs,
                readsPointCoord, clipDistances, resources, interpolatesAt, xfbStrides, tessellation, geometry,
                passesThrough, plain, main)

ShaderFacts factsOf(const Shader &shader);

// A shader that has only these facts. State is canonicalised and checked for it as for the original shader
// (canonicalize.h, check_state.h, state_table.h), but it cannot be compiled.
ShaderRef shaderOf(const ShaderFacts &facts);

} // namespace dovetail
