// SPDX-License-Identifier: MIT
//
// Declares passes, each by one line. A pass has the file of its name: FoldOrOnesPass is in fold_or_ones.cpp.
//
//   LGC_IR_PASS(Name)               a pass over functions of IR, for optimisation pipelines
//   LGC_CODEGEN_PASS(Name, title)   the same, for code generation, which has pass managers of the older kind
//   LGC_MACHINE_PASS(Name, title)   a pass over machine functions, for code generation
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Pass.h>

#define LGC_IR_PASS(Name)                                                                                              \
  class Name##Pass : public llvm::PassInfoMixin<Name##Pass> {                                                          \
  public:                                                                                                              \
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);                    \
  };

#define LGC_CODEGEN_PASS(Name, title) LGC_DECLARE_PASS(Name, title, , Function)
#define LGC_MACHINE_PASS(Name, title) LGC_DECLARE_PASS(Name, title, Machine, MachineFunction)

#define LGC_DECLARE_PASS(Name, title, Kind, Subject)                                                                   \
  class Name##Pass final : public llvm::Kind##FunctionPass {                                                           \
  public:                                                                                                              \
    static inline char ID = 0;                                                                                         \
    Name##Pass() : Kind##FunctionPass(ID) {}                                                                           \
    llvm::StringRef getPassName() const override { return title; }                                                     \
    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;                                                  \
    bool runOn##Subject(llvm::Subject &subject) override;                                                              \
  };
