// SPDX-License-Identifier: MIT
//
// Geometry shaders, their copy shaders and transform feedback: the facts in the interface, and the instructions.
// tests/lgc/stages/geometry_run_test.cpp runs the code.
#include "tests/lgc/stages/geometry_shaders.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace lgc;
using namespace lgc::test;
using dovetail::GeometryOutputDword;
using dovetail::HardwareStage;
using dovetail::ValueKind;
using dovetail::XfbOutput;

namespace {

unsigned countOf(const std::string &text, std::string_view what) {
  unsigned found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

bool reads(const dovetail::ShaderInterface &interface, ValueKind kind, unsigned index = 0) {
  return any_of(interface.inputs,
                [&](const dovetail::Binding &input) { return input.value.kind == kind && input.value.index == index; });
}

void emitPoint(Builder &builder, Value *value) {
  builder.CreateWriteBuiltInOutput(value, BuiltIn::Position, nullptr, nullptr);
  builder.CreateEmitVertex(0);
}

} // namespace

TEST_CASE("the outputs of a geometry shader are the dwords that it writes, by stream, slot and component") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(1), [](Builder &builder) {
    writeLocation(builder, builder.CreateBitCast(primitiveId(builder), builder.getFloatTy()), 3, 2);
    writeLocation(builder, builder.CreateBitCast(primitiveId(builder), builder.getFloatTy()), 1, 0);
    builder.CreateWriteBuiltInOutput(primitiveId(builder), BuiltIn::Layer, nullptr, nullptr);
    builder.CreateWriteBuiltInOutput(primitiveId(builder), BuiltIn::PrimitiveId, nullptr, nullptr);
    emitPoint(builder, splat(builder, 1.0));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  std::vector<GeometryOutputDword> expected = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0},  {0, 3, 0},
                                               {2, 0, 0}, {4, 2, 0}, {33, 1, 0}, {33, 3, 0}};
  CHECK((compiled->interface.geometry.outputs == expected));
  CHECK(compiled->interface.geometry.usesPrimitiveId);
  CHECK_FALSE(compiled->interface.geometry.usesInvocationId);
  CHECK((compiled->interface.hardwareStage == HardwareStage::Gs));
}

TEST_CASE("an output of another stream is kept if transform feedback takes it, and its stream tells where") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(2), [](Builder &builder) {
    Value *number = builder.CreateBitCast(primitiveId(builder), builder.getFloatTy());
    builder.CreateCaptureOutput(false, 5, 1, 2, 8, 4, 1);
    writeLocation(builder, number, 5, 1, 1);
    writeLocation(builder, number, 6, 0, 1);
    builder.CreateEmitVertex(1);
    emitPoint(builder, splat(builder, 1.0));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  std::vector<GeometryOutputDword> expected = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {6, 1, 1}};
  CHECK((interface.geometry.outputs == expected));
  CHECK(interface.geometry.streamMask == 3);
  CHECK((interface.preRaster.xfb.outputs == std::vector<XfbOutput>{{6, 1, 2, 1, 4}}));
  CHECK(interface.preRaster.xfb.strides[2] == 8);
  CHECK(interface.preRaster.xfb.bufferStream[2] == 1);
}

TEST_CASE("a geometry shader sends its messages, and needs no counter when the vertices are counted at compile time") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(2), [](Builder &builder) {
    emitPoint(builder, splat(builder, 1.0));
    builder.CreateEndPrimitive(0);
    emitPoint(builder, splat(builder, 2.0));
    emitPoint(builder, splat(builder, 3.0)); // one too many
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  CHECK(countOf(compiled->ir, "call void @llvm.amdgcn.s.sendmsg(i32 34,") == 2); // GS, EMIT
  CHECK(countOf(compiled->ir, "call void @llvm.amdgcn.s.sendmsg(i32 18,") == 1); // GS, CUT
  CHECK(countOf(compiled->ir, "call void @llvm.amdgcn.s.sendmsg(i32 3,") == 1);  // GS_DONE
  CHECK(countOf(compiled->ir, "call void @llvm.amdgcn.raw.buffer.store") == 8);
  CHECK(countOf(compiled->ir, " br ") == 0);
}

TEST_CASE("a vertex index that is not constant selects among the offsets of the primitive's vertices only") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(1, dovetail::GeometryInput::Lines), [](Builder &builder) {
    Value *index = builder.CreateAnd(primitiveId(builder), 1);
    emitPoint(builder, readLocation(builder, 7, index));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  CHECK(reads(interface, ValueKind::GsVertexOffset, 0));
  CHECK(reads(interface, ValueKind::GsVertexOffset, 1));
  CHECK_FALSE(reads(interface, ValueKind::GsVertexOffset, 2));
  CHECK(interface.inputSlots == dovetail::SlotMask(1) << 8);
}

TEST_CASE("a location that is not constant reads any slot of its array, and no other") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(1), [](Builder &builder) {
    emitPoint(builder, builder.CreateReadGenericInput(vec4(builder), 2, primitiveId(builder), 0, 3, InterpMode::Smooth,
                                                      InterpLocation::Center, nullptr, builder.getInt32(0)));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  CHECK(compiled->interface.inputSlots == 0x38);
}

TEST_CASE("a vertex shader in front of a geometry shader lists its slots and exports nothing") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    ShaderCompiler compiler(gpu);
    auto compiled = compileAs(compiler, HardwareStage::Es, [](Builder &builder) {
      builder.CreateWriteBuiltInOutput(splat(builder, 1.0), BuiltIn::Position, nullptr, nullptr);
      builder.CreateWriteBuiltInOutput(builder.getInt32(1), BuiltIn::Layer, nullptr, nullptr);
      writeLocation(builder, ConstantFP::get(builder.getFloatTy(), 2.0), 4, 1);
    });
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
    CHECK(compiled->interface.outputSlots == (1u | 1u << 5));
    CHECK(compiled->interface.preRaster.parameters.empty());
    CHECK(countOf(compiled->ir, "llvm.amdgcn.exp") == 0);
    CHECK((countOf(compiled->ir, "dovetail.es_vertex_stride") != 0) == (gpu == std::string("gfx900")));
  }
}

TEST_CASE("a copy shader exports what stream 0 has, and takes no vertex fetch values") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(geometryModes(1), [](Builder &builder) {
    writeLocation(builder, ConstantFP::get(builder.getFloatTy(), 2.0), 4, 1);
    builder.CreateWriteBuiltInOutput(primitiveId(builder), BuiltIn::PrimitiveId, nullptr, nullptr);
    emitPoint(builder, splat(builder, 1.0));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  auto copy = compiler.builderContext->createPipeline()->generateCopyShader(compiled->interface);
  REQUIRE_MESSAGE(copy.has_value(), copy.error().text);
  const dovetail::ShaderInterface &interface = copy->interface;
  CHECK((interface.hardwareStage == HardwareStage::Vs));
  CHECK(interface.userSgprCount == 1);
  CHECK(interface.preRaster.positionExports == 1);
  std::vector<dovetail::ParameterExport> expected = {{4, 0}, {dovetail::PrimitiveIdParameter, 1}};
  CHECK((interface.preRaster.parameters == expected));
  CHECK(reads(interface, ValueKind::VertexId));
  CHECK_FALSE(reads(interface, ValueKind::StreamoutConfig));
}

TEST_CASE("transform feedback gives a vertex shader its table and system values; the captured dwords go together") {
  ShaderCompiler compiler;
  ShaderModes modes = modesOf(ShaderStage::Vertex);
  modes.transformFeedback = true;
  auto compiled = compiler.compile(modes, [](Builder &builder) {
    for (unsigned c = 0; c < 3; ++c)
      builder.CreateCaptureOutput(true, static_cast<unsigned>(BuiltIn::Position), c, 1, 16, c * 4, 0);
    builder.CreateCaptureOutput(false, 9, 0, 1, 16, 12, 0); // never written
    builder.CreateWriteBuiltInOutput(splat(builder, 1.0), BuiltIn::Position, nullptr, nullptr);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  CHECK(interface.preRaster.xfb.outputs.size() == 3);
  REQUIRE(interface.userSgprCount == 5);
  CHECK((interface.inputs[4].value.kind == ValueKind::StreamoutTable));
  CHECK((interface.inputs[5].value.kind == ValueKind::StreamoutConfig));
  CHECK((interface.inputs[6].value.kind == ValueKind::StreamoutWriteIndex));
  CHECK((interface.inputs[7].value == dovetail::ValueName{ValueKind::StreamoutOffset, 1}));
  CHECK(countOf(compiled->ir, "call void @llvm.amdgcn.struct.tbuffer.store.v3f32") == 1);
}

TEST_CASE("captures that contradict each other, or lie outside of their vertex, are refused") {
  struct Capture {
    unsigned location, buffer, stride, offset, stream;
  };
  for (Capture bad : {Capture{0, 4, 16, 0, 0}, Capture{0, 0, 16, 16, 0}, Capture{0, 0, 18, 0, 0},
                      Capture{32, 0, 16, 0, 0}, Capture{0, 1, 32, 0, 0}, Capture{0, 1, 16, 0, 1}}) {
    ShaderCompiler compiler;
    auto compiled = compiler.compile(geometryModes(1), [&](Builder &builder) {
      builder.CreateCaptureOutput(false, 1, 0, 1, 16, 0, 0);
      builder.CreateCaptureOutput(false, bad.location, 0, bad.buffer, bad.stride, bad.offset, bad.stream);
    });
    CHECK_FALSE(compiled.has_value());
  }
}

TEST_CASE("what the ring cannot hold is refused") {
  ShaderCompiler compiler;
  auto tooMany = compiler.compile(geometryModes(1025), [](Builder &builder) { emitPoint(builder, splat(builder, 1)); });
  CHECK_FALSE(tooMany.has_value());
  auto tooWide = compiler.compile(geometryModes(1024), [](Builder &builder) { emitPoint(builder, splat(builder, 1)); });
  CHECK_FALSE(tooWide.has_value());
}
