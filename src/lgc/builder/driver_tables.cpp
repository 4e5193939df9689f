// SPDX-License-Identifier: MIT
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/ops/op.h"

using namespace llvm;

namespace lgc {

static Value *loadTableEntry(IRBuilderBase &builder, dovetail::ValueKind table, unsigned entry) {
  constexpr unsigned descriptorBytes = 16;
  Value *low = hardwareDword(builder, table);
  Value *pointer = ExtendAddressOp::create(builder, low);
  pointer = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), pointer, entry * descriptorBytes);
  Type *type = FixedVectorType::get(builder.getInt32Ty(), 4);
  LoadInst *load = builder.CreateAlignedLoad(type, pointer, Align(descriptorBytes));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Value *loadGlobalEntry(IRBuilderBase &builder, GlobalTableEntry entry) {
  return loadTableEntry(builder, dovetail::ValueKind::GlobalTable, unsigned(entry));
}

Value *loadStreamoutBuffer(IRBuilderBase &builder, unsigned buffer) {
  return loadTableEntry(builder, dovetail::ValueKind::StreamoutTable, buffer);
}

} // namespace lgc
