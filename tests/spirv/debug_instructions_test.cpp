// SPDX-License-Identifier: MIT
//
// Instructions that say nothing about the code are never a reason to refuse a module, however new they are.
// Instructions that no grammar knows are refused by their number.
#include "src/spirv/validate/validate.h"
#include "tests/spirv/assembled.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <spirv/unified1/spirv.hpp11>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::string validationError(const std::vector<uint32_t> &words) {
  Result<void> valid = spirv::validate(words);
  return valid ? std::string() : valid.error().text;
}

std::string translationError(const std::vector<uint32_t> &words) {
  spirv::TranslateOptions options;
  options.stage = lgc::ShaderStage::Fragment;
  return Translated(words, options).error();
}

// The first instruction with this opcode.
size_t find(const std::vector<uint32_t> &words, spv::Op opcode) {
  size_t at = 5; // behind the header
  while (at < words.size() && (words[at] & 0xffff) != uint32_t(opcode))
    at += words[at] >> 16;
  REQUIRE(at < words.size());
  return at;
}

void insert(std::vector<uint32_t> &words, size_t at, const std::vector<uint32_t> &instruction) {
  words.insert(words.begin() + ptrdiff_t(at), instruction.begin(), instruction.end());
}

// A call of a debug instruction in the body.
Assembly withDebugSet(const std::string &set, const std::string &call) {
  Assembly assembly;
  assembly.extensions = "%debug = OpExtInstImport \"" + set + "\"\n";
  assembly.body = call + "\n";
  return assembly;
}

} // namespace

TEST_CASE("a module may say how it was processed in versions that had no word for it") {
  std::vector<uint32_t> words = assemble({});
  words[1] = 0x10000;
  insert(words, find(words, spv::Op::OpDecorate), {2u << 16 | uint32_t(spv::Op::OpModuleProcessed), 'a'});
  CHECK(validationError(words) == "");
  CHECK(translationError(words) == "");
}

TEST_CASE("an instruction set without meaning needs no extension, and may be unknown") {
  const std::vector<uint32_t> words =
      assemble(withDebugSet("NonSemantic.Somebody.7", "%call = OpExtInst %void %debug 99 %p"));
  CHECK(validationError(words) == "");
  CHECK(translationError(words) == "");
}

TEST_CASE("debug information may have instructions that its grammar does not have yet") {
  for (const char *set : {"NonSemantic.Shader.DebugInfo.100", "OpenCL.DebugInfo.100"}) {
    CAPTURE(set);
    std::vector<uint32_t> words = assemble(withDebugSet(set, "%call = OpExtInst %void %debug DebugInfoNone"));
    words.at(find(words, spv::Op::OpExtInst) + 4) = 999;
    CHECK(validationError(words) == "");
    CHECK(translationError(words) == "");
  }
}

TEST_CASE("debug information may refer to what comes later") {
  std::vector<uint32_t> words =
      assemble(withDebugSet("NonSemantic.Shader.DebugInfo.100", "%call = OpExtInst %void %debug DebugInfoNone"));
  const size_t call = find(words, spv::Op::OpExtInst);
  words[call] = (words[call] & 0xffff0000) | 4433; // OpExtInstWithForwardRefsKHR
  CHECK(validationError(words) == "");
  CHECK(translationError(words) == "");
}

TEST_CASE("debug instructions may have names") {
  std::vector<uint32_t> words = assemble(withDebugSet("NonSemantic.Somebody.7", "%call = OpExtInst %void %debug 1"));
  const size_t call = find(words, spv::Op::OpExtInst);
  const uint32_t set = words[call + 3], result = words[call + 2];
  for (uint32_t id : {set, result})
    insert(words, find(words, spv::Op::OpDecorate), {3u << 16 | uint32_t(spv::Op::OpName), id, 'x'});
  CHECK(validationError(words) == "");
  CHECK(translationError(words) == "");
}

TEST_CASE("an instruction of a set that has a meaning is still judged") {
  std::vector<uint32_t> words = assemble(withDebugSet("NonSemantic.Somebody.7", "%x = OpExtInst %float %glsl Sin %p"));
  CHECK(validationError(words) != "");
}

TEST_CASE("an error behind debug instructions names the word at which the module has it") {
  Assembly assembly = withDebugSet("NonSemantic.Somebody.7", "%call = OpExtInst %void %debug 1\n"
                                                             "%sum = OpIAdd %float %float_1 %float_1");
  std::vector<uint32_t> words = assemble(assembly);
  CHECK(validationError(words).starts_with("not valid SPIR-V at word " + std::to_string(find(words, spv::Op::OpIAdd)) +
                                           ": Expected int"));
  words[find(words, spv::Op::OpIAdd)] -= 1u << 16; // an operand too few
  CHECK(validationError(words).starts_with("not valid SPIR-V at word " + std::to_string(find(words, spv::Op::OpIAdd)) +
                                           ": "));
}

TEST_CASE("an opcode that nothing knows is refused by its number") {
  std::vector<uint32_t> words = assemble({});
  const size_t at = find(words, spv::Op::OpReturn);
  insert(words, at, {1u << 16 | 60000});
  const Result<void> valid = spirv::validate(words);
  REQUIRE_FALSE(valid.has_value());
  CHECK((valid.error().code == ErrorCode::Unsupported));
  CHECK(valid.error().text == "opcode 60000 at word " + std::to_string(at) + " is not known");
}

TEST_CASE("a capability that nothing knows is refused by its number, with the extension that may have brought it") {
  Assembly assembly;
  assembly.extensions = "OpExtension \"SPV_KHR_multiview\"\nOpExtension \"SPV_XX_wonder\"\n";
  std::vector<uint32_t> words = assemble(assembly);
  insert(words, 5, {2u << 16 | uint32_t(spv::Op::OpCapability), 54321});
  const Result<void> valid = spirv::validate(words);
  REQUIRE_FALSE(valid.has_value());
  CHECK((valid.error().code == ErrorCode::Unsupported));
  CHECK(valid.error().text ==
        "OpCapability at word 5: capability 54321 is not known (the module declares SPV_XX_wonder)");
}

TEST_CASE("capabilities of version 1.5 that say nothing are none of an older module's business") {
  for (spv::Capability capability : {spv::Capability::ShaderLayer, spv::Capability::ShaderViewportIndex}) {
    std::vector<uint32_t> words = assemble({});
    REQUIRE(words[1] < 0x10500);
    insert(words, 5, {2u << 16 | uint32_t(spv::Op::OpCapability), uint32_t(capability)});
    const Result<void> valid = spirv::validate(words);
    CHECK(valid.has_value());
  }
}

TEST_CASE("an execution mode that nothing knows is refused by its number, with its extension") {
  Assembly assembly;
  assembly.extensions = "OpExtension \"SPV_XX_wonder\"\n";
  std::vector<uint32_t> words = assemble(assembly);
  const size_t at = find(words, spv::Op::OpExecutionMode);
  insert(words, at, {3u << 16 | uint32_t(spv::Op::OpExecutionMode), words[at + 1], 54321});
  const Result<void> valid = spirv::validate(words);
  REQUIRE_FALSE(valid.has_value());
  CHECK((valid.error().code == ErrorCode::Unsupported));
  CHECK(valid.error().text == "OpExecutionMode at word " + std::to_string(at) +
                                  ": execution mode 54321 is not known (the module declares SPV_XX_wonder)");
}
