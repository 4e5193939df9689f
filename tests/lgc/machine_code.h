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

// Runs on gfx900. `blocks`: a fragment shader's blocks in LLVM's MIR, without the end of the program. Takes ownership
// of the passes. `look` sees their result. `tracksLiveness`: each block states which physical registers are live in it;
// phis need that. `properties`: of the function, as lines of MIR.
void runOnMachineCode(const std::string &blocks, llvm::ArrayRef<llvm::Pass *> passes,
                      std::function<void(const llvm::MachineFunction &)> look, bool tracksLiveness = false,
                      const std::string &properties = {});

// LLVM's pass of this name.
llvm::Pass *passNamed(llvm::StringRef name);

} // namespace lgc::test
