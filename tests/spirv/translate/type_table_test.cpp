// SPDX-License-Identifier: MIT
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

Assembly declaring(std::string declarations, std::string decorations = "") {
  Assembly assembly;
  assembly.declarations = std::move(declarations);
  assembly.decorations = std::move(decorations);
  return assembly;
}

} // namespace

TEST_CASE("a bool is a bit as a value and a dword in memory") {
  Workbench bench(declaring("%pair = OpTypeStruct %bool %v3float\n"), {"bool", "pair"});
  CHECK(bench.type("bool").value->isIntegerTy(1));
  CHECK(bench.type("bool").memory->isIntegerTy(32));
  CHECK(bench.type("pair").value->getStructElementType(0)->isIntegerTy(1));
  CHECK(bench.type("pair").memory->getStructElementType(0)->isIntegerTy(32));
  CHECK(bench.type("pair").value->getStructElementType(1) == bench.type("pair").memory->getStructElementType(1));
}

TEST_CASE("a type has the strides and offsets of its decorations") {
  Workbench bench(declaring("%mat = OpTypeMatrix %v3float 2\n%list = OpTypeArray %float %uint_4\n"
                            "%B = OpTypeStruct %list %mat\n",
                            "OpDecorate %list ArrayStride 16\nOpMemberDecorate %B 0 Offset 0\n"
                            "OpMemberDecorate %B 1 Offset 64\nOpMemberDecorate %B 1 MatrixStride 8\n"
                            "OpMemberDecorate %B 1 RowMajor\n"),
                  {"list", "B"});
  CHECK(bench.type("list").arrayStride == 16);
  CHECK(bench.type("list").count == 4);
  const spirv::StructMember &matrix = bench.type("B").members[1];
  CHECK(matrix.offset == 64);
  CHECK(matrix.matrix.stride == 8);
  CHECK(matrix.matrix.rowMajor);
  CHECK(bench.type("B").scalarCount == 4 + 6);
}

TEST_CASE("the length of an array may be computed from constants") {
  Workbench bench(declaring("%length = OpSpecConstantOp %uint IMul %uint_3 %uint_4\n"
                            "%list = OpTypeArray %float %length\n"),
                  {"list"});
  CHECK(bench.type("list").count == 12);
}

TEST_CASE("vectors of more than four dwords take two locations") {
  Workbench bench(declaring("%double = OpTypeFloat 64\n%v3double = OpTypeVector %double 3\n"
                            "%v2double = OpTypeVector %double 2\n%list = OpTypeArray %v3double %uint_3\n"
                            "%S = OpTypeStruct %list %v2double %float\n"),
                  {"v3double", "v2double", "list", "S"});
  const spirv::TypeTable &types = bench.services().types;
  CHECK(types.locationCount(bench.type("v3double")) == 2);
  CHECK(types.locationCount(bench.type("v2double")) == 1);
  CHECK(types.locationCount(bench.type("list")) == 6);
  CHECK(types.locationCount(bench.type("S")) == 8);
}

TEST_CASE("transform feedback captures doubles at multiples of 8 bytes") {
  Workbench bench(declaring("%double = OpTypeFloat 64\n%S = OpTypeStruct %float %double %v3float\n"
                            "%floats = OpTypeStruct %float %v3float\n"),
                  {"S", "floats"});
  const spirv::TypeTable &types = bench.services().types;
  CHECK(types.captureOffset(bench.type("S"), 1) == 8);
  CHECK(types.captureOffset(bench.type("S"), 2) == 16);
  CHECK(types.captureSize(bench.type("S")) == 32); // padded
  CHECK(types.captureSize(bench.type("floats")) == 16);
}

TEST_CASE("a type that is too large for values may be in memory") {
  Workbench bench(declaring("%many = OpConstant %uint 20000\n%list = OpTypeArray %float %many\n"), {"list", "v4float"});
  CHECK(bench.type("list").memory);
  Result<llvm::Type *> value = bench.services().types.valueType({}, bench.id("list"));
  REQUIRE_FALSE(value);
  CHECK(value.error().text == "OpNop at word 0: a value of 20000 scalars is not supported");
  CHECK(bench.services().types.valueType({}, bench.id("v4float")));
}

TEST_CASE("an array of arrays of images is opaque, one of floats is not") {
  Workbench bench(declaring("%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%row = OpTypeArray %image %uint_2\n"
                            "%rows = OpTypeArray %row %uint_3\n%floats = OpTypeArray %float %uint_2\n"),
                  {"image", "rows", "floats"});
  const spirv::TypeTable &types = bench.services().types;
  CHECK(types.isOpaqueArray(bench.type("rows")));
  CHECK_FALSE(types.isOpaqueArray(bench.type("image")));
  CHECK_FALSE(types.isOpaqueArray(bench.type("floats")));
  CHECK(types.elementOf(bench.type("rows")).id == bench.id("image"));
}
