// SPDX-License-Identifier: MIT
//
// A target triple as LLVM's registry and MC layer take it: since LLVM 22 as a type of its own, before as text.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Triple.h>

namespace dovetail::mc {

#if LLVM_VERSION_MAJOR >= 22
using LlvmTriple = llvm::Triple;
#else
using LlvmTriple = llvm::StringRef;
#endif

} // namespace dovetail::mc
