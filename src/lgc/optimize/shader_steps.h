// SPDX-License-Identifier: MIT
//
// The middle-end's own steps around its optimisations.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/lgc/state/inter_shader_data.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/patch_dword.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// An optimised compile knows facts about the stages around it (StageKnowledge). This pass uses them on replayed IR:
// reads of constant inputs become constants, and writes of outputs that nobody reads go away. optimizeShader() then
// removes the code that only these needed. It may also make an index constant, so this pass runs again after it, until
// it finds nothing more.
//
// A write stays if one of its readers is left. In the last stage before rasterisation, these are the fragment shader,
// the fixed function (droppedFixedFunctionOutputs) and transform feedback. In a control shader, they include its own
// reads of what invocations have written. The lowering then leaves out the readers that do not need it (isHandedOn).
//
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

// An optimised compile knows the values of inlinable uniforms (StageKnowledge::inlinableUniforms). This pass makes
// constants of them, so that branches fold, loops unroll, and code that only they needed goes away.
//
// It works on replayed IR, where a load of a uniform buffer is an intrinsic on a LoadDescriptorOp. The place of the
// load is constant, or optimisation makes it constant, for example in a loop that is unrolled. So the pass runs before
// the optimisations and after them, until it finds nothing more. From a load that is known in part, it takes out the
// known components. LLVM's instruction combining makes the load narrower if the rest leaves out components in front or
// behind. Resource collection then ignores root dwords and descriptor tables that nobody reads any more
// (collect_resources.cpp).
//
// Folds only memory that nobody can write while the shader runs, and only element 0 of a binding. Returns whether it
// found any.
bool foldInlinableUniforms(llvm::Function &function, const PipelineState &state);

// LLVM computes operations on constants as if results were rounded to the nearest even number. A shader may ask for
// another rounding (RoundingModeRTZ). Then this hides the operands of such operations from LLVM (hide_result.h).
//
// Must run before all passes that fold constants.
void keepRounding(llvm::Function &function, const PipelineState &state);

// An optimised variant of another stage can use two facts about this one: which inputs it reads, dword by dword, and
// which of its outputs are the same constant in every vertex. learnInterface() reads them off the optimised shader
// after collectResources; the code does not change.
//
// Fills in inputComponents, patchInputComponents and constantOutputs.
void learnInterface(llvm::Function &function, const PipelineState &state, dovetail::ShaderInterface &interface);

} // namespace lgc
