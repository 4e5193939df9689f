// SPDX-License-Identifier: MIT
#include "src/lgc/builder/image/image_address.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

SmallVector<Value *, 4> elementsOf(IRBuilderBase &builder, Value *value) {
  SmallVector<Value *, 4> elements;
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector)
    return {value};
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements.push_back(builder.CreateExtractElement(value, i));
  return elements;
}

SmallVector<Value *, 4> floatsOf(IRBuilderBase &builder, Value *value) {
  SmallVector<Value *, 4> elements = elementsOf(builder, value);
  for (Value *&element : elements)
    element = builder.CreateFPCast(element, builder.getFloatTy());
  return elements;
}

// The place of a direction on a cube's face, in the hardware's numbers: `face` 0 to 5 for +x -x +y -y +z -z, `s` and
// `t` in [-0.5, 0.5], and twice the major axis.
struct CubePlace {
  Value *face;
  Value *s;
  Value *t;
  Value *doubleMajor;     // signed
  Value *reciprocalMajor; // of the magnitude of doubleMajor
};

CubePlace placeOnCube(BuilderImpl &builder, ArrayRef<Value *> direction) {
  auto call = [&](Intrinsic::ID id) {
    return builder.CreateIntrinsic(id, {}, {direction[0], direction[1], direction[2]});
  };
  CubePlace place;
  place.face = call(Intrinsic::amdgcn_cubeid);
  place.doubleMajor = call(Intrinsic::amdgcn_cubema);
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, place.doubleMajor);
  place.reciprocalMajor = builder.divide(ConstantFP::get(builder.getFloatTy(), 1.0), magnitude);
  place.s = builder.CreateFMul(call(Intrinsic::amdgcn_cubesc), place.reciprocalMajor);
  place.t = builder.CreateFMul(call(Intrinsic::amdgcn_cubetc), place.reciprocalMajor);
  return place;
}

// Appends the step of the place on the face for a `step` of the direction, by the quotient rule on s = sc / |2 major|.
// The axes of the faces:
//
//   face    0 +x   1 -x   2 +y   3 -y   4 +z   5 -z
//   sc       -z     +z     +x     +x     +x     -x
//   tc       -y     -y     +z     -z     -y     -y
void appendCubeGradient(BuilderImpl &builder, const CubePlace &place, Value *gradient, SmallVectorImpl<Value *> &to) {
  SmallVector<Value *, 4> step = floatsOf(builder, gradient);
  auto isFace = [&](double number) {
    return builder.CreateFCmpOEQ(place.face, ConstantFP::get(builder.getFloatTy(), number));
  };
  auto isBelow = [&](double number) {
    return builder.CreateFCmpOLT(place.face, ConstantFP::get(builder.getFloatTy(), number));
  };
  auto select = [&](Value *condition, Value *a, Value *b) { return builder.CreateSelect(condition, a, b); };
  auto negate = [&](Value *value) { return builder.CreateFNeg(value); };

  Value *isX = isBelow(2.0);
  Value *isY = builder.CreateAnd(builder.CreateNot(isX), isBelow(4.0));
  Value *major = select(isX, step[0], select(isY, step[1], step[2]));
  Value *sc = select(isX, select(isFace(0.0), negate(step[2]), step[2]), select(isFace(5.0), negate(step[0]), step[0]));
  Value *tc = select(isY, select(isFace(2.0), step[2], negate(step[2])), negate(step[1]));

  // The derivative of the magnitude |2 major|.
  Value *isNegative = builder.CreateFCmpOLT(place.doubleMajor, ConstantFP::get(builder.getFloatTy(), 0.0));
  Value *twice = builder.CreateFAdd(major, major);
  Value *magnitude = select(isNegative, negate(twice), twice);
  auto derive = [&](Value *numerator, Value *quotient) {
    Value *difference = builder.CreateFma(negate(quotient), magnitude, numerator);
    return builder.CreateFMul(difference, place.reciprocalMajor);
  };
  to.push_back(derive(sc, place.s));
  to.push_back(derive(tc, place.t));
}

} // namespace

ImageAddress sampleAddress(BuilderImpl &builder, ImageDim dim, Value *coord, OptionalValue gradX, OptionalValue gradY,
                           bool hasLayer) {
  ImageAddress address;
  address.coords = floatsOf(builder, coord);
  SmallVector<Value *, 4> &coords = address.coords;
  auto number = [&](double value) { return ConstantFP::get(builder.getFloatTy(), value); };
  auto rounded = [&](Value *layer) { return builder.CreateUnaryIntrinsic(Intrinsic::rint, layer); };

  bool isCube = dim == ImageDim::Cube || dim == ImageDim::CubeArray;
  if (isCube) {
    CubePlace place = placeOnCube(builder, coords);
    Value *face = place.face;
    if (dim == ImageDim::CubeArray && hasLayer) {
      Value *cube = rounded(coords[3]);
      // GFX8 clamps 8 * cube + face, which gives a wrong face (Mesa's ac_llvm_build.c, ac_prepare_cube_coords). So the
      // cube's number is clamped first; a number that is too large keeps its face.
      if (builder.targetInfo().clampsFaceNumbers)
        cube = builder.CreateMaxNum(cube, number(0.0));
      face = builder.CreateFma(cube, number(8.0), face);
    }
    // The instructions take the place in [1, 2].
    coords = {builder.CreateFAdd(place.s, number(1.5)), builder.CreateFAdd(place.t, number(1.5)), face};
    address.dim = "cube";
    if (gradX) {
      appendCubeGradient(builder, place, gradX, address.gradients);
      appendCubeGradient(builder, place, gradY, address.gradients);
    }
    return address;
  }

  const bool has1DImages = builder.targetInfo().has1DImages;
  bool is1D = dim == ImageDim::Dim1D || dim == ImageDim::Array1D;
  bool isArray = hasLayer && (dim == ImageDim::Array1D || dim == ImageDim::Array2D);
  if (isArray)
    coords.back() = rounded(coords.back());
  bool isRowOf2D = is1D && !has1DImages;
  if (isRowOf2D)
    coords.insert(coords.begin() + 1, number(0.5)); // the middle of the only row
  if (gradX) {
    for (Value *gradient : {static_cast<Value *>(gradX), static_cast<Value *>(gradY)}) {
      append_range(address.gradients, floatsOf(builder, gradient));
      if (isRowOf2D)
        address.gradients.push_back(number(0.0));
    }
  }
  if (dim == ImageDim::Dim3D)
    address.dim = "3d";
  else if (is1D && has1DImages)
    address.dim = isArray ? "1darray" : "1d";
  else
    address.dim = isArray ? "2darray" : "2d";
  return address;
}

ImageAddress texelAddress(BuilderImpl &builder, ImageDim dim, Value *coord, OptionalValue sample) {
  ImageAddress address;
  address.coords = elementsOf(builder, coord);
  SmallVector<Value *, 4> &coords = address.coords;
  const bool has1DImages = builder.targetInfo().has1DImages;
  Value *sampleNumber = sample ? static_cast<Value *>(sample) : builder.getInt32(0);
  switch (dim) {
  case ImageDim::Dim1D:
    if (!has1DImages)
      coords.insert(coords.begin() + 1, builder.getInt32(0));
    address.dim = has1DImages ? "1d" : "2d";
    break;
  case ImageDim::Dim2D:
    address.dim = "2d";
    break;
  case ImageDim::Dim3D:
    address.dim = "3d";
    break;
  case ImageDim::Array1D:
    if (!has1DImages)
      coords.insert(coords.begin() + 1, builder.getInt32(0));
    address.dim = has1DImages ? "1darray" : "2darray";
    break;
  case ImageDim::CubeArray:
    if (coords.size() == 4) {
      Value *firstFace = builder.CreateMul(coords.pop_back_val(), builder.getInt32(6));
      coords[2] = builder.CreateAdd(firstFace, coords[2]);
    }
    address.dim = "2darray";
    break;
  case ImageDim::Cube: // the face is a layer
  case ImageDim::Array2D:
    address.dim = "2darray";
    break;
  case ImageDim::Msaa2D:
    coords.push_back(sampleNumber);
    address.dim = "2dmsaa";
    break;
  case ImageDim::MsaaArray2D:
    coords.push_back(sampleNumber);
    address.dim = "2darraymsaa";
    break;
  }
  return address;
}

bool isMultisampled(ImageDim dim) {
  return dim == ImageDim::Msaa2D || dim == ImageDim::MsaaArray2D;
}

Type *hardwareTexelType(BuilderImpl &builder, Type *texelType) {
  switch (texelType->getScalarSizeInBits()) {
  case 64:
    return FixedVectorType::get(builder.getFloatTy(), 2);
  case 16:
    return texelType->getWithNewType(builder.getHalfTy());
  default:
    return texelType->getWithNewType(builder.getFloatTy());
  }
}

Value *toHardwareTexel(BuilderImpl &builder, Value *texel) {
  Type *hardwareType = hardwareTexelType(builder, texel->getType());
  if (texel->getType()->getScalarSizeInBits() == 64 && texel->getType()->isVectorTy())
    texel = builder.CreateExtractElement(texel, uint64_t(0));
  return builder.CreateBitCast(texel, hardwareType);
}

Value *fromHardwareTexel(BuilderImpl &builder, Value *hardwareTexel, Type *texelType) {
  auto *vector = dyn_cast<FixedVectorType>(texelType);
  if (texelType->getScalarSizeInBits() != 64 || !vector)
    return builder.CreateBitCast(hardwareTexel, texelType);
  // Components that the format does not have get the values of (0, 0, 1).
  Type *element = vector->getElementType();
  Constant *one = element->isIntegerTy() ? ConstantInt::get(element, 1) : ConstantFP::get(element, 1.0);
  Value *texel = Constant::getNullValue(texelType);
  if (vector->getNumElements() == 4)
    texel = builder.CreateInsertElement(texel, one, 3);
  return builder.CreateInsertElement(texel, builder.CreateBitCast(hardwareTexel, element), uint64_t(0));
}

ConstantInt *texelMask(BuilderImpl &builder, Type *hardwareTexelType) {
  auto *vector = dyn_cast<FixedVectorType>(hardwareTexelType);
  return builder.getInt32((1u << (vector ? vector->getNumElements() : 1)) - 1);
}

TexelResult::TexelResult(BuilderImpl &builder, Type *resultType) : m_builder(builder), m_resultType(resultType) {
  auto *structure = dyn_cast<StructType>(resultType);
  m_texelType = structure ? structure->getElementType(0) : resultType;
  m_hardwareTexelType = hardwareTexelType(builder, m_texelType);
  m_hardwareType = structure ? StructType::get(builder.getContext(), {m_hardwareTexelType, builder.getInt32Ty()})
                             : m_hardwareTexelType;
}

ConstantInt *TexelResult::failureReport() const {
  constexpr unsigned TextureFailEnable = 1;
  return m_builder.getInt32(m_resultType->isStructTy() ? TextureFailEnable : 0);
}

Value *TexelResult::finish(Value *returned, function_ref<Value *(Value *)> change) const {
  const bool isStructure = m_resultType->isStructTy();
  Value *texel = isStructure ? m_builder.CreateExtractValue(returned, 0) : returned;
  texel = fromHardwareTexel(m_builder, texel, m_texelType);
  if (change)
    texel = change(texel);
  if (!isStructure)
    return texel;
  Value *result = m_builder.CreateInsertValue(PoisonValue::get(m_resultType), texel, 0);
  return m_builder.CreateInsertValue(result, m_builder.CreateExtractValue(returned, 1), 1);
}

} // namespace lgc
