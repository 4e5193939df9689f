// SPDX-License-Identifier: MIT
//
// Turns the shader's modes and options into function attributes for LLVM's code generation. They must be set before the
// first optimisation, because folding of floating-point constants and unrolling read them. A monolithic compile gives
// the composed function the same attributes.
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// "target-features" of functions that keep denormals of halves. v_mad_mix_f32 and its relatives are said to flush them
// (Mesa, work item 6178; llvm-project #224911).
constexpr const char *FeaturesKeepingHalfDenormals = "-mad-mix-insts";

// Errors: Unsupported for options that no GPU here can meet.
dovetail::Result<void> checkShaderOptions(const PipelineState &state);

void setShaderAttributes(llvm::Function &function, const PipelineState &state);

// FLOAT_MODE of SPI_SHADER_PGM_RSRC1 (see ShaderInterface::floatMode).
uint8_t floatModeOf(const PipelineState &state);

} // namespace lgc
