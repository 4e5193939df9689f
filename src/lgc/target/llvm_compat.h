// SPDX-License-Identifier: MIT
//
// The differences between the LLVM versions that this builds with (19 to 22), kept out of the code.
#pragma once

#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/LiveRegMatrix.h>
#include <llvm/CodeGen/VirtRegMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>
#include <memory>
#include <string>

namespace lgc::compat {

// 21 made triples a type of their own in these interfaces.
inline void setTargetTriple(llvm::Module &module, llvm::StringRef triple) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(llvm::Triple(triple));
#else
  module.setTargetTriple(triple);
#endif
}

inline std::unique_ptr<llvm::TargetMachine> createTargetMachine(const llvm::Target &target, llvm::StringRef triple,
                                                                llvm::StringRef processor,
                                                                llvm::CodeGenOptLevel level) {
  llvm::TargetOptions options;
#if LLVM_VERSION_MAJOR >= 21
  llvm::Triple targetTriple(triple);
#else
  llvm::StringRef targetTriple = triple;
#endif
  return std::unique_ptr<llvm::TargetMachine>(
      target.createTargetMachine(targetTriple, processor, "", options, llvm::Reloc::PIC_, std::nullopt, level));
}

inline llvm::Function *getIntrinsic(llvm::Module &module, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

// 20 separated these analyses from the passes that the legacy pass manager knows.
#if LLVM_VERSION_MAJOR >= 20
using VirtRegMapPass = llvm::VirtRegMapWrapperLegacy;
using LiveRegMatrixPass = llvm::LiveRegMatrixWrapperLegacy;

inline llvm::VirtRegMap &mapOf(VirtRegMapPass &pass) {
  return pass.getVRM();
}

inline llvm::LiveRegMatrix &matrixOf(LiveRegMatrixPass &pass) {
  return pass.getLRM();
}
#else
using VirtRegMapPass = llvm::VirtRegMap;
using LiveRegMatrixPass = llvm::LiveRegMatrix;

inline llvm::VirtRegMap &mapOf(VirtRegMapPass &pass) {
  return pass;
}

inline llvm::LiveRegMatrix &matrixOf(LiveRegMatrixPass &pass) {
  return pass;
}
#endif

} // namespace lgc::compat
