// SPDX-License-Identifier: MIT
#include "src/spirv/translate/interface/shared_outputs.h"
#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

Result<void> SharedOutputs::initialize(const Instruction &inst, const Pointer &pointer, llvm::Value *value) {
  m_hasInitializers = true;
  const TypeInfo &info = m_context.type(pointer.pointee);
  if (!pointer.place.isPerVertex)
    return write(inst, info, pointer.place, value);
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !constant->isNullValue())
    return unsupported(inst, "an initializer of a per-vertex output that is not null is not supported");
  InterfacePlace place = pointer.place;
  place.isPerVertex = false;
  place.vertexIndex =
      m_builder.CreateReadBuiltInInput(m_builder.getInt32Ty(), lgc::BuiltIn::InvocationId, nullptr, nullptr);
  const TypeInfo &vertex = m_context.type(info.element);
  return write(inst, vertex, place, llvm::Constant::getNullValue(vertex.value));
}

Result<void> SharedOutputs::write(const Instruction &inst, const TypeInfo &info, const InterfacePlace &place,
                                  llvm::Value *value) {
  if (place.componentIndex)
    return writeComponent(inst, place, value);
  switch (info.kind) {
  case TypeKind::Struct:
  case TypeKind::Array:
  case TypeKind::Matrix:
    for (uint32_t i = 0; i < info.partCount(); ++i) {
      const InterfacePart part = DOVETAIL_TRY(m_places.part(inst, info, place, i));
      DOVETAIL_CHECK(write(inst, part.type, part.place, m_builder.CreateExtractValue(value, i)));
    }
    return {};
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Vector:
    if (place.builtIn) {
      m_builder.CreateWriteBuiltInOutput(value, *place.builtIn, place.arrayIndex, place.vertexIndex);
      return {};
    }
    if (!place.hasLocation)
      return unsupported(inst, "an output with neither Location nor BuiltIn is not supported");
    m_builder.CreateWriteGenericOutput(value, place.location, m_places.locationOffset(place), place.component,
                                       m_places.locationCount(place, info), 0, place.vertexIndex);
    return {};
  default:
    return unsupported(inst, "an output of this type is not supported");
  }
}

// Writes one component of a vector. Ops name a component by a constant, so a dynamic index becomes a switch.
Result<void> SharedOutputs::writeComponent(const Instruction &inst, const InterfacePlace &place, llvm::Value *value) {
  const TypeInfo &vector = m_context.type(place.vectorType);
  if (!place.builtIn && !place.hasLocation)
    return unsupported(inst, "an output with neither Location nor BuiltIn is not supported");
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(place.componentIndex)) {
    if (constant->getZExtValue() < vector.count)
      writeScalar(place, constant->getZExtValue(), value);
    return {};
  }
  llvm::BasicBlock *after = m_context.createBlock();
  llvm::SwitchInst *branch = m_builder.CreateSwitch(place.componentIndex, after, vector.count);
  for (uint32_t i = 0; i < vector.count; ++i) {
    llvm::BasicBlock *block = m_context.createBlock(after);
    branch->addCase(m_builder.getInt32(i), block);
    m_builder.SetInsertPoint(block);
    writeScalar(place, i, value);
    m_builder.CreateBr(after);
  }
  m_builder.SetInsertPoint(after);
  return {};
}

void SharedOutputs::writeScalar(const InterfacePlace &place, uint32_t component, llvm::Value *value) {
  if (place.builtIn) {
    m_builder.CreateWriteBuiltInOutput(value, *place.builtIn, m_builder.getInt32(component), place.vertexIndex);
    return;
  }
  const TypeInfo &vector = m_context.type(place.vectorType);
  unsigned at = place.component + component * TypeTable::componentsOf(m_context.type(vector.element));
  unsigned reach = m_places.locationCount(place, vector);
  m_builder.CreateWriteGenericOutput(value, place.location + at / 4, m_places.locationOffset(place), at % 4,
                                     std::max(1u, reach - at / 4), 0, place.vertexIndex);
}

} // namespace dovetail::spirv
