// SPDX-License-Identifier: MIT
//
// Runs passes on machine code that a test has written.
#pragma once

#include <functional>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <string>

namespace lgc::test {

// On gfx900. `blocks`: a fragment shader's, as LLVM's MIR has them, without the end of the program. Takes the passes.
// `look` sees what they leave. `tracksLiveness`: each block says which physical registers are live in it, which phis
// need.
void runOnMachineCode(const std::string &blocks, llvm::ArrayRef<llvm::Pass *> passes,
                      std::function<void(const llvm::MachineFunction &)> look, bool tracksLiveness = false);

// LLVM's pass of this name.
llvm::Pass *passNamed(llvm::StringRef name);

} // namespace lgc::test
