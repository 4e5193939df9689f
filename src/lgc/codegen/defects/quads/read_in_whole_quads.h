// SPDX-License-Identifier: MIT
//
// Parts of a fragment shader run in exact mode, without helper invocations. LLVM moves the switch back to whole quads
// to the place in front of an instruction that needs them. Instructions between that ask for no mode run in either mode
// (SIWholeQuadMode). Three kinds of them must not read values that exact mode has made:
//
// - An instruction that reads a uniform value from the first lane, which may be a helper (llvm-project #193395).
// - A test of a uniform condition: it holds if it holds in any lane, which may be a helper.
// - A load by an address without bounds. A helper's address is then arbitrary, and there may be no memory. An address
//   in scratch memory may not be a multiple of four bytes, as it must be.
//
// So this pass makes LLVM compute these operands in whole quads, if the shader has any.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after all passes that add or remove such reads, in SSA form.
class ReadInWholeQuadsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  ReadInWholeQuadsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Read in whole quads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
