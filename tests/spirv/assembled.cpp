// SPDX-License-Identifier: MIT
#include "tests/spirv/assembled.h"
#include "src/spirv/translate/translate.h"
#include <doctest/doctest.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::test {

namespace {

constexpr char Types[] = R"(
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%int = OpTypeInt 32 1
%v2int = OpTypeVector %int 2
%v3int = OpTypeVector %int 3
%v4int = OpTypeVector %int 4
%uint = OpTypeInt 32 0
%v2uint = OpTypeVector %uint 2
%v3uint = OpTypeVector %uint 3
%v4uint = OpTypeVector %uint 4
%float_0 = OpConstant %float 0
%float_half = OpConstant %float 0.5
%float_1 = OpConstant %float 1
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
%int_2 = OpConstant %int 2
%int_3 = OpConstant %int 3
%int_4 = OpConstant %int 4
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_2 = OpConstant %uint 2
%uint_3 = OpConstant %uint 3
%uint_4 = OpConstant %uint 4
%uint_64 = OpConstant %uint 64
%uint_72 = OpConstant %uint 72
%uint_264 = OpConstant %uint 264
%uint_2120 = OpConstant %uint 2120
%void_fn = OpTypeFunction %void
)";

// Fragment shaders read their values from inputs, compute shaders from a storage block.
constexpr char FragmentValues[] = R"(
%ptr_in_v4float = OpTypePointer Input %v4float
%ptr_in_v4int = OpTypePointer Input %v4int
%in = OpVariable %ptr_in_v4float Input
%in_n = OpVariable %ptr_in_v4int Input
)";
constexpr char ComputeValues[] = R"(
%values = OpTypeStruct %v4float %v4int
%ptr_values = OpTypePointer StorageBuffer %values
%in = OpVariable %ptr_values StorageBuffer
%ptr_sb_v4float = OpTypePointer StorageBuffer %v4float
%ptr_sb_v4int = OpTypePointer StorageBuffer %v4int
)";

} // namespace

std::vector<uint32_t> assemble(const Assembly &assembly) {
  bool isFragment = assembly.stage == lgc::ShaderStage::Fragment;
  std::string text = "OpCapability Shader\n" + assembly.capabilities + assembly.extensions +
                     "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n";
  if (isFragment)
    text += "OpEntryPoint Fragment %main \"main\" %in %in_n " + assembly.interface +
            "\nOpExecutionMode %main OriginUpperLeft\n"
            "OpDecorate %in Location 0\nOpDecorate %in_n Location 1\nOpDecorate %in_n Flat\n";
  else
    text += "OpEntryPoint GLCompute %main \"main\" " + assembly.interface +
            "\nOpExecutionMode %main LocalSize 64 1 1\n"
            "OpDecorate %values Block\nOpMemberDecorate %values 0 Offset 0\nOpMemberDecorate %values 1 Offset 16\n"
            "OpDecorate %in DescriptorSet 7\nOpDecorate %in Binding 7\n";
  text += assembly.decorations + Types + (isFragment ? FragmentValues : ComputeValues) + assembly.declarations;
  text += "%main = OpFunction %void None %void_fn\n%entry = OpLabel\n";
  if (isFragment)
    text += "%p = OpLoad %v4float %in\n%n = OpLoad %v4int %in_n\n";
  else
    text += "%in_p = OpAccessChain %ptr_sb_v4float %in %uint_0\n%p = OpLoad %v4float %in_p\n"
            "%in_n = OpAccessChain %ptr_sb_v4int %in %uint_1\n%n = OpLoad %v4int %in_n\n";
  text += assembly.body + "OpReturn\nOpFunctionEnd\n" + assembly.functions;
  return assembleText(text);
}

std::vector<uint32_t> assembleText(const std::string &text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_3);
  std::string messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
    messages += "line " + std::to_string(position.line) + ": " + message + "\n";
  });
  std::vector<uint32_t> words;
  bool isAssembled = tools.Assemble(text, &words);
  INFO(messages);
  REQUIRE(isAssembled);
  return words;
}

size_t sourceOffset(const std::vector<uint32_t> &words) {
  size_t at = 5; // behind the header
  auto opcode = [&] { return static_cast<spv::Op>(words.at(at) & 0xffff); };
  while (opcode() == spv::Op::OpCapability || opcode() == spv::Op::OpExtension ||
         opcode() == spv::Op::OpExtInstImport || opcode() == spv::Op::OpMemoryModel ||
         opcode() == spv::Op::OpEntryPoint || opcode() == spv::Op::OpExecutionMode)
    at += words[at] >> 16;
  return at;
}

std::vector<uint32_t> withSource(std::vector<uint32_t> words, uint32_t language) {
  const uint32_t source[] = {3u << 16 | static_cast<uint32_t>(spv::Op::OpSource), language, 100};
  words.insert(words.begin() + static_cast<ptrdiff_t>(sourceOffset(words)), std::begin(source), std::end(source));
  return words;
}

namespace {

spirv::TranslateOptions optionsOf(const Assembly &assembly, std::vector<spirv::SpecConstant> specConstants) {
  spirv::TranslateOptions options;
  options.stage = assembly.stage;
  options.specConstants = std::move(specConstants);
  return options;
}

} // namespace

Translated::Translated(const Assembly &assembly, std::vector<spirv::SpecConstant> specConstants)
    : Translated(assemble(assembly), optionsOf(assembly, std::move(specConstants))) {}

Translated::Translated(const std::vector<uint32_t> &words, const spirv::TranslateOptions &options)
    : m_builderContext(nullptr), m_module(nullptr) {
  lgc::BuilderContext::initialize();
  m_builderContext = lgc::BuilderContext::create(m_context, "gfx900");
  REQUIRE(m_builderContext);
  m_module = spirv::translate(words, options, **m_builderContext);
  if (m_module) {
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    bool isBroken = llvm::verifyModule(**m_module, &stream);
    INFO(stream.str());
    REQUIRE_FALSE(isBroken);
  }
}

unsigned Translated::intrinsics(std::string_view prefix) {
  unsigned count = 0;
  for (llvm::CallInst *call : all<llvm::CallInst>())
    count += call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(prefix);
  return count;
}

} // namespace dovetail::test
