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

// Whether LLVM selects instructions of the GPU for a known intrinsic of images, buffers and the like with these types.
// Where it does not, it would end the process ("Cannot select"). Tried with llc 22.1.8 on gfx803 and gfx900; of other
// intrinsics, types are not looked at. `gfxMajor`: 8 or 9.
bool hasCode(const llvm::Function &function, unsigned gfxMajor);

} // namespace lgc
