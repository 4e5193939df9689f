// SPDX-License-Identifier: MIT
//
// Valid modules that would take unbounded stack, memory or time must give an Error.
#include "src/spirv/validate/validate.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>

using namespace dovetail::test;

namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// %f0 calls %f1 `calls` times, and so on `depth` functions down.
Assembly callChain(unsigned depth, unsigned calls) {
  Assembly assembly;
  assembly.body = "%r = OpFunctionCall %void %f0\n";
  for (unsigned i = 0; i < depth; ++i) {
    std::string name = std::to_string(i);
    assembly.functions += "%f" + name + " = OpFunction %void None %void_fn\n%l" + name + " = OpLabel\n";
    for (unsigned call = 0; call < calls && i + 1 < depth; ++call)
      assembly.functions +=
          "%c" + name + "_" + std::to_string(call) + " = OpFunctionCall %void %f" + std::to_string(i + 1) + "\n";
    assembly.functions += "OpReturn\nOpFunctionEnd\n";
  }
  return assembly;
}

// %s0, then structures that have the structure before twice. The last one is the type of a variable that is copied
// `copies` times.
Assembly nestedStructures(unsigned depth, unsigned copies) {
  Assembly assembly;
  assembly.declarations = "%s0 = OpTypeStruct %float\n";
  for (unsigned i = 0; i < depth; ++i) {
    const std::string inner = " %s" + std::to_string(i);
    assembly.declarations += "%s" + std::to_string(i + 1) + " = OpTypeStruct" + inner + inner + "\n";
  }
  const std::string last = "%s" + std::to_string(depth);
  assembly.declarations += "%ptr_s = OpTypePointer Private " + last + "\n%v = OpVariable %ptr_s Private\n";
  for (unsigned i = 0; i < copies; ++i)
    assembly.body += "%c" + std::to_string(i) + " = OpLoad " + last + " %v\n";
  return assembly;
}

// %s0 in a buffer, then structures of an array of the structure before. Of each array four elements differ in their
// places modulo 16 bytes. The strides are decorations of groups.
Assembly nestedArrays(unsigned depth) {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.decorations = "OpMemberDecorate %s0 0 Offset 0\n";
  assembly.declarations = "%s0 = OpTypeStruct %float\n%four = OpConstant %uint 4\n";
  for (unsigned i = 1, size = 4; i <= depth; ++i) {
    const std::string number = std::to_string(i), inner = " %s" + std::to_string(i - 1);
    assembly.decorations += "OpDecorate %g" + number + " ArrayStride " + std::to_string(size) + "\n%g" + number +
                            " = OpDecorationGroup\nOpGroupDecorate %g" + number + " %a" + number +
                            "\nOpMemberDecorate %s" + number + " 0 Offset 0\nOpMemberDecorate %s" + number +
                            " 1 Offset " + std::to_string(4 * size) + "\n";
    assembly.declarations +=
        "%a" + number + " = OpTypeArray" + inner + " %four\n%s" + number + " = OpTypeStruct %a" + number + " %float\n";
    size = 4 * size + 4;
  }
  const std::string last = "%s" + std::to_string(depth);
  assembly.decorations += "OpDecorate " + last + " Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n";
  assembly.declarations += "%ptr_s = OpTypePointer StorageBuffer " + last + "\n%v = OpVariable %ptr_s StorageBuffer\n";
  return assembly;
}

std::string validationError(const Assembly &assembly) {
  const dovetail::Result<void> valid = dovetail::spirv::validate(assemble(assembly));
  return valid ? "" : valid.error().text;
}

} // namespace

TEST_CASE("structures that the validator would take exponential time for are refused") {
  CHECK(validationError(nestedStructures(12, 1)) == "");
  CHECK(contains(validationError(nestedStructures(40, 1)), "a structure of more than 65536 members"));
}

TEST_CASE("strides that groups of decorations give count") {
  CHECK(validationError(nestedArrays(5)) == "");
  CHECK(contains(validationError(nestedArrays(12)), "a structure of more than 65536 members"));
}

TEST_CASE("uses of large structures are counted together") {
  CHECK(validationError(nestedStructures(12, 100)) == "");
  CHECK(contains(validationError(nestedStructures(12, 1000)), "members of structures, over all uses"));
  CHECK(validationError(nestedStructures(3, 1000)) == "");
}

TEST_CASE("arrays nested 10,000 deep are refused") {
  Assembly assembly;
  assembly.declarations = "%a0 = OpTypeArray %float %uint_1\n";
  for (unsigned i = 1; i < 10000; ++i)
    assembly.declarations += "%a" + std::to_string(i) + " = OpTypeArray %a" + std::to_string(i - 1) + " %uint_1\n";
  CHECK(contains(Translated(assembly).error(), "nested more than"));
}

TEST_CASE("calls nested 150 deep are inlined, 10,000 deep are refused") {
  CHECK(Translated(callChain(150, 1)).error() == "");
  CHECK(contains(Translated(callChain(10000, 1)).error(), "calls nested more than"));
}

TEST_CASE("inlining that grows exponentially is refused") {
  CHECK(contains(Translated(callChain(40, 2)).error(), "instructions after inlining"));
}

TEST_CASE("huge variables and values are refused") {
  Assembly assembly;
  assembly.declarations = "%big = OpConstant %uint 100000000\n%arr = OpTypeArray %float %big\n"
                          "%ptr_arr = OpTypePointer Private %arr\n%v = OpVariable %ptr_arr Private\n"
                          "%ptr_float = OpTypePointer Private %float\n";
  CHECK(Translated(assembly).error() == ""); // the variable is not used
  assembly.body = "%a = OpAccessChain %ptr_float %v %int_0\nOpStore %a %float_1\n";
  CHECK(contains(Translated(assembly).error(), "variables of more than"));

  Assembly copy;
  copy.stage = lgc::ShaderStage::Compute;
  copy.decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %arr ArrayStride 4\n"
                     "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n";
  copy.declarations = "%big = OpConstant %uint 100000000\n%arr = OpTypeArray %float %big\n%block = OpTypeStruct %arr\n"
                      "%ptr_block = OpTypePointer StorageBuffer %block\n%v = OpVariable %ptr_block StorageBuffer\n";
  copy.body = "%all = OpLoad %block %v\nOpStore %v %all\n";
  CHECK(contains(Translated(copy).error(), "a value of 100000000 scalars"));
}

TEST_CASE("an empty structure is harmless") {
  Assembly assembly;
  assembly.declarations =
      "%empty = OpTypeStruct\n%ptr_empty = OpTypePointer Private %empty\n%v = OpVariable %ptr_empty Private\n";
  assembly.body = "%l = OpLoad %empty %v\nOpStore %v %l\n";
  CHECK(Translated(assembly).error() == "");
}
