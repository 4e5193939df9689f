// SPDX-License-Identifier: MIT
//
// BuilderContext: the state that spans compiles. It knows the target GPU and keeps its TargetMachines and pass
// pipelines.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/builder/builder.h"
#include "src/lgc/pipeline.h"
#include <functional>
#include <llvm/IR/Module.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgc {

class CodeGenerator;

// Not for concurrent compiles, like the LLVMContext that is attached to it; one per thread may exist.
class BuilderContext {
public:
  // Registers the AMDGPU target. May be called many times, from any thread.
  static void initialize();

  // gpuName is LLVM's, for example "gfx900". The LLVMContext must outlive the BuilderContext, which becomes its
  // diagnostic handler.
  static Result<std::unique_ptr<BuilderContext>> create(llvm::LLVMContext &context, std::string_view gpuName);

  ~BuilderContext();

  llvm::LLVMContext &context() const { return m_context; }
  const dovetail::TargetInfo &targetInfo() const { return m_targetInfo; }

  // A dialect of the front end's own, by what its ops begin with ("front."): functions that are declared and called.
  // They pass through the steps of the middle-end untouched. The front end lowers them in an observer; what is left
  // when code is generated is an Error that names it.
  // A cache of parts goes by the ops: if their lowering changes, the prefix has to.
  void addDialect(std::string prefix) { m_dialects.push_back(std::move(prefix)); }
  void addDialects(std::span<const std::string> prefixes) {
    m_dialects.insert(m_dialects.end(), prefixes.begin(), prefixes.end());
  }
  const std::vector<std::string> &dialects() const { return m_dialects; }

  // What Pipeline::generate() makes of a pipeline module: a PAL ELF of all its stages. LGC compiles one shader; who
  // joins several sets this (variants/link/front_end.h). The observer, if there is one, is to see each stage's steps,
  // one stage after the other.
  using PipelineGenerator =
      std::function<Result<std::vector<uint8_t>>(const llvm::Module &pipeline, const StepObserver &observer)>;
  void setPipelineGenerator(PipelineGenerator generator) { m_pipelineGenerator = std::move(generator); }
  const PipelineGenerator &pipelineGenerator() const { return m_pipelineGenerator; }

  // Of all Pipelines that are created from now on, and of modules that are in hardware form when they come here.
  void setObserver(StepObserver observer) { m_observer = std::move(observer); }

  std::unique_ptr<Pipeline> createPipeline();
  // A BuilderRecorder.
  std::unique_ptr<Builder> createBuilder();

  // An empty module with this target's triple and data layout.
  std::unique_ptr<llvm::Module> createModule(std::string_view name) const;

  // Optimises and compiles a module that is already in hardware form (prologs and epilogs) to a relocatable object
  // file.
  Result<std::vector<uint8_t>> generateCode(llvm::Module &module, unsigned optimizationLevel = 2);
  // The same for a shader, which must be of this context; its interface is brought up to date.
  Result<CompiledShader> generateCode(HardwareFormShader shader);
  // Its first half, the rest of the middle-end: as far as the IR that code is generated from.
  Result<void> finishMiddleEnd(HardwareFormShader &shader);

  // The machinery that this and its Pipelines compile with.
  CodeGenerator &codeGenerator() { return *m_codeGenerator; }
  // What has been compiled so far.
  const CompileCounts &counts() const;

private:
  BuilderContext(llvm::LLVMContext &context, const dovetail::TargetInfo &targetInfo);

  llvm::LLVMContext &m_context;
  const dovetail::TargetInfo &m_targetInfo;
  std::unique_ptr<CodeGenerator> m_codeGenerator;
  StepObserver m_observer;
  PipelineGenerator m_pipelineGenerator;
  std::vector<std::string> m_dialects;
};

} // namespace lgc
