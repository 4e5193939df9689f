// SPDX-License-Identifier: MIT
//
// The hand-over from LS to the control shader, in LDS: one vertex behind the other, LsVertexStride bytes each.
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/lowering/tessellation/hand_over_marks.h"
#include "src/lgc/lowering/tessellation/offchip_memory.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/output_dword.h"
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;
using dovetail::LinkConstant;
using dovetail::ShaderInterface;
using dovetail::SlotMask;
using dovetail::ValueKind;

namespace lgc {

void storeLsOutputs(IRBuilderBase &builder, const PipelineState &state, ShaderInterface &interface,
                    OutputReader valueOf) {
  Value *vertex = hardwareDword(builder, ValueKind::RelVertexId);
  Value *base = multiply24(builder, vertex, linkConstant(builder, LinkConstant::LsVertexStride));
  for (auto &[output, usage] : state.usage().outputs) {
    // Only the last stage before rasterisation has an effective layer and viewport index; an LS is never the last.
    if (output.kind == OutputKind::Layer || output.kind == OutputKind::ViewportIndex)
      continue;
    for (unsigned component = 0; component < 8; ++component) {
      std::optional<VertexDword> dword = vertexDwordOf(output, component);
      if (!dword || !(usage.componentMask >> component & 1))
        continue;
      interface.outputSlots |= SlotMask(1) << dword->slot;
      Value *address = ldsPointer(builder, base, dword->slot * 4 + dword->component);
      StoreInst *store = builder.CreateAlignedStore(valueOf(output, component), address, Align(4));
      markHandOver(*store, {dword->slot * 4 + dword->component});
    }
  }
}

Value *ldsPointer(IRBuilderBase &builder, Value *base, unsigned dword) {
  Value *address = builder.CreateAdd(base, builder.getInt32(dword * 4));
  return builder.CreateIntToPtr(address, PointerType::get(builder.getContext(), AMDGPUAS::LOCAL_ADDRESS));
}

} // namespace lgc
