// SPDX-License-Identifier: MIT
//
// Loads, stores and atomics of single texels.
#include "src/lgc/builder/atomic_operation.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::ErrorCode;

namespace lgc {

namespace {

// Adds the level to the address, if there is one; returns the part of the intrinsic's name for it.
const char *appendLevel(ImageAddress &address, ImageDim dim, OptionalValue lod) {
  auto *constant = dyn_cast_or_null<ConstantInt>(static_cast<Value *>(lod));
  if (!lod || isMultisampled(dim) || (constant && constant->isZero()))
    return "";
  address.coords.push_back(lod);
  return ".mip";
}

} // namespace

Value *BuilderImpl::CreateImageLoad(Type *resultType, ImageDim dim, Value *imageDesc, Value *coord, OptionalValue lod,
                                    OptionalValue sample, unsigned flags, const Twine &) {
  if (isa<LoadDescriptorOp>(imageDesc) && conversionOf(imageDesc)) {
    fail(ErrorCode::InvalidInput, "an image whose sampler has a YCbCr conversion is read without the sampler");
    return PoisonValue::get(resultType);
  }
  ImageAddress address = texelAddress(*this, dim, coord, sample);
  const char *level = appendLevel(address, dim, lod);
  imageDesc = cubeAccessDesc(*this, dim, imageDesc);
  TexelResult result(*this, resultType);
  std::string name = ("llvm.amdgcn.image.load" + Twine(level) + "." + address.dim).str();
  separateVolatile(flags);
  Value *texel = waterfall(imageDesc, isNonUniform(flags), result.hardwareType(), [&](Values uniform) {
    SmallVector<Value *, 12> arguments = {result.mask()};
    append_range(arguments, address.coords);
    arguments.append({uniform[0], result.failureReport(), cachePolicy(flags)});
    return callByName(name, result.hardwareType(), arguments);
  });
  return result.finish(texel);
}

Value *BuilderImpl::CreateImageStore(Value *texel, ImageDim dim, Value *imageDesc, Value *coord, OptionalValue lod,
                                     OptionalValue sample, unsigned flags, const Twine &) {
  ImageAddress address = texelAddress(*this, dim, coord, sample);
  const char *level = appendLevel(address, dim, lod);
  imageDesc = cubeAccessDesc(*this, dim, imageDesc);
  Value *data = toHardwareTexel(*this, texel);
  std::string name = ("llvm.amdgcn.image.store" + Twine(level) + "." + address.dim).str();
  separateVolatile(flags);
  return waterfall(imageDesc, isNonUniform(flags), getVoidTy(), [&](Values uniform) {
    SmallVector<Value *, 12> arguments = {data, texelMask(*this, data->getType())};
    append_range(arguments, address.coords);
    arguments.append({uniform[0], getInt32(0), cachePolicy(flags)});
    return callByName(name, getVoidTy(), arguments);
  });
}

// A loop of compare-and-swap does additions, minima and maxima of floats until no other lane came between.
Value *BuilderImpl::CreateImageAtomic(AtomicOp op, ImageDim dim, Value *value, Value *imageDesc, Value *coord,
                                      OptionalValue sample, unsigned flags, const Twine &) {
  Type *type = value->getType();
  Type *integerType = getIntNTy(type->getPrimitiveSizeInBits());
  imageDesc = cubeAccessDesc(*this, dim, imageDesc);
  return waterfall(imageDesc, isNonUniform(flags), type, [&](Values uniform) -> Value * {
    if (const char *suffix = atomicSuffix(op)) {
      ImageAddress address = texelAddress(*this, dim, coord, sample);
      std::string name = ("llvm.amdgcn.image.atomic." + Twine(suffix) + "." + address.dim).str();
      SmallVector<Value *, 12> arguments = {CreateBitCast(value, integerType)};
      append_range(arguments, address.coords);
      arguments.append({uniform[0], getInt32(0), cachePolicy(flags, true)});
      return CreateBitCast(callByName(name, integerType, arguments), type);
    }
    unsigned uniformFlags = flags & ~NonUniformImage;
    Value *initial = CreateImageLoad(integerType, dim, uniform[0], coord, nullptr, sample, uniformFlags | Coherent);
    Value *old = compareSwapLoop(
        initial,
        [&](Value *current) {
          return CreateBitCast(atomicResult(*this, op, CreateBitCast(current, type), value), integerType);
        },
        [&](Value *expected, Value *desired) {
          return CreateImageAtomicCompareSwap(dim, desired, expected, uniform[0], coord, sample, uniformFlags);
        });
    return CreateBitCast(old, type);
  });
}

Value *BuilderImpl::CreateImageAtomicCompareSwap(ImageDim dim, Value *value, Value *comparator, Value *imageDesc,
                                                 Value *coord, OptionalValue sample, unsigned flags, const Twine &) {
  ImageAddress address = texelAddress(*this, dim, coord, sample);
  std::string name = ("llvm.amdgcn.image.atomic.cmpswap." + address.dim).str();
  imageDesc = cubeAccessDesc(*this, dim, imageDesc);
  return waterfall(imageDesc, isNonUniform(flags), value->getType(), [&](Values uniform) {
    SmallVector<Value *, 12> arguments = {value, comparator};
    append_range(arguments, address.coords);
    arguments.append({uniform[0], getInt32(0), cachePolicy(flags, true)});
    return callByName(name, value->getType(), arguments);
  });
}

} // namespace lgc
