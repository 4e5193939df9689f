// SPDX-License-Identifier: MIT
#include "src/lgc/state/compile_state.h"
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
  ShaderModes modes;
  if (!modes.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no shader modes, or malformed ones");
  ResourceUsage usage;
  if (readStructMetadata(module, UsageMetadata, usage) == StructMetadata::Malformed)
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
