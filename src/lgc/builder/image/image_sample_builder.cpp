// SPDX-License-Identifier: MIT
//
// Sampling, gathering and the query of the level of detail. The intrinsic's name lists its address operands:
//
//   llvm.amdgcn.image.{sample,gather4} [.c] [.b | .d | .l | .lz] [.cl] [.o] .<dim>
//
// The operands are in the order offset, bias, reference, gradients, coordinates, level or clamp.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"
#include "src/lgc/builder/image/integer_gather.h"
#include "src/lgc/builder/image/ycbcr_sample.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::ResourceFormKind;
using dovetail::ResourceKind;
using dovetail::YcbcrConversion;

namespace lgc {

namespace {

// The operands of a sample or gather beside its coordinates.
struct SampleOperands {
  OptionalValue dref;
  OptionalValue bias;
  OptionalValue lod;
  OptionalValue offset;
  OptionalValue minLod;
  bool isLevelZero = false;
};

// Texel offsets are six-bit fields of one dword: x in [5:0], y in [13:8], z in [21:16].
Value *packOffset(BuilderImpl &builder, Value *offset) {
  auto *vector = dyn_cast<FixedVectorType>(offset->getType());
  Value *packed = nullptr;
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    Value *element = vector ? builder.CreateExtractElement(offset, i) : offset;
    element = builder.CreateSExtOrTrunc(element, builder.getInt32Ty());
    Value *field = builder.CreateShl(builder.CreateAnd(element, builder.getInt32(0x3f)), builder.getInt32(8 * i));
    packed = packed ? builder.CreateOr(packed, field) : field;
  }
  return packed;
}

Value *callSampler(BuilderImpl &builder, StringRef operation, const TexelResult &result, ConstantInt *mask,
                   const ImageAddress &address, const SampleOperands &operands, Value *imageDesc, Value *samplerDesc,
                   unsigned flags) {
  auto asFloat = [&](Value *value) { return builder.CreateFPCast(value, builder.getFloatTy()); };
  std::string name = ("llvm.amdgcn.image." + operation).str();
  SmallVector<Value *, 16> arguments = {mask};
  if (operands.dref)
    name += ".c";
  if (operands.offset)
    arguments.push_back(packOffset(builder, operands.offset));
  if (operands.bias) {
    name += ".b";
    arguments.push_back(asFloat(operands.bias));
  }
  if (operands.dref)
    arguments.push_back(asFloat(operands.dref));
  if (!address.gradients.empty()) {
    name += ".d";
    append_range(arguments, address.gradients);
  }
  append_range(arguments, address.coords);
  if (operands.isLevelZero) {
    name += ".lz";
  } else if (operands.lod) {
    name += ".l";
    arguments.push_back(asFloat(operands.lod));
  } else if (operands.minLod) {
    name += ".cl";
    arguments.push_back(asFloat(operands.minLod));
  }
  if (operands.offset)
    name += ".o";
  name += ("." + address.dim).str();

  bool hasImplicitLevel = !operands.isLevelZero && !operands.lod && address.gradients.empty();
  Constant *isUnnormalized = builder.getInt1(flags & TexelCoordinates);
  Type *hardwareType = result.hardwareType();
  bool isDivergent[] = {bool(flags & NonUniformImage), bool(flags & NonUniformSampler)};
  return builder.waterfall({imageDesc, samplerDesc}, isDivergent, hardwareType, [&](BuilderImpl::Values uniform) {
    SmallVector<Value *, 16> all = arguments;
    all.append({uniform[0], uniform[1], isUnnormalized, result.failureReport(), builder.cachePolicy(flags)});
    CallInst *call = builder.callByName(name, hardwareType, all);
    if (!hasImplicitLevel)
      return static_cast<Value *>(call);
    // Implicit derivatives read the other lanes of the quad: trim_samples.cpp.
    call->setConvergent();
    return builder.CreateFreeze(call);
  });
}

bool isZero(OptionalValue value) {
  auto *constant = dyn_cast_or_null<ConstantFP>(static_cast<Value *>(value));
  return constant && constant->isZero();
}

// Quads, and with them implicit derivatives, exist in fragment shaders and, by extension, in compute shaders.
bool hasQuads(ShaderStage stage) {
  return stage == ShaderStage::Fragment || stage == ShaderStage::Compute;
}

// Whether a conversion can be applied to such a sample.
bool canConvert(ImageDim dim, Type *resultType, OptionalValue dref, OptionalValue offset, unsigned flags) {
  auto *structure = dyn_cast<StructType>(resultType);
  auto *texel = dyn_cast<FixedVectorType>(structure ? structure->getElementType(0) : resultType);
  return (dim == ImageDim::Dim2D || dim == ImageDim::Array2D) && texel && texel->getNumElements() == 4 &&
         texel->getElementType()->isFloatingPointTy() && !dref && !offset && !(flags & TexelCoordinates);
}

} // namespace

std::optional<YcbcrConversion> BuilderImpl::conversionOf(Value *desc) {
  const dovetail::ResourceForms &forms = m_pipelineState.resourceForms();
  auto *load = dyn_cast<LoadDescriptorOp>(desc);
  if (!load) {
    if (any_of(forms, [](const auto &form) { return form.kind == ResourceFormKind::YcbcrConversion; }))
      fail(ErrorCode::Unsupported, "a sampler is chosen at run time, and the layout has YCbCr conversions");
    return std::nullopt;
  }
  SmallVector<const dovetail::ResourceForm *, 4> conversions; // of the binding, by element
  for (const dovetail::ResourceForm &form : forms)
    if (form.kind == ResourceFormKind::YcbcrConversion && form.set == load->set() && form.binding == load->binding())
      conversions.push_back(&form);
  if (conversions.empty())
    return std::nullopt;
  auto complain = [&](ErrorCode code, const std::string &text) {
    fail(code, fmt::format("set {} binding {}: {}", load->set(), load->binding(), text));
    return std::nullopt;
  };
  const dovetail::ResourceForm *chosen = conversions.front();
  if (auto *index = dyn_cast<ConstantInt>(load->index())) {
    const auto found = find_if(conversions, [&](const auto *form) { return form->element == index->getZExtValue(); });
    if (found == conversions.end())
      return complain(ErrorCode::InvalidInput,
                      fmt::format("element {} of the samplers has no YCbCr conversion", index->getZExtValue()));
    chosen = *found;
  } else if (any_of(conversions, [&](const auto *form) { return form->content != chosen->content; })) {
    return complain(ErrorCode::InvalidInput, "samplers with different YCbCr conversions are chosen at run time");
  }
  dovetail::Result<YcbcrConversion> conversion = dovetail::ycbcrConversionOf(chosen->content);
  if (!conversion)
    return complain(conversion.error().code, conversion.error().text);
  return *conversion;
}

bool BuilderImpl::checkNoConversion(Value *samplerDesc) {
  const bool converts = conversionOf(samplerDesc).has_value();
  if (converts)
    fail(ErrorCode::InvalidInput, "a sampler with a YCbCr conversion does not gather, and tells no level of detail");
  return !converts;
}

std::optional<SmallVector<Value *, 3>> BuilderImpl::planesOf(Value *imageDesc, unsigned count) {
  SmallVector<Value *, 3> planes = {imageDesc};
  if (count == 1)
    return planes;
  auto *load = dyn_cast<LoadDescriptorOp>(imageDesc);
  if (!load || load->resource() != ResourceKind::Image) {
    fail(ErrorCode::Unsupported, "an image is chosen at run time for a sampler with a YCbCr conversion");
    return std::nullopt;
  }
  for (ResourceKind plane : {ResourceKind::ImagePlane1, ResourceKind::ImagePlane2})
    if (planes.size() < count)
      planes.push_back(LoadDescriptorOp::create(*this, load->getType(), plane, load->set(), load->binding(),
                                                load->index(), load->flags()));
  return planes;
}

Value *BuilderImpl::CreateImageSample(Type *resultType, ImageDim dim, Value *imageDesc, Value *samplerDesc,
                                      Value *coord, OptionalValue dref, OptionalValue bias, OptionalValue lod,
                                      OptionalValue gradX, OptionalValue gradY, OptionalValue offset,
                                      OptionalValue minLod, unsigned flags, const Twine &) {
  auto sample = [&](Type *type, Value *image, Value *sampler, Value *place) {
    ImageAddress address = sampleAddress(*this, dim, place, gradX, gradY);
    bool isImplicit = !lod && address.gradients.empty();
    SampleOperands operands{dref, bias, lod, offset, minLod, isZero(lod)};
    if (isImplicit && !hasQuads(shaderModes().stage))
      operands = {dref, nullptr, nullptr, offset, nullptr, true};
    TexelResult result(*this, type);
    return result.finish(callSampler(*this, "sample", result, result.mask(), address, operands, image, sampler, flags));
  };
  const std::optional<YcbcrConversion> conversion = conversionOf(samplerDesc);
  if (!conversion)
    return sample(resultType, imageDesc, samplerDesc, coord);
  if (!canConvert(dim, resultType, dref, offset, flags)) {
    fail(ErrorCode::InvalidInput, "a sampler with a YCbCr conversion gives colours of 2D images at normalized "
                                  "coordinates without an offset");
    return PoisonValue::get(resultType);
  }
  const auto planes = planesOf(imageDesc, conversion->planes);
  return planes ? YcbcrSample(*this, *conversion, *planes, samplerDesc).make(resultType, coord, sample)
                : PoisonValue::get(resultType);
}

// The mask of a gather selects the component. References are compared with the first component.
Value *BuilderImpl::CreateImageGather(Type *resultType, ImageDim dim, Value *imageDesc, Value *samplerDesc,
                                      Value *coord, unsigned component, OptionalValue dref, OptionalValue bias,
                                      OptionalValue lod, OptionalValue offset, unsigned flags, const Twine &) {
  if (!checkNoConversion(samplerDesc))
    return PoisonValue::get(resultType);
  ImageAddress address = sampleAddress(*this, dim, coord, nullptr, nullptr);
  bool isLevelZero = (!bias && !lod) || isZero(lod) || (!lod && !hasQuads(shaderModes().stage));
  SampleOperands operands{dref, isLevelZero ? nullptr : bias, lod, offset, nullptr, isLevelZero};
  TexelResult result(*this, resultType);
  ConstantInt *mask = getInt32(dref ? 1 : 1u << (component & 3));
  std::optional<IntegerGather> fix;
  if (result.texelType()->isIntOrIntVectorTy() && m_targetInfo.misplacesIntegerGathers) {
    fix.emplace(*this, dim, imageDesc, samplerDesc, isLevelZero ? OptionalValue(nullptr) : lod, flags);
    fix->moveCoordinates(address);
    imageDesc = fix->imageDesc();
  }
  Value *texels = callSampler(*this, "gather4", result, mask, address, operands, imageDesc, samplerDesc, flags);
  return result.finish(texels, [&](Value *four) { return fix ? fix->fixTexels(four) : four; });
}

Value *BuilderImpl::CreateImageQueryLod(ImageDim dim, Value *imageDesc, Value *samplerDesc, Value *coord,
                                        unsigned flags, const Twine &) {
  Type *type = FixedVectorType::get(getFloatTy(), 2);
  if (!checkNoConversion(samplerDesc))
    return PoisonValue::get(type);
  ImageAddress address = sampleAddress(*this, dim, coord, nullptr, nullptr, /*hasLayer=*/false);
  TexelResult result(*this, type);
  return callSampler(*this, "getlod", result, result.mask(), address, {}, imageDesc, samplerDesc, flags);
}

} // namespace lgc
