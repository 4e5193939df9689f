// SPDX-License-Identifier: MIT
//
// Ops of IR that comes from a file. An op's declaration carries its OpCode as metadata for the sake of speed, but that
// is a number of this build; in a file, its name is what counts.
#pragma once

#include "src/base/error.h"

namespace llvm {
class Module;
}

namespace lgc {

// Finds the op of each declaration `lgc.<mnemonic>.<overload>` by its mnemonic, and gives it the attributes and the
// name that this build gives it; whatever follows the mnemonic is made up from its types. Refuses a function of that
// kind that is no op, and a use of one that is not a plain call. The module is one that LLVM's verifier takes.
dovetail::Result<void> identifyOps(llvm::Module &module);

} // namespace lgc
