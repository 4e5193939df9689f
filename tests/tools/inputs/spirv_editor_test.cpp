// SPDX-License-Identifier: MIT
//
// The editor of SPIR-V modules, on modules of few instructions.
#include "tools/proof/spirv/spirv_editor.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>
#include <string>

using namespace dovetail;

namespace {

using spv::Op;
using Instruction = SpirvEditor::Instruction;
using Words = SpirvEditor::Words;

const std::string Head = "OpCapability Shader\n"
                         "OpMemoryModel Logical GLSL450\n"
                         "OpEntryPoint Fragment %1 \"main\"\n"
                         "OpExecutionMode %1 OriginUpperLeft\n";
const std::string Types = "%2 = OpTypeVoid\n"
                          "%3 = OpTypeFunction %2\n"
                          "%4 = OpTypeFloat 32\n";
const std::string Begin = "%1 = OpFunction %2 None %3\n"
                          "%5 = OpLabel\n";
const std::string End = "OpReturn\n"
                        "OpFunctionEnd\n";

Words assemble(const std::string &text) {
  Words words;
  REQUIRE(
      spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  return words;
}

std::string disassemble(const Words &words) {
  std::string text;
  REQUIRE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  return text;
}

} // namespace

TEST_CASE("a module whose instructions are all emitted stays as it is") {
  const Words words = assemble(Head + "OpName %6 \"x\"\nOpDecorate %6 RelaxedPrecision\n" + Types + Begin +
                               "%6 = OpUndef %4\n%7 = OpFAdd %4 %6 %6\n" + End);
  SpirvEditor editor(words);
  CHECK(editor.rewrite([&](const Instruction &inst) { editor.emit(inst); }) == words);
}

TEST_CASE("words without a whole header stay as they are") {
  const Words words = {1, 2, 3};
  SpirvEditor editor(words);
  CHECK(editor.instructions().empty());
  CHECK(editor.rewrite([&](const Instruction &) { FAIL("no instruction"); }) == words);
}

TEST_CASE("an instruction has its type, its result and its operands") {
  const SpirvEditor editor(assemble(Head + Types + "%6 = OpConstant %4 1\n" + Begin + End));
  const Instruction &constant = editor.definition(6);
  CHECK((constant.opcode == Op::OpConstant));
  CHECK(constant.type == 4);
  CHECK(constant.operands == Words{0x3f800000});
  CHECK(editor.typeOf(6) == 4);
  CHECK(editor.typeOf(4) == 0);
  CHECK(editor.valueOf(6) == 0x3f800000u);
  CHECK(editor.valueOf(4) == std::nullopt);
  CHECK_FALSE(editor.hasResult(7));
}

TEST_CASE("decorations have their first literal, or 0") {
  const SpirvEditor editor(assemble(Head + "OpDecorate %6 Location 3\nOpDecorate %6 Flat\n" + Types +
                                    "%7 = OpTypePointer Input %4\n%6 = OpVariable %7 Input\n" + Begin + End));
  CHECK(editor.decoration(6, spv::Decoration::Location) == 3u);
  CHECK(editor.decoration(6, spv::Decoration::Flat) == 0u);
  CHECK(editor.decoration(6, spv::Decoration::Component) == std::nullopt);
  CHECK(editor.pointee(editor.typeOf(6)) == 4);
}

TEST_CASE("the targets of a group have its decorations") {
  const SpirvEditor editor(
      assemble(Head + "OpDecorate %8 Location 3\n%8 = OpDecorationGroup\nOpGroupDecorate %8 %6 %9\n" + Types +
               "%7 = OpTypePointer Input %4\n%6 = OpVariable %7 Input\n" + "%9 = OpVariable %7 Input\n" + Begin + End));
  CHECK(editor.decoration(6, spv::Decoration::Location) == 3u);
  CHECK(editor.decoration(9, spv::Decoration::Location) == 3u);
}

TEST_CASE("the type of the image is found for images and for sampled images") {
  const SpirvEditor editor(assemble(Head + Types + "%6 = OpTypeImage %4 Cube 0 0 0 1 Unknown\n" +
                                    "%7 = OpTypeSampledImage %6\n" + Begin + End));
  for (uint32_t type : {6, 7}) {
    REQUIRE(editor.imageOf(type) != nullptr);
    CHECK(editor.imageOf(type)->result == 6);
    CHECK(editor.imageOf(type)->is(1, spv::Dim::Cube));
  }
  CHECK(editor.imageOf(4) == nullptr);
}

TEST_CASE("instructions are emitted around another one, and in place of it") {
  SpirvEditor editor(assemble(Head + Types + Begin + "%6 = OpUndef %4\n%7 = OpFNegate %4 %6\n" + End));
  const Words edited = editor.rewrite([&](Instruction inst) {
    if (inst.opcode == Op::OpUndef) {
      editor.emit(inst);
    } else if (inst.opcode == Op::OpFNegate) {
      const uint32_t sum = editor.emit(Op::OpFAdd, inst.type, {6, 6});
      editor.emit({Op::OpFNegate, inst.type, inst.result, {sum}});
      editor.emit(Op::OpFMul, inst.type, {inst.result, sum});
    } else {
      editor.emit(inst);
    }
  });
  CHECK(disassemble(edited) ==
        Head + Types + Begin + "%6 = OpUndef %4\n%8 = OpFAdd %4 %6 %6\n%7 = OpFNegate %4 %8\n%9 = OpFMul %4 %7 %8\n" +
            End);
  CHECK(edited[SpirvBoundWord] == 10);
}

TEST_CASE("an instruction that is not emitted disappears") {
  SpirvEditor editor(assemble(Head + Types + Begin + "%6 = OpUndef %4\n" + End));
  CHECK(disassemble(editor.rewrite([&](const Instruction &inst) {
          if (inst.opcode != Op::OpUndef)
            editor.emit(inst);
        })) == Head + Types + Begin + End);
}

TEST_CASE("declarations go to their sections, also from within a function") {
  SpirvEditor editor(assemble(Head + Types + Begin + End));
  const Words edited = editor.rewrite([&](const Instruction &inst) {
    if (inst.opcode == Op::OpReturn) {
      editor.declareCapability(spv::Capability::ImageQuery);
      editor.declareExtension("SPV_KHR_multiview");
      CHECK(editor.declareImport("GLSL.std.450") == 6);
      editor.decorate(5, spv::Decoration::RelaxedPrecision);
      CHECK(editor.declareFloat(2) == 7);
      CHECK(editor.declareNull(4) == 8);
      CHECK(editor.declareType(Op::OpTypeVector, {4, 2}) == 9);
    }
    editor.emit(inst);
  });
  CHECK(disassemble(edited) == "OpCapability Shader\nOpCapability ImageQuery\nOpExtension \"SPV_KHR_multiview\"\n"
                               "%6 = OpExtInstImport \"GLSL.std.450\"\n" +
                                   Head.substr(Head.find("OpMemoryModel")) + "OpDecorate %5 RelaxedPrecision\n" +
                                   Types + "%7 = OpConstant %4 2\n%8 = OpConstantNull %4\n%9 = OpTypeVector %4 2\n" +
                                   Begin + End);
}

TEST_CASE("what a module declares once is found, and what was declared before, too") {
  SpirvEditor editor(assemble("OpCapability Shader\n%6 = OpExtInstImport \"GLSL.std.450\"\n" +
                              Head.substr(Head.find("OpMemoryModel")) + Types + Begin + End));
  const Words edited = editor.rewrite([&](const Instruction &inst) {
    if (inst.opcode == Op::OpReturn)
      for (int time = 0; time < 2; ++time) {
        editor.declareCapability(spv::Capability::Shader);
        CHECK(editor.declareImport("GLSL.std.450") == 6);
        CHECK(editor.declareType(Op::OpTypeFloat, {32}) == 4);
        CHECK(editor.declareConstant(4, {0}) == 7);
      }
    editor.emit(inst);
  });
  CHECK(disassemble(edited) == "OpCapability Shader\n%6 = OpExtInstImport \"GLSL.std.450\"\n" +
                                   Head.substr(Head.find("OpMemoryModel")) + Types + "%7 = OpConstant %4 0\n" + Begin +
                                   End);
}

TEST_CASE("arrays and structures may be declared again with other decorations, so they are not found") {
  SpirvEditor editor(assemble(Head + Types + "%6 = OpTypeStruct %4\n" + Begin + End));
  CHECK(editor.declareType(Op::OpTypeStruct, {4}) == 7);
}

TEST_CASE("a constant for a type stands in front of it, and its own type, which comes later, too") {
  SpirvEditor editor(assemble(Head + Types + "%6 = OpTypeRuntimeArray %4\n%7 = OpTypeRuntimeArray %4\n" +
                              "%8 = OpTypeInt 32 0\n" + Begin + End));
  const Words edited = editor.rewrite([&](Instruction inst) {
    if (inst.opcode == Op::OpTypeRuntimeArray) {
      inst.opcode = Op::OpTypeArray;
      inst.operands.push_back(editor.declareConstant(editor.declareType(Op::OpTypeInt, {32, 0}), {3}));
    }
    editor.emit(inst);
  });
  CHECK(disassemble(edited) == Head + Types + "%8 = OpTypeInt 32 0\n%9 = OpConstant %8 3\n%6 = OpTypeArray %4 %9\n" +
                                   "%7 = OpTypeArray %4 %9\n" + Begin + End);
}

TEST_CASE("what is declared before a module is rewritten stands at the ends of its sections") {
  SpirvEditor editor(assemble(Head + "OpDecorate %6 RelaxedPrecision\n" + Types + Begin + "%6 = OpUndef %4\n" + End));
  const uint32_t one = editor.declareFloat(1);
  editor.decorate(one, spv::Decoration::RelaxedPrecision);
  CHECK(disassemble(editor.rewrite([&](const Instruction &inst) { editor.emit(inst); })) ==
        Head + "OpDecorate %6 RelaxedPrecision\nOpDecorate %7 RelaxedPrecision\n" + Types + "%7 = OpConstant %4 1\n" +
            Begin + "%6 = OpUndef %4\n" + End);
}

TEST_CASE("strings are packed with a zero byte behind them") {
  CHECK(packString("abc") == Words{0x00636261});
  CHECK(packString("abcd") == Words{0x64636261, 0});
}
