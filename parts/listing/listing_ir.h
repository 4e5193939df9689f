// SPDX-License-Identifier: MIT
//
// A listing as LLVM IR, where a prolog or epilog is compiled as a piece of a monolithic program, and as what directly
// encoded parts are compared with.
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
// on, and it returns nothing or a struct of what is passed and what is given: SGPRs, then VGPRs in the order of their
// registers.
void emitListing(llvm::Function &function, const Listing &listing);

// The same of a function whose VGPR inputs are arguments of another form: `input` gives the one with a number.
using VgprInput = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned)>;
void emitListing(llvm::Function &function, const Listing &listing, VgprInput input);

// A function without a body whose first arguments, so many, are in SGPRs. `convention`: of llvm::CallingConv.
llvm::Function *createFunction(llvm::Module &module, llvm::FunctionType *type, unsigned sgprCount, unsigned convention,
                               std::string_view name);

// A function `amdgpu_vs {i32 × sgprCount, float × vgprCount} name(i32 inreg × sgprCount, float × vgprCount)` that does
// what the listing says.
llvm::Function *emitProlog(llvm::Module &module, unsigned sgprCount, unsigned vgprCount, const Listing &listing,
                           std::string_view name);

} // namespace dovetail
