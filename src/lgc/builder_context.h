// SPDX-License-Identifier: MIT
//
// BuilderContext holds the state that spans compiles: the target GPU, its TargetMachines and pass pipelines.
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

// One thread at a time may compile with it, as with the LLVMContext that is attached to it. Each thread may have one of
// its own.
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

  // Adds a dialect of the front end's own. `prefix` is the beginning of its ops' names ("front."); the ops are
  // functions that are declared and called. They pass through the steps of the middle-end untouched. The front end
  // lowers them in an observer; an op that is left when code is generated is an Error that names it. A cache of parts
  // identifies code by its ops, so the prefix must change if their lowering changes.
  void addDialect(std::string prefix) { m_dialects.push_back(std::move(prefix)); }
  void addDialects(std::span<const std::string> prefixes) {
    m_dialects.insert(m_dialects.end(), prefixes.begin(), prefixes.end());
  }
  const std::vector<std::string> &dialects() const { return m_dialects; }

  // The generator with which Pipeline::generate() makes a PAL ELF of all stages of a pipeline module. LGC compiles one
  // shader; the code that puts several together sets the generator (variants/link/front_end.h). It must show each
  // stage's steps to the observer, if there is one, one stage after the other.
  using PipelineGenerator =
      std::function<Result<std::vector<uint8_t>>(const llvm::Module &pipeline, const StepObserver &observer)>;
  void setPipelineGenerator(PipelineGenerator generator) { m_pipelineGenerator = std::move(generator); }
  const PipelineGenerator &pipelineGenerator() const { return m_pipelineGenerator; }

  // Sets the observer of all Pipelines that are created from now on, and of modules that come here in hardware form.
  void setObserver(StepObserver observer) { m_observer = std::move(observer); }

  std::unique_ptr<Pipeline> createPipeline();
  // Returns a BuilderRecorder.
  std::unique_ptr<Builder> createBuilder();

  // An empty module with this target's triple and data layout.
  std::unique_ptr<llvm::Module> createModule(std::string_view name) const;

  // Optimises and compiles a module that is already in hardware form (prologs and epilogs) to a relocatable object
  // file.
  Result<std::vector<uint8_t>> generateCode(llvm::Module &module, unsigned optimizationLevel = 2);
  // The same for a shader, which must be of this context; brings its interface up to date.
  Result<CompiledShader> generateCode(HardwareFormShader shader);
  // The first half of generateCode(): runs the rest of the middle-end, up to the IR from which code is generated.
  Result<void> finishMiddleEnd(HardwareFormShader &shader);

  // The machinery with which the context and its Pipelines compile.
  CodeGenerator &codeGenerator() { return *m_codeGenerator; }
  // Counts of all compiles so far.
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
