// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail;
using namespace dovetail::test;
using spirv::Pointer;

namespace {

// A storage block { vec4; row-major mat2x3; struct { uint; float }[] } in %block.
Assembly withBlock() {
  Assembly assembly;
  assembly.decorations = "OpDecorate %B Block\nOpMemberDecorate %B 0 Offset 0\nOpMemberDecorate %B 1 Offset 16\n"
                         "OpMemberDecorate %B 1 MatrixStride 8\nOpMemberDecorate %B 1 RowMajor\n"
                         "OpMemberDecorate %B 2 Offset 48\nOpDecorate %list ArrayStride 12\n"
                         "OpMemberDecorate %S 0 Offset 0\nOpMemberDecorate %S 1 Offset 4\n"
                         "OpMemberDecorate %S 1 Volatile\nOpDecorate %block DescriptorSet 1\n"
                         "OpDecorate %block Binding 2\n";
  assembly.declarations = "%mat = OpTypeMatrix %v3float 2\n%S = OpTypeStruct %uint %float\n"
                          "%list = OpTypeRuntimeArray %S\n%B = OpTypeStruct %v4float %mat %list\n"
                          "%ptr_B = OpTypePointer StorageBuffer %B\n%block = OpVariable %ptr_B StorageBuffer\n"
                          "%ptr_v4float = OpTypePointer StorageBuffer %v4float\n";
  assembly.body = "%used = OpAccessChain %ptr_v4float %block %int_0\n";
  return assembly;
}

// The pointer of a variable, moved by these indices.
Pointer stepped(Workbench &bench, std::string_view variable, std::initializer_list<std::string_view> indices) {
  Pointer pointer = bench.pointer(variable);
  for (std::string_view index : indices)
    REQUIRE(bench.services().pointers.step({}, pointer, bench.id(index)));
  return pointer;
}

} // namespace

TEST_CASE("constant steps into a block add up to a byte offset") {
  Workbench bench(withBlock(), {"block", "int_1", "int_2", "int_4", "float", "ptr_B"});
  CHECK(bench.pointer("block").kind == Pointer::Kind::Resource);
  const Pointer place = stepped(bench, "block", {"int_2", "int_4", "int_1"});
  CHECK(place.kind == Pointer::Kind::Buffer);
  CHECK(constant(place.offset) == 48 + 4 * 12 + 4);
  CHECK(place.pointee == bench.id("float"));
  auto *descriptor = llvm::dyn_cast<lgc::LoadBufferDescOp>(place.base);
  REQUIRE(descriptor);
  CHECK(descriptor->set() == 1);
  CHECK(descriptor->binding() == 2);
}

TEST_CASE("a member's decorations count for the accesses below it, and only there") {
  Workbench bench(withBlock(), {"block", "int_0", "int_1", "int_2"});
  CHECK((stepped(bench, "block", {"int_2", "int_0", "int_1"}).flags & lgc::Volatile) != 0);
  CHECK((stepped(bench, "block", {"int_2", "int_0", "int_0"}).flags & lgc::Volatile) == 0);
}

TEST_CASE("a column of a row-major matrix has its components a stride apart") {
  Workbench bench(withBlock(), {"block", "int_1", "int_2", "v3float"});
  const Pointer column = stepped(bench, "block", {"int_1", "int_1"});
  CHECK(column.pointee == bench.id("v3float"));
  CHECK(constant(column.offset) == 16 + 4);
  CHECK(column.componentStride == 8);
  const Pointer component = stepped(bench, "block", {"int_1", "int_1", "int_2"});
  CHECK(constant(component.offset) == 16 + 4 + 2 * 8);
  CHECK(component.componentStride == 0);
}

TEST_CASE("a member that a structure does not have is refused") {
  Workbench bench(withBlock(), {"block", "int_4"});
  Pointer pointer = bench.pointer("block");
  Result<void> result = bench.services().pointers.step({}, pointer, bench.id("int_4"));
  REQUIRE_FALSE(result);
  CHECK(result.error().text ==
        "OpNop at word 0: a structure member index that is not a known constant is not supported");
}

TEST_CASE("a pointer into a buffer is a value of two parts, from which it is made again") {
  Workbench bench(withBlock(), {"block", "int_0", "ptr_v4float"});
  spirv::Pointers &pointers = bench.services().pointers;
  const Pointer place = stepped(bench, "block", {"int_0"});
  Result<llvm::Value *> value = pointers.toValue({}, place);
  REQUIRE(value);
  CHECK((*value)->getType() == bench.type("ptr_v4float").value);
  Result<Pointer> again = pointers.fromValue({}, *value, bench.id("ptr_v4float"));
  REQUIRE(again);
  CHECK(again->kind == Pointer::Kind::Buffer);
  CHECK(again->pointee == place.pointee);
}

TEST_CASE("a pointer whose layout others do not know is no value") {
  Workbench bench(withBlock(), {"block", "int_1"});
  const Pointer column = stepped(bench, "block", {"int_1", "int_1"});
  CHECK_FALSE(bench.services().pointers.toValue({}, column));
  CHECK(bench.services().pointers.toValue({}, column, spirv::layoutOf(column)));
}

TEST_CASE("arrays of arrays of images are numbered through") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %images DescriptorSet 0\nOpDecorate %images Binding 3\n";
  assembly.declarations = "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%row = OpTypeArray %image %uint_4\n"
                          "%rows = OpTypeArray %row %uint_3\n%ptr_rows = OpTypePointer UniformConstant %rows\n"
                          "%images = OpVariable %ptr_rows UniformConstant\n"
                          "%ptr_image = OpTypePointer UniformConstant %image\n";
  assembly.body = "%used = OpAccessChain %ptr_image %images %int_0 %int_0\n";
  Workbench bench(assembly, {"images", "image", "int_2", "int_3"});
  const Pointer place = stepped(bench, "images", {"int_2", "int_3"});
  CHECK(place.kind == Pointer::Kind::Resource);
  CHECK(place.pointee == bench.id("image"));
  CHECK(constant(place.offset) == 2 * 4 + 3);
}

namespace {

// A shader with %own, a private array of four vectors.
Assembly ownList(const char *body) {
  Assembly assembly;
  assembly.declarations = "%list = OpTypeArray %v4float %uint_4\n%ptr_list = OpTypePointer Private %list\n"
                          "%own = OpVariable %ptr_list Private\n%ptr_float = OpTypePointer Private %float\n";
  assembly.body = body;
  return assembly;
}
const std::initializer_list<std::string_view> ListNames = {"own", "int_2", "int_3", "float"};

} // namespace

TEST_CASE("a step into a variable without an address goes to its leaf, and to a component") {
  Workbench bench(ownList("%used = OpAccessChain %ptr_float %own %int_0 %int_0\n"), ListNames);
  const Pointer place = stepped(bench, "own", {"int_2", "int_3"});
  CHECK(place.kind == Pointer::Kind::Promoted);
  CHECK(place.pointee == bench.id("float"));
  CHECK(place.leaf == bench.pointer("own").leaf + 2);
  CHECK(place.component == 3u);
}

TEST_CASE("a step into the shader's own memory is an address, and a path of constants") {
  Workbench bench(ownList("%i = OpCompositeExtract %int %n 0\n%used = OpAccessChain %ptr_float %own %i %int_0\n"),
                  ListNames);
  const Pointer place = stepped(bench, "own", {"int_2", "int_3"});
  CHECK(place.kind == Pointer::Kind::Memory);
  CHECK(place.pointee == bench.id("float"));
  CHECK(place.outputPath == std::vector<uint32_t>{2, 3});
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(place.base);
  REQUIRE(address);
  CHECK(bench.pointer("own").base ==
        llvm::cast<llvm::GetElementPtrInst>(address->getPointerOperand())->getPointerOperand());
}
