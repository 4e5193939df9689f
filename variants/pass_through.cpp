// SPDX-License-Identifier: MIT
#include "variants/pass_through.h"
#include "parts/kinds/pass_through_control.h"
#include "src/lgc/ops/op_types.h"
#include <algorithm>

namespace dovetail {

namespace {

using lgc::BuiltIn;
using Components = decltype(PassedThrough::components);

Components componentsOf(const std::vector<spirv::InterfaceLocation> &variables) {
  Components components = {};
  for (const spirv::InterfaceLocation &variable : variables)
    if (variable.location < components.size())
      components[variable.location] |= uint8_t(variable.componentMask);
  return components;
}

// The number of elements of an array, otherwise 1; 0 if the shader does not have the built-in.
uint8_t elementsOf(const spirv::Reflection &shader, BuiltIn builtIn, bool isOutput) {
  uint32_t elements = 0;
  for (const spirv::BuiltInVariable &variable : shader.builtIns)
    if (variable.builtIn == uint32_t(builtIn) && variable.isOutput == isOutput)
      elements = std::max(elements, variable.elements);
  return uint8_t(std::min(elements, 8u));
}

PassedThrough passedBetween(const spirv::Reflection &vertex, const spirv::Reflection &evaluation) {
  PassedThrough passed;
  const Components written = componentsOf(vertex.outputs), read = componentsOf(evaluation.inputs);
  for (size_t location = 0; location < read.size(); ++location)
    passed.components[location] = written[location] & read[location];
  auto count = [&](BuiltIn builtIn) {
    return std::min(elementsOf(vertex, builtIn, true), elementsOf(evaluation, builtIn, false));
  };
  passed.position = count(BuiltIn::Position) != 0;
  passed.pointSize = count(BuiltIn::PointSize) != 0;
  passed.clipDistances = count(BuiltIn::ClipDistance);
  passed.cullDistances = count(BuiltIn::CullDistance);
  return passed;
}

} // namespace

Result<ShaderRef> passThroughControl(const Shader &vertex, const Shader &evaluation) {
  for (const spirv::InterfaceLocation &input : evaluation.reflection.inputs)
    if (input.isPatch)
      return makeError(ErrorCode::InvalidInput,
                       "{} reads location {} of the patch, and there is no control shader to write it",
                       evaluation.description.name, input.location);
  auto shader = std::make_shared<Shader>();
  ShaderDescription &description = shader->description;
  description.name = "control shader in front of " + evaluation.description.name;
  description.words = encodePassedThrough(passedBetween(vertex.reflection, evaluation.reflection));
  description.stage = lgc::ShaderStage::TessControl;
  description.environment = spirv::Environment::OpenGl;
  description.optimizationLevel = evaluation.description.optimizationLevel;
  spirv::Reflection &reflection = shader->reflection;
  reflection.entryPoint = description.entryPoint;
  reflection.stage = description.stage;
  reflection.patchVertices = evaluation.reflection.patchVertices;
  shader->passesThrough = true;
  shader->wordsHash = hashBytes(std::as_bytes(std::span(description.words)));
  shader->hash = hashDescription(description, shader->wordsHash);
  return ShaderRef(std::move(shader));
}

} // namespace dovetail
