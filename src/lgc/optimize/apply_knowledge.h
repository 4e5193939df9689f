// SPDX-License-Identifier: MIT
//
// An optimised compile knows facts about the stages around it (StageKnowledge). This pass uses them on replayed IR:
// reads of constant inputs become constants, and writes of outputs that nobody reads go away. optimizeShader() then
// removes the code that only these needed. It may also make an index constant, so this pass runs again after it, until
// it finds nothing more.
//
// A write stays if one of its readers is left. In the last stage before rasterisation, these are the fragment shader,
// the fixed function (droppedFixedFunctionOutputs) and transform feedback. In a control shader, they include its own
// reads of what invocations have written. The lowering then leaves out the readers that do not need it (isHandedOn).
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
// Whether the next shader may read one of the dwords to which a control shader's write may go.
bool isHandedOn(const InterShaderData &others, const PatchDword &dword);
// The place in which a component of a parameter travels from the last stage before rasterisation to the fragment
// shader.
dovetail::PackedParameter parameterPlace(const InterShaderData &others, unsigned location, unsigned component);
// Whether the fixed function behind the last stage before rasterisation reads a dword of an output.
bool isFixedFunctionInput(const InterShaderData &others, OutputSlot output, unsigned component);

} // namespace lgc
