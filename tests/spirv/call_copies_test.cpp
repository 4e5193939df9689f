// SPDX-License-Identifier: MIT
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail::test;

namespace {

// The number of stores that the translator makes of a function. The function has %v, a variable whose value is its
// argument, and %copy, which it hands to a function that stores to it; `around` has the call. Both variables are
// memory, because both functions need the address of an element.
size_t storesOf(const std::string &around) {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n";
  assembly.declarations = "%ptr_out = OpTypePointer Output %v4float\n%out = OpVariable %ptr_out Output\n"
                          "%own = OpTypePointer Function %v4float\n%own_float = OpTypePointer Function %float\n"
                          "%f_fn = OpTypeFunction %v4float %v4float\n%change_fn = OpTypeFunction %void %own\n"
                          "%ones = OpConstantComposite %v4float %float_1 %float_1 %float_1 %float_1\n";
  assembly.interface = "%out";
  assembly.body = "%r = OpFunctionCall %v4float %f %p\nOpStore %out %r\n";
  assembly.functions = "%f = OpFunction %v4float None %f_fn\n%a = OpFunctionParameter %v4float\n%fe = OpLabel\n"
                       "%v = OpVariable %own Function\n%copy = OpVariable %own Function\nOpStore %v %a\n"
                       "%ns = OpLoad %v4int %in_n\n%j = OpCompositeExtract %int %ns 0\n"
                       "%at = OpAccessChain %own_float %v %j\n%seen = OpLoad %float %at\n" +
                       around +
                       "%end = OpLoad %v4float %v\nOpReturnValue %end\nOpFunctionEnd\n"
                       "%change = OpFunction %void None %change_fn\n%c = OpFunctionParameter %own\n%ce = OpLabel\n"
                       "%numbers = OpLoad %v4int %in_n\n%i = OpCompositeExtract %int %numbers 0\n"
                       "%place = OpAccessChain %own_float %c %i\n"
                       "%old = OpLoad %float %place\n%new = OpFAdd %float %old %old\nOpStore %place %new\n"
                       "OpReturn\nOpFunctionEnd\n";
  Translated translated(assembly);
  REQUIRE(translated.error() == "");
  return translated.all<llvm::StoreInst>().size();
}

const std::string Give = "%given = OpLoad %v4float %v\nOpStore %copy %given\n";
const std::string Call = "%call = OpFunctionCall %void %change %copy\n";
const std::string Return = "%returned = OpLoad %v4float %copy\nOpStore %v %returned\n";

} // namespace

TEST_CASE("a variable made for a call is not copied to and back") {
  CHECK(storesOf(Give + Call + Return) == 2);
}

TEST_CASE("a variable that is used beside its call is copied") {
  CHECK(storesOf(Give + Call + Return + "%also = OpLoad %v4float %copy\n") == 4);
}

TEST_CASE("a variable whose original changes in front of the call is copied") {
  CHECK(storesOf(Give + "OpStore %v %ones\n" + Call + Return) == 5);
}

TEST_CASE("a variable whose original is read in between is copied") {
  CHECK(storesOf(Give + Call + "%between = OpLoad %v4float %v\n" + Return) == 4);
}

TEST_CASE("a variable that is not given its original's value, or not given back, is copied") {
  CHECK(storesOf("OpStore %copy %a\n" + Call + Return) == 4);
  CHECK(storesOf(Give + Call) == 3);
}
