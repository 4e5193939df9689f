// SPDX-License-Identifier: MIT
//
// The intrinsics of LLVM that front ends record, and that the steps of the middle-end, prologs, epilogs and the glue
// between them make.
#pragma once

namespace llvm {
class Function;
}

namespace lgc {

// `function`: an intrinsic.
bool isKnownIntrinsic(const llvm::Function &function);

} // namespace lgc
