// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// A compute shader with these declarations.
std::string shaderWith(const std::string &capabilities, const std::string &interface, const std::string &declarations) {
  return "OpCapability Shader\n" + capabilities +
         "OpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %main \"main\" " +
         interface + "\nOpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%function = OpTypeFunction %void\n" +
         declarations + "%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

std::string versionOf(const std::string &text) {
  Result<std::vector<uint32_t>> words = assembleSpirv("a.spvasm", text);
  return words ? fmt::format("{}.{}", words->at(1) >> 16, words->at(1) >> 8 & 0xff) : words.error().text;
}

} // namespace

TEST_CASE("assembly is of the version that its header names") {
  const std::string text = shaderWith("", "", "");
  CHECK(versionOf("; SPIR-V\n; Version: 1.3\n; Bound: 9\n" + text) == "1.3");
  CHECK(versionOf("\n; Version: 1.6 \r\n" + text) == "1.6");
  CHECK(versionOf(text + "; Version: 1.6\n") == "1.0"); // behind instructions it is a comment like others
}

TEST_CASE("assembly without a version is of the oldest one that has what it says") {
  CHECK(versionOf(shaderWith("", "", "")) == "1.0");
  CHECK(versionOf(shaderWith("OpCapability GroupNonUniform\n", "", "")) == "1.3");
  // Only from 1.4 on, an interface may have variables of all storage classes.
  const std::string variable = "%float = OpTypeFloat 32\n%pointer = OpTypePointer Private %float\n"
                               "%variable = OpVariable %pointer Private\n";
  CHECK(versionOf(shaderWith("", "%variable", variable)) == "1.4");
}

TEST_CASE("a version that there is not is refused with its line") {
  CHECK(versionOf("; SPIR-V\n; Version: 1.9\n" + shaderWith("", "", "")) ==
        "a.spvasm:2: SPIR-V version 1.9 is not one of 1.0 to 1.6");
}

TEST_CASE("assembly that is valid in no version is assembled all the same, for the front end to judge") {
  CHECK(versionOf(shaderWith("", "%missing", "")) == "1.6");
}

TEST_CASE("what cannot be assembled is refused with its line") {
  CHECK(versionOf("\nOpFoo\n").starts_with("a.spvasm:2: "));
}
