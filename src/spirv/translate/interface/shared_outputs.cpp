// SPDX-License-Identifier: MIT
//
// Outputs of tessellation control shaders. All invocations of a patch see them, so they cannot be allocas: each load
// and store happens at once. A store writes exactly the components that it names, because another invocation may have
// written the neighbours in the meantime. Also, components that are never read back then need no LDS.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

// Each invocation initializes its own vertex, and all of them initialize the outputs of the patch, with equal values. A
// barrier follows behind all initializers.
Result<void> Translator::initializeSharedOutput(const Instruction &inst, const Pointer &pointer, Value *value) {
  m_hasInitializedSharedOutput = true;
  const TypeInfo &info = type(pointer.pointee);
  if (!pointer.place.isPerVertex)
    return writeShared(inst, info, pointer.place, value);
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !constant->isNullValue())
    return unsupported(inst, "an initializer of a per-vertex output that is not null is not supported");
  InterfacePlace place = pointer.place;
  place.isPerVertex = false;
  place.vertexIndex =
      m_builder.CreateReadBuiltInInput(m_builder.getInt32Ty(), lgc::BuiltIn::InvocationId, nullptr, nullptr);
  const TypeInfo &vertex = type(info.element);
  return writeShared(inst, vertex, place, llvm::Constant::getNullValue(vertex.value));
}

Result<void> Translator::writeShared(const Instruction &inst, const TypeInfo &info, const InterfacePlace &place,
                                     Value *value) {
  if (place.componentIndex)
    return writeSharedComponent(inst, place, value);
  switch (info.kind) {
  case TypeKind::Struct:
    for (uint32_t i = 0; i < info.members.size(); ++i) {
      InterfacePlace memberPlace = place;
      DOVETAIL_CHECK(enterMember(inst, info, i, memberPlace));
      DOVETAIL_CHECK(
          writeShared(inst, type(info.members[i].type), memberPlace, m_builder.CreateExtractValue(value, i)));
    }
    return {};
  case TypeKind::Array:
  case TypeKind::Matrix: {
    uint32_t step = place.isPerVertex ? 0 : locationCountOf(type(info.element));
    InterfacePlace elementPlace = place;
    elementPlace.isPerVertex = false;
    for (uint32_t i = 0; i < info.count; ++i) {
      if (place.isPerVertex)
        elementPlace.vertexIndex = m_builder.getInt32(i);
      else if (place.builtIn)
        elementPlace.arrayIndex = m_builder.getInt32(i);
      DOVETAIL_CHECK(writeShared(inst, type(info.element), elementPlace, m_builder.CreateExtractValue(value, i)));
      moveLocation(elementPlace, step);
    }
    return {};
  }
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Vector:
    if (place.builtIn) {
      m_builder.CreateWriteBuiltInOutput(value, *place.builtIn, place.arrayIndex, place.vertexIndex);
      return {};
    }
    if (!place.hasLocation)
      return unsupported(inst, "an output with neither Location nor BuiltIn is not supported");
    m_builder.CreateWriteGenericOutput(
        value, place.location, place.locationOffset ? place.locationOffset : m_builder.getInt32(0), place.component,
        place.locationCount ? place.locationCount : locationCountOf(info), 0, place.vertexIndex);
    return {};
  default:
    return unsupported(inst, "an output of this type is not supported");
  }
}

// Writes one component of a vector. Ops name a component by a constant, so a dynamic index becomes a switch.
Result<void> Translator::writeSharedComponent(const Instruction &inst, const InterfacePlace &place, Value *value) {
  const TypeInfo &vector = type(place.vectorType);
  if (!place.builtIn && !place.hasLocation)
    return unsupported(inst, "an output with neither Location nor BuiltIn is not supported");
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(place.componentIndex)) {
    if (constant->getZExtValue() < vector.count)
      writeSharedScalar(place, constant->getZExtValue(), value);
    return {};
  }
  llvm::BasicBlock *after = llvm::BasicBlock::Create(m_context, "", m_main);
  llvm::SwitchInst *branch = m_builder.CreateSwitch(place.componentIndex, after, vector.count);
  for (uint32_t i = 0; i < vector.count; ++i) {
    llvm::BasicBlock *block = llvm::BasicBlock::Create(m_context, "", m_main, after);
    branch->addCase(m_builder.getInt32(i), block);
    m_builder.SetInsertPoint(block);
    writeSharedScalar(place, i, value);
    m_builder.CreateBr(after);
  }
  m_builder.SetInsertPoint(after);
  return {};
}

void Translator::writeSharedScalar(const InterfacePlace &place, uint32_t component, Value *value) {
  if (place.builtIn) {
    m_builder.CreateWriteBuiltInOutput(value, *place.builtIn, m_builder.getInt32(component), place.vertexIndex);
    return;
  }
  const TypeInfo &vector = type(place.vectorType);
  unsigned at = place.component + component * componentsOf(type(vector.element));
  unsigned reach = place.locationCount ? place.locationCount : locationCountOf(vector);
  m_builder.CreateWriteGenericOutput(value, place.location + at / 4,
                                     place.locationOffset ? place.locationOffset : m_builder.getInt32(0), at % 4,
                                     std::max(1u, reach - at / 4), 0, place.vertexIndex);
}

} // namespace dovetail::spirv
