// SPDX-License-Identifier: MIT
//
// Runs a pass of ours on machine code that a test has written.
#pragma once

#include <functional>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <string>

namespace lgc::test {

// On gfx900. `blocks`: a fragment shader's, as LLVM's MIR has them, without the end of the program. `look` sees what
// the pass leaves. `tracksLiveness`: each block says which physical registers are live in it, which phis need.
void runOnMachineCode(const std::string &blocks, llvm::MachineFunctionPass *pass,
                      std::function<void(const llvm::MachineFunction &)> look, bool tracksLiveness = false);

} // namespace lgc::test
