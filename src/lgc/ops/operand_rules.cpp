// SPDX-License-Identifier: MIT
//
// Rules for the operands of each op: one for each row of the op table; a row without a rule does not compile. verifyOps
// checks result types that follow from operands afterwards.
#include "src/lgc/ops/operand_rules.h"
#include "src/abi/interface/interface_fields.h"
#include "src/abi/interface/interface_slots.h"

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned MaxElements = 16; // of vectors

// Types

unsigned countOf(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isScalarOrVector(const Type *type) {
  return !type->isAggregateType() && !isa<ScalableVectorType>(type) && countOf(type) <= MaxElements;
}

bool isFloating(const Type *type) {
  const Type *element = type->getScalarType();
  return isScalarOrVector(type) && (element->isHalfTy() || element->isFloatTy() || element->isDoubleTy());
}

bool isIntegral(const Type *type) {
  const Type *element = type->getScalarType();
  return isScalarOrVector(type) &&
         (element->isIntegerTy(8) || element->isIntegerTy(16) || element->isIntegerTy(32) || element->isIntegerTy(64));
}

bool isNumeric(const Type *type) {
  return isFloating(type) || isIntegral(type);
}

bool isTruth(const Type *type) {
  return isScalarOrVector(type) && type->getScalarType()->isIntegerTy(1);
}

bool isMatrix(const Type *type) {
  auto *array = dyn_cast<ArrayType>(type);
  if (!array || array->getNumElements() < 2 || array->getNumElements() > 4)
    return false;
  auto *column = dyn_cast<FixedVectorType>(array->getElementType());
  return column && column->getNumElements() >= 2 && column->getNumElements() <= 4 && isFloating(column);
}

unsigned columnsOf(const Type *matrix) {
  return static_cast<unsigned>(cast<ArrayType>(matrix)->getNumElements());
}
unsigned rowsOf(const Type *matrix) {
  return cast<FixedVectorType>(cast<ArrayType>(matrix)->getElementType())->getNumElements();
}
const Type *elementOf(const Type *matrix) {
  return cast<ArrayType>(matrix)->getElementType()->getScalarType();
}

bool isVectorOf(const Type *type, unsigned count, const Type *element) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == count && vector->getElementType() == element;
}

// Types that cross between stages as a whole: numbers, or an array of them.
bool isBuiltInType(const Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() <= 64 && isNumeric(array->getElementType()) &&
           !array->getElementType()->isVectorTy();
  return isNumeric(type) || isTruth(type);
}

// Operands

template <bool (*is)(const Type *)> bool all(std::initializer_list<const Value *> values) {
  for (const Value *value : values)
    if (!is(value->getType()) || value->getType() != (*values.begin())->getType())
      return false;
  return true;
}
// Whether all values have one type, with numbers of this kind.
bool floats(std::initializer_list<const Value *> values) {
  return all<isFloating>(values);
}
bool integers(std::initializer_list<const Value *> values) {
  return all<isIntegral>(values);
}
bool numbers(std::initializer_list<const Value *> values) {
  return all<isNumeric>(values);
}

bool i32(const Value *value) {
  return value->getType()->isIntegerTy(32);
}
bool f32(const Value *value) {
  return value->getType()->isFloatTy();
}
bool i1(const Value *value) {
  return value->getType()->isIntegerTy(1);
}
// An operand that is present only if the op needs it.
template <typename Rule> bool absentOr(OptionalValue value, Rule rule) {
  return !value || rule(static_cast<const Value *>(value));
}

bool dwords(const Value *value, unsigned count) {
  return isVectorOf(value->getType(), count, Type::getInt32Ty(value->getContext()));
}
bool fourDwords(const Value *desc) {
  return dwords(desc, 4);
}
bool eightDwords(const Value *desc) {
  return dwords(desc, 8);
}

// Images

bool isDim(ImageDim dim) {
  return dim <= ImageDim::MsaaArray2D;
}
bool isMultisampled(ImageDim dim) {
  return dim == ImageDim::Msaa2D || dim == ImageDim::MsaaArray2D;
}
bool isSampled(ImageDim dim) {
  return isDim(dim) && !isMultisampled(dim);
}

// Coordinates without a layer.
unsigned dimensions(ImageDim dim) {
  switch (dim) {
  case ImageDim::Dim1D:
  case ImageDim::Array1D:
    return 1;
  case ImageDim::Dim3D:
  case ImageDim::Cube:
  case ImageDim::CubeArray:
    return 3;
  default:
    return 2;
  }
}
bool hasLayers(ImageDim dim) {
  return dim == ImageDim::Array1D || dim == ImageDim::Array2D || dim == ImageDim::CubeArray ||
         dim == ImageDim::MsaaArray2D;
}

bool floatCoord(const Value *coord, unsigned count) {
  return isFloating(coord->getType()) && !coord->getType()->getScalarType()->isDoubleTy() &&
         countOf(coord->getType()) == count;
}
bool sampleCoord(ImageDim dim, const Value *coord) {
  return floatCoord(coord, dimensions(dim) + hasLayers(dim));
}
bool texelCoord(ImageDim dim, const Value *coord) {
  const unsigned count = countOf(coord->getType());
  const bool isCounted = dim == ImageDim::CubeArray
                             ? count == 3 || count == 4 // the face is part of the layer, or a coordinate of its own
                             : count == dimensions(dim) + hasLayers(dim);
  return coord->getType()->getScalarType()->isIntegerTy(32) && isScalarOrVector(coord->getType()) && isCounted;
}
bool texelOffset(ImageDim dim, const Value *offset) {
  return isIntegral(offset->getType()) && countOf(offset->getType()) <= dimensions(dim);
}
// A level of detail, a bias, a reference.
bool scalarFloat(const Value *value) {
  return value->getType()->isFloatTy() || value->getType()->isHalfTy();
}
bool gradients(ImageDim dim, OptionalValue x, OptionalValue y) {
  return !x == !y && absentOr(x, [&](const Value *value) { return floatCoord(value, dimensions(dim)); }) &&
         absentOr(y, [&](const Value *value) { return floatCoord(value, dimensions(dim)); });
}

bool isTexel(const Type *type) {
  const Type *element = type->getScalarType();
  const unsigned count = countOf(type);
  return isScalarOrVector(type) && (count == 1 || count == 2 || count == 4) &&
         (element->isFloatTy() || element->isHalfTy() || element->isIntegerTy(16) || element->isIntegerTy(32) ||
          element->isIntegerTy(64));
}
// The type of a texel, with or without a report of residency.
bool isTexelResult(const Type *type) {
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return isTexel(type);
  return structure->getNumElements() == 2 && isTexel(structure->getElementType(0)) &&
         structure->getElementType(1)->isIntegerTy(32) && !structure->isPacked();
}

// Atomics

bool atomicValue(const Value *value) {
  const Type *type = value->getType();
  return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() || type->isDoubleTy();
}
bool atomic(AtomicOp op, const Value *value) {
  if (op > AtomicOp::FMax || !atomicValue(value))
    return false;
  const bool isFloat = value->getType()->isFloatingPointTy();
  return op < AtomicOp::FAdd ? op == AtomicOp::Swap || !isFloat : isFloat;
}
bool texelAtomic(AtomicOp op, const Value *value) {
  return atomic(op, value) && !value->getType()->isDoubleTy();
}
bool compareSwap(const Value *value, const Value *comparator) {
  return atomicValue(value) && value->getType()->isIntegerTy() && comparator->getType() == value->getType();
}

// Interfaces between stages

constexpr unsigned MaxLocation = 63; // of the API, and ParameterLocations are below 128
constexpr unsigned MaxLocationCount = 64;
bool location(unsigned location, unsigned component, unsigned count) {
  return location <= MaxLocation && component < 8 && count <= MaxLocationCount;
}
bool slots(unsigned slot, unsigned component, unsigned count) {
  return component < 4 && count >= 1 && count <= 64 && slot < 64 && slot + count <= 64;
}
bool parameter(unsigned location, unsigned component, unsigned elementBits) {
  return location <= dovetail::PointCoordParameter && component < 4 && (elementBits == 16 || elementBits == 32);
}
bool numericClass(dovetail::NumericClass value) {
  return value <= dovetail::NumericClass::Uint;
}
bool group(GroupOp op, const Value *value, unsigned clusterSize) {
  const bool isFloatOp = op == GroupOp::FAdd || op == GroupOp::FMul || op == GroupOp::FMin || op == GroupOp::FMax;
  const bool isBitwise = op == GroupOp::And || op == GroupOp::Or || op == GroupOp::Xor;
  const Type *type = value->getType();
  return op <= GroupOp::Xor && (isFloatOp ? isFloating(type) : isIntegral(type) || (isBitwise && isTruth(type))) &&
         clusterSize >= 1 && clusterSize <= 64 && (clusterSize & (clusterSize - 1)) == 0;
}
bool crossLane(const Value *value) {
  return isNumeric(value->getType()) || isTruth(value->getType());
}
bool ballot(const Value *value) {
  return dwords(value, 4);
}

bool hardwareValue(dovetail::ValueKind kind, unsigned index, const Type *type) {
  using dovetail::ValueKind;
  if (kind >= ValueKind::Attribute && kind != ValueKind::TessInvocationId) // parts hand the other values to each other
    return false;
  const Type *f32Type = Type::getFloatTy(type->getContext());
  switch (kind) {
  case ValueKind::DescriptorSet:
  case ValueKind::PushConstant:
  case ValueKind::RootBuffer:
  case ValueKind::DynamicOffset:
    return index <= UINT8_MAX && type->isIntegerTy(32);
  case ValueKind::PerspPullModel:
    return index == 0 && isVectorOf(type, 3, f32Type);
  case ValueKind::PerspSample:
  case ValueKind::PerspCenter:
  case ValueKind::PerspCentroid:
  case ValueKind::LinearSample:
  case ValueKind::LinearCenter:
  case ValueKind::LinearCentroid:
    return index == 0 && isVectorOf(type, 2, f32Type);
  default: // one register; its readers know its content
    return index < 8 && (type->isIntegerTy(32) || type == f32Type);
  }
}

bool descriptor(dovetail::ResourceKind resource, const Type *type) {
  using dovetail::ResourceKind;
  const bool isImage = resource == ResourceKind::Image || resource == ResourceKind::Fmask ||
                       resource == ResourceKind::ImagePlane1 || resource == ResourceKind::ImagePlane2;
  return resource <= lastOf(resource) && resource != ResourceKind::DynamicOffset &&
         isVectorOf(type, isImage ? 8 : 4, Type::getInt32Ty(type->getContext()));
}

bool output(OutputKind kind, unsigned slot, unsigned component) {
  const bool isDistances = kind == OutputKind::ClipDistance || kind == OutputKind::CullDistance;
  return kind <= OutputKind::PrimitiveId && slot <= 2 * MaxLocation && component < (isDistances ? 8 : 4);
}

bool sized(const Type *type) {
  const Type *element = type->getScalarType();
  return isNumeric(type) || (isScalarOrVector(type) && element->isIntegerTy() && element->getIntegerBitWidth() == 8);
}

// The operands are those of a call, or those of one that is not made yet. `true`: their number is all that there is to
// check.
#define LGC_RULE(name, ...)                                                                                            \
  template <typename Operands> bool isGood##name([[maybe_unused]] const Operands &op) {                                \
    return __VA_ARGS__;                                                                                                \
  }

// Arithmetic
LGC_RULE(DotProduct, numbers({op.a(), op.b()}))
LGC_RULE(FMod, floats({op.dividend(), op.divisor()}))
LGC_RULE(SMod, integers({op.dividend(), op.divisor()}))
LGC_RULE(Fma, floats({op.a(), op.b(), op.c()}))
LGC_RULE(Tan, floats({op.x()}))
LGC_RULE(ASin, floats({op.x()}))
LGC_RULE(ACos, floats({op.x()}))
LGC_RULE(ATan, floats({op.x()}))
LGC_RULE(ATan2, floats({op.y(), op.x()}))
LGC_RULE(Sin, floats({op.x()}))
LGC_RULE(Cos, floats({op.x()}))
LGC_RULE(Sinh, floats({op.x()}))
LGC_RULE(Cosh, floats({op.x()}))
LGC_RULE(Tanh, floats({op.x()}))
LGC_RULE(ASinh, floats({op.x()}))
LGC_RULE(ACosh, floats({op.x()}))
LGC_RULE(ATanh, floats({op.x()}))
LGC_RULE(Power, floats({op.x(), op.y()}))
LGC_RULE(Exp, floats({op.x()}))
LGC_RULE(Log, floats({op.x()}))
LGC_RULE(Exp2, floats({op.x()}))
LGC_RULE(Log2, floats({op.x()}))
LGC_RULE(Sqrt, floats({op.x()}))
LGC_RULE(InverseSqrt, floats({op.x()}))
LGC_RULE(SAbs, integers({op.x()}))
LGC_RULE(FSign, floats({op.x()}))
LGC_RULE(SSign, integers({op.x()}))
LGC_RULE(Fract, floats({op.x()}))
LGC_RULE(SmoothStep, floats({op.edge0(), op.edge1(), op.x()}))
LGC_RULE(Ldexp, floats({op.x()}) && integers({op.exp()}) && countOf(op.x()->getType()) == countOf(op.exp()->getType()))
LGC_RULE(ExtractSignificand, floats({op.x()}))
LGC_RULE(ExtractExponent, floats({op.x()}))
LGC_RULE(CrossProduct, floats({op.a(), op.b()}) && countOf(op.a()->getType()) == 3)
LGC_RULE(NormalizeVector, floats({op.x()}))
LGC_RULE(FaceForward, floats({op.n(), op.i(), op.nref()}))
LGC_RULE(Reflect, floats({op.i(), op.n()}))
LGC_RULE(Refract, floats({op.i(), op.n()}) && floats({op.eta()}) && !op.eta()->getType()->isVectorTy())
LGC_RULE(FMin, floats({op.a(), op.b()}))
LGC_RULE(FMax, floats({op.a(), op.b()}))
LGC_RULE(FClamp, floats({op.x(), op.low(), op.high()}))
LGC_RULE(IsInf, floats({op.x()}))
LGC_RULE(IsNaN, floats({op.x()}))
LGC_RULE(InsertBitField, integers({op.base(), op.insert()}) && i32(op.offset()) && i32(op.count()))
LGC_RULE(ExtractBitField, integers({op.base()}) && i32(op.offset()) && i32(op.count()))
LGC_RULE(FindLsb, integers({op.x()}))
LGC_RULE(FindUMsb, integers({op.x()}))
LGC_RULE(FindSMsb, integers({op.x()}))
LGC_RULE(QuantizeToFp16, floats({op.x()}) && op.x()->getType()->getScalarType()->isFloatTy())

// Matrices
LGC_RULE(TransposeMatrix, isMatrix(op.matrix()->getType()))
LGC_RULE(MatrixTimesScalar,
         isMatrix(op.matrix()->getType()) && op.scalar()->getType() == elementOf(op.matrix()->getType()))
LGC_RULE(VectorTimesMatrix,
         isMatrix(op.matrix()->getType()) &&
             isVectorOf(op.vector()->getType(), rowsOf(op.matrix()->getType()), elementOf(op.matrix()->getType())))
LGC_RULE(MatrixTimesVector,
         isMatrix(op.matrix()->getType()) &&
             isVectorOf(op.vector()->getType(), columnsOf(op.matrix()->getType()), elementOf(op.matrix()->getType())))
LGC_RULE(MatrixTimesMatrix, isMatrix(op.a()->getType()) && isMatrix(op.b()->getType()) &&
                                columnsOf(op.a()->getType()) == rowsOf(op.b()->getType()) &&
                                elementOf(op.a()->getType()) == elementOf(op.b()->getType()))
LGC_RULE(OuterProduct, isFloating(op.column()->getType()) && isFloating(op.row()->getType()) &&
                           op.column()->getType()->isVectorTy() && op.row()->getType()->isVectorTy() &&
                           countOf(op.column()->getType()) <= 4 && countOf(op.row()->getType()) <= 4 &&
                           countOf(op.column()->getType()) >= 2 && countOf(op.row()->getType()) >= 2 &&
                           op.column()->getType()->getScalarType() == op.row()->getType()->getScalarType())
LGC_RULE(Determinant,
         isMatrix(op.matrix()->getType()) && columnsOf(op.matrix()->getType()) == rowsOf(op.matrix()->getType()))
LGC_RULE(MatrixInverse,
         isMatrix(op.matrix()->getType()) && columnsOf(op.matrix()->getType()) == rowsOf(op.matrix()->getType()))

// Descriptors, buffers, push constants
LGC_RULE(LoadBufferDesc, i32(op.index()))
LGC_RULE(LoadImageDesc, i32(op.index()))
LGC_RULE(LoadFmaskDesc, i32(op.index()))
LGC_RULE(LoadSamplerDesc, i32(op.index()))
LGC_RULE(LoadTexelBufferDesc, i32(op.index()))
LGC_RULE(LoadPushConstant, sized(op.resultType()) && i32(op.byteOffset()))
LGC_RULE(BufferLoad, sized(op.resultType()) && fourDwords(op.desc()) && i32(op.byteOffset()))
LGC_RULE(BufferStore, sized(op.value()->getType()) && fourDwords(op.desc()) && i32(op.byteOffset()))
LGC_RULE(BufferAtomic, atomic(op.op(), op.value()) && fourDwords(op.desc()) && i32(op.byteOffset()))
LGC_RULE(BufferAtomicCompareSwap,
         compareSwap(op.value(), op.comparator()) && fourDwords(op.desc()) && i32(op.byteOffset()))
LGC_RULE(BufferLength, fourDwords(op.desc()))

// Images
LGC_RULE(ImageSample, isTexelResult(op.resultType()) && isSampled(op.dim()) && eightDwords(op.imageDesc()) &&
                          fourDwords(op.samplerDesc()) && sampleCoord(op.dim(), op.coord()) &&
                          absentOr(op.dref(), scalarFloat) && absentOr(op.bias(), scalarFloat) &&
                          absentOr(op.lod(), scalarFloat) && gradients(op.dim(), op.gradX(), op.gradY()) &&
                          absentOr(op.offset(), [&](const Value *v) { return texelOffset(op.dim(), v); }) &&
                          absentOr(op.minLod(), scalarFloat) &&
                          unsigned(bool(op.bias())) + bool(op.lod()) + bool(op.gradX()) <= 1)
LGC_RULE(ImageGather, isTexelResult(op.resultType()) && isSampled(op.dim()) && dimensions(op.dim()) >= 2 &&
                          op.dim() != ImageDim::Dim3D && eightDwords(op.imageDesc()) && fourDwords(op.samplerDesc()) &&
                          sampleCoord(op.dim(), op.coord()) && op.component() < 4 && absentOr(op.dref(), scalarFloat) &&
                          absentOr(op.bias(), scalarFloat) && absentOr(op.lod(), scalarFloat) &&
                          !(op.bias() && op.lod()) &&
                          absentOr(op.offset(), [&](const Value *v) { return texelOffset(op.dim(), v); }))
LGC_RULE(ImageLoad, isTexelResult(op.resultType()) && isDim(op.dim()) && eightDwords(op.imageDesc()) &&
                        texelCoord(op.dim(), op.coord()) && absentOr(op.lod(), i32) && absentOr(op.sample(), i32))
LGC_RULE(ImageLoadWithFmask, isTexelResult(op.resultType()) && isDim(op.dim()) && isMultisampled(op.dim()) &&
                                 eightDwords(op.imageDesc()) && eightDwords(op.fmaskDesc()) &&
                                 texelCoord(op.dim(), op.coord()) && i32(op.sample()))
LGC_RULE(ImageFragmentMask,
         isDim(op.dim()) && isMultisampled(op.dim()) && eightDwords(op.fmaskDesc()) && texelCoord(op.dim(), op.coord()))
LGC_RULE(ImageStore, isTexel(op.texel()->getType()) && isDim(op.dim()) && eightDwords(op.imageDesc()) &&
                         texelCoord(op.dim(), op.coord()) && absentOr(op.lod(), i32) && absentOr(op.sample(), i32))
LGC_RULE(ImageAtomic, texelAtomic(op.op(), op.value()) && isDim(op.dim()) && eightDwords(op.imageDesc()) &&
                          texelCoord(op.dim(), op.coord()) && absentOr(op.sample(), i32))
LGC_RULE(ImageAtomicCompareSwap, compareSwap(op.value(), op.comparator()) && isDim(op.dim()) &&
                                     eightDwords(op.imageDesc()) && texelCoord(op.dim(), op.coord()) &&
                                     absentOr(op.sample(), i32))
LGC_RULE(ImageQueryLevels, isDim(op.dim()) && eightDwords(op.imageDesc()))
LGC_RULE(ImageQuerySamples, isDim(op.dim()) && eightDwords(op.imageDesc()))
LGC_RULE(ImageQuerySize, isDim(op.dim()) && eightDwords(op.imageDesc()) && absentOr(op.lod(), i32))
LGC_RULE(ImageQueryLod, isSampled(op.dim()) && eightDwords(op.imageDesc()) && fourDwords(op.samplerDesc()) &&
                            floatCoord(op.coord(), dimensions(op.dim())))
LGC_RULE(TexelBufferLoad, isTexel(op.resultType()) && fourDwords(op.desc()) && i32(op.coord()))
LGC_RULE(TexelBufferStore, isTexel(op.texel()->getType()) && fourDwords(op.desc()) && i32(op.coord()))
LGC_RULE(TexelBufferAtomic, texelAtomic(op.op(), op.value()) && fourDwords(op.desc()) && i32(op.coord()))
LGC_RULE(TexelBufferAtomicCompareSwap,
         compareSwap(op.value(), op.comparator()) && fourDwords(op.desc()) && i32(op.coord()))
LGC_RULE(TexelBufferQuerySize, fourDwords(op.desc()))

// Inputs, outputs, built-ins
bool auxiliary(InterpLocation where, OptionalValue aux) {
  switch (where) {
  case InterpLocation::Center:
  case InterpLocation::Centroid:
  case InterpLocation::Sample:
    return true;
  case InterpLocation::SampleIndex:
    return aux && i32(aux);
  case InterpLocation::PixelOffset:
    return aux && floatCoord(aux, 2);
  }
  return false;
}
LGC_RULE(ReadGenericInput, isNumeric(op.resultType()) && location(op.location(), op.component(), op.locationCount()) &&
                               i32(op.locationOffset()) && op.mode() <= InterpMode::Flat &&
                               auxiliary(op.interpLocation(), op.aux()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(WriteGenericOutput, isNumeric(op.value()->getType()) &&
                                 location(op.location(), op.component(), op.locationCount()) &&
                                 i32(op.locationOffset()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(ReadGenericOutput, isNumeric(op.resultType()) && location(op.location(), op.component(), op.locationCount()) &&
                                i32(op.locationOffset()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(ReadBuiltInInput,
         isBuiltInType(op.resultType()) && absentOr(op.arrayIndex(), i32) && absentOr(op.vertexIndex(), i32))
LGC_RULE(WriteBuiltInOutput,
         isBuiltInType(op.value()->getType()) && absentOr(op.arrayIndex(), i32) && absentOr(op.vertexIndex(), i32))
LGC_RULE(ReadBuiltInOutput,
         isBuiltInType(op.resultType()) && absentOr(op.arrayIndex(), i32) && absentOr(op.vertexIndex(), i32))
LGC_RULE(CaptureOutput, op.location() <= UINT16_MAX && op.component() <= UINT8_MAX)
LGC_RULE(EmitVertex, true)
LGC_RULE(EndPrimitive, true)

// Miscellaneous
LGC_RULE(Derivative, floats({op.value()}))
LGC_RULE(Kill, true)
LGC_RULE(DemoteToHelperInvocation, true)
LGC_RULE(IsHelperInvocation, true)
LGC_RULE(Barrier, true)
LGC_RULE(MemoryBarrier, true)
LGC_RULE(BeginInvocationInterlock, true)
LGC_RULE(EndInvocationInterlock, true)
LGC_RULE(ReadClock, true)

// Subgroups
LGC_RULE(GetSubgroupSize, true)
LGC_RULE(SubgroupElect, true)
LGC_RULE(SubgroupAny, i1(op.value()))
LGC_RULE(SubgroupAll, i1(op.value()))
LGC_RULE(SubgroupAllEqual, crossLane(op.value()))
LGC_RULE(SubgroupBroadcast, crossLane(op.value()) && i32(op.lane()))
LGC_RULE(SubgroupBroadcastFirst, crossLane(op.value()))
LGC_RULE(SubgroupBallot, i1(op.value()))
LGC_RULE(SubgroupInverseBallot, ballot(op.ballot()))
LGC_RULE(SubgroupBallotBitExtract, ballot(op.ballot()) && i32(op.lane()))
LGC_RULE(SubgroupBallotBitCount, ballot(op.ballot()))
LGC_RULE(SubgroupBallotInclusiveBitCount, ballot(op.ballot()))
LGC_RULE(SubgroupBallotExclusiveBitCount, ballot(op.ballot()))
LGC_RULE(SubgroupBallotFindLsb, ballot(op.ballot()))
LGC_RULE(SubgroupBallotFindMsb, ballot(op.ballot()))
LGC_RULE(SubgroupShuffle, crossLane(op.value()) && i32(op.lane()))
LGC_RULE(SubgroupShuffleXor, crossLane(op.value()) && i32(op.mask()))
LGC_RULE(SubgroupShuffleUp, crossLane(op.value()) && i32(op.delta()))
LGC_RULE(SubgroupShuffleDown, crossLane(op.value()) && i32(op.delta()))
LGC_RULE(SubgroupClusteredReduction, group(op.op(), op.value(), op.clusterSize()))
LGC_RULE(SubgroupClusteredInclusive, group(op.op(), op.value(), op.clusterSize()))
LGC_RULE(SubgroupClusteredExclusive, group(op.op(), op.value(), op.clusterSize()))
LGC_RULE(SubgroupPartition, crossLane(op.value()))
LGC_RULE(SubgroupPartitionedReduction, group(op.op(), op.value(), 64) && ballot(op.ballot()))
LGC_RULE(SubgroupPartitionedInclusive, group(op.op(), op.value(), 64) && ballot(op.ballot()))
LGC_RULE(SubgroupPartitionedExclusive, group(op.op(), op.value(), 64) && ballot(op.ballot()))
LGC_RULE(SubgroupQuadAny, i1(op.value()))
LGC_RULE(SubgroupQuadAll, i1(op.value()))
LGC_RULE(SubgroupQuadBroadcast, crossLane(op.value()) && i32(op.index()))
LGC_RULE(SubgroupQuadSwapHorizontal, crossLane(op.value()))
LGC_RULE(SubgroupQuadSwapVertical, crossLane(op.value()))
LGC_RULE(SubgroupQuadSwapDiagonal, crossLane(op.value()))

// Internal ops
LGC_RULE(HardwareValue, hardwareValue(op.kind(), op.index(), op.resultType()))
LGC_RULE(VertexAttribute, op.location() <= MaxLocation && op.elementBits() <= 64 && numericClass(op.numericClass()))
LGC_RULE(SmoothFragmentInput, f32(op.i()) && f32(op.j()) && parameter(op.location(), op.component(), op.elementBits()))
LGC_RULE(FlatFragmentInput, parameter(op.location(), op.component(), op.elementBits()))
LGC_RULE(VertexFragmentInput, parameter(op.location(), op.component(), op.elementBits()) && op.vertex() < 3)
LGC_RULE(ColorInput, op.index() < 2 && op.component() < 4)
LGC_RULE(SampleMaskIn, true)
LGC_RULE(WriteOutput, (i32(op.value()) || f32(op.value())) && output(op.kind(), op.slot(), op.component()) &&
                          numericClass(op.numericClass()) && absentOr(op.condition(), i1))
LGC_RULE(LoadDescriptor, descriptor(op.resource(), op.resultType()) && i32(op.index()))
LGC_RULE(ReadPushConstants, sized(op.resultType()) && i32(op.byteOffset()))
LGC_RULE(ExtendAddress, i32(op.low()))
LGC_RULE(GeometryInput,
         slots(op.slot(), op.component(), op.slotCount()) && i32(op.dwordOffset()) && i32(op.vertexOffset()))
LGC_RULE(SendVertex, op.stream() < dovetail::MaxVertexStreams)
LGC_RULE(SendCut, op.stream() < dovetail::MaxVertexStreams)
LGC_RULE(PatchInput,
         slots(op.slot(), op.component(), op.slotCount()) && i32(op.dwordOffset()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(ReadPatchOutput,
         slots(op.slot(), op.component(), op.slotCount()) && i32(op.dwordOffset()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(WritePatchOutput, i32(op.value()) && slots(op.slot(), op.component(), op.slotCount()) &&
                               i32(op.dwordOffset()) && absentOr(op.vertexIndex(), i32))
LGC_RULE(ReturnValue, (i32(op.value()) || f32(op.value())) && op.index() <= UINT8_MAX)

#undef LGC_RULE

} // namespace

bool hasGoodOperands(const Op &op) {
  switch (op.opCode()) {
#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  case OpCode::name:                                                                                                   \
    return isGood##name(*cast<name##Op>(&op));
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
  case OpCode::Count:
    break;
  }
  return false;
}

#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  bool hasGoodOperands(const name##Operands &operands_) {                                                              \
    return isGood##name(operands_);                                                                                    \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP

} // namespace lgc
