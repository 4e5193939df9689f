// SPDX-License-Identifier: MIT
//
// What linking wants to know of a shader beyond its part: which of a pipeline's state concerns it. An unlinked ELF has
// it in a note, because the shader itself is not there any more.
#pragma once

#include "src/lgc/state/state_fields.h"
#include "variants/shader.h"

namespace dovetail {

struct ShaderFacts {
  std::string name; // what Errors and reports call the shader
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  Hash128 hash; // Shader::hash
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  // Locations that it declares.
  std::vector<uint32_t> vertexInputs;
  std::vector<uint32_t> fragmentOutputs;
  uint32_t clipDistances = 0; // that it may write
  bool readsInputAttachments = false;
  bool interpolatesAt = false;
  std::array<uint32_t, MaxXfbBuffers> xfbStrides = {};
  lgc::TessellationMode tessellation;
  lgc::GeometryShaderMode geometry;

  bool operator==(const ShaderFacts &) const = default;
};
DOVETAIL_FIELDS(ShaderFacts, name, stage, hash, colorInputs, vertexInputs, fragmentOutputs, clipDistances,
                readsInputAttachments, interpolatesAt, xfbStrides, tessellation, geometry)

ShaderFacts factsOf(const Shader &shader);

// A shader with these facts and nothing else: state is canonicalised and checked for it as for the one that they are of
// (canonicalize.h, check_topology.h, state_table.h), but it cannot be compiled.
ShaderRef shaderOf(const ShaderFacts &facts);

} // namespace dovetail
