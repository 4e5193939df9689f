// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/memory.h"

namespace dovetail::spirv {

MemoryAccess memoryAccess(const Instruction &inst, unsigned operandIndex) {
  MemoryAccess access;
  if (operandIndex >= inst.operandCount())
    return access;
  uint32_t mask = inst.operand(operandIndex);
  auto has = [&](spv::MemoryAccessMask bit) { return (mask & static_cast<uint32_t>(bit)) != 0; };
  if (has(spv::MemoryAccessMask::Volatile))
    access.flags |= lgc::Volatile | lgc::Coherent;
  if (has(spv::MemoryAccessMask::Nontemporal))
    access.flags |= lgc::NonTemporal;
  if (has(spv::MemoryAccessMask::MakePointerAvailable) || has(spv::MemoryAccessMask::MakePointerVisible))
    access.flags |= lgc::Coherent;
  if (has(spv::MemoryAccessMask::Aligned) && operandIndex + 1 < inst.operandCount())
    access.alignment = inst.operand(operandIndex + 1);
  return access;
}

Result<llvm::Value *> Memory::load(const Instruction &inst, const Pointer &from, const MemoryAccess &access) {
  DOVETAIL_TRY(m_context.types.valueType(inst, from.pointee));
  Pointer opened = from;
  DOVETAIL_CHECK(m_pointers.open(inst, opened));
  if (opened.kind == Pointer::Kind::Memory || opened.kind == Pointer::Kind::Promoted)
    return m_ownMemory.load(opened, access);
  if (isLaidOut(opened) || opened.kind == Pointer::Kind::PushConstant)
    return m_laidOutMemory.load(opened, access);
  if (opened.kind == Pointer::Kind::Input || opened.kind == Pointer::Kind::SharedOutput)
    return m_inputs.read(inst, opened);
  return unsupported(inst, "a load through this pointer is not supported");
}

Result<void> Memory::store(const Instruction &inst, const Pointer &to, llvm::Value *value, const MemoryAccess &access) {
  Pointer opened = to;
  DOVETAIL_CHECK(m_pointers.open(inst, opened));
  if (opened.kind == Pointer::Kind::Memory || opened.kind == Pointer::Kind::Promoted) {
    if (opened.storage == spv::StorageClass::Output)
      DOVETAIL_CHECK(m_outputs.noteStore(inst, opened));
    return m_ownMemory.store(inst, opened, value, access);
  }
  if (opened.kind == Pointer::Kind::SharedOutput)
    return m_sharedOutputs.write(inst, opened, value);
  if (!isLaidOut(opened))
    return unsupported(inst, "a store through this pointer is not supported");
  DOVETAIL_TRY(m_context.types.valueType(inst, opened.pointee));
  m_laidOutMemory.store(opened, value, access);
  return {};
}

} // namespace dovetail::spirv
