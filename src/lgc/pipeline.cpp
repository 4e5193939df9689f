// SPDX-License-Identifier: MIT
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/builder_replayer.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/lowering/copy_shader.h"
#include "src/lgc/middle_end.h"
#include "src/lgc/optimize/apply_knowledge.h"
#include "src/lgc/optimize/fold_inlinable_uniforms.h"
#include "src/lgc/optimize/shader_attributes.h"
#include "src/lgc/state/pipeline_state.h"
#include <algorithm>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

const dovetail::TargetInfo &PipelineState::targetInfo() const {
  return m_builderContext.targetInfo();
}

dovetail::HardwareStage PipelineState::hardwareStage() const {
  if (m_isCopyShader)
    return dovetail::HardwareStage::Vs;
  switch (m_shaderModes.stage) {
  case ShaderStage::Vertex:
  case ShaderStage::TessEval:
    return m_options.vertexStage;
  case ShaderStage::TessControl:
    return dovetail::HardwareStage::Hs;
  case ShaderStage::Geometry:
    return dovetail::HardwareStage::Gs;
  case ShaderStage::Fragment:
    return dovetail::HardwareStage::Ps;
  default:
    return dovetail::HardwareStage::Cs;
  }
}

dovetail::VertexSource PipelineState::vertexSource() const {
  return m_shaderModes.stage == ShaderStage::TessEval ? dovetail::VertexSource::TessEval
                                                      : dovetail::VertexSource::Vertex;
}

const UserDataNode *PipelineState::findNode(uint32_t set, uint32_t binding,
                                            std::initializer_list<UserDataNodeType> types) const {
  for (const UserDataNode &node : m_userDataNodes)
    if (node.set == set && node.binding == binding && std::ranges::find(types, node.type) != types.end())
      return &node;
  return nullptr;
}

const UserDataNode *PipelineState::findRootNode(UserDataNodeType type, uint32_t set) const {
  for (const UserDataNode &node : m_userDataNodes)
    if (node.type == type && (type == UserDataNodeType::PushConstants || node.set == set))
      return &node;
  return nullptr;
}

void PipelineState::fail(ErrorCode code, std::string text) {
  if (!m_failure)
    m_failure = makeError(code, std::move(text)).value();
}

Result<void> PipelineState::checkNoFailure() {
  if (!m_failure)
    return {};
  return tl::unexpected<dovetail::Error>(*m_failure);
}

Result<std::unique_ptr<Module>> PipelineState::link(std::vector<std::unique_ptr<Module>> shaders) {
  if (shaders.size() != 1)
    return makeError(ErrorCode::Unsupported, "a pipeline module of {} shaders; each stage is compiled as a part",
                     shaders.size());
  std::unique_ptr<Module> module = std::move(shaders.front());
  if (&module->getContext() != &m_builderContext.context())
    return makeError(ErrorCode::InvalidInput, "the shader module belongs to another LLVMContext than the pipeline");
  DOVETAIL_CHECK(verifyStructure(*module, "when it is linked"));
  if (std::string problem = verifyOps(*module); !problem.empty())
    return makeError(ErrorCode::CompileFailed, "{}", problem);
  ShaderModes modes;
  if (!modes.read(*module))
    return makeError(ErrorCode::InvalidInput, "the shader module does not carry its modes");
  if (m_stageMask && !(m_stageMask & stageBit(modes.stage)))
    return makeError(ErrorCode::StateMismatch, "the shader's stage is not in the pipeline's stage mask");

  m_codeGenerator.setTarget(*module);
  record(*module);
  return module;
}

Result<HardwareFormShader> PipelineState::lower(std::unique_ptr<Module> module, const ComposeHook &compose) {
  m_failure.reset();
  m_usage = {};
  m_isCopyShader = false;
  m_codeGenerator.diagnostics().clear();
  if (!read(*module))
    return makeError(ErrorCode::InvalidInput, "the module carries no pipeline state, or a malformed one");
  if (!m_shaderModes.read(*module))
    return makeError(ErrorCode::InvalidInput, "the module carries no shader modes");
  Function *function = DOVETAIL_TRY(findEntryFunction(*module));

  setShaderAttributes(*function, *this);
  BuilderImpl builder(module->getContext(), targetInfo(), this);
  builder.shaderModes() = m_shaderModes;
  m_codeGenerator.run(*module, BuilderReplayer(builder));
  DOVETAIL_CHECK(checkNoFailure());

  // Beyond this point, no recorded op is left.
  auto useKnowledge = [&] {
    bool hasFolded = foldInlinableUniforms(*function, *this);
    return applyKnowledge(*function, *this) || hasFolded;
  };
  useKnowledge();
  m_codeGenerator.optimizeShader(*module, optimizationLevel());
  constexpr unsigned maxRounds = 3; // loops in loops, each of which reads its bound at a place that the outer one says
  for (unsigned round = 0; round < maxRounds && useKnowledge(); ++round)
    m_codeGenerator.optimizeShader(*module, optimizationLevel());
  DOVETAIL_CHECK(collectResources(*function, *this));

  // Beyond this point, it is known what the shader needs.
  HardwareFormShader lowered;
  dovetail::ShaderInterface &interface = lowered.interface;
  interface.floatMode = floatModeOf(m_shaderModes.common);
  ReturnValues returnValues = DOVETAIL_TRY(lowerInputsAndOutputs(*function, *this, interface));
  lowerUserData(*function, *this, interface);
  makeEntryPoint(*function, returnValues, *this, interface);

  // Beyond this point, no dialect op is left.
  if (compose)
    DOVETAIL_CHECK(compose(*module, interface));
  lowered.module = std::move(module);
  return lowered;
}

Result<CompiledShader> PipelineState::generate(std::unique_ptr<Module> module, const ComposeHook &compose) {
  HardwareFormShader lowered = DOVETAIL_TRY(lower(std::move(module), compose));
  Function *entry = DOVETAIL_TRY(findEntryFunction(*lowered.module));
  CompiledShader compiled;
  compiled.interface = std::move(lowered.interface);
  DOVETAIL_CHECK(emit(*lowered.module, *entry, compiled));
  return compiled;
}

Result<void> PipelineState::emit(Module &module, Function &entry, CompiledShader &compiled) {
  unsigned level = optimizationLevel();
  m_codeGenerator.optimizeHardwareForm(module, level);
  finishEntryPoint(entry, compiled.interface);
  if (m_options.keepIr) {
    raw_string_ostream out(compiled.ir);
    module.print(out, nullptr);
  }
  compiled.elf = DOVETAIL_TRY(m_codeGenerator.emitObject(module, level));
  return {};
}

Result<CompiledShader> PipelineState::generateCopyShader(const dovetail::ShaderInterface &geometryShader) {
  m_failure.reset();
  m_codeGenerator.diagnostics().clear();
  m_isCopyShader = true;
  m_shaderModes = {};
  m_usage = copyShaderUsage(geometryShader.geometry);
  std::unique_ptr<Module> module = m_builderContext.createModule("copy");

  CompiledShader compiled;
  dovetail::ShaderInterface &interface = compiled.interface;
  interface.floatMode = floatModeOf(m_shaderModes.common);
  Function *function =
      DOVETAIL_TRY(buildCopyShader(*module, targetInfo(), geometryShader, m_usage, m_options.knowledge, interface));
  setShaderAttributes(*function, *this);
  lowerUserData(*function, *this, interface);
  Function *entry = makeEntryPoint(*function, {}, *this, interface);
  DOVETAIL_CHECK(emit(*module, *entry, compiled));
  return compiled;
}

} // namespace lgc
