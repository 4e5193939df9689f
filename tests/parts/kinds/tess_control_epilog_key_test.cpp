// SPDX-License-Identifier: MIT
//
// The contents of the keys of the tessellation control epilog and of the geometry prolog.
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/kinds/around/tess_control_epilog.h"
#include "src/abi/target_info.h"
#include "tests/parts/stage_interfaces.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const TargetInfo &gfx900() {
  return *findTarget("gfx900");
}

TessControlEpilogKey keyOf(const ShaderInterface &control, const ShaderInterface &evaluation,
                           const TargetInfo &target = gfx900()) {
  Result<TessControlEpilogKey> key = makeTessControlEpilogKey(control, evaluation, target);
  if (!key)
    FAIL(key.error().text);
  return *key;
}

PartKey partKeyOf(const ShaderInterface &control, const ShaderInterface &evaluation) {
  return keyOf(control, evaluation).partKey();
}

bool reads(const Contract &contract, ValueKind kind) {
  for (const Binding &input : contract.inputs)
    if (input.value.kind == kind)
      return true;
  return false;
}

} // namespace

TEST_CASE("what a patch is made of and who reads its factors is in the epilog's key") {
  ShaderInterface control = controlInterface(3);
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Triangles);
  PartKey key = partKeyOf(control, evaluation);
  CHECK(key == partKeyOf(control, evaluation));
  CHECK((key.kind == PartKind::TessControlEpilog));
  CHECK(key != partKeyOf(control, evaluationInterface(TessPrimitive::Quads)));
  CHECK(key != partKeyOf(control, evaluationInterface(TessPrimitive::Isolines)));
  CHECK(key != partKeyOf(control, evaluationInterface(TessPrimitive::Triangles, /*readsFactors=*/true)));
  CHECK(key != partKeyOf(controlInterface(3, /*factorsInRegisters=*/true), evaluation));
  CHECK(key != keyOf(control, evaluation, *findTarget("gfx906")).partKey());
}

TEST_CASE("spacing, vertex order and point mode are the tessellator's, not the epilog's") {
  ShaderInterface control = controlInterface(3);
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Triangles);
  PartKey key = partKeyOf(control, evaluation);
  evaluation.tessellation.spacing = TessSpacing::FractionalOdd;
  evaluation.tessellation.vertexOrder = TessVertexOrder::Clockwise;
  evaluation.tessellation.pointMode = true;
  CHECK(key == partKeyOf(control, evaluation));
}

TEST_CASE("numbers of control points that are a whole number of patches in a wave need no barrier, and share a key") {
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Triangles);
  for (uint8_t vertices : {1, 2, 4, 8, 16, 32}) {
    CAPTURE(vertices);
    CHECK_FALSE(keyOf(controlInterface(vertices), evaluation).needsBarrier);
    CHECK(partKeyOf(controlInterface(vertices), evaluation) == partKeyOf(controlInterface(4), evaluation));
  }
  for (uint8_t vertices : {3, 5, 6, 31}) {
    CAPTURE(vertices);
    CHECK(keyOf(controlInterface(vertices), evaluation).needsBarrier);
    CHECK(partKeyOf(controlInterface(vertices), evaluation) == partKeyOf(controlInterface(3), evaluation));
  }
}

TEST_CASE("factors in registers need no barrier whatever the patch") {
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Triangles);
  CHECK_FALSE(keyOf(controlInterface(3, true), evaluation).needsBarrier);
  CHECK(partKeyOf(controlInterface(3, true), evaluation) == partKeyOf(controlInterface(4, true), evaluation));
}

TEST_CASE("what is tessellated may be declared in either shader, and must be in one") {
  ShaderInterface control = controlInterface(4);
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Undeclared);
  Result<TessControlEpilogKey> nobody = makeTessControlEpilogKey(control, evaluation, gfx900());
  REQUIRE_FALSE(nobody.has_value());
  CHECK((nobody.error().code == ErrorCode::StateMismatch));
  control.tessellation.primitive = TessPrimitive::Quads;
  CHECK(partKeyOf(control, evaluation) == partKeyOf(controlInterface(4), evaluationInterface(TessPrimitive::Quads)));
}

TEST_CASE("only GFX8 has a control word") {
  ShaderInterface control = controlInterface(4);
  ShaderInterface evaluation = evaluationInterface(TessPrimitive::Quads);
  CHECK_FALSE(keyOf(control, evaluation).writesControlWord);
  CHECK(keyOf(control, evaluation, *findTarget("gfx803")).writesControlWord);
}

TEST_CASE("the epilog's contract lists what it reads of what the main part hands on") {
  Contract plain = keyOf(controlInterface(4), evaluationInterface(TessPrimitive::Triangles)).contract();
  CHECK(reads(plain, ValueKind::TessFactorLds));
  CHECK_FALSE(reads(plain, ValueKind::OffchipOffset));
  CHECK(plain.endsProgram);

  Contract inRegisters =
      keyOf(controlInterface(4, true), evaluationInterface(TessPrimitive::Isolines, true)).contract();
  CHECK(reads(inRegisters, ValueKind::OffchipOffset));
  CHECK_FALSE(reads(inRegisters, ValueKind::TessFactorLds));
  CHECK_FALSE(reads(inRegisters, ValueKind::TessFactorInner));
  unsigned outer = 0;
  for (const Binding &input : inRegisters.inputs)
    outer += input.value.kind == ValueKind::TessFactorOuter;
  CHECK(outer == 2);
}

TEST_CASE("a main part that keeps back what the epilog takes is an Error") {
  ShaderInterface control = controlInterface(4);
  control.outputs.pop_back();
  CHECK_FALSE(makeTessControlEpilogKey(control, evaluationInterface(TessPrimitive::Quads), gfx900()).has_value());
}

TEST_CASE("only a geometry shader that gets strips with adjacency has a prolog") {
  ShaderInterface geometry;
  geometry.hardwareStage = HardwareStage::Gs;
  geometry.geometry.input = GeometryInput::TrianglesAdjacency;
  PipelineState state;
  state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  state.flatProvokingVertexLast = true;
  CHECK(makeGeometryPrologKey(geometry, false, state, "gfx900").has_value());
  CHECK_FALSE(makeGeometryPrologKey(geometry, true, state, "gfx900").has_value());
  state.flatProvokingVertexLast = false;
  CHECK_FALSE(makeGeometryPrologKey(geometry, false, state, "gfx900").has_value());
  state.flatProvokingVertexLast = true;
  state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
  CHECK_FALSE(makeGeometryPrologKey(geometry, false, state, "gfx900").has_value());
}

TEST_CASE("geometry prologs are shared by shaders with as many SGPRs, rounded up") {
  PipelineState state;
  state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  state.flatProvokingVertexLast = true;
  ShaderInterface geometry;
  geometry.geometry.input = GeometryInput::TrianglesAdjacency;
  auto keyWith = [&](unsigned userSgprs) {
    geometry.userSgprCount = userSgprs;
    return makeGeometryPrologKey(geometry, false, state, "gfx900")->partKey();
  };
  CHECK(keyWith(4) == keyWith(7));
  CHECK(keyWith(7) != keyWith(8));
}
