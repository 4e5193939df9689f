// SPDX-License-Identifier: MIT
//
// Emits a listing as LLVM IR: for a prolog or epilog that is compiled as a piece of a monolithic program, and for
// comparison with directly encoded parts.
#pragma once

#include "parts/listing/listing.h"
#include <llvm/ADT/STLFunctionalExtras.h>
#include <string_view>

namespace llvm {
class Function;
class FunctionType;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace dovetail {

// Fills a function without a body. Its arguments are SGPR inputs from s0 on, marked `inreg`, then VGPR inputs from v0
// on. It returns nothing, or a struct of the passed and given values: SGPRs, then VGPRs, in the order of their
// registers.
void emitListing(llvm::Function &function, const Listing &listing);

// The same for a function whose VGPR inputs are arguments of another form: `input` returns the VGPR with a number.
using VgprInput = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned)>;
void emitListing(llvm::Function &function, const Listing &listing, VgprInput input);

// A function without a body whose first `sgprCount` arguments are in SGPRs. `convention`: of llvm::CallingConv.
llvm::Function *createFunction(llvm::Module &module, llvm::FunctionType *type, unsigned sgprCount, unsigned convention,
                               std::string_view name);

// A function `amdgpu_vs {i32 × sgprCount, float × vgprCount} name(i32 inreg × sgprCount, float × vgprCount)` that does
// the steps of the listing.
llvm::Function *emitProlog(llvm::Module &module, unsigned sgprCount, unsigned vgprCount, const Listing &listing,
                           std::string_view name);

} // namespace dovetail
