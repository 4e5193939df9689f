// SPDX-License-Identifier: MIT
#include "src/lgc/state/compile_state.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/state_fields.h"
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using namespace lgc;

namespace {

std::unique_ptr<Module> parseText(LLVMContext &context, const std::string &text) {
  SMDiagnostic diagnostic;
  return parseAssemblyString(text, diagnostic, context);
}

// The module, printed and parsed again: metadata must survive as text.
std::unique_ptr<Module> throughText(const Module &module) {
  std::string text;
  raw_string_ostream out(text);
  module.print(out, nullptr);
  return parseText(module.getContext(), text);
}

ShaderModes unusualModes() {
  ShaderModes modes;
  modes.stage = ShaderStage::Compute;
  modes.common = {FpRoundMode::Zero,       FpDenormMode::FlushInOut, FpRoundMode::Positive,
                  FpDenormMode::FlushNone, FpRoundMode::Negative,    FpDenormMode::FlushNone};
  modes.fragment = {true, true, true, true, true, ConservativeDepth::Unchanged};
  modes.compute = {3, 5, 7, true};
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
  for (const char *text : {"!lgc.shader.modes = !{}", "!lgc.shader.modes = !{!0, !0}\n!0 = !{}",
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"stage\"}",
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"stage\", i32 77}",   // no such stage
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"stage\", i64 1}",    // of another width
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"stage\", null}",     // nothing
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"weather\", i32 1}",  // no such field
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"fragment\", i32 1}", // not a struct
                           "!lgc.shader.modes = !{!0}\n!0 = distinct !{!\"fragment\", !0}",
                           "!lgc.shader.modes = !{!0}\n!0 = !{!\"transformFeedback\", i32 2}"}) {
    CAPTURE(text);
    std::unique_ptr<Module> malformed = parseText(compiler.context, text);
    REQUIRE(malformed);
    CHECK_FALSE(modes.read(*malformed));
  }
  CHECK(modes == unusualModes());
}

TEST_CASE("the pipeline state comes back from metadata without loss") {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
  FrontEndState written;
  written.stageMask = stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::Fragment);
  Options options = {3, true, CodeFormat::Assembly, true};
  dovetail::StageKnowledge &knowledge = written.knowledge;
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
  written.shaderOptions[vertex] = {64, 48, 4, 3, 64, 500, true, true, true, true, true, true, FpDenormMode::FlushNone};
  written.shaderOptions[compute] = {128, 96, 2};
  dovetail::ResourceForms forms = {{3, 9, dovetail::ResourceFormKind::NoFmask}, {4, 0}};
  written.resourceForms = forms;
  written.deviceIndex = 2;
  written.record(*module);

  FrontEndState read;
  std::unique_ptr<Module> parsed = throughText(*module);
  REQUIRE(read.read(*parsed));
  CHECK(read.stageMask == written.stageMask);
  CHECK(read.options == written.options);
  CHECK(read.shaderOptions[vertex] == written.shaderOptions[vertex]);
  CHECK(read.shaderOptions[compute] == written.shaderOptions[compute]);
  CHECK(read.resourceForms == forms);
  CHECK(read.deviceIndex == 2);
  CHECK(read.knowledge == knowledge);

  // Nothing is lost: the state that was read is written again, word for word.
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
  module->getNamedMetadata("lgc.pipeline.state")->clearOperands();
  CHECK_FALSE(state.read(*module));
  CHECK(state.deviceIndex == 5);
}

TEST_CASE("what the middle-end finds out comes back from metadata without loss") {
  ShaderCompiler compiler;
  const dovetail::TargetInfo &target = compiler.builderContext->targetInfo();
  std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
  PipelineState written(target, FrontEndState(), unusualModes());
  using dovetail::ValueKind;
  ResourceUsage &usage = written.usage();
  usage.hardwareValues = {{ValueKind::VertexId}, {ValueKind::LocalInvocationId, 2}};
  usage.vertexInputs[3] = {3, 0xf, dovetail::NumericClass::Uint, 64};
  usage.fragmentInputs = {{1, false, false}, {7, true, false}};
  usage.colorInputs[1] = 5;
  usage.outputs[{OutputKind::Generic, 9}] = {3, dovetail::NumericClass::Sint};
  usage.outputStreams[{{OutputKind::Generic, 9}, 2}] = 3;
  usage.xfb.strides = {0, 16};
  usage.xfb.outputs = {{1, 2, 1, 0, 12}};
  usage.rootValues = {{ValueKind::DescriptorSet, 3}, {ValueKind::PushConstant, 17}};
  usage.sgprRootValues = {{ValueKind::PushConstant, 17}};
  usage.usesDiscard = true;
  dovetail::ShaderInterface interface;
  interface.hardwareStage = dovetail::HardwareStage::Ps;
  interface.inputs = {{{ValueKind::GlobalTable}, {dovetail::RegisterBank::Sgpr, 0}}};
  interface.outputSlots = 1ull << 40;
  interface.inputComponents[63] = 8;
  interface.fragment.colors = {{0, 1, 15, dovetail::NumericClass::Float}};
  recordCompileState(*module, written, interface);

  auto read = readCompileState(*throughText(*module), target);
  REQUIRE(read);
  CHECK(read->interface == interface);
  CHECK(read->pipeline.shaderModes() == unusualModes());
  const ResourceUsage &back = read->pipeline.usage();
  auto areEqual = [&]<typename Field>(std::string_view name, const Field &field) {
    bool isEqual = false;
    forEachField(back, [&]<typename Other>(std::string_view otherName, const Other &other) {
      if constexpr (std::is_same_v<Field, Other>)
        isEqual |= name == otherName && field == other;
    });
    CAPTURE(name);
    CHECK(isEqual);
  };
  forEachField(usage, areEqual);
}

TEST_CASE("the state of a copy shader says that it is one") {
  ShaderCompiler compiler;
  const dovetail::TargetInfo &target = compiler.builderContext->targetInfo();
  std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
  recordCompileState(*module, PipelineState(target, FrontEndState(), ResourceUsage()), {});
  CHECK(readCompileState(*throughText(*module), target)->pipeline.isCopyShader());
  recordCompileState(*module, PipelineState(target, FrontEndState(), unusualModes()), {});
  CHECK_FALSE(readCompileState(*throughText(*module), target)->pipeline.isCopyShader());
}

TEST_CASE("malformed usage and interface are refused by name") {
  ShaderCompiler compiler;
  const dovetail::TargetInfo &target = compiler.builderContext->targetInfo();
  for (const char *name : {"lgc.resource.usage", "lgc.interface"}) {
    std::unique_ptr<Module> module = compiler.builderContext->createModule("state");
    recordCompileState(*module, PipelineState(target, FrontEndState(), unusualModes()), {});
    module->getNamedMetadata(name)->clearOperands();
    auto read = readCompileState(*module, target);
    REQUIRE_FALSE(read);
    CHECK(read.error().text.find(name) != std::string::npos);
  }
}
