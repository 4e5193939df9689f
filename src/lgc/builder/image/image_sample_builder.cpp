// SPDX-License-Identifier: MIT
//
// Sampling, gathering and the query of the level of detail. The name of the intrinsic says which address operands there
// are:
//
//   llvm.amdgcn.image.{sample,gather4} [.c] [.b | .d | .l | .lz] [.cl] [.o] .<dim>
//
// and its operands stand in the order offset, bias, reference, gradients, coordinates, level or clamp.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"
#include "src/lgc/builder/image/integer_gather.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// What a sample or gather has beside its coordinates.
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
    // Implicit derivatives look at the other lanes of the quad: trim_samples.h.
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

} // namespace

Value *BuilderImpl::CreateImageSample(Type *resultType, ImageDim dim, Value *imageDesc, Value *samplerDesc,
                                      Value *coord, OptionalValue dref, OptionalValue bias, OptionalValue lod,
                                      OptionalValue gradX, OptionalValue gradY, OptionalValue offset,
                                      OptionalValue minLod, unsigned flags, const Twine &) {
  ImageAddress address = sampleAddress(*this, dim, coord, gradX, gradY);
  bool isImplicit = !lod && address.gradients.empty();
  SampleOperands operands{dref, bias, lod, offset, minLod, isZero(lod)};
  if (isImplicit && !hasQuads(shaderModes().stage))
    operands = {dref, nullptr, nullptr, offset, nullptr, true};
  TexelResult result(*this, resultType);
  return result.finish(
      callSampler(*this, "sample", result, result.mask(), address, operands, imageDesc, samplerDesc, flags));
}

// The mask of a gather selects the component. References are compared with the first one.
Value *BuilderImpl::CreateImageGather(Type *resultType, ImageDim dim, Value *imageDesc, Value *samplerDesc,
                                      Value *coord, unsigned component, OptionalValue dref, OptionalValue bias,
                                      OptionalValue lod, OptionalValue offset, unsigned flags, const Twine &) {
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
  ImageAddress address = sampleAddress(*this, dim, coord, nullptr, nullptr, /*hasLayer=*/false);
  Type *type = FixedVectorType::get(getFloatTy(), 2);
  TexelResult result(*this, type);
  return callSampler(*this, "getlod", result, result.mask(), address, {}, imageDesc, samplerDesc, flags);
}

} // namespace lgc
