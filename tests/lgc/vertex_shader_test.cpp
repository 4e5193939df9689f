// SPDX-License-Identifier: MIT
#include "tests/lgc/compile_shader.h"
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
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), {}, [](Builder &builder) {
    Value *attribute = readAttribute(builder, vec4(builder), 3);
    Value *zero = ConstantAggregateZero::get(vec4(builder));
    builder.CreateWriteBuiltInOutput(builder.CreateShuffleVector(attribute, zero, ArrayRef<int>{0, 1, 4, 4}),
                                     BuiltIn::Position, nullptr, nullptr);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  REQUIRE(interface.vertexInputs.size() == 1);
  CHECK(interface.vertexInputs[0].location == 3);
  CHECK(interface.vertexInputs[0].dwordMask == 3);
  CHECK(countInputs(interface, ValueKind::Attribute) == 2);
  CHECK(interface.userSgprCount == 4);
  CHECK(interface.positionExports == 1);
  CHECK(interface.parameters.empty());
}

TEST_CASE("outputs are exported compactly, whatever their locations") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Vertex), {}, [](Builder &builder) {
    Value *attribute = readAttribute(builder, vec4(builder), 0);
    builder.CreateWriteBuiltInOutput(attribute, BuiltIn::Position, nullptr, nullptr);
    writeOutput(builder, attribute, 7);
    writeOutput(builder, builder.CreateExtractElement(attribute, uint64_t(1)), 2);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  std::vector<dovetail::ParameterExport> expected = {{2, 0}, {7, 1}};
  CHECK(compiled->interface.parameters == expected);
}
