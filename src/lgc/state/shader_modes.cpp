// SPDX-License-Identifier: MIT
#include "src/lgc/state/shader_modes.h"
#include "src/lgc/state/state_metadata.h"
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

static constexpr char ModesMetadata[] = "lgc.shader.modes";

// The one list of fields, for the writer and the reader.
template <typename Visitor> static void forEachField(ShaderModes &modes, Visitor &visit) {
  visit(modes.stage);

  CommonShaderMode &common = modes.common;
  visit(common.fp16RoundMode);
  visit(common.fp16DenormMode);
  visit(common.fp32RoundMode);
  visit(common.fp32DenormMode);
  visit(common.fp64RoundMode);
  visit(common.fp64DenormMode);

  visit(modes.tessellation.primitive);
  visit(modes.tessellation.spacing);
  visit(modes.tessellation.vertexOrder);
  visit(modes.tessellation.pointMode);
  visit(modes.tessellation.outputVertices);

  visit(modes.geometry.input);
  visit(modes.geometry.output);
  visit(modes.geometry.maxVertices);
  visit(modes.geometry.invocations);
  visit(modes.transformFeedback);

  FragmentShaderMode &fragment = modes.fragment;
  visit(fragment.pixelCenterInteger);
  visit(fragment.originLowerLeft);
  visit(fragment.earlyFragmentTests);
  visit(fragment.depthReplacing);
  visit(fragment.conservativeDepth);

  visit(modes.compute.workgroupSizeX);
  visit(modes.compute.workgroupSizeY);
  visit(modes.compute.workgroupSizeZ);
}

void ShaderModes::record(Module &module) const {
  writeNamedWords(module, ModesMetadata, toWords(*this));
}

bool ShaderModes::read(const Module &module) {
  SmallVector<StateWords, 1> nodes;
  ShaderModes modes;
  if (!readNamedWords(module, ModesMetadata, nodes) || nodes.size() != 1 || !fromWords(nodes[0], modes))
    return false;
  if (static_cast<uint32_t>(modes.stage) >= ShaderStageCount)
    return false;
  *this = modes;
  return true;
}

} // namespace lgc
