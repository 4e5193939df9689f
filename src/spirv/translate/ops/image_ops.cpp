// SPDX-License-Identifier: MIT
//
// Image instructions. A row of handlers.def says what an instruction does (sample, gather, projection, depth
// comparison). Here the operands are brought into the form of the Builder's operations: coordinates
// are cut to the components that the dimension has, projection is divided out, image operands are stored by name.
// Subpass inputs are read at the fragment's own place.
#include "src/spirv/translate/ops/handlers.h"
#include "src/spirv/translate/ops/image_instruction.h"

using namespace llvm;

namespace dovetail::spirv {

using lgc::ImageDim;

namespace {

// A vector of at least `count` components: missing ones are zeros.
Value *padded(lgc::Builder &builder, Value *value, unsigned count) {
  const unsigned have = componentCount(value);
  if (have >= count)
    return value;
  Value *vector = Constant::getNullValue(FixedVectorType::get(value->getType()->getScalarType(), count));
  for (unsigned i = 0; i < have; ++i)
    vector = builder.CreateInsertElement(vector, have == 1 ? value : builder.CreateExtractElement(value, i), i);
  return vector;
}

} // namespace

Result<void> ImageInstruction::readImage(size_t index) {
  m_image = DOVETAIL_TRY(m_services.image(m_inst, index));
  if (!m_image.image || m_image.imageType == 0)
    return unsupported(m_inst, "the operand is not an image");
  m_type = &m_services.type(m_image.imageType);
  if (m_type->dim == spv::Dim::Rect)
    m_image.flags |= lgc::TexelCoordinates;
  return {};
}

Result<ImageDim> ImageInstruction::imageDim() const {
  if (isLayered())
    return m_type->isMultisampled ? ImageDim::MsaaArray2D : ImageDim::Array2D;
  if (std::optional<ImageDim> dim = imageDimOf(*m_type))
    return *dim;
  return unsupported(m_inst, "images of this dimension");
}

Result<void> ImageInstruction::checkTexelType() {
  const TypeInfo &texel = m_services.type(m_type->element);
  if (texel.kind == TypeKind::Float ? texel.width > 32 : texel.width != 32 && texel.width != 64)
    return unsupported(m_inst, "images with texels of this type");
  if (texel.kind == TypeKind::Int && texel.isSigned)
    m_image.flags |= lgc::SignedTexel;
  return {};
}

Result<ImageOperands> ImageInstruction::readOperands(size_t index, bool hasFloatLod) {
  ImageOperands result;
  result.flags = m_image.flags;
  if (index >= m_inst.operandCount())
    return result;
  using Mask = spv::ImageOperandsMask;
  unsigned mask = m_inst.operand(index++);
  auto has = [&](Mask bit) { return (mask & static_cast<unsigned>(bit)) != 0; };
  auto next = [&]() -> Result<Value *> { return value(index++); };

  constexpr unsigned known = unsigned(Mask::Bias) | unsigned(Mask::Lod) | unsigned(Mask::Grad) |
                             unsigned(Mask::ConstOffset) | unsigned(Mask::Offset) | unsigned(Mask::ConstOffsets) |
                             unsigned(Mask::Sample) | unsigned(Mask::MinLod) | unsigned(Mask::MakeTexelAvailableKHR) |
                             unsigned(Mask::MakeTexelVisibleKHR) | unsigned(Mask::NonPrivateTexelKHR) |
                             unsigned(Mask::VolatileTexelKHR) | unsigned(Mask::SignExtend) |
                             unsigned(Mask::ZeroExtend) | unsigned(Mask::Nontemporal) | unsigned(Mask::Offsets);
  if (mask & ~known)
    return unsupported(m_inst, fmt::format("image operands {:#x}", mask & ~known));

  // The operands stand in the order of the bits.
  if (has(Mask::Bias))
    result.bias = toFloat(m_builder, DOVETAIL_TRY(next()));
  if (has(Mask::Lod)) {
    Value *lod = DOVETAIL_TRY(next());
    if (hasFloatLod && !lod->getType()->isFloatingPointTy())
      return unsupported(m_inst, "an integer level of detail in sampling");
    result.lod = hasFloatLod ? toFloat(m_builder, lod) : toInt(m_builder, lod);
  }
  if (has(Mask::Grad)) {
    unsigned count = dimensionCount(*m_type);
    result.gradX = firstComponents(m_builder, toFloat(m_builder, DOVETAIL_TRY(next())), count);
    result.gradY = firstComponents(m_builder, toFloat(m_builder, DOVETAIL_TRY(next())), count);
  }
  if (has(Mask::ConstOffset))
    result.offset = toInt(m_builder, DOVETAIL_TRY(next()));
  if (has(Mask::Offset))
    result.offset = toInt(m_builder, DOVETAIL_TRY(next()));
  if (has(Mask::ConstOffsets))
    result.offsets = DOVETAIL_TRY(next());
  if (has(Mask::Sample))
    result.sample = toInt(m_builder, DOVETAIL_TRY(next()));
  if (has(Mask::MinLod))
    result.minLod = toFloat(m_builder, DOVETAIL_TRY(next()));
  // The scopes of availability and visibility do not matter: the whole cache level is bypassed in any case.
  if (has(Mask::MakeTexelAvailableKHR)) {
    ++index;
    result.flags |= lgc::Coherent;
  }
  if (has(Mask::MakeTexelVisibleKHR)) {
    ++index;
    result.flags |= lgc::Coherent;
  }
  if (has(Mask::VolatileTexelKHR))
    result.flags |= lgc::Volatile | lgc::Coherent;
  if (has(Mask::SignExtend))
    result.flags |= lgc::SignedTexel;
  if (has(Mask::Nontemporal))
    result.flags |= lgc::NonTemporal;
  if (has(Mask::Offsets))
    result.offsets = DOVETAIL_TRY(next());
  if (has(Mask::ZeroExtend))
    result.flags &= ~unsigned(lgc::SignedTexel);
  return result;
}

Result<Type *> ImageInstruction::texelType() const {
  const TypeInfo &result = m_services.type(m_inst.resultType);
  const TypeInfo *texel = &result;
  if (m_form.isSparse) {
    const bool isPair = result.kind == TypeKind::Struct && result.members.size() == 2;
    const TypeInfo *code = isPair ? &m_services.type(result.members[0].type) : nullptr;
    if (!code || !code->value || !code->value->isIntegerTy(32))
      return unsupported(m_inst, "a result of this type");
    texel = &m_services.type(result.members[1].type);
  }
  if (!texel->value)
    return unsupported(m_inst, "a result of this type");
  return texel->value;
}

Type *ImageInstruction::operationType(Type *texel) const {
  return m_form.isSparse ? StructType::get(m_builder.getContext(), {texel, m_builder.getInt32Ty()}) : texel;
}

Result<void> ImageInstruction::finish(Value *result) {
  Type *type = DOVETAIL_TRY(texelType());
  if (!result->getType()->isStructTy()) {
    Value *texel = DOVETAIL_TRY(fitted(result, type));
    m_services.setValue(m_inst, texel);
    return {};
  }
  Value *texel = DOVETAIL_TRY(fitted(m_builder.CreateExtractValue(result, 0), type));
  Value *both = PoisonValue::get(m_services.type(m_inst.resultType).value);
  both = m_builder.CreateInsertValue(both, m_builder.CreateExtractValue(result, 1), 0);
  m_services.setValue(m_inst, m_builder.CreateInsertValue(both, texel, 1));
  return {};
}

Result<Value *> ImageInstruction::fitted(Value *result, Type *type) {
  unsigned have = componentCount(result);
  auto *wanted = dyn_cast<FixedVectorType>(type);
  unsigned want = wanted ? wanted->getNumElements() : 1;
  if (have > want)
    result = firstComponents(m_builder, result, want);
  else
    result = padded(m_builder, result, want);
  if (result->getType() != type) {
    if (result->getType()->isIntOrIntVectorTy() && type->isIntOrIntVectorTy())
      result = m_builder.CreateSExtOrTrunc(result, type);
    else if (result->getType()->isFPOrFPVectorTy() && type->isFPOrFPVectorTy())
      result = m_builder.CreateFPCast(result, type);
    else
      return unsupported(m_inst, "a result of this type");
  }
  return result;
}

Result<Value *> ImageInstruction::texelCoordinate(size_t index) {
  Value *coord = DOVETAIL_TRY(value(index));
  if (!coord->getType()->isIntOrIntVectorTy())
    return unsupported(m_inst, "texel coordinates that are not integers");
  coord = toInt(m_builder, coord);
  // A cube's layers and faces are counted as one index.
  bool isCube = m_type->dim == spv::Dim::Cube;
  unsigned wanted = isCube ? 3 : dimensionCount(*m_type) + m_type->isArrayed;
  if (componentCount(coord) < wanted)
    return unsupported(m_inst, "too few coordinates");
  coord = firstComponents(m_builder, coord, wanted);
  if (!isSubpass(*m_type))
    return coord;

  // Subpass inputs are addressed relative to the fragment.
  auto *position = FixedVectorType::get(m_builder.getFloatTy(), 4);
  Value *fragment = m_builder.CreateReadBuiltInInput(position, lgc::BuiltIn::FragCoord, nullptr, nullptr);
  fragment =
      m_builder.CreateFPToSI(firstComponents(m_builder, fragment, 2), FixedVectorType::get(m_builder.getInt32Ty(), 2));
  if (wanted > 2 || isLayered()) {
    auto *three = FixedVectorType::get(m_builder.getInt32Ty(), 3);
    Value *layer = isLayered()
                       ? m_builder.CreateReadBuiltInInput(m_builder.getInt32Ty(), lgc::BuiltIn::Layer, nullptr, nullptr)
                       : static_cast<Value *>(m_builder.getInt32(0));
    auto withLayer = [&](Value *pair, Value *last) {
      Value *result = m_builder.CreateInsertElement(PoisonValue::get(three), last, 2);
      for (unsigned i = 0; i < 2; ++i)
        result = m_builder.CreateInsertElement(result, m_builder.CreateExtractElement(pair, i), i);
      return result;
    };
    if (wanted == 2)
      coord = withLayer(coord, m_builder.getInt32(0));
    fragment = withLayer(fragment, layer);
  }
  return m_builder.CreateAdd(coord, fragment);
}

Result<void> ImageInstruction::fetchOrRead() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  Value *coord = DOVETAIL_TRY(texelCoordinate(1));
  ImageOperands operands = DOVETAIL_TRY(readOperands(2, false));
  const TypeInfo &texel = m_services.type(m_type->element);
  if (!texel.value)
    return unsupported(m_inst, "images with texels of this type");
  Type *four = operationType(FixedVectorType::get(texel.value, 4));
  if (m_form.isSparse && m_type->dim == spv::Dim::Buffer)
    return unsupported(m_inst, "the residency of texel buffers");
  if (m_type->dim == spv::Dim::Buffer)
    return finish(m_builder.CreateTexelBufferLoad(four, m_image.image, coord, operands.flags));

  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (m_type->isMultisampled && !operands.sample)
    return unsupported(m_inst, "a multisampled image needs a Sample operand");
  if (operands.offset)
    coord = m_builder.CreateAdd(coord, [&]() -> Value * {
      // The layer has no offset.
      Value *offset = Constant::getNullValue(coord->getType());
      if (!coord->getType()->isVectorTy())
        return firstComponents(m_builder, operands.offset, 1);
      unsigned count = std::min(dimensionCount(*m_type), componentCount(coord));
      for (unsigned i = 0; i < std::min(count, componentCount(operands.offset)); ++i) {
        Value *part = operands.offset->getType()->isVectorTy() ? m_builder.CreateExtractElement(operands.offset, i)
                                                               : operands.offset;
        offset = m_builder.CreateInsertElement(offset, part, i);
      }
      return offset;
    }());
  if (m_image.fmask)
    return finish(m_builder.CreateImageLoadWithFmask(four, dim, m_image.image, m_image.fmask, coord, operands.sample,
                                                     operands.flags));
  Value *sample = m_type->isMultisampled ? operands.sample : nullptr;
  return finish(m_builder.CreateImageLoad(four, dim, m_image.image, coord, operands.lod, sample, operands.flags));
}

Result<void> ImageInstruction::write() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  Value *coord = DOVETAIL_TRY(texelCoordinate(1));
  Value *texel = DOVETAIL_TRY(value(2));
  ImageOperands operands = DOVETAIL_TRY(readOperands(3, false));
  Type *component = texel->getType()->getScalarType();
  if (!component->isIntegerTy(32) && !component->isIntegerTy(64) && !component->isFloatTy() && !component->isHalfTy())
    return unsupported(m_inst, "texels of this type");
  texel = padded(m_builder, texel, 4); // components beyond those of the format are not stored
  if (m_type->dim == spv::Dim::Buffer) {
    m_builder.CreateTexelBufferStore(texel, m_image.image, coord, operands.flags);
    return {};
  }
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (m_type->isMultisampled && !operands.sample)
    return unsupported(m_inst, "a multisampled image needs a Sample operand");
  Value *sample = m_type->isMultisampled ? operands.sample : nullptr;
  m_builder.CreateImageStore(texel, dim, m_image.image, coord, operands.lod, sample, operands.flags);
  return {};
}

Result<void> ImageInstruction::querySize() {
  DOVETAIL_CHECK(readImage(0));
  if (m_type->dim == spv::Dim::Buffer)
    return finish(m_builder.CreateTexelBufferQuerySize(m_image.image));
  return finish(m_builder.CreateImageQuerySize(DOVETAIL_TRY(imageDim()), m_image.image, nullptr));
}

Result<void> ImageInstruction::querySizeLod() {
  DOVETAIL_CHECK(readImage(0));
  ImageDim dim = DOVETAIL_TRY(imageDim());
  Value *lod = toInt(m_builder, DOVETAIL_TRY(value(1)));
  return finish(m_builder.CreateImageQuerySize(dim, m_image.image, lod));
}

Result<void> ImageInstruction::queryLevels() {
  DOVETAIL_CHECK(readImage(0));
  return finish(m_builder.CreateImageQueryLevels(DOVETAIL_TRY(imageDim()), m_image.image));
}

Result<void> ImageInstruction::querySamples() {
  DOVETAIL_CHECK(readImage(0));
  return finish(m_builder.CreateImageQuerySamples(DOVETAIL_TRY(imageDim()), m_image.image));
}

Result<void> ImageInstruction::queryLod() {
  DOVETAIL_CHECK(readImage(0));
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (!m_image.sampler || m_type->isMultisampled)
    return unsupported(m_inst, "the level of detail of this image");
  Value *coord = DOVETAIL_TRY(value(1));
  if (!coord->getType()->isFPOrFPVectorTy() || componentCount(coord) < dimensionCount(*m_type))
    return unsupported(m_inst, "coordinates of this type");
  coord = firstComponents(m_builder, toFloat(m_builder, coord), dimensionCount(*m_type));
  return finish(m_builder.CreateImageQueryLod(dim, m_image.image, m_image.sampler, coord, m_image.flags));
}

Result<void> ImageInstruction::texelPointer() {
  Pointer variable = DOVETAIL_TRY(m_services.pointer(m_inst, 0));
  m_image = DOVETAIL_TRY(m_services.descriptors.load(m_inst, variable, variable.pointee));
  if (!m_image.image || m_image.imageType == 0)
    return unsupported(m_inst, "the operand is not an image");
  m_type = &m_services.type(m_image.imageType);
  DOVETAIL_CHECK(checkTexelType());

  Pointer pointer;
  pointer.kind = Pointer::Kind::ImageTexel;
  pointer.storage = spv::StorageClass::Image;
  pointer.pointee = m_type->element;
  pointer.flags = m_image.flags;
  pointer.coord = DOVETAIL_TRY(texelCoordinate(1));
  if (m_type->isMultisampled)
    pointer.sample = toInt(m_builder, DOVETAIL_TRY(value(2)));
  if (m_type->dim != spv::Dim::Buffer)
    DOVETAIL_CHECK(imageDim());
  pointer.texelImage = m_image;
  m_services.values.setPointer(m_inst, std::move(pointer));
  return {};
}

// The mask of which fragment each sample has. In an image without FMASK, each sample has its own fragment.
Result<void> ImageInstruction::fragmentMask() {
  DOVETAIL_CHECK(readImage(0));
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (!m_type->isMultisampled)
    return unsupported(m_inst, "fragments of an image that is not multisampled");
  Value *coord = DOVETAIL_TRY(texelCoordinate(1));
  Value *fmask = m_image.fmask ? m_image.fmask : m_services.descriptors.null(*m_type).fmask;
  if (!fmask)
    return unsupported(m_inst, "fragments of a storage image");
  return finish(m_builder.CreateImageFragmentMask(dim, fmask, coord, m_image.flags));
}

// Loads one fragment, by its own number.
Result<void> ImageInstruction::fragmentFetch() {
  DOVETAIL_CHECK(readImage(0));
  DOVETAIL_CHECK(checkTexelType());
  ImageDim dim = DOVETAIL_TRY(imageDim());
  if (!m_type->isMultisampled)
    return unsupported(m_inst, "fragments of an image that is not multisampled");
  Value *coord = DOVETAIL_TRY(texelCoordinate(1));
  Value *fragment = toInt(m_builder, DOVETAIL_TRY(value(2)));
  auto *four = FixedVectorType::get(m_services.type(m_type->element).value, 4);
  return finish(m_builder.CreateImageLoad(four, dim, m_image.image, coord, nullptr, fragment, m_image.flags));
}

// Combines an image and a sampler; each keeps its own non-uniformity.
Result<void> translateSampledImage(Services &s, const Instruction &inst) {
  ImageValue joined = DOVETAIL_TRY(s.image(inst, 0));
  ImageValue sampler = DOVETAIL_TRY(s.image(inst, 1));
  joined.sampler = sampler.sampler;
  joined.flags |= sampler.flags & lgc::NonUniformSampler;
  s.values.setImage(inst, joined);
  return {};
}

// OpImage: the image alone.
Result<void> translateImageOf(Services &s, const Instruction &inst) {
  ImageValue alone = DOVETAIL_TRY(s.image(inst, 0));
  alone.sampler = nullptr;
  s.values.setImage(inst, alone);
  return {};
}

} // namespace dovetail::spirv