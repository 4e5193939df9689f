// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/tessellation/offchip_memory.h"
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/ops/op.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::LinkConstant;
using dovetail::SlotBytes;
using dovetail::ValueKind;

namespace lgc {

Value *multiply24(IRBuilderBase &builder, Value *x, Value *y) {
  if (isa<ConstantInt>(y))
    return builder.CreateMul(x, y);
  return builder.CreateIntrinsic(Intrinsic::amdgcn_mul_u24, {builder.getInt32Ty()}, {x, y});
}

OffchipMemory::OffchipMemory(IRBuilderBase &builder, Value *relPatch, Value *outputVertices)
    : m_relPatch(relPatch), m_outputVertices(outputVertices) {
  m_descriptor = loadGlobalEntry(builder, GlobalTableEntry::OffchipBuffer);
  m_groupOffset = hardwareDword(builder, ValueKind::OffchipOffset);
  m_patchBase = builder.CreateAdd(m_groupOffset, linkConstant(builder, LinkConstant::OffchipPatchBase));
  m_patchSlotBytes =
      builder.CreateMul(linkConstant(builder, LinkConstant::PatchesPerGroup), builder.getInt32(SlotBytes));
  m_vertexSlotBytes = builder.CreateMul(m_patchSlotBytes, outputVertices);
}

// A slot at a constant place is the same for the whole wave, so its offset costs no vector instruction.
OffchipMemory::Address OffchipMemory::addressOf(IRBuilderBase &builder, const PatchDword &dword) const {
  Value *item = m_relPatch;
  if (dword.isPerVertex())
    item = builder.CreateAdd(multiply24(builder, m_relPatch, m_outputVertices), dword.vertexIndex);
  Value *slotBytes = dword.isPerVertex() ? m_vertexSlotBytes : m_patchSlotBytes;
  Value *base = dword.isPerVertex() ? m_groupOffset : m_patchBase;
  Value *perLane = builder.CreateMul(item, builder.getInt32(SlotBytes));

  unsigned first = dword.firstDword();
  Value *perWave = builder.CreateAdd(base, builder.CreateMul(slotBytes, builder.getInt32(first / 4)));
  unsigned component = first % 4;
  if (!dword.isAtConstant()) {
    Value *at = builder.CreateAdd(dword.dwordOffset, builder.getInt32(component));
    Value *slot = builder.CreateLShr(at, 2);
    perLane = builder.CreateAdd(perLane, builder.CreateMul(slot, slotBytes));
    perLane = builder.CreateAdd(perLane, builder.CreateMul(builder.CreateAnd(at, 3), builder.getInt32(4)));
    component = 0;
  }
  return {builder.CreateAdd(perLane, builder.getInt32(component * 4)), perWave};
}

Value *OffchipMemory::load(IRBuilderBase &builder, const PatchDword &dword) const {
  Address address = addressOf(builder, dword);
  return builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, {builder.getInt32Ty()},
                                 {m_descriptor, address.perLane, address.perWave, builder.getInt32(GloballyCoherent)});
}

void OffchipMemory::store(IRBuilderBase &builder, const PatchDword &dword, Value *value) const {
  Address address = addressOf(builder, dword);
  builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {builder.getInt32Ty()},
                          {value, m_descriptor, address.perLane, address.perWave, builder.getInt32(GloballyCoherent)});
}

} // namespace lgc
