// SPDX-License-Identifier: MIT
#include "src/lgc/state/compile_state.h"
#include "src/lgc/state/entry_function.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/state_fields.h"

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::Hash128;
using dovetail::makeError;
using dovetail::Result;
using dovetail::ShaderInterface;

namespace lgc {

namespace {

constexpr char CopyShaderMetadata[] = "lgc.copy.shader";

// Whether all numbers by which lowering counts, shifts or indexes are in range. Resource collection never exceeds the
// range.
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

template <typename T> auto malformed() {
  return makeError(ErrorCode::InvalidInput, "the module's {} is malformed", MetadataNode<T>::Name.str());
}

} // namespace

void recordCompileState(Module &module, const PipelineState &pipeline, const ShaderInterface &interface) {
  pipeline.m_frontEnd.record(module);
  pipeline.shaderModes().record(module);
  writeNode(module, pipeline.usage());
  recordInterface(module, interface);
  recordFunctionHash(module, pipeline.interShaderData().functionHash());
  if (NamedMDNode *old = module.getNamedMetadata(CopyShaderMetadata))
    module.eraseNamedMetadata(old);
  if (pipeline.isCopyShader())
    module.getOrInsertNamedMetadata(CopyShaderMetadata);
}

void recordInterface(Module &module, const ShaderInterface &interface) {
  writeNode(module, interface);
}

void recordFunctionHash(Module &module, const Hash128 &hash) {
  if (hash == Hash128())
    return;
  if (Result<Function *> function = findEntryFunction(module))
    writeNode(**function, hash);
}

Result<void> checkKnowledge(const dovetail::StageKnowledge &knowledge) {
  for (const dovetail::PackedParameter &parameter : knowledge.packedParameters)
    if (parameter.declared.component >= 4 || parameter.packed.component >= 4)
      return makeError(ErrorCode::InvalidInput,
                       "the pipeline state has packed parameters with other components than 0 to 3");
  return {};
}

Result<CompileState> readCompileState(const Module &module, const dovetail::TargetInfo &target) {
  FrontEndState frontEnd;
  if (!frontEnd.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no pipeline state, or a malformed one");
  DOVETAIL_CHECK(checkKnowledge(frontEnd.knowledge));
  ShaderModes modes;
  if (!modes.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no shader modes, or malformed ones");
  ResourceUsage usage;
  if (readNode(module, usage) == NodeReading::Malformed || !isInRange(usage))
    return malformed<ResourceUsage>();
  ShaderInterface interface;
  if (readNode(module, interface) == NodeReading::Malformed)
    return malformed<ShaderInterface>();
  Hash128 functionHash;
  for (const Function &function : module)
    if (readNode(function, functionHash) == NodeReading::Malformed)
      return malformed<Hash128>();

  if (module.getNamedMetadata(CopyShaderMetadata))
    return CompileState{PipelineState(target, std::move(frontEnd), std::move(usage)), std::move(interface)};
  CompileState state = {PipelineState(target, std::move(frontEnd), modes, functionHash), std::move(interface)};
  state.pipeline.usage() = std::move(usage);
  return state;
}

} // namespace lgc
