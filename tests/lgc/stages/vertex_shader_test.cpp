// SPDX-License-Identifier: MIT
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace lgc;
using dovetail::Binding;
using dovetail::RegisterBank;
using dovetail::ValueKind;

namespace {

Type *vec4(Builder &builder) {
  return FixedVectorType::get(builder.getFloatTy(), 4);
}

Value *readAttribute(Builder &builder, Type *type, unsigned location) {
  return builder.CreateReadGenericInput(type, location, builder.getInt32(0), 0, 1, InterpMode::Smooth,
                                        InterpLocation::Center, nullptr, nullptr);
}

void writeOutput(Builder &builder, Value *value, unsigned location) {
  builder.CreateWriteGenericOutput(value, location, builder.getInt32(0), 0, 1, 0, nullptr);
}

unsigned countInputs(const dovetail::ShaderInterface &interface, ValueKind kind) {
  return count_if(interface.inputs, [&](const Binding &input) { return input.value.kind == kind; });
}

} // namespace

TEST_CASE("a vertex shader that reads .xy of an attribute lists two words and takes two registers") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    Value *attribute = readAttribute(builder, vec4(builder), 3);
    Value *zero = ConstantAggregateZero::get(vec4(builder));
    builder.CreateWriteBuiltInOutput(builder.CreateShuffleVector(attribute, zero, ArrayRef<int>{0, 1, 4, 4}),
                                     BuiltIn::Position, nullptr, nullptr);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  REQUIRE(interface.vertex.inputs.size() == 1);
  CHECK(interface.vertex.inputs[0].location == 3);
  CHECK(interface.vertex.inputs[0].dwordMask == 3);
  CHECK(countInputs(interface, ValueKind::Attribute) == 2);
  CHECK(interface.userSgprCount == 4);
  CHECK(interface.preRaster.positionExports == 1);
  CHECK(interface.preRaster.parameters.empty());
}

TEST_CASE("outputs are exported compactly, whatever their locations") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    Value *attribute = readAttribute(builder, vec4(builder), 0);
    builder.CreateWriteBuiltInOutput(attribute, BuiltIn::Position, nullptr, nullptr);
    writeOutput(builder, attribute, 7);
    writeOutput(builder, builder.CreateExtractElement(attribute, uint64_t(1)), 2);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  std::vector<dovetail::ParameterExport> expected = {{2, 0}, {7, 1}};
  CHECK(compiled->interface.preRaster.parameters == expected);
}

TEST_CASE("layer, viewport, point size and clip distances take position exports and parameters") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    Value *attribute = readAttribute(builder, builder.getInt32Ty(), 1);
    Value *number = builder.CreateBitCast(attribute, builder.getFloatTy());
    builder.CreateWriteBuiltInOutput(attribute, BuiltIn::Layer, nullptr, nullptr);
    builder.CreateWriteBuiltInOutput(attribute, BuiltIn::ViewportIndex, nullptr, nullptr);
    builder.CreateWriteBuiltInOutput(number, BuiltIn::PointSize, nullptr, nullptr);
    Value *clip = PoisonValue::get(ArrayType::get(builder.getFloatTy(), 3));
    for (unsigned i = 0; i < 3; ++i)
      clip = builder.CreateInsertValue(clip, number, i);
    builder.CreateWriteBuiltInOutput(clip, BuiltIn::ClipDistance, nullptr, nullptr);
    builder.CreateWriteBuiltInOutput(number, BuiltIn::CullDistance, builder.getInt32(1), nullptr);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  CHECK(interface.preRaster.writesLayer);
  CHECK(interface.preRaster.writesViewportIndex);
  CHECK(interface.preRaster.writesPointSize);
  CHECK(interface.preRaster.clipDistanceMask == 7);
  CHECK(interface.preRaster.cullDistanceMask == 2 << 3);
  CHECK(interface.preRaster.positionExports == 4); // position, miscellaneous, five distances
  std::vector<dovetail::ParameterExport> expected = {{dovetail::LayerParameter, 0},
                                                     {dovetail::ViewportIndexParameter, 1},
                                                     {dovetail::ClipDistanceParameter0, 2},
                                                     {dovetail::CullDistanceParameter0, 3}};
  CHECK(interface.preRaster.parameters == expected);
}

TEST_CASE("a 64-bit attribute is read by its words, and the number of instances only if it is needed") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    Value *wide = readAttribute(builder, FixedVectorType::get(builder.getDoubleTy(), 4), 6);
    Value *third = builder.CreateFPTrunc(builder.CreateExtractElement(wide, 2), builder.getFloatTy());
    writeOutput(builder, third, 0);
    for (BuiltIn builtIn : {BuiltIn::VertexIndex, BuiltIn::InstanceIndex, BuiltIn::BaseVertex, BuiltIn::BaseInstance,
                            BuiltIn::DrawIndex}) {
      Value *number = builder.CreateReadBuiltInInput(builder.getInt32Ty(), builtIn, nullptr, nullptr);
      writeOutput(builder, number, static_cast<unsigned>(builtIn) % 31 + 1);
    }
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  REQUIRE(compiled->interface.vertex.inputs.size() == 1);
  CHECK(compiled->interface.vertex.inputs[0].dwordMask == 0x30);
  CHECK(compiled->interface.vertex.inputs[0].elementBits == 64);
  CHECK(compiled->interface.vertex.usesInstanceId);
  CHECK(compiled->interface.userSgprCount == 5); // DrawIndex is behind the fixed four
}

TEST_CASE("arrays of inputs and outputs may be indexed dynamically") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    Value *index = readAttribute(builder, builder.getInt32Ty(), 0);
    Value *value = builder.CreateReadGenericInput(vec4(builder), 2, index, 0, 3, InterpMode::Smooth,
                                                  InterpLocation::Center, nullptr, nullptr);
    builder.CreateWriteGenericOutput(value, 4, index, 0, 2, 0, nullptr);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  CHECK(compiled->interface.vertex.inputs.size() == 4);
  CHECK(compiled->interface.preRaster.parameters.size() == 2);
}

TEST_CASE("the primitive's number is exported on request only") {
  for (bool wanted : {false, true}) {
    ShaderCompiler compiler;
    auto pipeline = compiler.builderContext->createPipeline();
    Options options;
    options.exportPrimitiveId = wanted;
    pipeline->setOptions(options);
    auto compiled = compiler.compile(*pipeline, modesOf(ShaderStage::Vertex), [](Builder &) {});
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
    CHECK(compiled->interface.preRaster.usesPrimitiveId == wanted);
    CHECK(compiled->interface.preRaster.parameters.size() == wanted);
  }
}

TEST_CASE("locations out of range and types that cannot cross are refused") {
  for (unsigned location : {32u, 1000u, 0xffffffffu}) {
    ShaderCompiler compiler;
    auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [&](Builder &builder) {
      writeOutput(builder, ConstantFP::get(builder.getFloatTy(), 1.0), location);
    });
    CHECK_FALSE(compiled.has_value());
  }
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), [](Builder &builder) {
    writeOutput(builder, Constant::getNullValue(ArrayType::get(builder.getFloatTy(), 2)), 0);
  });
  CHECK_FALSE(compiled.has_value());
}
