// SPDX-License-Identifier: MIT
//
// Building blocks of the geometry shaders in tests.
#pragma once

#include "tests/lgc/stages/compile_shader.h"

namespace lgc::test {

inline ShaderModes geometryModes(unsigned maxVertices,
                                 dovetail::GeometryInput input = dovetail::GeometryInput::Triangles) {
  ShaderModes modes = modesOf(ShaderStage::Geometry);
  modes.geometry.input = input;
  modes.geometry.output = dovetail::GeometryOutput::Points;
  modes.geometry.maxVertices = maxVertices;
  return modes;
}

inline Type *vec4(Builder &builder) {
  return llvm::FixedVectorType::get(builder.getFloatTy(), 4);
}

inline Value *splat(Builder &builder, double value) {
  return llvm::ConstantFP::get(vec4(builder), value);
}

inline Value *primitiveId(Builder &builder) {
  return builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::PrimitiveId, nullptr, nullptr);
}

// A vec4 of an input vertex.
inline Value *readLocation(Builder &builder, unsigned location, Value *vertex) {
  return builder.CreateReadGenericInput(vec4(builder), location, builder.getInt32(0), 0, 1, InterpMode::Smooth,
                                        InterpLocation::Center, nullptr, vertex);
}

inline void writeLocation(Builder &builder, Value *value, unsigned location, unsigned component, unsigned stream = 0) {
  builder.CreateWriteGenericOutput(value, location, builder.getInt32(0), component, 1, stream << OutputStreamShift,
                                   nullptr);
}

// A vertex shader in front of another stage, with its IR.
inline Result<CompiledShader> compileAs(ShaderCompiler &compiler, dovetail::HardwareStage stage,
                                        const std::function<void(Builder &)> &body) {
  std::unique_ptr<Pipeline> pipeline = compiler.builderContext->createPipeline();
  Options options;
  options.keepIr = true;
  options.vertexStage = stage;
  pipeline->setOptions(options);
  return compiler.compile(*pipeline, modesOf(ShaderStage::Vertex), body);
}

} // namespace lgc::test
