// SPDX-License-Identifier: MIT
//
// Finds the ops of IR that comes from a file. An op's declaration carries its OpCode as metadata, for speed. That
// number belongs to one build, so in a file only the op's name counts.
#pragma once

#include "src/base/error.h"

namespace llvm {
class Module;
}

namespace lgc {

// Finds the op of each declaration `lgc.<mnemonic>.<overload>` by its mnemonic, and gives it the attributes and the
// name that this build uses. The part of the name behind the mnemonic follows from the op's types. Refuses a function
// with such a name that is no op, and a use of one that is not a plain call. LLVM's verifier must have accepted the
// module.
dovetail::Result<void> identifyOps(llvm::Module &module);

} // namespace lgc
