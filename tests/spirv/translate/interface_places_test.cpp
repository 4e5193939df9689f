// SPDX-License-Identifier: MIT
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>
#include <llvm/IR/Argument.h>

using namespace dovetail;
using namespace dovetail::test;
using spirv::InterfacePlace;

namespace {

// An input struct { mat4x3; vec4 at location 9; float } [3] at location 2, in %block.
Assembly withInput() {
  Assembly assembly;
  assembly.decorations = "OpDecorate %block Location 2\nOpMemberDecorate %B 1 Location 9\n"
                         "OpMemberDecorate %B 1 NoPerspective\n";
  assembly.declarations = "%mat = OpTypeMatrix %v3float 4\n%B = OpTypeStruct %mat %v4float %float\n"
                          "%list = OpTypeArray %float %uint_3\n%ptr_B = OpTypePointer Input %B\n"
                          "%block = OpVariable %ptr_B Input\n%ptr_list = OpTypePointer Input %list\n"
                          "%values = OpVariable %ptr_list Input\n%ptr_float = OpTypePointer Input %float\n";
  assembly.interface = "%block %values";
  assembly.body =
      "%used = OpAccessChain %ptr_float %block %int_2\n%used_too = OpAccessChain %ptr_float %values %int_0\n";
  assembly.decorations += "OpDecorate %values Location 20\n";
  return assembly;
}

InterfacePlace stepped(Workbench &bench, std::string_view variable, std::initializer_list<unsigned> indices) {
  spirv::Pointer pointer = bench.pointer(variable);
  for (unsigned index : indices)
    REQUIRE(bench.services().places.step({}, pointer, bench.builder().getInt32(index)));
  return pointer.place;
}

} // namespace

TEST_CASE("a member is behind the one before it, or at its own location") {
  Workbench bench(withInput(), {"block"});
  CHECK(stepped(bench, "block", {0}).location == 2);
  CHECK(stepped(bench, "block", {0, 3}).location == 5);
  CHECK(stepped(bench, "block", {1}).location == 9);
  CHECK(stepped(bench, "block", {2}).location == 10);
}

TEST_CASE("a member has its own way of interpolation") {
  Workbench bench(withInput(), {"block"});
  CHECK(stepped(bench, "block", {0}).mode == lgc::InterpMode::Smooth);
  CHECK(stepped(bench, "block", {1}).mode == lgc::InterpMode::NoPerspective);
}

TEST_CASE("a constant index of a vector is a component") {
  Workbench bench(withInput(), {"block"});
  const InterfacePlace place = stepped(bench, "block", {1, 3});
  CHECK(place.location == 9);
  CHECK(place.component == 3);
  CHECK(place.componentIndex == nullptr);
}

TEST_CASE("a dynamic index reaches all locations of the array") {
  Workbench bench(withInput(), {"values"});
  spirv::Services &s = bench.services();
  spirv::Pointer pointer = bench.pointer("values");
  llvm::Value *index =
      s.builder.CreateReadBuiltInInput(s.builder.getInt32Ty(), lgc::BuiltIn::SampleId, nullptr, nullptr);
  REQUIRE(s.places.step({}, pointer, index));
  CHECK(pointer.place.location == 20);
  CHECK(pointer.place.locationOffset != nullptr);
  CHECK(s.places.locationCount(pointer.place, s.type(pointer.pointee)) == 3);
  CHECK(s.places.locationCount(stepped(bench, "values", {1}), s.type(pointer.pointee)) == 1);
}

TEST_CASE("the parts of a matrix are its columns, one location each") {
  Workbench bench(withInput(), {"block", "mat"});
  const InterfacePlace whole = stepped(bench, "block", {0});
  Result<spirv::InterfacePart> column = bench.services().places.part({}, bench.type("mat"), whole, 2);
  REQUIRE(column);
  CHECK(column->type.kind == spirv::TypeKind::Vector);
  CHECK(column->place.location == 4);
}

TEST_CASE("the outermost index of a per-vertex array is a vertex") {
  Workbench bench(withInput(), {"values"});
  spirv::Pointer pointer = bench.pointer("values");
  pointer.place.isPerVertex = true;
  REQUIRE(bench.services().places.step({}, pointer, bench.builder().getInt32(2)));
  CHECK(constant(pointer.place.vertexIndex) == 2);
  CHECK(pointer.place.location == 20);
  CHECK_FALSE(pointer.place.isPerVertex);
}
