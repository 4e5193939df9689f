// SPDX-License-Identifier: MIT
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/state_metadata.h"
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using namespace lgc;

namespace {

// The module, printed and parsed again: metadata must survive as text.
std::unique_ptr<Module> throughText(const Module &module) {
  std::string text;
  raw_string_ostream out(text);
  module.print(out, nullptr);
  SMDiagnostic diagnostic;
  return parseAssemblyString(text, diagnostic, module.getContext());
}

ShaderModes unusualModes() {
  ShaderModes modes;
  modes.stage = ShaderStage::Compute;
  modes.common = {FpRoundMode::Zero,       FpDenormMode::FlushInOut, FpRoundMode::Positive,
                  FpDenormMode::FlushNone, FpRoundMode::Negative,    FpDenormMode::FlushNone};
  modes.fragment = {true, true, true, true, ConservativeDepth::Unchanged};
  modes.compute = {3, 5, 7};
  return modes;
}

} // namespace

TEST_CASE("shader modes come back from metadata without loss") {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("modes");
  ShaderModes written = unusualModes(), read;
  ShaderModes().record(*module);
  written.record(*module); // replaces the first
  REQUIRE(read.read(*throughText(*module)));
  CHECK(read == written);
}

TEST_CASE("shader modes that are missing or malformed are refused and change nothing") {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("modes");
  ShaderModes modes = unusualModes();
  CHECK_FALSE(modes.read(*module));
  writeNamedWords(*module, "lgc.shader.modes", StateWords{0, 1, 2});
  CHECK_FALSE(modes.read(*module));
  StateWords words(18, 0);
  words[0] = 77; // no such stage
  writeNamedWords(*module, "lgc.shader.modes", words);
  CHECK_FALSE(modes.read(*module));
  CHECK(modes == unusualModes());
}

TEST_CASE("the pipeline state comes back from metadata without loss") {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
  FrontEndState written;
  written.stageMask = stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::Fragment);
  Options options = {PipelineLink::WholePipeline, 3, true, true};
  dovetail::StageKnowledge &knowledge = options.knowledge;
  knowledge.droppedOutputs[3] = 5;
  knowledge.droppedPatchOutputs[63] = 15;
  knowledge.keptColors = 1 << 3;
  knowledge.droppedFixedFunctionOutputs[33] = 1;
  knowledge.dropsTransformFeedback = true;
  knowledge.constantInputs = {{1, 2, 0x3f800000}, {7, 0, 0xffffffff}};
  knowledge.inlinableUniforms = {{dovetail::InlinableUniform::Place::UniformBuffer, 1, 2, 64, 9}};
  knowledge.patchControlPoints = 4;
  written.options = options;
  constexpr auto vertex = size_t(ShaderStage::Vertex), compute = size_t(ShaderStage::Compute);
  written.shaderOptions[vertex] = {64, 48, 4};
  written.shaderOptions[compute] = {128, 96, 2};
  UserDataNodes nodes = {{UserDataNodeType::DescriptorTable, 3, 0, 2, 1, 0},
                         {UserDataNodeType::CombinedImageSampler, 3, 9, 24, 48, 12}};
  written.userDataNodes = nodes;
  written.deviceIndex = 2;
  VertexInputDescription input = {{4, 5, VK_FORMAT_R16G16_SNORM, 20}, {5, 36, VK_VERTEX_INPUT_RATE_INSTANCE, 3}};
  written.vertexInputs = {input, {}};
  ColorExportState color;
  color.targets[7] = {VK_FORMAT_R8G8B8A8_SRGB,
                      5,
                      true,
                      VK_BLEND_FACTOR_SRC_ALPHA,
                      VK_BLEND_FACTOR_DST_COLOR,
                      VK_BLEND_OP_REVERSE_SUBTRACT,
                      VK_BLEND_FACTOR_SRC1_ALPHA,
                      VK_BLEND_FACTOR_CONSTANT_ALPHA,
                      VK_BLEND_OP_MAX};
  color.alphaToCoverageEnable = color.dualSourceBlendEnable = true;
  written.colorExport = color;
  written.graphics = {VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 16, true, true, true, 8, true};
  written.record(*module);

  FrontEndState read;
  std::unique_ptr<Module> parsed = throughText(*module);
  REQUIRE(read.read(*parsed));
  CHECK(read.stageMask == written.stageMask);
  CHECK(read.options == written.options);
  CHECK(read.shaderOptions[vertex] == written.shaderOptions[vertex]);
  CHECK(read.shaderOptions[compute] == written.shaderOptions[compute]);
  CHECK(read.userDataNodes == nodes);
  CHECK(read.deviceIndex == 2);
  REQUIRE(read.vertexInputs.size() == 2);
  CHECK(read.vertexInputs[0].attribute.format == VK_FORMAT_R16G16_SNORM);
  CHECK(read.vertexInputs[0].attribute.offset == 20);
  CHECK(read.vertexInputs[0].binding.divisor == 3);
  CHECK(read.vertexInputs[0].binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE);
  CHECK(read.colorExport.targets[7].alphaBlendOp == VK_BLEND_OP_MAX);
  CHECK(read.colorExport.targets[7].srcAlphaBlendFactor == VK_BLEND_FACTOR_SRC1_ALPHA);
  CHECK(read.colorExport.dualSourceBlendEnable);
  CHECK(read.graphics.rasterizationSamples == 8);

  // Nothing at all is lost: what was read is written the same way again, word for word.
  std::unique_ptr<Module> again = compiler.builderContext->createModule("state");
  read.record(*again);
  for (const NamedMDNode &named : module->named_metadata()) {
    const NamedMDNode *copy = again->getNamedMetadata(named.getName());
    REQUIRE(copy);
    REQUIRE(copy->getNumOperands() == named.getNumOperands());
    for (unsigned i = 0; i < named.getNumOperands(); ++i)
      CHECK(copy->getOperand(i) == named.getOperand(i)); // nodes are unique in their context
  }
}

TEST_CASE("malformed pipeline state is refused and changes nothing") {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
  FrontEndState state;
  state.deviceIndex = 7;
  CHECK_FALSE(state.read(*module));
  state.record(*module);
  state.deviceIndex = 5;
  writeNamedWords(*module, "lgc.graphics.state", StateWords{1});
  CHECK_FALSE(state.read(*module));
  CHECK(state.deviceIndex == 5);
}
