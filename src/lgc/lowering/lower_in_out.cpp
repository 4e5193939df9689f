// SPDX-License-Identifier: MIT
//
// Input and output lowering: calls those pieces of lowering.h that a stage needs. The outputs of a stage that works
// on one vertex or pixel are read at its end, in the one block that returns.
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"

using namespace llvm;
using dovetail::HardwareStage;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

// The number of the primitive of a vertex that goes to the rasteriser, if the pipeline needs it.
Value *primitiveIdOf(IRBuilderBase &builder, const PipelineState &state) {
  if (!state.options().exportPrimitiveId)
    return nullptr;
  bool isTessEval = state.vertexSource() == dovetail::VertexSource::TessEval;
  ValueKind kind = isTessEval ? ValueKind::PatchId : ValueKind::VertexPrimitiveId;
  return hardwareDword(builder, kind);
}

} // namespace

dovetail::Result<void> lowerInputsAndOutputs(Function &function, const PipelineState &state,
                                             ShaderInterface &interface) {
  const ResourceUsage &usage = state.usage();
  HardwareStage stage = state.hardwareStage();
  learnInterface(function, state, interface);
  interface.writesMemory = usage.writesMemory;
  interface.compute.numbersLanes = usage.numbersLanes;
  const ShaderOptions &options = state.shaderOptions(state.shaderModes().stage);
  interface.trapPresent = options.trapPresent;
  interface.debugMode = options.debugMode;
  for (auto &[location, input] : usage.vertexInputs)
    interface.vertex.inputs.push_back(input);
  interface.vertex.usesInstanceId = usage.uses(ValueKind::InstanceId);
  if (stage == HardwareStage::Ps)
    lowerFragmentInputs(function, state);
  else if (state.shaderModes().stage == ShaderStage::TessEval)
    lowerTessEvalInputs(function, state, interface);

  OutputValues outputs(function, usage);
  BasicBlock *exit = makeSingleExit(function);
  outputs.lowerWrites(stage == HardwareStage::Gs ? nullptr : exit); // vertices of a GS are sent anywhere
  IRBuilder<> builder(exit->getTerminator());
  auto valueOf = [&](OutputSlot output, unsigned component) { return outputs.valueOf(builder, output, component); };
  switch (stage) {
  case HardwareStage::Vs: {
    Value *primitiveId = primitiveIdOf(builder, state);
    interface.preRaster.usesPrimitiveId = primitiveId != nullptr;
    interface.preRaster.xfb = capturedOutputs(usage);
    writeTransformFeedback(builder, state.targetInfo(), interface.preRaster.xfb, 0, valueOf);
    DOVETAIL_CHECK(exportVertex(builder, state.targetInfo(), usage, valueOf, primitiveId, state.interShaderData(),
                                interface.preRaster));
    return {};
  }
  case HardwareStage::Ls:
    storeLsOutputs(builder, state, interface, valueOf);
    return {};
  case HardwareStage::Hs:
    return lowerTessControl(function, state, interface);
  case HardwareStage::Es:
    storeEsOutputs(builder, state, interface, valueOf);
    return {};
  case HardwareStage::Gs:
    return lowerGeometryShader(function, state, interface, outputs);
  case HardwareStage::Ps:
    returnFragment(builder, outputs, state, interface);
    return {};
  default:
    return {};
  }
}

} // namespace lgc
