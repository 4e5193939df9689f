// SPDX-License-Identifier: MIT
//
// Input variables. An access chain moves an InterfacePlace along vertices, locations and components; a load reads the
// vectors and scalars below it. Outputs of control shaders are read back in the same way.
#include "src/spirv/module/names.h"
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

// The number of 32-bit components that an element takes: a 16-bit one takes a whole component, too.
uint32_t Translator::componentsOf(const TypeInfo &scalar) {
  return scalar.width == 64 ? 2 : 1;
}

uint32_t Translator::locationCountOf(const TypeInfo &info) const {
  switch (info.kind) {
  case TypeKind::Vector:
    return (info.count * componentsOf(type(info.element)) + 3) / 4;
  case TypeKind::Matrix:
  case TypeKind::Array:
    return info.count * locationCountOf(type(info.element));
  case TypeKind::Struct: {
    uint32_t count = 0;
    for (const StructMember &member : info.members)
      count += locationCountOf(type(member.type));
    return count;
  }
  default:
    return 1;
  }
}

Result<void> Translator::applyInterfaceDecorations(const Instruction &inst,
                                                   std::span<const DecorationInstance> decorations,
                                                   InterfacePlace &place) const {
  for (const DecorationInstance &decoration : decorations) {
    switch (decoration.decoration) {
    case spv::Decoration::BuiltIn: {
      auto builtIn = static_cast<spv::BuiltIn>(decoration.operands[0]);
      switch (builtIn) {
      case spv::BuiltIn::FullyCoveredEXT:
      case spv::BuiltIn::BaryCoordKHR:
      case spv::BuiltIn::BaryCoordNoPerspKHR:
      case spv::BuiltIn::ShadingRateKHR:
      case spv::BuiltIn::PrimitiveShadingRateKHR:
      case spv::BuiltIn::FragSizeEXT:
      case spv::BuiltIn::FragInvocationCountEXT:
      case spv::BuiltIn::ViewportMaskNV:
        return unsupported(inst, fmt::format("built-in {} is not supported", nameOf(builtIn)));
      default:
        place.builtIn = static_cast<lgc::BuiltIn>(decoration.operands[0]);
      }
      break;
    }
    case spv::Decoration::Location:
      place.location = decoration.operands[0];
      place.hasLocation = true;
      break;
    case spv::Decoration::Component:
      place.component = decoration.operands[0];
      break;
    case spv::Decoration::Stream:
      if (m_options.stage == lgc::ShaderStage::Geometry)
        place.stream = decoration.operands[0];
      break;
    case spv::Decoration::Offset:
      place.xfbOffset = place.xfbOffset.value_or(0) + decoration.operands[0];
      break;
    case spv::Decoration::XfbBuffer:
      place.xfbBuffer = decoration.operands[0];
      break;
    case spv::Decoration::XfbStride:
      place.xfbStride = decoration.operands[0];
      break;
    case spv::Decoration::Flat:
      place.mode = lgc::InterpMode::Flat;
      break;
    case spv::Decoration::NoPerspective:
      place.mode = lgc::InterpMode::NoPerspective;
      break;
    case spv::Decoration::Centroid:
      place.interpLocation = lgc::InterpLocation::Centroid;
      break;
    case spv::Decoration::Sample:
      place.interpLocation = lgc::InterpLocation::Sample;
      break;
    default:
      break;
    }
  }
  return {};
}

// A member without a Location follows the one before it.
Result<void> Translator::enterMember(const Instruction &inst, const TypeInfo &info, uint32_t member,
                                     InterfacePlace &place) const {
  uint32_t next = place.location;
  for (uint32_t i = 0; i < member; ++i) {
    if (const DecorationInstance *location =
            findDecoration(m_module.memberDecorations(info.id, i), spv::Decoration::Location))
      next = location->operands[0];
    next += locationCountOf(type(info.members[i].type));
  }
  moveLocation(place, next - place.location);
  enterCapturedMember(info, member, place);
  return applyInterfaceDecorations(inst, m_module.memberDecorations(info.id, member), place);
}

// A dynamic offset counts the locations that it may reach from `location`.
void Translator::moveLocation(InterfacePlace &place, uint32_t count) {
  place.location += count;
  if (place.locationCount)
    place.locationCount = place.locationCount > count ? place.locationCount - count : 1;
}

Result<void> Translator::stepInterface(const Instruction &inst, Pointer &pointer, uint32_t indexId) {
  const TypeInfo &info = type(pointer.pointee);
  InterfacePlace &place = pointer.place;
  Value *index = DOVETAIL_TRY(index32(inst, indexId));
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  uint64_t number = constant ? constant->getZExtValue() : 0;
  switch (info.kind) {
  case TypeKind::Struct:
    if (!constant || number >= info.members.size())
      return unsupported(inst, "a structure member index that is not a known constant is not supported");
    DOVETAIL_CHECK(enterMember(inst, info, number, place));
    pointer.pointee = info.members[number].type;
    return {};
  case TypeKind::Array:
  case TypeKind::Matrix:
    pointer.pointee = info.element;
    if (place.isPerVertex) {
      place.isPerVertex = false;
      place.vertexIndex = index;
      return {};
    }
    if (place.builtIn) {
      place.arrayIndex = index;
      return {};
    }
    if (constant && number < info.count) {
      moveLocation(place, number * locationCountOf(type(info.element)));
    } else {
      if (!place.locationCount)
        place.locationCount = locationCountOf(info);
      Value *step = m_builder.CreateMul(index, m_builder.getInt32(locationCountOf(type(info.element))));
      place.locationOffset = place.locationOffset ? m_builder.CreateAdd(place.locationOffset, step) : step;
    }
    return {};
  case TypeKind::Vector:
    if (!place.builtIn && constant && number < info.count) {
      place.component += number * componentsOf(type(info.element));
      moveLocation(place, place.component / 4);
      place.component %= 4;
    } else {
      place.componentIndex = index;
      place.vectorType = info.id;
    }
    pointer.pointee = info.element;
    return {};
  default:
    return unsupported(inst, "an index into this input or output is not supported");
  }
}

Result<llvm::Value *> Translator::readInput(const Instruction &inst, const Pointer &pointer) {
  return readInterface(inst, type(pointer.pointee), pointer.place, nullptr);
}

Result<llvm::Value *> Translator::readInput(const Instruction &inst, const Pointer &pointer,
                                            lgc::InterpLocation location, Value *aux) {
  if (pointer.kind != Pointer::Kind::Input)
    return unsupported(inst, "an interpolant that is not an input is not supported");
  InterfacePlace place = pointer.place;
  place.interpLocation = location;
  return readInterface(inst, type(pointer.pointee), place, aux);
}

Result<llvm::Value *> Translator::readInputOfVertex(const Instruction &inst, const Pointer &pointer, uint64_t vertex) {
  constexpr uint64_t lastVertex = 2;
  if (pointer.kind != Pointer::Kind::Input || pointer.place.builtIn || vertex > lastVertex)
    return unsupported(inst, "this input of this vertex is not supported");
  InterfacePlace place = pointer.place;
  place.vertexIndex = m_builder.getInt32(vertex);
  return readInterface(inst, type(pointer.pointee), place, nullptr);
}

// Reads a scalar or vector.
Result<llvm::Value *> Translator::readLeaf(const Instruction &inst, const TypeInfo &info, const InterfacePlace &place,
                                           Value *aux) {
  if (place.builtIn && place.isSharedOutput)
    return m_builder.CreateReadBuiltInOutput(info.value, *place.builtIn, place.arrayIndex, place.vertexIndex);
  // Lanes that were demoted are helpers, too. A volatile load sees that; other loads may.
  if (place.builtIn == lgc::BuiltIn::HelperInvocation && info.value->isIntegerTy(1) &&
      m_module.hasCapability(spv::Capability::DemoteToHelperInvocation))
    return m_builder.CreateIsHelperInvocation();
  if (place.builtIn == lgc::BuiltIn::SubgroupSize)
    m_builder.shaderModes().common.useSubgroupSize = true;
  if (place.builtIn)
    return m_builder.CreateReadBuiltInInput(info.value, *place.builtIn, place.arrayIndex, place.vertexIndex);
  if (!place.hasLocation)
    return unsupported(inst, "an input or output with neither Location nor BuiltIn is not supported");
  Value *offset = place.locationOffset ? place.locationOffset : m_builder.getInt32(0);
  unsigned count = place.locationCount ? place.locationCount : locationCountOf(info);
  if (place.isSharedOutput)
    return m_builder.CreateReadGenericOutput(info.value, place.location, offset, place.component, count,
                                             place.vertexIndex);
  return m_builder.CreateReadGenericInput(info.value, place.location, offset, place.component, count, place.mode,
                                          place.interpLocation, aux, place.vertexIndex);
}

Result<llvm::Value *> Translator::readInterface(const Instruction &inst, const TypeInfo &info,
                                                const InterfacePlace &place, Value *aux) {
  if (place.componentIndex) {
    InterfacePlace vectorPlace = place;
    vectorPlace.componentIndex = nullptr;
    Value *vector = DOVETAIL_TRY(readInterface(inst, type(place.vectorType), vectorPlace, aux));
    return m_builder.CreateExtractElement(vector, place.componentIndex);
  }
  switch (info.kind) {
  case TypeKind::Struct: {
    Value *result = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.members.size(); ++i) {
      InterfacePlace memberPlace = place;
      DOVETAIL_CHECK(enterMember(inst, info, i, memberPlace));
      Value *member = DOVETAIL_TRY(readInterface(inst, type(info.members[i].type), memberPlace, aux));
      result = m_builder.CreateInsertValue(result, member, i);
    }
    return result;
  }
  case TypeKind::Array:
  case TypeKind::Matrix: {
    Value *result = llvm::PoisonValue::get(info.value);
    uint32_t step = place.isPerVertex ? 0 : locationCountOf(type(info.element));
    InterfacePlace elementPlace = place;
    elementPlace.isPerVertex = false;
    for (uint32_t i = 0; i < info.count; ++i) {
      if (place.isPerVertex)
        elementPlace.vertexIndex = m_builder.getInt32(i);
      else if (place.builtIn)
        elementPlace.arrayIndex = m_builder.getInt32(i);
      Value *element = DOVETAIL_TRY(readInterface(inst, type(info.element), elementPlace, aux));
      result = m_builder.CreateInsertValue(result, element, i);
      moveLocation(elementPlace, step);
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
