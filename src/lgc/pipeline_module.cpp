// SPDX-License-Identifier: MIT
#include "src/lgc/pipeline_module.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/ops/identify_ops.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/reached_step.h"
#include "src/lgc/state/entry_function.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"
#include <array>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::Result;

namespace lgc {

namespace {

constexpr char ShaderName[] = "main";

// By ShaderStage.
constexpr std::array<StringRef, ShaderStageCount> StageNames = {"shader.VS", "shader.TCS", "shader.TES",
                                                                "shader.GS", "shader.FS",  "shader.CS"};

// Returns a module of this context, copied if it is of another one.
Result<std::unique_ptr<Module>> adopt(BuilderContext &context, std::unique_ptr<Module> module) {
  if (&module->getContext() == &context.context())
    return module;
  const std::string bitcode = writeIr(*module, IrFormat::Bitcode);
  auto modules = DOVETAIL_TRY(readIr(context, bitcode, module->getModuleIdentifier()));
  return std::move(modules.front());
}

// Erases unused functions and variables, which belong to the other shaders.
void eraseUnused(Module &module) {
  for (bool isErased = true; isErased;) {
    isErased = false;
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (variable.hasLocalLinkage() && variable.use_empty()) {
        variable.eraseFromParent();
        isErased = true;
      }
    }
    for (Function &function : make_early_inc_range(module))
      if (function.use_empty() && (function.isDeclaration() || function.hasLocalLinkage())) {
        function.eraseFromParent();
        isErased = true;
      }
  }
}

} // namespace

bool isPipelineModule(const Module &module) {
  const NamedMDNode *modes = module.getNamedMetadata(MetadataNode<ShaderModes>::Name);
  return GraphicsState::isIn(module) || (modes && modes->getNumOperands() > 1);
}

uint32_t stageMaskOf(const Module &pipeline) {
  uint32_t stages = 0;
  if (const NamedMDNode *nodes = pipeline.getNamedMetadata(MetadataNode<ShaderModes>::Name))
    for (const MDNode *node : nodes->operands())
      if (ShaderModes modes; readNode(node, modes) == NodeReading::Good)
        stages |= stageBit(modes.stage);
  return stages;
}

Result<std::unique_ptr<Module>> linkPipelineModule(BuilderContext &context,
                                                   std::vector<std::unique_ptr<Module>> shaders,
                                                   const FrontEndState &frontEnd, const GraphicsState &graphics) {
  std::unique_ptr<Module> pipeline = context.createModule("pipeline");
  uint32_t stages = 0;
  for (std::unique_ptr<Module> &shader : shaders) {
    DOVETAIL_CHECK(verifyStructure(*shader, "when it is linked"));
    if (std::string problem = verifyOps(*shader); !problem.empty())
      return makeError(ErrorCode::CompileFailed, "{}", problem);
    DOVETAIL_CHECK(checkIsRecorded(*shader));
    std::unique_ptr<Module> module = DOVETAIL_TRY(adopt(context, std::move(shader)));
    ShaderModes modes;
    if (!modes.read(*module))
      return makeError(ErrorCode::InvalidInput, "the shader module does not carry its modes");
    const StringRef name = StageNames[static_cast<size_t>(modes.stage)];
    if (stages & stageBit(modes.stage))
      return makeError(ErrorCode::InvalidInput, "there are two shaders for {}", name.str());
    stages |= stageBit(modes.stage);
    DOVETAIL_TRY(findEntryFunction(*module))->setName(name);
    module->setDataLayout(pipeline->getDataLayout());
    module->setTargetTriple(pipeline->getTargetTriple());
    if (Linker::linkModules(*pipeline, std::move(module)))
      return makeError(ErrorCode::InvalidInput, "the shader for {} cannot be linked", name.str());
  }
  if (frontEnd.stageMask && frontEnd.stageMask != stages)
    return makeError(ErrorCode::StateMismatch, "the shaders are not those of the pipeline's stage mask");
  DOVETAIL_CHECK(identifyOps(*pipeline));
  frontEnd.record(*pipeline);
  graphics.record(*pipeline);
  return pipeline;
}

Result<std::vector<std::unique_ptr<Module>>> splitShaders(const Module &pipeline) {
  const NamedMDNode *nodes = pipeline.getNamedMetadata(MetadataNode<ShaderModes>::Name);
  if (!nodes || nodes->getNumOperands() == 0)
    return makeError(ErrorCode::InvalidInput, "the pipeline module does not carry the modes of its shaders");
  DOVETAIL_CHECK(checkIsRecorded(pipeline));
  std::array<std::unique_ptr<Module>, ShaderStageCount> found;
  const bool isAlone = nodes->getNumOperands() == 1;
  for (unsigned i = 0; i < nodes->getNumOperands(); ++i) {
    ShaderModes modes;
    const NodeReading reading = readNode(nodes->getOperand(i), modes);
    const auto stage = static_cast<size_t>(modes.stage);
    if (reading != NodeReading::Good || found[stage])
      return makeError(ErrorCode::InvalidInput, "modes {} of the pipeline module are malformed", i);
    std::unique_ptr<Module> shader = CloneModule(pipeline);
    Function *entry = isAlone ? DOVETAIL_TRY(findEntryFunction(*shader)) : shader->getFunction(StageNames[stage]);
    if (!entry || entry->isDeclaration())
      return makeError(ErrorCode::InvalidInput, "the pipeline module has no function {}", StageNames[stage].str());
    for (StringRef name : StageNames)
      if (Function *other = shader->getFunction(name); other && other != entry) {
        if (!other->use_empty())
          return makeError(ErrorCode::InvalidInput, "a shader of the pipeline module uses {}", name.str());
        other->eraseFromParent();
      }
    eraseUnused(*shader);
    entry->setName(ShaderName);
    modes.record(*shader);
    GraphicsState::erase(*shader);
    found[stage] = std::move(shader);
  }
  std::vector<std::unique_ptr<Module>> shaders;
  for (std::unique_ptr<Module> &shader : found)
    if (shader)
      shaders.push_back(std::move(shader));
  return shaders;
}

} // namespace lgc
