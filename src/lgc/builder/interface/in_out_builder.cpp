// SPDX-License-Identifier: MIT
//
// Generic inputs and outputs. Each is cut up into its 32-bit components here, so that later passes see for each
// component whether it is used. A narrower element travels in the low bits of a component of its own, with zeros above.
// Vertex attributes and colours are floats of 32 bits outside of the shader; integer colours are extended by their
// sign. A 64-bit element travels as two components.
//
// Dynamic indexing: a read selects among the reads of all locations that may be meant; a write writes each of these
// locations under a condition.
#include "src/abi/sample_positions.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/driver_tables.h"
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/state/pipeline_state.h"
#include "src/state/pipeline_state.h"
#include <fmt/format.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::NumericClass;
using dovetail::ValueKind;

namespace lgc {

namespace {

struct ElementShape {
  Type *element;
  unsigned count;
  unsigned bits;
};

// More locations than any array may have; bounds the code for dynamic indexing.
constexpr unsigned MaxLocationCount = 64;

ElementShape shapeOf(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  Type *element = type->getScalarType();
  return {element, vector ? vector->getNumElements() : 1, static_cast<unsigned>(element->getPrimitiveSizeInBits())};
}

// The elementBits of fragment inputs' ops.
unsigned parameterBits(const ElementShape &shape) {
  return shape.bits > 16 ? 32 : 16;
}

// An element of at most 32 bits, from its component (i32).
Value *narrowElement(IRBuilderBase &builder, Value *component, Type *element) {
  if (element->isHalfTy())
    return builder.CreateBitCast(builder.CreateTrunc(component, builder.getInt16Ty()), element);
  if (element->isIntegerTy())
    return builder.CreateTrunc(component, element);
  return builder.CreateBitCast(component, element);
}

// The component (i32) of an element of at most 32 bits.
Value *widenElement(IRBuilderBase &builder, Value *element, bool isSigned) {
  if (element->getType()->isHalfTy())
    element = builder.CreateBitCast(element, builder.getInt16Ty());
  if (element->getType()->isIntegerTy())
    return builder.CreateIntCast(element, builder.getInt32Ty(), isSigned);
  return builder.CreateBitCast(element, builder.getInt32Ty());
}

// The component of a half float, from an f32 number or its bits.
Value *halfComponent(IRBuilderBase &builder, Value *number) {
  number = builder.CreateBitCast(number, builder.getFloatTy());
  return widenElement(builder, builder.CreateFPTrunc(number, builder.getHalfTy()), /*isSigned=*/false);
}

} // namespace

bool BuilderImpl::canCross(Type *type) {
  Type *element = type->getScalarType();
  if (type->isAggregateType() || !(element->isIntegerTy() || element->isFloatingPointTy()))
    return false;
  unsigned bits = element->getPrimitiveSizeInBits();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

Value *BuilderImpl::joinComponents(Type *type, function_ref<Value *(unsigned number)> readComponent) {
  ElementShape shape = shapeOf(type);
  Value *result = PoisonValue::get(type);
  for (unsigned e = 0; e < shape.count; ++e) {
    Value *element;
    if (shape.bits == 64) {
      Value *words = PoisonValue::get(FixedVectorType::get(getInt32Ty(), 2));
      words = CreateInsertElement(words, readComponent(e * 2), uint64_t(0));
      words = CreateInsertElement(words, readComponent(e * 2 + 1), 1);
      element = CreateBitCast(words, shape.element);
    } else {
      element = narrowElement(*this, readComponent(e), shape.element);
    }
    result = type->isVectorTy() ? CreateInsertElement(result, element, e) : element;
  }
  return result;
}

void BuilderImpl::splitComponents(Value *value, bool isSigned,
                                  function_ref<void(Value *component, unsigned number)> writeComponent) {
  ElementShape shape = shapeOf(value->getType());
  for (unsigned e = 0; e < shape.count; ++e) {
    Value *element = value->getType()->isVectorTy() ? CreateExtractElement(value, e) : value;
    if (shape.bits == 64) {
      Value *words = CreateBitCast(element, FixedVectorType::get(getInt32Ty(), 2));
      writeComponent(CreateExtractElement(words, uint64_t(0)), e * 2);
      writeComponent(CreateExtractElement(words, 1), e * 2 + 1);
    } else {
      writeComponent(widenElement(*this, element, isSigned), e);
    }
  }
}

// The number of GL's colour that a fragment shader reads at a location.
std::optional<unsigned> BuilderImpl::colorAt(unsigned location) const {
  for (unsigned index = 0; index < 2; ++index)
    if (m_pipelineState.options().colorInputs[index].front == location)
      return index;
  return std::nullopt;
}

// Whether the state clamps the outputs at a location in front of the rasteriser.
bool BuilderImpl::isClamped(unsigned location) const {
  constexpr unsigned locations = 32;
  return location < locations && m_pipelineState.options().mainPartState.clampedOutputs >> location & 1;
}

// Reads from one known location.
Value *BuilderImpl::readInputAt(Type *type, unsigned location, unsigned component, InterpMode mode,
                                InterpLocation interpLocation, Value *aux) {
  ElementShape shape = shapeOf(type);
  bool isFragment = shaderModes().stage == ShaderStage::Fragment;
  // Only floats of up to 32 bits can be interpolated.
  bool isSmooth = mode != InterpMode::Flat && (shape.element->isFloatTy() || shape.element->isHalfTy());
  Value *ij = isFragment && isSmooth ? barycentrics(mode, interpLocation, aux) : nullptr;
  Value *i = ij ? CreateExtractElement(ij, uint64_t(0)) : nullptr;
  Value *j = ij ? CreateExtractElement(ij, 1) : nullptr;
  NumericClass numericClass = shape.element->isIntegerTy() ? NumericClass::Uint : NumericClass::Float;
  auto asComponent = [&](Value *number) -> Value * {
    return shape.element->isHalfTy() ? halfComponent(*this, number) : CreateBitCast(number, getInt32Ty());
  };

  // The component that is `number` components behind the first one, as i32.
  auto readComponent = [&](unsigned number) -> Value * {
    unsigned at = component + number;
    // The words of a vertex attribute are numbered on; all other inputs continue in the next location.
    if (!isFragment)
      return asComponent(VertexAttributeOp::create(*this, location, at, std::max(shape.bits, 16u), numericClass));
    unsigned atLocation = location + at / 4;
    if (std::optional<unsigned> color = colorAt(atLocation)) {
      if (!shape.element->isFloatTy()) // the prolog interpolates colours before it knows how the shader reads them
        fail(ErrorCode::Unsupported,
             fmt::format("location {} has a colour, which is read as floats of 32 bits only", atLocation));
      return asComponent(ColorInputOp::create(*this, *color, at % 4));
    }
    const unsigned elementBits = parameterBits(shape);
    Value *value =
        ij ? static_cast<Value *>(SmoothFragmentInputOp::create(*this, i, j, atLocation, at % 4, elementBits))
           : FlatFragmentInputOp::create(*this, atLocation, at % 4, elementBits);
    return CreateBitCast(value, getInt32Ty());
  };

  return joinComponents(type, readComponent);
}

// A vertex's own value, from one known location.
Value *BuilderImpl::readVertexOfFragment(Type *type, unsigned location, unsigned component, unsigned vertex) {
  const unsigned elementBits = parameterBits(shapeOf(type));
  return joinComponents(type, [&](unsigned number) -> Value * {
    const unsigned at = component + number;
    return CreateBitCast(VertexFragmentInputOp::create(*this, location + at / 4, at % 4, elementBits, vertex),
                         getInt32Ty());
  });
}

Value *BuilderImpl::CreateReadGenericInput(Type *resultType, unsigned location, Value *locationOffset,
                                           unsigned component, unsigned locationCount, InterpMode mode,
                                           InterpLocation interpLocation, OptionalValue aux, OptionalValue vertexIndex,
                                           const Twine &) {
  if (!canCross(resultType) || locationCount > MaxLocationCount) {
    fail(ErrorCode::Unsupported, fmt::format("input location {} has a type that no shader interface allows", location));
    return PoisonValue::get(resultType);
  }
  if (shaderModes().stage == ShaderStage::Geometry)
    return readGeometryInput(resultType, location, locationOffset, component, locationCount, vertexIndex);
  if (isTessellation())
    return readPatchGeneric(resultType, location, locationOffset, component, locationCount, vertexIndex,
                            /*isOutput=*/false);
  if (shaderModes().stage != ShaderStage::Vertex && shaderModes().stage != ShaderStage::Fragment) {
    fail(ErrorCode::Unsupported, "compute shaders have no inputs");
    return PoisonValue::get(resultType);
  }
  auto *vertex = dyn_cast_or_null<ConstantInt>(static_cast<Value *>(vertexIndex));
  if (vertexIndex && (!vertex || vertex->getValue().ugt(2) || shaderModes().stage != ShaderStage::Fragment)) {
    fail(ErrorCode::Unsupported, fmt::format("input location {} of a vertex that is not 0, 1 or 2", location));
    return PoisonValue::get(resultType);
  }
  auto readAt = [&](unsigned at) {
    return vertex ? readVertexOfFragment(resultType, at, component, static_cast<unsigned>(vertex->getZExtValue()))
                  : readInputAt(resultType, at, component, mode, interpLocation, aux);
  };
  if (auto *constant = dyn_cast<ConstantInt>(locationOffset))
    return readAt(location + static_cast<unsigned>(constant->getZExtValue()));
  Value *result = readAt(location);
  for (unsigned offset = 1; offset < locationCount; ++offset) {
    Value *isThis = CreateICmpEQ(locationOffset, getInt32(offset));
    Value *candidate = readAt(location + offset);
    result = CreateSelect(isThis, candidate, result);
  }
  return result;
}

void BuilderImpl::writeOutputAt(Value *value, unsigned location, unsigned component, unsigned flags, Value *condition) {
  ElementShape shape = shapeOf(value->getType());
  bool isFragment = shaderModes().stage == ShaderStage::Fragment;
  bool isSigned = flags & SignedOutput;
  NumericClass numericClass = !shape.element->isIntegerTy() ? NumericClass::Float
                              : isSigned                    ? NumericClass::Sint
                                                            : NumericClass::Uint;
  auto writeComponent = [&](Value *word, unsigned number) {
    if (isFragment && shape.element->isHalfTy())
      word = CreateFPExt(narrowElement(*this, word, shape.element), getFloatTy());
    unsigned at = component + number;
    unsigned slot = location + at / 4;
    if (!isFragment && shape.element->isFloatTy() && isClamped(slot)) {
      Value *number = CreateBitCast(word, getFloatTy());
      number = CreateFClamp(number, ConstantFP::get(getFloatTy(), 0.0), ConstantFP::get(getFloatTy(), 1.0));
      word = CreateBitCast(number, getInt32Ty());
    }
    if (isFragment && slot >= dovetail::MaxColorTargets)
      return fail(ErrorCode::InvalidInput, fmt::format("fragment output location {} is out of range", slot));
    if (isFragment && (flags & SecondBlendSource))
      slot += dovetail::MaxColorTargets;
    if (shaderModes().stage == ShaderStage::Geometry)
      setOutputStream({OutputKind::Generic, slot}, at % 4, flags >> OutputStreamShift);
    WriteOutputOp::create(*this, word, OutputKind::Generic, slot, at % 4, numericClass, condition);
  };

  splitComponents(value, isFragment && isSigned, writeComponent);
}

Value *BuilderImpl::CreateWriteGenericOutput(Value *value, unsigned location, Value *locationOffset, unsigned component,
                                             unsigned locationCount, unsigned index, OptionalValue vertexIndex,
                                             const Twine &) {
  if (shaderModes().stage == ShaderStage::Compute) {
    fail(ErrorCode::Unsupported, "compute shaders have no outputs");
    return nullptr;
  }
  if (!canCross(value->getType()) || locationCount > MaxLocationCount) {
    fail(ErrorCode::Unsupported,
         fmt::format("output location {} has a type that no shader interface allows", location));
    return nullptr;
  }
  if (shaderModes().stage == ShaderStage::TessControl) {
    writePatchGeneric(value, location, locationOffset, component, locationCount, vertexIndex);
    return nullptr;
  }
  if (auto *constant = dyn_cast<ConstantInt>(locationOffset)) {
    writeOutputAt(value, location + static_cast<unsigned>(constant->getZExtValue()), component, index, nullptr);
    return nullptr;
  }
  for (unsigned offset = 0; offset < locationCount; ++offset)
    writeOutputAt(value, location + offset, component, index, CreateICmpEQ(locationOffset, getInt32(offset)));
  return nullptr;
}

// A sample's offset from the pixel's centre (src/abi/sample_positions.h). The number of samples, and with it the
// pattern, is known only when the pipeline is put together.
Value *BuilderImpl::sampleOffset(Value *sample) {
  Value *descriptor = loadGlobalEntry(*this, GlobalTableEntry::SamplePositions);
  Value *offset = CreateMul(sample, getInt32(dovetail::SamplePositionBytes));
  Value *pattern = linkConstant(*this, dovetail::LinkConstant::SamplePattern);
  Type *pair = FixedVectorType::get(getFloatTy(), 2);
  return CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, {pair}, {descriptor, offset, pattern, getInt32(0)});
}

Value *BuilderImpl::samplePosition(Value *sample) {
  Value *offset = scaleByOrigin(sampleOffset(sample));
  return CreateFAdd(offset, ConstantFP::get(offset->getType(), 0.5));
}

// Converts the hardware's offset in the pixel to the shader's, or back.
Value *BuilderImpl::scaleByOrigin(Value *offset) {
  if (!shaderModes().fragment.originLowerLeft)
    return offset;
  Value *scale = HardwareValueOp::create(*this, getFloatTy(), ValueKind::FragCoordYScale, 0); // 1 or -1
  return CreateInsertElement(offset, CreateFMul(CreateExtractElement(offset, 1), scale), 1);
}

// Where an input is really interpolated. The state may decide that for all inputs with an implicit location, and
// without multisampling for those at a sample index, too.
InterpLocation BuilderImpl::placeInput(InterpLocation declared) const {
  using dovetail::InputPlacement;
  const InputPlacement placement = m_pipelineState.options().mainPartState.inputPlacement;
  switch (declared) {
  case InterpLocation::Center:
  case InterpLocation::Centroid:
  case InterpLocation::Sample:
    return placement == InputPlacement::AsDeclared ? declared
           : placement == InputPlacement::Sample   ? InterpLocation::Sample
                                                   : InterpLocation::Center;
  case InterpLocation::SampleIndex:
    return placement == InputPlacement::Center ? InterpLocation::Center : declared;
  case InterpLocation::PixelOffset:
    break;
  }
  return declared;
}

// The weights (i, j) as <2 x float>.
Value *BuilderImpl::barycentrics(InterpMode mode, InterpLocation interpLocation, Value *aux) {
  bool isSmooth = mode == InterpMode::Smooth;
  Type *pair = FixedVectorType::get(getFloatTy(), 2);
  switch (placeInput(interpLocation)) {
  case InterpLocation::Center:
    return HardwareValueOp::create(*this, pair, isSmooth ? ValueKind::PerspCenter : ValueKind::LinearCenter, 0);
  case InterpLocation::Centroid:
    return HardwareValueOp::create(*this, pair, isSmooth ? ValueKind::PerspCentroid : ValueKind::LinearCentroid, 0);
  case InterpLocation::Sample:
    return HardwareValueOp::create(*this, pair, isSmooth ? ValueKind::PerspSample : ValueKind::LinearSample, 0);
  case InterpLocation::SampleIndex:
  case InterpLocation::PixelOffset:
    break;
  }

  // Elsewhere in the pixel. Linear weights have constant gradients over the primitive, so an extrapolation from the
  // centre is exact. Perspective weights have none, but i/w, j/w and 1/w have: extrapolate these (the pull model) and
  // divide.
  Value *offset = aux;
  if (interpLocation == InterpLocation::SampleIndex)
    offset = sampleOffset(aux);
  else if (offset->getType()->getScalarType()->isHalfTy())
    offset = CreateFPExt(offset, pair);
  if (interpLocation == InterpLocation::PixelOffset)
    offset = scaleByOrigin(offset);
  Type *centerType = isSmooth ? FixedVectorType::get(getFloatTy(), 3) : pair;
  Value *center =
      HardwareValueOp::create(*this, centerType, isSmooth ? ValueKind::PerspPullModel : ValueKind::LinearCenter, 0);
  unsigned count = isSmooth ? 3 : 2;
  Value *moved[3];
  for (unsigned c = 0; c < count; ++c) {
    Value *value = CreateExtractElement(center, c);
    Value *dx = differenceInQuad(value, /*isDirectionY=*/false, /*isFine=*/true);
    Value *dy = differenceInQuad(value, /*isDirectionY=*/true, /*isFine=*/true);
    Value *alongX = CreateFMul(dx, CreateExtractElement(offset, uint64_t(0)));
    Value *alongY = CreateFMul(dy, CreateExtractElement(offset, 1));
    moved[c] = CreateFAdd(CreateFAdd(value, alongX), alongY);
  }
  if (isSmooth) {
    Value *w = CreateIntrinsic(Intrinsic::amdgcn_rcp, {getFloatTy()}, {moved[2]});
    moved[0] = CreateFMul(moved[0], w);
    moved[1] = CreateFMul(moved[1], w);
  }
  Value *result = CreateInsertElement(PoisonValue::get(pair), moved[0], uint64_t(0));
  return CreateInsertElement(result, moved[1], 1);
}

} // namespace lgc
