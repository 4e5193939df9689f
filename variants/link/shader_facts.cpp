// SPDX-License-Identifier: MIT
#include "variants/link/shader_facts.h"
#include "src/lgc/ops/op_types.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr auto ClipDistance = uint32_t(lgc::BuiltIn::ClipDistance);
constexpr auto PointCoord = uint32_t(lgc::BuiltIn::PointCoord);

std::vector<uint32_t> locationsOf(const std::vector<spirv::InterfaceLocation> &variables) {
  std::vector<uint32_t> locations;
  for (const spirv::InterfaceLocation &variable : variables)
    locations.push_back(variable.location);
  return locations;
}

std::vector<spirv::InterfaceLocation> variablesAt(const std::vector<uint32_t> &locations) {
  std::vector<spirv::InterfaceLocation> variables;
  for (uint32_t location : locations)
    variables.emplace_back().location = location;
  return variables;
}

} // namespace

ShaderFacts factsOf(const Shader &shader) {
  const spirv::Reflection &reflection = shader.reflection;
  ShaderFacts facts;
  facts.name = shader.description.name;
  facts.stage = shader.description.stage;
  facts.hash = shader.hash;
  facts.colorInputs = shader.description.colorInputs;
  facts.vertexInputs = locationsOf(reflection.vertexInputs);
  if (facts.stage == lgc::ShaderStage::Fragment)
    facts.fragmentInputs = locationsOf(reflection.inputs);
  facts.fragmentOutputs = locationsOf(reflection.fragmentOutputs);
  for (const spirv::BuiltInVariable &variable : reflection.builtIns) {
    if (variable.builtIn == ClipDistance && variable.isOutput)
      facts.clipDistances = std::max(facts.clipDistances, variable.elements);
    facts.readsPointCoord |= variable.builtIn == PointCoord && !variable.isOutput;
  }
  for (const spirv::DescriptorBinding &descriptor : reflection.descriptors)
    facts.resources.push_back({descriptor.set, descriptor.binding, descriptor.kind, descriptor.image.isMultisampled});
  facts.interpolatesAt = reflection.interpolatesAt;
  facts.xfbStrides = reflection.xfbStrides;
  facts.tessellation = reflection.tessellation;
  facts.geometry = reflection.geometry;
  facts.passesThrough = shader.passesThrough;
  return facts;
}

ShaderRef shaderOf(const ShaderFacts &facts) {
  auto shader = std::make_shared<Shader>();
  shader->description.name = facts.name;
  shader->description.stage = facts.stage;
  shader->description.colorInputs = facts.colorInputs;
  shader->hash = facts.hash;
  shader->passesThrough = facts.passesThrough;
  spirv::Reflection &reflection = shader->reflection;
  reflection.stage = facts.stage;
  reflection.vertexInputs = variablesAt(facts.vertexInputs);
  reflection.inputs = variablesAt(facts.fragmentInputs);
  reflection.fragmentOutputs = variablesAt(facts.fragmentOutputs);
  if (facts.readsPointCoord)
    reflection.builtIns.push_back({.builtIn = PointCoord});
  if (facts.clipDistances != 0)
    reflection.builtIns.push_back({.builtIn = ClipDistance, .elements = facts.clipDistances, .isOutput = true});
  for (const ResourceFact &resource : facts.resources) {
    spirv::DescriptorBinding &descriptor = reflection.descriptors.emplace_back();
    descriptor.set = resource.set;
    descriptor.binding = resource.binding;
    descriptor.kind = resource.kind;
    descriptor.image.isMultisampled = resource.isMultisampled;
  }
  reflection.interpolatesAt = facts.interpolatesAt;
  reflection.xfbStrides = facts.xfbStrides;
  reflection.tessellation = facts.tessellation;
  reflection.geometry = facts.geometry;
  return shader;
}

} // namespace dovetail
