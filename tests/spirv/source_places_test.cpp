// SPDX-License-Identifier: MIT
//
// The source lines of instructions, as the module gives them.
#include "src/spirv/module/module.h"
#include "src/spirv/module/source_places.h"
#include "src/spirv/validate/validate.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

using Lines = std::vector<std::string>;

// A shader that begins with these strings, has these declarations, has OpLines in front of main's OpLabel, and has this
// body.
std::string shader(const std::string &strings, const std::string &declarations, const std::string &body,
                   const std::string &inFrontOfLabel = "") {
  return "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
         "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
         "OpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %main \"main\"\n"
         "OpExecutionMode %main LocalSize 1 1 1\n" +
         strings +
         "%void = OpTypeVoid\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%uint = OpTypeInt 32 0\n"
         "%fn = OpTypeFunction %void\n" +
         declarations + "%main = OpFunction %void None %fn\n" + inFrontOfLabel + "%label = OpLabel\n" + body +
         "OpFunctionEnd\n";
}

const std::string TwoFiles = "%a = OpString \"a.hlsl\"\n%b = OpString \"lib/b.hlsli\"\n";

// "file:line" for each instruction of main that is no debug information; "": no place.
Lines linesOf(const std::string &text) {
  const std::vector<uint32_t> words = assembleText(text);
  const Result<void> valid = spirv::validate(words);
  CHECK_MESSAGE(valid, (valid ? "" : valid.error().text));
  const spirv::SourcePlaces places(words);
  Lines lines;
  const spirv::Module module = spirv::parseModule(words).value();
  for (const spirv::Block &block : module.functions.front().blocks)
    for (const spirv::Instruction &inst : block.instructions) {
      if (inst.opcode == spv::Op::OpExtInst)
        continue;
      const spirv::SourcePlace *place = places.find(inst.wordOffset);
      lines.push_back(place ? fmt::format("{}:{}", place->file, place->line) : "");
    }
  return lines;
}

} // namespace

TEST_CASE("OpLine is for what follows it, up to the next one, to OpNoLine, or to the end of the block") {
  CHECK(linesOf(shader(TwoFiles, "",
                       "%1 = OpLogicalNot %bool %true\nOpLine %a 3 7\n"
                       "%2 = OpLogicalNot %bool %true\n%3 = OpLogicalNot %bool %true\nOpLine %b 4 1\n"
                       "%4 = OpLogicalNot %bool %true\nOpNoLine\n%5 = OpLogicalNot %bool %true\nOpLine %a 9 1\n"
                       "OpBranch %second\n%second = OpLabel\n%6 = OpLogicalNot %bool %true\nOpReturn\n")) ==
        Lines{"", "a.hlsl:3", "a.hlsl:3", "lib/b.hlsli:4", "", "a.hlsl:9", "", ""});
}

TEST_CASE("an OpLine in front of a function or a label holds in the block") {
  CHECK(linesOf(shader(TwoFiles, "OpLine %a 2 1\n", "%1 = OpLogicalNot %bool %true\nOpReturn\n")) ==
        Lines{"a.hlsl:2", "a.hlsl:2"});
  CHECK(linesOf(shader(TwoFiles, "", "OpReturn\n", "OpLine %a 5 1\n")) == Lines{"a.hlsl:5"});
}

TEST_CASE("DebugLine says lines by constants and files by DebugSource") {
  const std::string declarations = "%u7 = OpConstant %uint 7\n%u8 = OpConstant %uint 8\n%u0 = OpConstant %uint 0\n"
                                   "%source = OpExtInst %void %debug DebugSource %b\n";
  const std::string line = "%l1 = OpExtInst %void %debug DebugLine %source %u7 %u8 %u0 %u0\n";
  const std::string noLine = "%l2 = OpExtInst %void %debug DebugNoLine\n";
  CHECK(linesOf(shader(TwoFiles, declarations,
                       "%1 = OpLogicalNot %bool %true\n" + line + "%2 = OpLogicalNot %bool %true\n" + noLine +
                           "%3 = OpLogicalNot %bool %true\nOpReturn\n")) == Lines{"", "lib/b.hlsli:7", "", ""});
  CHECK(linesOf(shader(TwoFiles, declarations, line + "OpBranch %second\n%second = OpLabel\nOpReturn\n")) ==
        Lines{"lib/b.hlsli:7", ""});
}

TEST_CASE("a module without lines has no places") {
  CHECK(spirv::SourcePlaces(assembleText(shader(TwoFiles, "", "OpNoLine\nOpReturn\n"))).isEmpty());
  CHECK_FALSE(spirv::SourcePlaces(assembleText(shader(TwoFiles, "", "OpLine %a 1 1\nOpReturn\n"))).isEmpty());
}

TEST_CASE("LLVM IR has debug locations only if they are asked for") {
  const std::vector<uint32_t> words = assembleText(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %in %out
    OpExecutionMode %main OriginUpperLeft
    %here = OpString "here.frag"
    OpDecorate %in Location 0
    OpDecorate %out Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %pin = OpTypePointer Input %float
    %pout = OpTypePointer Output %float
    %in = OpVariable %pin Input
    %out = OpVariable %pout Output
    %main = OpFunction %void None %fn
    %label = OpLabel
    %p = OpLoad %float %in
    OpLine %here 12 3
    %x = OpFAdd %float %p %p
    OpNoLine
    %y = OpFMul %float %x %p
    OpStore %out %y
    OpReturn
    OpFunctionEnd
  )");
  for (bool asked : {false, true}) {
    Translated translated(words, {.stage = lgc::ShaderStage::Fragment, .sourceLines = asked});
    REQUIRE_MESSAGE(translated.error().empty(), translated.error());
    const auto operations = translated.all<llvm::BinaryOperator>();
    REQUIRE(operations.size() == 2);
    for (const llvm::BinaryOperator *operation : operations)
      CHECK(bool(operation->getDebugLoc()) == asked);
    CHECK((translated.module().debug_compile_units_begin() != translated.module().debug_compile_units_end()) == asked);
    if (!asked)
      continue;
    CHECK(operations[0]->getDebugLoc().getLine() == 12);
    CHECK(operations[0]->getDebugLoc()->getFilename() == "here.frag");
    CHECK(operations[1]->getDebugLoc().getLine() == 0);
  }
}

TEST_CASE("nothing is known about lines of a module that has none, even if they are asked for") {
  Translated translated(assemble({}), {.stage = lgc::ShaderStage::Fragment, .sourceLines = true});
  CHECK(translated.module().debug_compile_units_begin() == translated.module().debug_compile_units_end());
}
