// SPDX-License-Identifier: MIT
//
// What an optimised compile knows of the stages around it (StageKnowledge), made use of on replayed IR: reads of inputs
// that are constant become constants, and writes of outputs that nobody wants go away. What only they needed then dies
// in optimizeShader(). Indices that are not constant yet may become so there, so it runs again behind it, until it
// finds nothing more.
//
// A write stays if one of its readers is left: of the last stage before rasterisation the fragment shader, the fixed
// function (droppedFixedFunctionOutputs) and transform feedback; of a control shader its own reads of what invocations
// have written. Then the lowering leaves out those that do not want it (isHandedOn).
#pragma once

#include "src/lgc/state/inter_shader_data.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/patch_dword.h"
#include <llvm/IR/Function.h>

namespace lgc {

class PipelineState;

// Returns whether it found anything to do.
bool applyKnowledge(llvm::Function &function, PipelineState &state);

// Whether the next shader may read a dword of an output.
bool isHandedOn(const InterShaderData &others, OutputSlot output, unsigned component);
// Whether it may read one of the dwords that a control shader's write may mean.
bool isHandedOn(const InterShaderData &others, const PatchDword &dword);
// Where a component of a parameter travels from the last stage before rasterisation to the fragment shader.
dovetail::PackedParameter parameterPlace(const InterShaderData &others, unsigned location, unsigned component);
// Whether the fixed function behind the last stage before rasterisation makes use of a dword of an output.
bool isFixedFunctionInput(const InterShaderData &others, OutputSlot output, unsigned component);

} // namespace lgc
