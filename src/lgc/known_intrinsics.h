// SPDX-License-Identifier: MIT
//
// LLVM ends the process ("Cannot select") over intrinsics that it cannot compile for the GPU. This file knows the
// intrinsics of LLVM that front ends record, and those that the steps of the middle-end, prologs, epilogs and the glue
// between them make.
#pragma once

namespace llvm {
class Function;
}

namespace lgc {

// `function`: an intrinsic.
bool isKnownIntrinsic(const llvm::Function &function);

// Whether LLVM selects instructions of the GPU for a known intrinsic of images, buffers and the like with these types.
// Where it does not, it would end the process. Tried with llc 22.1.8 on gfx803 and gfx900; the types of other
// intrinsics are not checked. `gfxMajor`: 8 or 9.
bool hasCode(const llvm::Function &function, unsigned gfxMajor);

} // namespace lgc
