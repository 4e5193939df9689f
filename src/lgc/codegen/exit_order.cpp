// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/exit_order.h"
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/CodeGen/SelectionDAGNodes.h>
#include <llvm/IR/PrintPasses.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

namespace lgc {

namespace {

struct ValueTypeLists : llvm::SDNode {
  static void make() { static_cast<void>(getSDVTList(llvm::MVT::Other)); } // it is protected
};

} // namespace

LlvmStaticObjects::LlvmStaticObjects() {
  llvm::errs();
  llvm::nulls();
  static_cast<void>(llvm::isPassInPrintList("")); // makes the list
  llvm::LibFunc function;
  const llvm::TargetLibraryInfoImpl functions(llvm::Triple("amdgcn"));
  static_cast<void>(functions.getLibFunc("free", function)); // makes the index of names
  ValueTypeLists::make();
}

} // namespace lgc
