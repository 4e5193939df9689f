// SPDX-License-Identifier: MIT
//
// Inputs and outputs of tessellation control and evaluation shaders. They lie in memory, in slots that both sides know,
// so a dynamic location, vertex or element is an address. Each access is cut up into its dwords. lower_tess_control.cpp
// and lower_tess_eval.cpp know where the memory is.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/pipeline_state.h"
#include <algorithm>
#include <fmt/format.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::LinkConstant;
using dovetail::TessPrimitive;
using dovetail::ValueKind;

namespace lgc {

namespace {

// The consecutive dwords of a built-in.
struct BuiltInDwords {
  VertexDword first;
  unsigned count;
};

std::optional<BuiltInDwords> dwordsOf(BuiltIn builtIn, bool isPerVertex) {
  if (!isPerVertex) {
    if (builtIn == BuiltIn::TessLevelOuter)
      return BuiltInDwords{{dovetail::TessLevelOuterSlot, 0}, 4};
    if (builtIn == BuiltIn::TessLevelInner)
      return BuiltInDwords{{dovetail::TessLevelInnerSlot, 0}, 2};
    return std::nullopt;
  }
  switch (builtIn) {
  case BuiltIn::Position:
  case BuiltIn::PointSize:
  case BuiltIn::ClipDistance:
  case BuiltIn::CullDistance: {
    VertexDword first = *vertexDwordOf(builtIn);
    unsigned count = 1;
    while (vertexDwordOf(builtIn, count))
      ++count;
    return BuiltInDwords{first, count};
  }
  default:
    return std::nullopt;
  }
}

unsigned elementCount(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements();
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

} // namespace

bool BuilderImpl::isTessellation() {
  ShaderStage stage = shaderModes().stage;
  return stage == ShaderStage::TessControl || stage == ShaderStage::TessEval;
}

void BuilderImpl::forPatchDwords(unsigned location, Value *locationOffset, unsigned component, unsigned locationCount,
                                 unsigned dwordCount, Value *vertexIndex,
                                 function_ref<void(unsigned number, const PatchDword &dword)> access) {
  unsigned firstSlot = vertexIndex ? dovetail::GenericSlot : dovetail::PatchGenericSlot;
  Value *dwordOffset = getInt32(0);
  if (auto *constant = dyn_cast<ConstantInt>(locationOffset)) {
    location += static_cast<unsigned>(constant->getZExtValue());
    locationCount = 1;
  } else {
    dwordOffset = CreateShl(locationOffset, 2);
  }
  for (unsigned number = 0; number < dwordCount; ++number) {
    unsigned at = component + number;
    unsigned first = location + at / 4;
    if (first >= dovetail::MaxGenericSlots)
      return fail(ErrorCode::InvalidInput, fmt::format("location {} is out of range", first));
    // The later dwords of an element begin behind the array's first location, so fewer locations follow.
    unsigned count = locationCount > at / 4 ? locationCount - at / 4 : 1;
    count = std::min(count, dovetail::MaxGenericSlots - first);
    access(number, {firstSlot + first, at % 4, count, dwordOffset, vertexIndex});
  }
}

Value *BuilderImpl::readPatchDword(const PatchDword &dword, bool isOutput) {
  if (isOutput)
    return ReadPatchOutputOp::create(*this, dword.slot, dword.component, dword.slotCount, dword.dwordOffset,
                                     dword.vertexIndex);
  return PatchInputOp::create(*this, dword.slot, dword.component, dword.slotCount, dword.dwordOffset,
                              dword.vertexIndex);
}

void BuilderImpl::writePatchDword(const PatchDword &dword, Value *value) {
  WritePatchOutputOp::create(*this, value, dword.slot, dword.component, dword.slotCount, dword.dwordOffset,
                             dword.vertexIndex);
}

Value *BuilderImpl::readPatchGeneric(Type *type, unsigned location, Value *locationOffset, unsigned component,
                                     unsigned locationCount, Value *vertexIndex, bool isOutput) {
  if (!isOutput && !vertexIndex && shaderModes().stage == ShaderStage::TessControl) {
    fail(ErrorCode::InvalidInput, "a control shader reads an input without saying of which vertex");
    return PoisonValue::get(type);
  }
  unsigned bits = type->getScalarSizeInBits();
  unsigned dwordCount = elementCount(type) * (bits == 64 ? 2 : 1);
  SmallVector<Value *, 8> dwords(dwordCount, PoisonValue::get(getInt32Ty()));
  forPatchDwords(location, locationOffset, component, locationCount, dwordCount, vertexIndex,
                 [&](unsigned number, const PatchDword &dword) { dwords[number] = readPatchDword(dword, isOutput); });
  return joinComponents(type, [&](unsigned number) { return dwords[number]; });
}

void BuilderImpl::writePatchGeneric(Value *value, unsigned location, Value *locationOffset, unsigned component,
                                    unsigned locationCount, Value *vertexIndex) {
  SmallVector<Value *, 8> dwords;
  splitComponents(value, /*isSigned=*/false, [&](Value *dword, unsigned) { dwords.push_back(dword); });
  forPatchDwords(location, locationOffset, component, locationCount, dwords.size(), vertexIndex,
                 [&](unsigned number, const PatchDword &dword) { writePatchDword(dword, dwords[number]); });
}

// The dword of one element of a built-in; std::nullopt if there is no such element.
std::optional<PatchDword> BuilderImpl::patchDwordOfBuiltIn(BuiltIn builtIn, Value *element, Value *vertexIndex) {
  std::optional<BuiltInDwords> dwords = dwordsOf(builtIn, vertexIndex);
  if (!dwords)
    return std::nullopt;
  auto *constant = dyn_cast<ConstantInt>(element);
  if (!constant) {
    unsigned slotCount = (dwords->first.component + dwords->count + 3) / 4;
    return PatchDword{dwords->first.slot, dwords->first.component, slotCount, element, vertexIndex};
  }
  if (constant->getValue().uge(dwords->count))
    return std::nullopt;
  unsigned at = dwords->first.component + static_cast<unsigned>(constant->getZExtValue());
  return PatchDword{dwords->first.slot + at / 4, at % 4, 1, getInt32(0), vertexIndex};
}

// Null if the built-in is no input of the stage, or the type is not allowed for it.
Value *BuilderImpl::readTessBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex,
                                    bool isOutput) {
  bool isControl = shaderModes().stage == ShaderStage::TessControl;
  auto number = [&](ValueKind kind) { return hardwareDword(*this, kind); };
  if (!isOutput) {
    switch (builtIn) {
    case BuiltIn::PrimitiveId:
      return number(ValueKind::PatchId);
    case BuiltIn::PatchVertices:
      if (const uint32_t known = isControl ? m_pipelineState.interShaderData().patchControlPoints() : 0)
        return getInt32(known);
      return linkConstant(*this, isControl ? LinkConstant::PatchControlPoints : LinkConstant::TcsOutputVertices);
    case BuiltIn::InvocationId:
      return isControl ? number(ValueKind::TessInvocationId) : nullptr;
    case BuiltIn::TessCoord:
      return isControl ? nullptr : tessCoord(arrayIndex);
    case BuiltIn::TessLevelOuter:
    case BuiltIn::TessLevelInner:
      if (isControl)
        return defaultTessLevel(builtIn, arrayIndex);
      break;
    default:
      break;
    }
  }
  if (!dwordsOf(builtIn, vertexIndex) || (isControl && !isOutput && !vertexIndex))
    return nullptr;

  auto read = [&](Value *element) -> Value * {
    std::optional<PatchDword> dword = patchDwordOfBuiltIn(builtIn, element, vertexIndex);
    if (!dword)
      return PoisonValue::get(getFloatTy()); // beyond its end
    return CreateBitCast(readPatchDword(*dword, isOutput), getFloatTy());
  };
  if (arrayIndex)
    return read(arrayIndex);
  if (auto *array = dyn_cast<ArrayType>(resultType); array && array->getElementType()->isFloatTy()) {
    Value *result = PoisonValue::get(array);
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      result = CreateInsertValue(result, read(getInt32(i)), i);
    return result;
  }
  if (auto *vector = dyn_cast<FixedVectorType>(resultType); vector && vector->getElementType()->isFloatTy()) {
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = CreateInsertElement(result, read(getInt32(i)), i);
    return result;
  }
  return resultType->isFloatTy() ? read(getInt32(0)) : nullptr;
}

// OpenGL's levels of patches without a control shader, as a control shader's inputs. Null for other built-ins.
Value *BuilderImpl::defaultTessLevel(BuiltIn builtIn, Value *arrayIndex) {
  constexpr unsigned outerLevels = 4, innerLevels = 2;
  const bool isOuter = builtIn == BuiltIn::TessLevelOuter;
  auto *index = dyn_cast_or_null<ConstantInt>(arrayIndex);
  if (!index || index->getValue().uge(isOuter ? outerLevels : innerLevels))
    return nullptr;
  const unsigned number = unsigned(index->getZExtValue()) + (isOuter ? 0 : outerLevels);
  return HardwareValueOp::create(*this, getFloatTy(), ValueKind::DefaultTessLevel, number);
}

// (u, v, w): barycentric weights for triangles; otherwise w is 0.
Value *BuilderImpl::tessCoord(Value *index) {
  TessPrimitive primitive = shaderModes().tessellation.primitive;
  if (primitive == TessPrimitive::Undeclared)
    fail(ErrorCode::Unsupported, "an evaluation shader that does not say which primitives it is for");
  auto coordinate = [&](unsigned i) {
    return CreateBitCast(HardwareValueOp::create(*this, getInt32Ty(), ValueKind::TessCoord, i), getFloatTy());
  };
  Value *u = coordinate(0), *v = coordinate(1);
  Value *one = ConstantFP::get(getFloatTy(), 1.0);
  Value *w =
      primitive == TessPrimitive::Triangles ? CreateFSub(one, CreateFAdd(u, v)) : ConstantFP::get(getFloatTy(), 0.0);
  Value *result = PoisonValue::get(FixedVectorType::get(getFloatTy(), 3));
  result = CreateInsertElement(result, u, uint64_t(0));
  result = CreateInsertElement(result, v, 1);
  result = CreateInsertElement(result, w, 2);
  return index ? CreateExtractElement(result, index) : result;
}

// Returns false if the built-in is no output of control shaders.
bool BuilderImpl::writeTessBuiltIn(Value *value, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex) {
  if (!dwordsOf(builtIn, vertexIndex))
    return false;
  auto write = [&](Value *element, Value *index) {
    std::optional<PatchDword> dword = patchDwordOfBuiltIn(builtIn, index, vertexIndex);
    if (!element->getType()->isFloatTy())
      fail(ErrorCode::Unsupported,
           fmt::format("built-in output {} has an unusual type", static_cast<uint32_t>(builtIn)));
    else if (dword)
      writePatchDword(*dword, CreateBitCast(element, getInt32Ty()));
  };
  if (arrayIndex) {
    write(value, arrayIndex);
    return true;
  }
  Type *type = value->getType();
  for (unsigned i = 0; i < elementCount(type); ++i) {
    Value *element = type->isArrayTy()    ? CreateExtractValue(value, i)
                     : type->isVectorTy() ? CreateExtractElement(value, i)
                                          : value;
    write(element, getInt32(i));
  }
  return true;
}

Value *BuilderImpl::CreateReadGenericOutput(Type *resultType, unsigned location, Value *locationOffset,
                                            unsigned component, unsigned locationCount, OptionalValue vertexIndex,
                                            const Twine &) {
  if (shaderModes().stage != ShaderStage::TessControl || !canCross(resultType)) {
    fail(ErrorCode::Unsupported, fmt::format("output location {} cannot be read back", location));
    return PoisonValue::get(resultType);
  }
  return readPatchGeneric(resultType, location, locationOffset, component, locationCount, vertexIndex,
                          /*isOutput=*/true);
}

Value *BuilderImpl::CreateReadBuiltInOutput(Type *resultType, BuiltIn builtIn, OptionalValue arrayIndex,
                                            OptionalValue vertexIndex, const Twine &) {
  bool isControl = shaderModes().stage == ShaderStage::TessControl;
  Value *value = isControl ? readTessBuiltIn(resultType, builtIn, arrayIndex, vertexIndex, /*isOutput=*/true) : nullptr;
  if (value && value->getType() == resultType)
    return value;
  fail(ErrorCode::Unsupported, fmt::format("built-in output {} cannot be read back", static_cast<uint32_t>(builtIn)));
  return PoisonValue::get(resultType);
}

} // namespace lgc
