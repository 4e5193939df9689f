// SPDX-License-Identifier: MIT
//
// Built-in inputs and outputs: converts the hardware's values to those that the API defines, and back.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"
#include <fmt/format.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::NumericClass;
using dovetail::ValueKind;

namespace lgc {

namespace {

Value *vectorOf(IRBuilderBase &builder, ArrayRef<Value *> elements) {
  Value *vector = PoisonValue::get(FixedVectorType::get(elements[0]->getType(), elements.size()));
  for (unsigned i = 0; i < elements.size(); ++i)
    vector = builder.CreateInsertElement(vector, elements[i], i);
  return vector;
}

// The number of elements of a whole array built-in, whose type is an array or a vector.
unsigned elementCount(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements();
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  return 1;
}

Value *extractElement(IRBuilderBase &builder, Value *whole, unsigned index) {
  if (whole->getType()->isArrayTy())
    return builder.CreateExtractValue(whole, index);
  return whole->getType()->isVectorTy() ? builder.CreateExtractElement(whole, index) : whole;
}

Value *insertElement(IRBuilderBase &builder, Value *whole, Value *element, unsigned index) {
  if (whole->getType()->isArrayTy())
    return builder.CreateInsertValue(whole, element, index);
  return whole->getType()->isVectorTy() ? builder.CreateInsertElement(whole, element, index) : element;
}

constexpr unsigned MaxClipDistances = 8;

} // namespace

// Built-ins that every stage can read; null for all others.
Value *BuilderImpl::readSubgroupBuiltIn(BuiltIn builtIn) {
  // Puts a mask of lanes (i64) into the first two elements of a <4 x i32>.
  auto mask = [&](Value *bits) {
    Value *words = CreateBitCast(bits, FixedVectorType::get(getInt32Ty(), 2));
    Value *zeros = Constant::getNullValue(words->getType());
    return CreateShuffleVector(words, zeros, ArrayRef<int>{0, 1, 2, 3});
  };
  auto deviceIndex = [&]() -> Value * {
    return m_pipelineState.deviceIndex() == DeviceIndexOfDriver ? hardwareDword(*this, ValueKind::DeviceIndex)
                                                                : getInt32(m_pipelineState.deviceIndex());
  };
  auto laneBit = [&] { return CreateShl(getInt64(1), CreateZExt(laneNumber(), getInt64Ty())); };

  switch (builtIn) {
  case BuiltIn::SubgroupSize:
    return CreateGetSubgroupSize();
  case BuiltIn::SubgroupLocalInvocationId:
    return laneNumber();
  case BuiltIn::SubgroupEqMask:
    return mask(laneBit());
  case BuiltIn::SubgroupGeMask:
    return mask(CreateNeg(laneBit()));
  case BuiltIn::SubgroupGtMask:
    return mask(CreateAnd(CreateNeg(laneBit()), CreateNot(laneBit())));
  case BuiltIn::SubgroupLtMask:
    return mask(CreateSub(laneBit(), getInt64(1)));
  case BuiltIn::SubgroupLeMask:
    return mask(CreateOr(CreateSub(laneBit(), getInt64(1)), laneBit()));
  case BuiltIn::DeviceIndex:
    return deviceIndex();
  case BuiltIn::ViewIndex:
    return m_pipelineState.shaderOptions(shaderModes().stage).viewIndexFromDeviceIndex
               ? deviceIndex()
               : hardwareDword(*this, ValueKind::ViewIndex);
  default:
    return nullptr;
  }
}

Value *BuilderImpl::readVertexBuiltIn(BuiltIn builtIn) {
  switch (builtIn) {
  case BuiltIn::VertexIndex:
  case BuiltIn::VertexId:
    return CreateAdd(hardwareDword(*this, ValueKind::VertexId), hardwareDword(*this, ValueKind::BaseVertex));
  case BuiltIn::InstanceIndex:
    return CreateAdd(hardwareDword(*this, ValueKind::InstanceId), hardwareDword(*this, ValueKind::BaseInstance));
  case BuiltIn::InstanceId:
    return hardwareDword(*this, ValueKind::InstanceId);
  case BuiltIn::BaseVertex:
    return hardwareDword(*this, ValueKind::BaseVertex);
  case BuiltIn::BaseInstance:
    return hardwareDword(*this, ValueKind::BaseInstance);
  case BuiltIn::DrawIndex:
    return hardwareDword(*this, ValueKind::DrawIndex);
  default:
    return nullptr;
  }
}

Value *BuilderImpl::readFragmentBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex) {
  auto position = [&](ValueKind kind) -> Value * { return HardwareValueOp::create(*this, getFloatTy(), kind, 0); };
  auto flatInput = [&](unsigned location) {
    return CreateBitCast(FlatFragmentInputOp::create(*this, location, 0, 32), getInt32Ty());
  };
  // ANCILLARY[11:8].
  auto sampleId = [&] {
    Value *ancillary = hardwareDword(*this, ValueKind::Ancillary);
    return CreateAnd(CreateLShr(ancillary, 8), 0xf);
  };
  auto smoothInput = [&](unsigned location, unsigned component) -> Value * {
    Value *ij = barycentrics(InterpMode::Smooth, InterpLocation::Center, nullptr);
    Value *i = CreateExtractElement(ij, uint64_t(0));
    Value *j = CreateExtractElement(ij, 1);
    return SmoothFragmentInputOp::create(*this, i, j, location, component, 32);
  };

  switch (builtIn) {
  case BuiltIn::FragCoord: {
    // POS_W is w; the API wants 1/w.
    Value *w = position(ValueKind::PosW);
    Value *reciprocal = CreateIntrinsic(Intrinsic::amdgcn_rcp, {getFloatTy()}, {w});
    Value *y = position(ValueKind::PosY);
    if (const FragmentShaderMode &mode = shaderModes().fragment; mode.originLowerLeft) {
      // Mirrors the pixel's centre.
      Value *half = ConstantFP::get(getFloatTy(), mode.pixelCenterInteger ? 0.5 : 0.0);
      y = CreateFMul(CreateFAdd(y, half), position(ValueKind::FragCoordYScale));
      y = CreateFSub(CreateFAdd(y, position(ValueKind::FragCoordYBias)), half);
    }
    return vectorOf(*this, {position(ValueKind::PosX), y, position(ValueKind::PosZ), reciprocal});
  }
  case BuiltIn::FrontFacing:
    return CreateICmpNE(hardwareDword(*this, ValueKind::FrontFace), getInt32(0));
  case BuiltIn::PointCoord:
    return vectorOf(*this,
                    {smoothInput(dovetail::PointCoordParameter, 0), smoothInput(dovetail::PointCoordParameter, 1)});
  case BuiltIn::BaryCoordNoPersp:
    return barycentrics(InterpMode::NoPerspective, InterpLocation::Center, nullptr);
  case BuiltIn::BaryCoordNoPerspCentroid:
    return barycentrics(InterpMode::NoPerspective, InterpLocation::Centroid, nullptr);
  case BuiltIn::BaryCoordNoPerspSample:
    return barycentrics(InterpMode::NoPerspective, InterpLocation::Sample, nullptr);
  case BuiltIn::BaryCoordSmooth:
    return barycentrics(InterpMode::Smooth, InterpLocation::Center, nullptr);
  case BuiltIn::BaryCoordSmoothCentroid:
    return barycentrics(InterpMode::Smooth, InterpLocation::Centroid, nullptr);
  case BuiltIn::BaryCoordSmoothSample:
    return barycentrics(InterpMode::Smooth, InterpLocation::Sample, nullptr);
  case BuiltIn::BaryCoordPullModel:
    return HardwareValueOp::create(*this, FixedVectorType::get(getFloatTy(), 3), ValueKind::PerspPullModel, 0);
  case BuiltIn::SampleId:
    return sampleId();
  case BuiltIn::SamplePosition:
    return samplePosition(sampleId());
  case BuiltIn::SampleMask: {
    Value *mask = SampleMaskInOp::create(*this);
    if (arrayIndex || !resultType->isArrayTy())
      return mask;
    if (resultType->getArrayElementType() != getInt32Ty() || resultType->getArrayNumElements() == 0)
      return nullptr;
    return CreateInsertValue(Constant::getNullValue(resultType), mask, 0);
  }
  case BuiltIn::HelperInvocation:
    return CreateNot(CreateIntrinsic(Intrinsic::amdgcn_ps_live, ArrayRef<Type *>(), {}));
  case BuiltIn::PrimitiveId:
    return flatInput(dovetail::PrimitiveIdParameter);
  case BuiltIn::Layer:
    return flatInput(dovetail::LayerParameter);
  case BuiltIn::ViewportIndex:
    return flatInput(dovetail::ViewportIndexParameter);
  case BuiltIn::ClipDistance:
  case BuiltIn::CullDistance: {
    unsigned first =
        builtIn == BuiltIn::ClipDistance ? dovetail::ClipDistanceParameter0 : dovetail::CullDistanceParameter0;
    auto distance = [&](unsigned index) { return smoothInput(first + index / 4, index % 4); };
    if (auto *constant = dyn_cast_or_null<ConstantInt>(arrayIndex))
      return distance(std::min<uint64_t>(constant->getZExtValue(), MaxClipDistances - 1));
    if (arrayIndex) {
      Value *result = distance(0);
      for (unsigned index = 1; index < MaxClipDistances; ++index)
        result = CreateSelect(CreateICmpEQ(arrayIndex, getInt32(index)), distance(index), result);
      return result;
    }
    Type *elementType = resultType->isArrayTy() ? resultType->getArrayElementType() : resultType->getScalarType();
    if (!elementType->isFloatTy())
      return nullptr;
    Value *result = PoisonValue::get(resultType);
    for (unsigned index = 0; index < std::min(elementCount(resultType), MaxClipDistances); ++index)
      result = insertElement(*this, result, distance(index), index);
    return result;
  }
  default:
    return nullptr;
  }
}

Value *BuilderImpl::readComputeBuiltIn(BuiltIn builtIn) {
  const ComputeShaderMode &mode = shaderModes().compute;
  uint32_t sizes[3] = {mode.workgroupSizeX, mode.workgroupSizeY, mode.workgroupSizeZ};
  unsigned total = sizes[0] * sizes[1] * sizes[2];
  auto threeOf = [&](ValueKind kind) {
    return vectorOf(*this,
                    {hardwareDword(*this, kind, 0), hardwareDword(*this, kind, 1), hardwareDword(*this, kind, 2)});
  };
  // The id by the hardware's count of lanes, along x first. A dimension of size 1 needs no register.
  auto hardwareId = [&](unsigned dimension) -> Value * {
    if (sizes[dimension] == 1)
      return getInt32(0);
    return hardwareDword(*this, ValueKind::LocalInvocationId, dimension);
  };
  auto localId = [&](unsigned dimension) -> Value * {
    if (!mode.derivativeGroupQuads || dimension == 2)
      return hardwareId(dimension);
    // Four lanes are a square; the squares of two rows follow each other along x.
    Value *oddRow = CreateMul(CreateAnd(hardwareId(1), getInt32(1)), getInt32(sizes[0]));
    Value *lane = CreateAdd(oddRow, hardwareId(0)); // number of the lane in the two rows
    if (dimension == 0)
      return CreateOr(CreateShl(CreateLShr(lane, 2), 1), CreateAnd(lane, getInt32(1)));
    return CreateOr(CreateAnd(hardwareId(1), getInt32(~1u)), CreateAnd(CreateLShr(lane, 1), getInt32(1)));
  };
  auto localIds = [&] { return vectorOf(*this, {localId(0), localId(1), localId(2)}); };
  auto sizeVector = [&] { return vectorOf(*this, {getInt32(sizes[0]), getInt32(sizes[1]), getInt32(sizes[2])}); };
  auto indexOf = [&](const auto &id) {
    Value *row = CreateAdd(CreateMul(id(2), getInt32(sizes[1])), id(1));
    return CreateAdd(CreateMul(row, getInt32(sizes[0])), id(0));
  };

  switch (builtIn) {
  case BuiltIn::NumWorkgroups: {
    // In an indirect dispatch the counts are anywhere in the application's memory.
    Value *low = CreateZExt(hardwareDword(*this, ValueKind::WorkgroupCount, 0), getInt64Ty());
    Value *high = CreateZExt(hardwareDword(*this, ValueKind::WorkgroupCount, 1), getInt64Ty());
    Value *pointer =
        CreateIntToPtr(CreateOr(low, CreateShl(high, 32)), PointerType::get(getContext(), AMDGPUAS::CONSTANT_ADDRESS));
    auto *counts = CreateAlignedLoad(FixedVectorType::get(getInt32Ty(), 3), pointer, Align(4));
    counts->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(getContext(), {}));
    return counts;
  }
  case BuiltIn::WorkgroupSize:
    return sizeVector();
  case BuiltIn::WorkgroupId:
    return threeOf(ValueKind::WorkgroupId);
  case BuiltIn::LocalInvocationId:
    return localIds();
  case BuiltIn::GlobalInvocationId:
    return CreateAdd(CreateMul(threeOf(ValueKind::WorkgroupId), sizeVector()), localIds());
  case BuiltIn::LocalInvocationIndex:
    return indexOf(localId);
  case BuiltIn::SubgroupId: {
    // The hardware packs lanes into waves in this order.
    Value *wave = CreateLShr(indexOf(hardwareId), 6);
    return total <= 64 ? getInt32(0)
                       : static_cast<Value *>(CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {getInt32Ty()}, {wave}));
  }
  case BuiltIn::NumSubgroups:
    return getInt32((total + 63) / 64);
  default:
    return nullptr;
  }
}

Value *BuilderImpl::CreateReadBuiltInInput(Type *resultType, BuiltIn builtIn, OptionalValue arrayIndex,
                                           OptionalValue vertexIndex, const Twine &) {
  Value *value = readSubgroupBuiltIn(builtIn);
  if (!value && shaderModes().stage == ShaderStage::Vertex)
    value = readVertexBuiltIn(builtIn);
  if (!value && shaderModes().stage == ShaderStage::Fragment)
    value = readFragmentBuiltIn(resultType, builtIn, arrayIndex);
  if (!value && shaderModes().stage == ShaderStage::Compute)
    value = readComputeBuiltIn(builtIn);
  if (!value && shaderModes().stage == ShaderStage::Geometry)
    value = readGeometryBuiltIn(resultType, builtIn, arrayIndex, vertexIndex);
  if (!value && isTessellation())
    value = readTessBuiltIn(resultType, builtIn, arrayIndex, vertexIndex, /*isOutput=*/false);
  if (value && value->getType() == resultType)
    return value;
  // Converts integers of other widths, and truth values that are kept as integers.
  if (value && value->getType()->isIntOrIntVectorTy() && resultType->isIntOrIntVectorTy() &&
      elementCount(value->getType()) == elementCount(resultType))
    return CreateZExtOrTrunc(value, resultType);
  fail(ErrorCode::Unsupported,
       value ? fmt::format("built-in input {} has an unusual type", static_cast<uint32_t>(builtIn))
             : fmt::format("built-in {} is not an input of this stage", static_cast<uint32_t>(builtIn)));
  return PoisonValue::get(resultType);
}

Value *BuilderImpl::CreateWriteBuiltInOutput(Value *value, BuiltIn builtIn, OptionalValue arrayIndex,
                                             OptionalValue vertexIndex, const Twine &) {
  auto write = [&](Value *word, OutputKind kind, unsigned component, Value *condition = nullptr) {
    if (!word->getType()->isIntegerTy() && !word->getType()->isFloatTy())
      return fail(ErrorCode::Unsupported,
                  fmt::format("built-in output {} has an unusual type", static_cast<uint32_t>(builtIn)));
    NumericClass numericClass = word->getType()->isIntegerTy() ? NumericClass::Uint : NumericClass::Float;
    if (!word->getType()->isIntegerTy(32))
      word = word->getType()->isIntegerTy() ? CreateZExtOrTrunc(word, getInt32Ty()) : CreateBitCast(word, getInt32Ty());
    WriteOutputOp::create(*this, word, kind, 0, component, numericClass, condition);
  };
  if (shaderModes().stage == ShaderStage::TessControl && writeTessBuiltIn(value, builtIn, arrayIndex, vertexIndex))
    return nullptr;
  // The stages that write vertices here; control shaders write theirs in writeTessBuiltIn().
  bool isGeometry = shaderModes().stage == ShaderStage::Geometry;
  bool isVertex =
      isGeometry || shaderModes().stage == ShaderStage::Vertex || shaderModes().stage == ShaderStage::TessEval;
  bool isFragment = shaderModes().stage == ShaderStage::Fragment;

  struct ScalarRow {
    BuiltIn builtIn;
    OutputKind kind;
    bool isWritten; // in this stage
  };
  const ScalarRow scalars[] = {
      {BuiltIn::PointSize, OutputKind::PointSize, isVertex},
      {BuiltIn::Layer, OutputKind::Layer, isVertex},
      {BuiltIn::ViewportIndex, OutputKind::ViewportIndex, isVertex},
      {BuiltIn::PrimitiveId, OutputKind::PrimitiveId, isGeometry},
      {BuiltIn::FragDepth, OutputKind::Depth, isFragment},
      {BuiltIn::FragStencilRef, OutputKind::Stencil, isFragment},
  };
  for (const ScalarRow &row : scalars)
    if (row.builtIn == builtIn && row.isWritten) {
      write(value, row.kind, 0);
      return nullptr;
    }

  switch (builtIn) {
  case BuiltIn::Position:
    if (!isVertex)
      break;
    if (auto *constant = dyn_cast_or_null<ConstantInt>(static_cast<Value *>(arrayIndex))) {
      write(value, OutputKind::Position, constant->getZExtValue() & 3);
      return nullptr;
    }
    for (unsigned c = 0; c < std::min(elementCount(value->getType()), 4u); ++c)
      write(extractElement(*this, value, c), OutputKind::Position, c);
    return nullptr;
  case BuiltIn::ClipDistance:
  case BuiltIn::CullDistance: {
    if (!isVertex)
      break;
    OutputKind kind = builtIn == BuiltIn::ClipDistance ? OutputKind::ClipDistance : OutputKind::CullDistance;
    if (auto *constant = dyn_cast_or_null<ConstantInt>(static_cast<Value *>(arrayIndex))) {
      if (constant->getValue().ult(MaxClipDistances))
        write(value, kind, constant->getZExtValue());
      return nullptr;
    }
    if (arrayIndex) {
      // The array's size is not known here. Resource collection takes it from the writes at constant places, if there
      // are any.
      for (unsigned index = 0; index < MaxClipDistances; ++index)
        write(value, kind, index, CreateICmpEQ(arrayIndex, getInt32(index)));
      return nullptr;
    }
    for (unsigned index = 0; index < std::min(elementCount(value->getType()), MaxClipDistances); ++index)
      write(extractElement(*this, value, index), kind, index);
    return nullptr;
  }
  case BuiltIn::SampleMask: {
    if (!isFragment)
      break;
    // Only element 0 has bits for samples.
    auto *constant = dyn_cast_or_null<ConstantInt>(static_cast<Value *>(arrayIndex));
    if (constant && !constant->isZero())
      return nullptr;
    Value *condition = arrayIndex && !constant ? CreateICmpEQ(arrayIndex, getInt32(0)) : nullptr;
    if (value->getType()->isArrayTy() && value->getType()->getArrayNumElements() == 0)
      return nullptr;
    write(arrayIndex ? value : extractElement(*this, value, 0), OutputKind::SampleMask, 0, condition);
    return nullptr;
  }
  default:
    break;
  }
  fail(ErrorCode::Unsupported,
       fmt::format("built-in {} is not an output of this stage", static_cast<uint32_t>(builtIn)));
  return nullptr;
}

} // namespace lgc
