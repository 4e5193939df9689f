// SPDX-License-Identifier: MIT
//
// Input and output lowering, and its pieces, one file for each kind of stage. Inputs become hardware values,
// interpolation or loads. Outputs become exports, stores to memory, or values in registers for the next part.
#pragma once

#include "src/lgc/lowering/output_values.h"
#include "src/lgc/state/pipeline_state.h"

namespace lgc {

// Values that the function hands on in VGPRs at its end become ReturnValueOps.
dovetail::Result<void> lowerInputsAndOutputs(llvm::Function &function, const PipelineState &state,
                                             dovetail::ShaderInterface &interface);

// lower_fragment.cpp: how an op reads a component of a parameter (elementBits: of the op). `input` is an entry for
// FragmentInterface::inputs that reads no more than this component.
enum class ParameterKind : uint8_t { Smooth, Flat, OfVertices };
struct ParameterRead {
  dovetail::FragmentInput input;
  uint8_t component;
  dovetail::DwordPart part;
};
ParameterRead parameterRead(const InterShaderData &others, ParameterKind kind, unsigned location, unsigned component,
                            unsigned elementBits);
// Whether both are one input once their halves are put together.
bool isSameInput(const dovetail::FragmentInput &a, const dovetail::FragmentInput &b);
void lowerFragmentInputs(llvm::Function &function, const PipelineState &state);
void returnFragment(llvm::IRBuilderBase &builder, const OutputValues &outputs, const PipelineState &state,
                    dovetail::ShaderInterface &interface);

// lower_local_outputs.cpp: stores the outputs of a shader that runs as LS. The builder must stand at the shader's end.
// Fills in interface.outputSlots.
void storeLsOutputs(llvm::IRBuilderBase &builder, const PipelineState &state, dovetail::ShaderInterface &interface,
                    OutputReader valueOf);
// A pointer to LDS, `dword` dwords behind a byte address (i32).
llvm::Value *ldsPointer(llvm::IRBuilderBase &builder, llvm::Value *base, unsigned dword);

// lower_tess_control.cpp: lowers all ops of a control shader; the function has one returning block. Fills in the
// interface's tessellation, slots and outputs, and returns the values for the epilog.
dovetail::Result<void> lowerTessControl(llvm::Function &function, const PipelineState &state,
                                        dovetail::ShaderInterface &interface);

// lower_tess_eval.cpp: lowers inputs; fills in interface.tessellation and the slots that are read.
void lowerTessEvalInputs(llvm::Function &function, const PipelineState &state, dovetail::ShaderInterface &interface);

} // namespace lgc
