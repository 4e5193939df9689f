// SPDX-License-Identifier: MIT
//
// Runs straight-line lowered IR whose leaves are constants, so that a test can compare BuilderImpl's code with the
// host's results. LLVM's constant folder does the generic part. The evaluator computes the AMDGPU instructions that the
// folder does not know.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace lgc::test {

// Returns nullptr if the value depends on something that is neither a constant nor foldable.
llvm::Constant *evaluate(llvm::Value *value, const llvm::DataLayout &layout);

// A BuilderImpl that stands in a function of its own.
class Workbench {
public:
  explicit Workbench(ShaderStage stage = ShaderStage::Compute);
  ~Workbench();

  BuilderImpl &builder() { return *m_builder; }

  llvm::Constant *f32(double value) const;
  llvm::Constant *f64(double value) const;
  llvm::Constant *f16(double value) const;
  llvm::Constant *i32(uint32_t value) const;
  llvm::Constant *vector(const std::vector<llvm::Constant *> &elements) const;
  llvm::Constant *f32Vector(const std::vector<double> &elements) const;

  // The value of a scalar; NaN if it cannot be evaluated.
  double number(llvm::Value *value) const;
  std::vector<double> numbers(llvm::Value *vector) const;
  // The value of an integer scalar, as an unsigned number.
  uint64_t integer(llvm::Value *value) const;

private:
  llvm::LLVMContext m_context;
  std::unique_ptr<llvm::Module> m_module;
  PipelineState m_state;
  std::unique_ptr<BuilderImpl> m_builder;
};

} // namespace lgc::test
