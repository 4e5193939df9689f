// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/spirv/module/specialize.h"
#include "src/spirv/reflect/reflection.h"
#include "src/spirv/translate/translate.h"
#include "src/spirv/validate/validate.h"
#include "tests/spirv/assembled.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <spirv/unified1/spirv.hpp11>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::vector<uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("words are read in either byte order") {
  std::vector<uint32_t> words = assemble({});
  std::vector<uint32_t> swapped = words;
  for (uint32_t &word : swapped)
    word = __builtin_bswap32(word);
  CHECK(spirv::readWords(bytesOf(words)).value() == words);
  CHECK(spirv::readWords(bytesOf(swapped)).value() == words);
}

TEST_CASE("bytes that are not SPIR-V words are refused with a reason") {
  std::vector<uint8_t> bytes = bytesOf(assemble({}));
  auto text = [](std::vector<uint8_t> given) { return spirv::readWords(given).error().text; };
  CHECK(contains(text({}), "too few"));
  CHECK(contains(text({bytes.begin(), bytes.end() - 1}), "whole number"));
  bytes[0] ^= 1;
  CHECK(contains(text(bytes), "magic number"));
}

TEST_CASE("a truncated module is an invalid input, at any length") {
  std::vector<uint32_t> words = assemble({});
  for (size_t length = 0; length < words.size(); ++length) {
    Result<void> result = spirv::validate(std::span(words).first(length));
    REQUIRE_FALSE(result.has_value());
    CHECK((result.error().code == ErrorCode::InvalidInput));
  }
  CHECK(spirv::validate(words).has_value());
}

TEST_CASE("the source language may be one that SPIRV-Tools does not know") {
  for (uint32_t language : {0u, 2u, 11u, 12345u, 0xffffffffu}) {
    CAPTURE(language);
    std::vector<uint32_t> words = withSource(assemble({}), language);
    const std::vector<uint32_t> given = words;
    Result<void> valid = spirv::validate(words);
    CHECK_MESSAGE(valid.has_value(), valid.error().text);
    spirv::TranslateOptions options;
    options.stage = lgc::ShaderStage::Fragment;
    CHECK(Translated(words, options).error() == "");
    CHECK(spirv::entryPoints(words).value().size() == 1);
    CHECK(spirv::reflect(words, "main", lgc::ShaderStage::Fragment).value().inputs.size() == 2);
    CHECK(spirv::specialize(words, {}).value() == given);
  }
}

TEST_CASE("an OpSource that is broken in other ways is refused") {
  const std::vector<uint32_t> words = withSource(assemble({}), 11);
  const size_t at = sourceOffset(words);
  std::vector<uint32_t> brief = words;
  brief[at] = 1u << 16 | 3; // it has no language, and its words become instructions of their own
  CHECK_FALSE(spirv::validate(brief).has_value());
  std::vector<uint32_t> withFile = words;
  withFile[at] += 1u << 16;
  withFile.insert(withFile.begin() + static_cast<ptrdiff_t>(at) + 3, words[3] - 1); // not an OpString
  CHECK_FALSE(spirv::validate(withFile).has_value());
}

TEST_CASE("an entry point that the module lacks is named") {
  spirv::TranslateOptions options;
  options.entryPoint = "other";
  options.stage = lgc::ShaderStage::Fragment;
  CHECK(contains(Translated(assemble({}), options).error(), "\"other\""));
  options.entryPoint = "main";
  options.stage = lgc::ShaderStage::Vertex;
  CHECK(contains(Translated(assemble({}), options).error(), "\"main\""));
}

TEST_CASE("a capability that is not supported is named with its word offset") {
  Assembly assembly;
  assembly.capabilities = "OpCapability Linkage\n";
  CHECK(Translated(assembly).error() == "OpCapability at word 7: capability Linkage is not supported");
}

TEST_CASE("an instruction that is not supported is named with its word offset and capability") {
  Assembly assembly;
  assembly.body = "OpAtomicFlagClear %in %uint_1 %uint_0\n";
  const std::vector<uint32_t> words = assemble(assembly);
  const uint32_t head = 4u << 16 | uint32_t(::spv::Op::OpAtomicFlagClear);
  const auto at = std::ranges::find(words, head) - words.begin();
  CHECK(Translated(assembly).error() ==
        "OpAtomicFlagClear at word " + std::to_string(at) + " (capability Kernel) is not supported");
}

TEST_CASE("decoration groups reach their targets") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %group Location 5\nOpDecorate %group NoPerspective\n%group = OpDecorationGroup\n"
                         "OpGroupDecorate %group %late\nOpDecorate %out Location 0\n";
  assembly.declarations = "%late = OpVariable %ptr_in_v4float Input\n%ptr_out = OpTypePointer Output %v4float\n"
                          "%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%late %out";
  assembly.body = "%l = OpLoad %v4float %late\nOpStore %out %l\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  unsigned found = 0;
  for (auto *read : translated.all<lgc::ReadGenericInputOp>())
    found += read->location() == 5 && read->mode() == lgc::InterpMode::NoPerspective;
  CHECK(found == 1);
}

TEST_CASE("entry points of different stages may have one name") {
  const std::vector<uint32_t> words = assembleText(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %v \"main\" %position\n"
      "OpEntryPoint Fragment %f \"main\" %color\nOpExecutionMode %f OriginUpperLeft\n"
      "OpDecorate %position BuiltIn Position\nOpDecorate %color Location 0\n%void = OpTypeVoid\n"
      "%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n"
      "%zero = OpConstantNull %v4\n%ptr = OpTypePointer Output %v4\n%position = OpVariable %ptr Output\n"
      "%color = OpVariable %ptr Output\n%v = OpFunction %void None %fn\n%l = OpLabel\nOpStore %position %zero\n"
      "OpReturn\nOpFunctionEnd\n%f = OpFunction %void None %fn\n%m = OpLabel\nOpStore %color %zero\nOpReturn\n"
      "OpFunctionEnd\n");
  for (lgc::ShaderStage stage : {lgc::ShaderStage::Vertex, lgc::ShaderStage::Fragment}) {
    CHECK(spirv::reflect(words, "main", stage).has_value());
    spirv::TranslateOptions options;
    options.stage = stage;
    Translated translated(words, options);
    CHECK(translated.error() == "");
    const bool isVertex = stage == lgc::ShaderStage::Vertex;
    CHECK(translated.all<lgc::WriteBuiltInOutputOp>().size() == (isVertex ? 1 : 0));
    CHECK(translated.all<lgc::WriteGenericOutputOp>().size() == (isVertex ? 0 : 1));
  }
}
