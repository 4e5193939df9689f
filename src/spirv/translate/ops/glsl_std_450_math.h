// SPDX-License-Identifier: MIT
//
// The instructions of the extended set GLSL.std.450 that are functions of their operands' values. glsl_std_450.cpp has
// those with pointer operands or structure results.
#pragma once

#include "src/lgc/builder/builder.h"
#include <llvm/ADT/ArrayRef.h>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail::spirv {

// The result; nullptr if the instruction is none of these. The operands must have the types that SPIR-V demands.
llvm::Value *makeGlslMath(lgc::Builder &builder, GLSLstd450 instruction, llvm::ArrayRef<llvm::Value *> operands,
                          llvm::Type *resultType);

} // namespace dovetail::spirv
