// SPDX-License-Identifier: MIT
//
// What the shader's modes and options mean for LLVM's code generation: function attributes, set before the first
// optimisation because folding of floating-point constants and unrolling look at them. A monolithic compile gives the
// composed function the same ones.
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// "target-features" of functions that keep denormals of halves. v_mad_mix_f32 and its kin are said to flush them (Mesa,
// work item 6178; llvm-project #224911).
constexpr const char *FeaturesKeepingHalfDenormals = "-mad-mix-insts";

// Errors: Unsupported for options that no GPU here can meet.
dovetail::Result<void> checkShaderOptions(const PipelineState &state);

void setShaderAttributes(llvm::Function &function, const PipelineState &state);

// FLOAT_MODE of SPI_SHADER_PGM_RSRC1 (see ShaderInterface::floatMode).
uint8_t floatModeOf(const PipelineState &state);

} // namespace lgc
