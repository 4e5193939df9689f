// SPDX-License-Identifier: MIT
#include "src/lgc/state/compile_state.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/state_fields.h"
#include "src/lgc/state/struct_metadata.h"

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::ShaderInterface;

namespace lgc {

namespace {

constexpr char UsageMetadata[] = "lgc.resource.usage";
constexpr char InterfaceMetadata[] = "lgc.interface";
constexpr char CopyShaderMetadata[] = "lgc.copy.shader";

// What lowering counts, shifts or indexes by. Resource collection leaves nothing else.
bool isInRange(const ResourceUsage &usage) {
  constexpr unsigned maxOutputSlots = 128, maxVertexLocations = 32, maxColorInputs = 2;
  for (const auto &[output, outputUsage] : usage.outputs)
    if (output.slot >= maxOutputSlots)
      return false;
  for (const auto &[output, stream] : usage.outputStreams)
    if (stream >= dovetail::MaxVertexStreams)
      return false;
  for (const dovetail::XfbOutput &output : usage.xfb.outputs)
    if (!outputOf({output.slot, output.component}) || output.buffer >= dovetail::MaxXfbBuffers ||
        output.stream >= dovetail::MaxVertexStreams)
      return false;
  for (const auto &[location, input] : usage.vertexInputs)
    if (location >= maxVertexLocations || location != input.location)
      return false;
  for (const auto &[index, mask] : usage.colorInputs)
    if (index >= maxColorInputs)
      return false;
  return true;
}

bool isInRange(const dovetail::StageKnowledge &knowledge) {
  for (const dovetail::PackedParameter &parameter : knowledge.packedParameters)
    if (parameter.declared.component >= 4 || parameter.packed.component >= 4)
      return false;
  return true;
}

} // namespace

void recordCompileState(Module &module, const PipelineState &pipeline, const ShaderInterface &interface) {
  pipeline.frontEnd().record(module);
  pipeline.shaderModes().record(module);
  writeStructMetadata(module, UsageMetadata, pipeline.usage());
  recordInterface(module, interface);
  if (NamedMDNode *old = module.getNamedMetadata(CopyShaderMetadata))
    module.eraseNamedMetadata(old);
  if (pipeline.isCopyShader())
    module.getOrInsertNamedMetadata(CopyShaderMetadata);
}

void recordInterface(Module &module, const ShaderInterface &interface) {
  writeStructMetadata(module, InterfaceMetadata, interface);
}

dovetail::Result<CompileState> readCompileState(const Module &module, const dovetail::TargetInfo &target) {
  FrontEndState frontEnd;
  if (!frontEnd.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no pipeline state, or a malformed one");
  if (!isInRange(frontEnd.options.knowledge))
    return makeError(ErrorCode::InvalidInput,
                     "the module's pipeline state has packed parameters with other components than 0 to 3");
  ShaderModes modes;
  if (!modes.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no shader modes, or malformed ones");
  ResourceUsage usage;
  if (readStructMetadata(module, UsageMetadata, usage) == StructMetadata::Malformed || !isInRange(usage))
    return makeError(ErrorCode::InvalidInput, "the module's {} is malformed", UsageMetadata);
  ShaderInterface interface;
  if (readStructMetadata(module, InterfaceMetadata, interface) == StructMetadata::Malformed)
    return makeError(ErrorCode::InvalidInput, "the module's {} is malformed", InterfaceMetadata);

  if (module.getNamedMetadata(CopyShaderMetadata))
    return CompileState{PipelineState(target, std::move(frontEnd), std::move(usage)), std::move(interface)};
  CompileState state = {PipelineState(target, std::move(frontEnd), modes), std::move(interface)};
  state.pipeline.usage() = std::move(usage);
  return state;
}

} // namespace lgc
