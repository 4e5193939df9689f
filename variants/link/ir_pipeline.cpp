// SPDX-License-Identifier: MIT
#include "variants/link/ir_pipeline.h"
#include "parts/kinds/pass_through_control.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/pipeline.h"
#include "src/lgc/pipeline_module.h"
#include "src/spirv/translate/translate.h"
#include "variants/link/ir_shader.h"
#include "variants/state/canonicalize.h"
#include "variants/state/check_state.h"
#include "variants/state/state_table.h"
#include <llvm/IR/LLVMContext.h>

namespace dovetail {

namespace {

// One shader as bitcode.
Result<std::string> translateAlone(const Shader &shader, const MainPartState &state, std::string_view gpuName) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  const ShaderDescription &description = shader.description;
  if (shader.passesThrough) {
    const std::unique_ptr<lgc::Builder> builder = context->createBuilder();
    const std::unique_ptr<llvm::Module> module =
        DOVETAIL_TRY(makePassThroughControl(description.words, state.passThroughVertices, *context, *builder));
    builder->shaderModes().record(*module);
    return lgc::writeIr(*module, lgc::IrFormat::Bitcode);
  }
  spirv::TranslateOptions options;
  options.entryPoint = description.entryPoint;
  options.stage = description.stage;
  options.specConstants = description.specConstants;
  options.environment = description.environment;
  // Only the front end knows what input attachments are, so it must know the framebuffer.
  options.layeredInputAttachments = state.layeredInputAttachments;
  std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(spirv::translate(description.words, options, *context));
  return lgc::writeIr(*module, lgc::IrFormat::Bitcode);
}

Result<std::unique_ptr<llvm::Module>> readModule(lgc::BuilderContext &context, const std::string &name,
                                                 std::string_view ir) {
  auto modules = DOVETAIL_TRY(lgc::readIr(context, ir, name));
  if (modules.size() != 1)
    return makeError(ErrorCode::InvalidInput, "there are {} modules in it", modules.size());
  return std::move(modules.front());
}

// The state of a module; the default state if it has none.
Result<lgc::GraphicsState> readState(const llvm::Module &module) {
  lgc::GraphicsState graphics;
  if (lgc::GraphicsState::isIn(module) && !graphics.read(module))
    return makeError(ErrorCode::InvalidInput, "its lgc.graphics.state is malformed");
  DOVETAIL_CHECK(checkState(graphics.state));
  return graphics;
}

Result<IrPipeline> readPipeline(const std::string &name, std::string_view ir, std::string_view gpuName,
                                std::span<const std::string> dialects) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  context->addDialects(dialects);
  const std::unique_ptr<llvm::Module> pipeline = DOVETAIL_TRY(readModule(*context, name, ir));
  lgc::GraphicsState graphics = DOVETAIL_TRY(readState(*pipeline));
  std::vector<ShaderRef> shaders;
  for (const std::unique_ptr<llvm::Module> &module : DOVETAIL_TRY(lgc::splitShaders(*pipeline)))
    shaders.push_back(
        DOVETAIL_TRY(createShaderFromIr(name, lgc::writeIr(*module, lgc::IrFormat::Bitcode), gpuName, dialects)));
  ShaderSet set =
      DOVETAIL_TRY(makeShaderSet(shaders, std::move(graphics.userDataNodes), std::move(graphics.immutableSamplers)));
  return IrPipeline{std::move(set), std::move(graphics.state)};
}

} // namespace

Result<std::string> writeIrPipeline(const ShaderSet &shaders, const PipelineState &state, std::string_view gpuName,
                                    lgc::IrFormat format) {
  const PipelineState canonical = canonicalize(state, shaders);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  std::vector<std::unique_ptr<llvm::Module>> modules;
  std::unique_ptr<lgc::Pipeline> pipeline = context->createPipeline();
  pipeline->setShaderStageMask(shaders.stageMask());
  pipeline->setGraphicsState({state, shaders.userDataNodes(), shaders.immutableSamplers()});
  lgc::Options options;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader)
      continue;
    const ShaderDescription &description = shader->description;
    pipeline->setShaderOptions(description.stage, description.options);
    options.optimizationLevel = description.optimizationLevel;
    if (description.stage == lgc::ShaderStage::Fragment)
      options.colorInputs = description.colorInputs;
    if (description.deviceIndex != lgc::DeviceIndexOfDriver)
      pipeline->setDeviceIndex(description.deviceIndex);
    const std::string bitcode =
        DOVETAIL_TRY(translateAlone(*shader, mainPartState(canonical, shaders, description.stage), gpuName));
    modules.push_back(std::move(DOVETAIL_TRY(lgc::readIr(*context, bitcode, description.name)).front()));
  }
  pipeline->setOptions(options);
  std::unique_ptr<llvm::Module> linked = DOVETAIL_TRY(pipeline->irLink(std::move(modules)));
  return lgc::writeIr(*linked, format);
}

Result<IrState> readIrState(const std::string &name, std::string_view ir, std::string_view gpuName) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  const std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(readModule(*context, name, ir));
  if (!lgc::GraphicsState::isIn(*module))
    return makeError(ErrorCode::InvalidInput, "{}: it has no lgc.graphics.state", name);
  Result<lgc::GraphicsState> graphics = readState(*module);
  if (!graphics)
    return makeError(graphics.error().code, "{}: {}", name, graphics.error().text);
  IrState state = {std::move(*graphics), std::nullopt};
  if (!lgc::FrontEndState::isIn(*module))
    return state;
  if (!state.frontEnd.emplace().read(*module))
    return makeError(ErrorCode::InvalidInput, "{}: its lgc.pipeline.state is malformed", name);
  if (state.frontEnd->stageMask == 0)
    state.frontEnd->stageMask = lgc::stageMaskOf(*module);
  return state;
}

Result<IrPipeline> readIrPipeline(const std::string &name, std::string_view ir, std::string_view gpuName,
                                  std::span<const std::string> dialects) {
  Result<IrPipeline> pipeline = readPipeline(name, ir, gpuName, dialects);
  if (!pipeline)
    return makeError(pipeline.error().code, "{}: {}", name, pipeline.error().text);
  return pipeline;
}

} // namespace dovetail
