// SPDX-License-Identifier: MIT
//
// Parts of a fragment shader run in exact mode, without helper invocations. LLVM moves the switch back to whole quads
// in front of an instruction that needs them, and instructions between that ask for no mode run in either
// (SIWholeQuadMode). Three kinds of them must not read what exact mode has made:
//
// - A uniform value is read from the first lane, which may be a helper's (llvm-project #193395).
// - A uniform condition holds if it holds in any lane, which may be a helper's.
// - A load by an address, which nothing bounds: a helper's address is anything then, and there may be no memory. A
//   place in scratch memory may be no multiple of four bytes, as it must be.
//
// So this pass has these operands computed in whole quads, if the shader has any.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind all that adds and removes such reads, in SSA form.
class ReadInWholeQuadsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  ReadInWholeQuadsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Read in whole quads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
