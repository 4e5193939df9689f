// SPDX-License-Identifier: MIT
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail::test;

namespace {

// The number of stores that the translator makes of a function. The function has %v, a variable whose value is its
// argument, and %copy, which it hands to a function that stores to it; `around` has the call.
size_t storesOf(const std::string &around) {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n";
  assembly.declarations = "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n"
                          "%own = OpTypePointer Function %float\n"
                          "%float_fn = OpTypeFunction %float %float\n%change_fn = OpTypeFunction %void %own\n";
  assembly.interface = "%out";
  assembly.body = "%x = OpCompositeExtract %float %p 0\n%r = OpFunctionCall %float %f %x\nOpStore %out %r\n";
  assembly.functions = "%f = OpFunction %float None %float_fn\n%a = OpFunctionParameter %float\n%fe = OpLabel\n"
                       "%v = OpVariable %own Function\n%copy = OpVariable %own Function\nOpStore %v %a\n" +
                       around +
                       "%end = OpLoad %float %v\nOpReturnValue %end\nOpFunctionEnd\n"
                       "%change = OpFunction %void None %change_fn\n%c = OpFunctionParameter %own\n%ce = OpLabel\n"
                       "%old = OpLoad %float %c\n%new = OpFAdd %float %old %old\nOpStore %c %new\n"
                       "OpReturn\nOpFunctionEnd\n";
  Translated translated(assembly);
  REQUIRE(translated.error() == "");
  return translated.all<llvm::StoreInst>().size() - 1; // without the store to the output
}

const std::string Give = "%given = OpLoad %float %v\nOpStore %copy %given\n";
const std::string Call = "%call = OpFunctionCall %void %change %copy\n";
const std::string Return = "%returned = OpLoad %float %copy\nOpStore %v %returned\n";

} // namespace

TEST_CASE("a variable made for a call is not copied to and back") {
  CHECK(storesOf(Give + Call + Return) == 2);
}

TEST_CASE("a variable that is used beside its call is copied") {
  CHECK(storesOf(Give + Call + Return + "%also = OpLoad %float %copy\n") == 4);
}

TEST_CASE("a variable whose original changes in front of the call is copied") {
  CHECK(storesOf(Give + "OpStore %v %float_1\n" + Call + Return) == 5);
}

TEST_CASE("a variable whose original is read in between is copied") {
  CHECK(storesOf(Give + Call + "%between = OpLoad %float %v\n" + Return) == 4);
}

TEST_CASE("a variable that is not given its original's value, or not given back, is copied") {
  CHECK(storesOf("OpStore %copy %a\n" + Call + Return) == 4);
  CHECK(storesOf(Give + Call) == 3);
}
