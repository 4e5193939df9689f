// SPDX-License-Identifier: MIT
//
// Compiles a shader that a test builds through the Builder, the way a front end does: record, link, generate.
#pragma once

#include "src/lgc/builder_context.h"
#include <functional>
#include <llvm/IR/LLVMContext.h>
#include <memory>

// One GPU, one context, as many shaders as wanted.
class ShaderCompiler {
public:
  explicit ShaderCompiler(std::string_view gpuName = "gfx900") {
    auto created = lgc::BuilderContext::create(context, gpuName);
    if (created)
      builderContext = std::move(*created);
  }

  // The module with the function `main` that `body` fills in; a `ret void` follows.
  std::unique_ptr<llvm::Module> record(const lgc::ShaderModes &modes, const std::function<void(lgc::Builder &)> &body) {
    std::unique_ptr<llvm::Module> module = builderContext->createModule("shader");
    std::unique_ptr<lgc::Builder> builder = builderContext->createBuilder();
    builder->shaderModes() = modes;
    auto *type = llvm::FunctionType::get(builder->getVoidTy(), false);
    auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "main", *module);
    builder->SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    body(*builder);
    builder->CreateRetVoid();
    modes.record(*module);
    return module;
  }

  lgc::Result<lgc::CompiledShader> compile(lgc::Pipeline &pipeline, const lgc::ShaderModes &modes,
                                           const std::function<void(lgc::Builder &)> &body) {
    std::vector<std::unique_ptr<llvm::Module>> shaders;
    shaders.push_back(record(modes, body));
    return pipeline.generate(DOVETAIL_TRY(pipeline.irLink(std::move(shaders))));
  }

  // With default state, and IR kept.
  lgc::Result<lgc::CompiledShader> compile(const lgc::ShaderModes &modes,
                                           const std::function<void(lgc::Builder &)> &body) {
    std::unique_ptr<lgc::Pipeline> pipeline = builderContext->createPipeline();
    lgc::Options options;
    options.keepIr = true;
    pipeline->setOptions(options);
    return compile(*pipeline, modes, body);
  }

  llvm::LLVMContext context;
  std::unique_ptr<lgc::BuilderContext> builderContext;
};

inline lgc::ShaderModes modesOf(lgc::ShaderStage stage) {
  lgc::ShaderModes modes;
  modes.stage = stage;
  return modes;
}
