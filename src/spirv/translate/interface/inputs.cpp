// SPDX-License-Identifier: MIT
#include "src/spirv/translate/interface/inputs.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

Result<llvm::Value *> Inputs::read(const Instruction &inst, const Pointer &pointer) {
  return read(inst, m_context.type(pointer.pointee), pointer.place, nullptr);
}

Result<llvm::Value *> Inputs::readAt(const Instruction &inst, const Pointer &pointer, lgc::InterpLocation location,
                                     llvm::Value *aux) {
  if (pointer.kind != Pointer::Kind::Input)
    return unsupported(inst, "an interpolant that is not an input is not supported");
  InterfacePlace place = pointer.place;
  place.interpLocation = location;
  return read(inst, m_context.type(pointer.pointee), place, aux);
}

Result<llvm::Value *> Inputs::readOfVertex(const Instruction &inst, const Pointer &pointer, uint64_t vertex) {
  constexpr uint64_t lastVertex = 2;
  if (pointer.kind != Pointer::Kind::Input || pointer.place.builtIn || vertex > lastVertex)
    return unsupported(inst, "this input of this vertex is not supported");
  InterfacePlace place = pointer.place;
  place.vertexIndex = m_builder.getInt32(vertex);
  return read(inst, m_context.type(pointer.pointee), place, nullptr);
}

// Reads a scalar or vector.
Result<llvm::Value *> Inputs::readLeaf(const Instruction &inst, const TypeInfo &info, const InterfacePlace &place,
                                       llvm::Value *aux) {
  if (place.builtIn && place.isSharedOutput)
    return m_builder.CreateReadBuiltInOutput(info.value, *place.builtIn, place.arrayIndex, place.vertexIndex);
  // Lanes that were demoted are helpers, too. A volatile load sees that; other loads may.
  if (place.builtIn == lgc::BuiltIn::HelperInvocation && info.value->isIntegerTy(1) &&
      m_context.module.hasCapability(spv::Capability::DemoteToHelperInvocation))
    return m_builder.CreateIsHelperInvocation();
  if (place.builtIn == lgc::BuiltIn::SubgroupSize)
    m_builder.shaderModes().common.useSubgroupSize = true;
  if (place.builtIn)
    return m_builder.CreateReadBuiltInInput(info.value, *place.builtIn, place.arrayIndex, place.vertexIndex);
  if (!place.hasLocation)
    return unsupported(inst, "an input or output with neither Location nor BuiltIn is not supported");
  llvm::Value *offset = m_places.locationOffset(place);
  unsigned count = m_places.locationCount(place, info);
  if (place.isSharedOutput)
    return m_builder.CreateReadGenericOutput(info.value, place.location, offset, place.component, count,
                                             place.vertexIndex);
  return m_builder.CreateReadGenericInput(info.value, place.location, offset, place.component, count, place.mode,
                                          place.interpLocation, aux, place.vertexIndex);
}

Result<llvm::Value *> Inputs::read(const Instruction &inst, const TypeInfo &info, const InterfacePlace &place,
                                   llvm::Value *aux) {
  if (place.componentIndex) {
    InterfacePlace vectorPlace = place;
    vectorPlace.componentIndex = nullptr;
    llvm::Value *vector = DOVETAIL_TRY(read(inst, m_context.type(place.vectorType), vectorPlace, aux));
    return m_builder.CreateExtractElement(vector, place.componentIndex);
  }
  switch (info.kind) {
  case TypeKind::Struct:
  case TypeKind::Array:
  case TypeKind::Matrix: {
    llvm::Value *result = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.partCount(); ++i) {
      const InterfacePart part = DOVETAIL_TRY(m_places.part(inst, info, place, i));
      llvm::Value *value = DOVETAIL_TRY(read(inst, part.type, part.place, aux));
      result = m_builder.CreateInsertValue(result, value, i);
    }
    return result;
  }
  case TypeKind::Bool:
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Vector:
    return readLeaf(inst, info, place, aux);
  default:
    return unsupported(inst, "an input of this type is not supported");
  }
}

} // namespace dovetail::spirv
