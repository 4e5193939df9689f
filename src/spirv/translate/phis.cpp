// SPDX-License-Identifier: MIT
#include "src/spirv/translate/phis.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

llvm::PHINode *Phis::makePart(Phi &phi, llvm::Type *type) {
  const auto count = static_cast<unsigned>(phi.inst->operandCount() / 2);
  return phi.parts.emplace_back(m_builder.CreatePHI(type, count));
}

Result<void> Phis::addPointer(Phi &phi) {
  const Instruction &inst = *phi.inst;
  llvm::Type *pointerType = DOVETAIL_TRY(m_services.valueType(inst));
  llvm::SmallVector<llvm::Value *, 2> parts;
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(pointerType))
    for (llvm::Type *part : structure->elements())
      parts.push_back(makePart(phi, part));
  else
    parts.push_back(makePart(phi, pointerType));
  // A pointer that comes round a loop is not known yet. Its pointee must have the same layout as those of the others.
  for (size_t i = 0; i + 1 < inst.operandCount(); i += 2)
    if (const IdValue *bound = m_services.values.find(inst.operand(i)); bound && bound->pointer)
      phi.layout = layoutOf(*bound->pointer);
  Pointer pointer = DOVETAIL_TRY(m_services.pointers.fromParts(inst, parts, inst.resultType));
  pointer.matrix = phi.layout.matrix;
  pointer.componentStride = phi.layout.componentStride;
  pointer.flags |= m_services.resourceFlags(inst.result);
  m_services.values.setPointer(inst, std::move(pointer));
  return {};
}

Result<void> Phis::add(const Instruction &inst, uint32_t block) {
  const TypeInfo &info = m_services.resultType(inst);
  Phi phi = {&inst, block, {}, {}};
  if (info.kind == TypeKind::Pointer) {
    DOVETAIL_CHECK(addPointer(phi));
  } else if (m_services.composites.liesInMemory(info)) {
    phi.incoming = m_services.ownMemory.createTemporary(info);
    phi.composite = m_services.ownMemory.createTemporary(info);
    m_services.values.setComposite(inst, *phi.composite);
  } else {
    llvm::Type *type = DOVETAIL_TRY(m_services.valueType(inst));
    m_services.setValue(inst, makePart(phi, type));
  }
  m_phis.push_back(std::move(phi));
  return {};
}

Result<llvm::SmallVector<llvm::Value *, 2>> Phis::incomingValues(const Phi &phi, uint32_t id) {
  const Instruction &inst = *phi.inst;
  llvm::SmallVector<llvm::Value *, 2> values;
  const IdValue *bound = m_services.values.find(id);
  llvm::Value *incoming = bound && bound->pointer
                              ? DOVETAIL_TRY(m_services.pointers.toValue(inst, *bound->pointer, phi.layout))
                              : DOVETAIL_TRY(m_services.operands.value(inst, id));
  if (phi.parts.size() == 1)
    values.push_back(incoming);
  else
    for (unsigned i = 0; i < phi.parts.size(); ++i)
      values.push_back(m_builder.CreateExtractValue(incoming, i));
  for (size_t i = 0; i < phi.parts.size(); ++i)
    if (values.size() != phi.parts.size() || values[i]->getType() != phi.parts[i]->getType())
      return unsupported(inst, fmt::format("%{} is of another kind than the result", id));
  return values;
}

Result<void> Phis::complete(const BlockMap &blocks) {
  for (const Phi &phi : m_phis)
    DOVETAIL_CHECK(complete(phi, blocks));
  return {};
}

// LLVM wants an entry for each edge; a switch may have several edges to the same block.
Result<void> Phis::complete(const Phi &phi, const BlockMap &blocks) {
  const Instruction &inst = *phi.inst;
  const VariableValues::Stretch &stretch = *blocks.stretchOf.at(phi.block);
  llvm::BasicBlock *block = stretch.start;
  for (size_t i = 0; i + 1 < inst.operandCount(); i += 2) {
    auto end = blocks.endOf.find(inst.operand(i + 1));
    if (end == blocks.endOf.end())
      continue; // an unreachable predecessor
    llvm::Instruction *terminator = end->second->getTerminator();
    m_builder.SetInsertPoint(terminator);
    if (phi.composite) {
      DOVETAIL_CHECK(m_services.composites.store(inst, phi.incoming, inst.operand(i)));
      continue;
    }
    const auto incoming = DOVETAIL_TRY(incomingValues(phi, inst.operand(i)));
    for (unsigned edge = 0; edge < terminator->getNumSuccessors(); ++edge)
      for (size_t part = 0; terminator->getSuccessor(edge) == block && part < incoming.size(); ++part)
        phi.parts[part]->addIncoming(incoming[part], end->second);
  }
  for (llvm::Instruction *terminator : stretch.neverTaken)
    for (llvm::PHINode *part : phi.parts)
      part->addIncoming(llvm::PoisonValue::get(part->getType()), terminator->getParent());
  if (phi.composite) {
    m_builder.SetInsertPoint(block, block->getFirstInsertionPt());
    DOVETAIL_CHECK(m_services.composites.copy(inst, *phi.composite, phi.incoming));
  }
  return {};
}

} // namespace dovetail::spirv
