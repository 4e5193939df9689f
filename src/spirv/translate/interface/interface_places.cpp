// SPDX-License-Identifier: MIT
#include "src/spirv/translate/interface/interface_places.h"
#include "src/spirv/module/names.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

// A dynamic offset counts the locations that it may reach from `location`.
void moveLocation(InterfacePlace &place, uint32_t count) {
  place.location += count;
  if (place.locationCount)
    place.locationCount = place.locationCount > count ? place.locationCount - count : 1;
}

} // namespace

Result<InterfacePlace> InterfacePlaces::of(const Instruction &inst, uint32_t variable) const {
  InterfacePlace place;
  DOVETAIL_CHECK(decorate(inst, m_context.module.decorations(variable), place));
  return place;
}

Result<void> InterfacePlaces::decorate(const Instruction &inst, std::span<const DecorationInstance> decorations,
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
      if (m_context.options.stage == lgc::ShaderStage::Geometry)
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

// A member without a Location follows the one before it. Transform feedback captures a member at its own Offset, or
// inside a captured structure, behind the members before it.
Result<void> InterfacePlaces::enterMember(const Instruction &inst, const TypeInfo &info, uint32_t member,
                                          InterfacePlace &place) const {
  uint32_t next = place.location;
  for (uint32_t i = 0; i < member; ++i) {
    if (const DecorationInstance *location =
            findDecoration(m_context.module.memberDecorations(info.id, i), spv::Decoration::Location))
      next = location->operands[0];
    next += m_context.types.locationCount(m_context.type(info.members[i].type));
  }
  moveLocation(place, next - place.location);
  if (place.xfbOffset && !findDecoration(m_context.module.memberDecorations(info.id, member), spv::Decoration::Offset))
    *place.xfbOffset += m_context.types.captureOffset(info, member);
  return decorate(inst, m_context.module.memberDecorations(info.id, member), place);
}

Result<void> InterfacePlaces::step(const Instruction &inst, Pointer &pointer, llvm::Value *index) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  InterfacePlace &place = pointer.place;
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
      moveLocation(place, number * m_context.types.locationCount(m_context.type(info.element)));
    } else {
      if (!place.locationCount)
        place.locationCount = m_context.types.locationCount(info);
      llvm::Value *step =
          m_builder.CreateMul(index, m_builder.getInt32(m_context.types.locationCount(m_context.type(info.element))));
      place.locationOffset = place.locationOffset ? m_builder.CreateAdd(place.locationOffset, step) : step;
    }
    return {};
  case TypeKind::Vector:
    if (!place.builtIn && constant && number < info.count) {
      place.component += number * TypeTable::componentsOf(m_context.type(info.element));
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

Result<InterfacePart> InterfacePlaces::part(const Instruction &inst, const TypeInfo &whole, const InterfacePlace &place,
                                            uint32_t number) const {
  if (whole.kind == TypeKind::Struct) {
    InterfacePart member = {m_context.type(whole.members[number].type), place};
    DOVETAIL_CHECK(enterMember(inst, whole, number, member.place));
    return member;
  }
  InterfacePart element = {m_context.type(whole.element), place};
  if (place.isPerVertex) {
    element.place.isPerVertex = false;
    element.place.vertexIndex = m_builder.getInt32(number);
    return element;
  }
  if (place.builtIn)
    element.place.arrayIndex = m_builder.getInt32(number);
  moveLocation(element.place, number * m_context.types.locationCount(element.type));
  if (place.xfbOffset)
    *element.place.xfbOffset += number * m_context.types.captureSize(element.type);
  return element;
}

llvm::Value *InterfacePlaces::locationOffset(const InterfacePlace &place) const {
  return place.locationOffset ? place.locationOffset : m_builder.getInt32(0);
}

unsigned InterfacePlaces::locationCount(const InterfacePlace &place, const TypeInfo &type) const {
  return place.locationCount ? place.locationCount : m_context.types.locationCount(type);
}

} // namespace dovetail::spirv
