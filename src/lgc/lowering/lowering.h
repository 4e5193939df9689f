// SPDX-License-Identifier: MIT
//
// From the optimised shader to its hardware form: the steps in running order, and their pieces.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/lowering/output_values.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/inter_shader_data.h"
#include "src/lgc/state/pipeline_state.h"
#include "src/lgc/state/resource_usage.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace lgc {

// Fills in state.usage() from the optimised shader. Errors: the shader exceeds the hardware's limits.
dovetail::Result<void> collectResources(llvm::Function &function, PipelineState &state);

// Input and output lowering, and its pieces, one file for each kind of stage. Inputs become hardware values,
// interpolation or loads. Outputs become exports, stores to memory, or values in registers for the next part.
//
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

// The hand-over from ES to GS, and from GS to the copy shader. Both functions must run before lowerUserData.
//
// Stores the outputs of a shader that runs as ES. The builder must stand at the shader's end. Fills in
// interface.outputSlots.
void storeEsOutputs(llvm::IRBuilderBase &builder, const PipelineState &state, dovetail::ShaderInterface &interface,
                    OutputReader valueOf);

// Lowers all ops of a geometry shader, anywhere in the function. The function has one returning block; its writes of
// outputs are lowered. Fills in interface.geometry, inputSlots and xfb.
dovetail::Result<void> lowerGeometryShader(llvm::Function &function, const PipelineState &state,
                                           dovetail::ShaderInterface &interface, const OutputValues &outputs);

// The outputs that a copy shader exports, as if it had written the geometry shader's outputs of stream 0 itself.
ResourceUsage copyShaderUsage(const dovetail::GeometryInterface &geometry);

// Adds the copy shader of a geometry shader to the module, lowered as far as lowerInputsAndOutputs lowers a shader.
// `usage`: from copyShaderUsage. Fills in the interface's exports and transform feedback.
dovetail::Result<llvm::Function *> buildCopyShader(llvm::Module &module, const dovetail::TargetInfo &target,
                                                   const dovetail::ShaderInterface &geometryShader,
                                                   const ResourceUsage &usage, const InterShaderData &otherStages,
                                                   dovetail::ShaderInterface &interface);

// The transform feedback of a shader that runs as Vs: the captures that it declares, without outputs that it never
// writes.
dovetail::XfbInterface capturedOutputs(const ResourceUsage &usage);

// Writes the captured outputs of a stream to the buffers at the builder's place; the builder then stands behind the
// writes, in another block. Makes internal ops, so it must run before lowerUserData.
void writeTransformFeedback(llvm::IRBuilderBase &builder, const dovetail::TargetInfo &target,
                            const dovetail::XfbInterface &xfb, unsigned stream, OutputReader valueOf);

// The exports of a vertex that goes to the rasteriser. Its values are a vertex or evaluation shader's outputs, or come
// from memory, where a copy shader reads them.
//
//   pos0      position; (0, 0, 0, 1) if there is none
//   pos1      point size, edge flag (none), layer and viewport index: GFX9 layer [10:0] | viewport index [19:16] in z,
//             GFX8 layer in z, viewport index in w
//   pos next  clip distances, then cull distances, without a gap
//   param     generic locations in ascending order, then the built-ins that fragment shaders can read; only written
//             components
//
// Outputs that the knowledge says are dropped are left out: param for the fragment shader, the rest for the fixed
// function. `done` is on the last position export.
//
// Exports the outputs that `usage` lists as written, and fills in the interface's exports. primitiveId (i32), if given,
// takes the place of the output of that kind.
dovetail::Result<void> exportVertex(llvm::IRBuilderBase &builder, const dovetail::TargetInfo &target,
                                    const ResourceUsage &usage, OutputReader valueOf, llvm::Value *primitiveId,
                                    const InterShaderData &others, dovetail::PreRasterInterface &interface);

// Chooses user SGPRs for the values in state.usage(), and reads the root table from there or from memory. Fills in the
// interface's user data. Errors: code that resource collection has not seen.
dovetail::Result<void> lowerUserData(llvm::Function &function, PipelineState &state,
                                     dovetail::ShaderInterface &interface);

// The root dwords, by name, that a descriptor takes beyond the address of a table; none for most descriptors.
// std::nullopt if it takes dwords that have no name.
std::optional<llvm::SmallVector<dovetail::ValueName, 4>> rootDwordsOf(const LoadDescriptorOp &load,
                                                                      const PipelineState &state);

// Replaces the function by one in hardware form. The new function ends with the values of its ReturnValueOps in VGPRs:
// those of interface.outputs without the SGPRs that are passed on. Errors: the code reads a value that is in no
// register.
dovetail::Result<llvm::Function *> makeEntryPoint(llvm::Function &function, const PipelineState &state,
                                                  dovetail::ShaderInterface &interface);

// Runs after the last optimisation: lists the hardware's VGPRs that the code still reads, code that was composed with
// it included. Leaves an entry function of a merged program (amdgpu_hs, amdgpu_gs) alone, because the code that
// composed it knows its launch state. Errors: a pixel shader that does not take the hardware's inputs.
dovetail::Result<void> finishEntryPoint(llvm::Function &entry, dovetail::ShaderInterface &interface);

} // namespace lgc
