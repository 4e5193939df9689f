// SPDX-License-Identifier: MIT
//
// BuilderReplayer is the first middle-end pass. For each recorded op, it calls the same method of BuilderImpl, with the
// insertion point, debug location and fast-math flags that the front end had. It leaves no recorded op behind; it may
// make internal ops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class BuilderImpl;

class BuilderReplayer : public llvm::PassInfoMixin<BuilderReplayer> {
public:
  // The builder must outlive the pass.
  explicit BuilderReplayer(BuilderImpl &builder) : m_builder(builder) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);

private:
  BuilderImpl &m_builder;
};

} // namespace lgc
