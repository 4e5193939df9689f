// SPDX-License-Identifier: MIT
//
// Composes parts as LLVM IR, for monolithic code. Functions in hardware form (lgc::HardwareFormShader) become ordinary
// ones, and a new entry function calls them one after the other. LLVM inlines everything into it afterwards.
#pragma once

#include "parts/part.h"
#include "src/abi/interface/shader_interface.h"
#include "src/base/error.h"
#include "src/lgc/state/compile_options.h"
#include <llvm/IR/Module.h>
#include <memory>

namespace dovetail {

// Finds the one function with a hardware calling convention. Errors: Internal if there is none, or more than one.
Result<llvm::Function *> findHardwareEntry(llvm::Module &module);

// [prolog][main]: the new function has the prolog's hardware VGPRs (`vgprs` of them) and main's SGPRs. The prolog takes
// `sgprs` SGPRs and passes them on; it makes the VGPRs that main takes. Errors: Internal if the two do not fit.
Result<void> composeProlog(llvm::Function &main, llvm::Function &prolog, unsigned sgprs, unsigned vgprs);

// The same for fragment shaders, whose entry functions have LLVM's 16 inputs behind their SGPRs. The prolog returns
// those of the 16 that are in `mainInputs` (PsInputBits), register by register, and then the arguments that main takes
// behind the 16.
Result<void> composeFragmentProlog(llvm::Function &main, llvm::Function &prolog, uint32_t mainInputs);

// Adds the prolog's inputs to those of the program, unless main already has them.
void addInputs(ShaderInterface &interface, const Contract &prolog);

// [main][epilog]: the epilog takes the values that main returns. Errors: Internal if the two do not fit.
Result<void> composeEpilog(llvm::Function &main, llvm::Function &epilog);

// A shader of a merged program in hardware form, with its interface and options.
struct HalfProgram {
  llvm::Function *function = nullptr;
  const ShaderInterface *interface = nullptr;
  const lgc::ShaderOptions *options = nullptr; // the driver's
};

// How the second half follows the first.
struct HalvesOrder {
  // The GPU may launch waves without HS threads with the registers of the first half displaced.
  bool hasLsVgprInitBug = false;
  // Each lane that runs the first half also runs the second, and takes nothing from other lanes' first halves.
  bool isLaneByLane = false;
};

// Makes one GFX9 program of both halves. Each half runs in the lanes that merged_wave_info gives it. Between the
// halves, the waves of the group wait for each other, unless the halves go lane by lane. The new function has the
// launch state of the merged stage (src/abi/interface/merged_entry.h). Both functions are in one module. Errors:
// Internal if a half wants a value that a merged program does not have.
Result<llvm::Function *> composeHalves(HardwareStage stage, const HalfProgram &first, const HalfProgram &second,
                                       const HalvesOrder &order);

} // namespace dovetail
