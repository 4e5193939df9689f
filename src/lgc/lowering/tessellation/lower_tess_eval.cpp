// SPDX-License-Identifier: MIT
//
// Inputs of evaluation shaders: reads the outputs that the control shader, or its epilog, has left in the off-chip
// buffer.
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/lowering/tessellation/offchip_memory.h"
#include "src/lgc/ops/op.h"
#include <llvm/IR/InstIterator.h>

using namespace llvm;
using dovetail::LinkConstant;
using dovetail::ShaderInterface;
using dovetail::SlotMask;
using dovetail::ValueKind;

namespace lgc {

void lowerTessEvalInputs(Function &function, const PipelineState &state, ShaderInterface &interface) {
  const TessellationMode &mode = state.shaderModes().tessellation;
  interface.tessellation.primitive = mode.primitive;
  interface.tessellation.spacing = mode.spacing;
  interface.tessellation.vertexOrder = mode.vertexOrder;
  interface.tessellation.pointMode = mode.pointMode;

  SmallVector<PatchInputOp *, 16> inputs;
  for (Instruction &instruction : instructions(function))
    if (auto *input = dyn_cast<PatchInputOp>(&instruction))
      inputs.push_back(input);
  if (inputs.empty())
    return;

  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *relPatch = hardwareDword(builder, ValueKind::RelPatchId);
  OffchipMemory memory(builder, relPatch, linkConstant(builder, LinkConstant::TcsOutputVertices));
  for (PatchInputOp *input : inputs) {
    PatchDword dword = patchDwordOf(*input);
    (dword.isPerVertex() ? interface.inputSlots : interface.patchInputSlots) |= dword.slots();
    builder.SetInsertPoint(input);
    input->replaceAllUsesWith(memory.load(builder, dword));
    input->eraseFromParent();
  }
  constexpr SlotMask factors = SlotMask(1) << dovetail::TessLevelOuterSlot | SlotMask(1)
                                                                                 << dovetail::TessLevelInnerSlot;
  interface.tessellation.readsFactors = interface.patchInputSlots & factors;
}

} // namespace lgc
