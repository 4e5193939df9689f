// SPDX-License-Identifier: MIT
//
// Texel buffers: typed buffers whose descriptor holds the format. Texel numbers are the index of structured accesses.
// On GFX9 the descriptor counts its records in texels, on GFX8 in bytes.
#include "src/lgc/builder/atomic_operation.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/image/image_address.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {} // namespace

Value *BuilderImpl::CreateTexelBufferLoad(Type *resultType, Value *desc, Value *coord, unsigned flags, const Twine &) {
  Type *hardwareType = hardwareTexelType(*this, resultType);
  separateVolatile(flags);
  Value *texel = waterfall(desc, isNonUniform(flags), hardwareType, [&](Values uniform) {
    return CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_load_format, hardwareType,
                           {uniform[0], coord, getInt32(0), getInt32(0), cachePolicy(flags)});
  });
  return fromHardwareTexel(*this, texel, resultType);
}

Value *BuilderImpl::CreateTexelBufferStore(Value *texel, Value *desc, Value *coord, unsigned flags, const Twine &) {
  Value *data = toHardwareTexel(*this, texel);
  separateVolatile(flags);
  return waterfall(desc, isNonUniform(flags), getVoidTy(), [&](Values uniform) {
    return CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_store_format, data->getType(),
                           {data, uniform[0], coord, getInt32(0), getInt32(0), cachePolicy(flags)});
  });
}

Value *BuilderImpl::CreateTexelBufferAtomic(AtomicOp op, Value *value, Value *desc, Value *coord, unsigned flags,
                                            const Twine &) {
  Type *type = value->getType();
  Type *integerType = getIntNTy(type->getPrimitiveSizeInBits());
  return waterfall(desc, isNonUniform(flags), type, [&](Values uniform) -> Value * {
    if (const char *suffix = atomicSuffix(op)) {
      std::string name = ("llvm.amdgcn.struct.buffer.atomic." + Twine(suffix)).str();
      Value *old = callByName(
          name, integerType,
          {CreateBitCast(value, integerType), uniform[0], coord, getInt32(0), getInt32(0), cachePolicy(flags, true)});
      return CreateBitCast(old, type);
    }
    unsigned uniformFlags = flags & ~NonUniformImage;
    Value *initial = CreateTexelBufferLoad(integerType, uniform[0], coord, uniformFlags | Coherent);
    Value *old = compareSwapLoop(
        initial,
        [&](Value *current) {
          return CreateBitCast(atomicResult(*this, op, CreateBitCast(current, type), value), integerType);
        },
        [&](Value *expected, Value *desired) {
          return CreateTexelBufferAtomicCompareSwap(desired, expected, uniform[0], coord, uniformFlags);
        });
    return CreateBitCast(old, type);
  });
}

Value *BuilderImpl::CreateTexelBufferAtomicCompareSwap(Value *value, Value *comparator, Value *desc, Value *coord,
                                                       unsigned flags, const Twine &) {
  return waterfall(desc, isNonUniform(flags), value->getType(), [&](Values uniform) {
    return CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_atomic_cmpswap, value->getType(),
                           {value, comparator, uniform[0], coord, getInt32(0), getInt32(0), cachePolicy(flags, true)});
  });
}

Value *BuilderImpl::CreateTexelBufferQuerySize(Value *desc, const Twine &) {
  Value *records = CreateExtractElement(desc, 2);
  if (!m_targetInfo.countsRecordsInBytes)
    return records;
  // STRIDE [29:16] of SQ_BUF_RSRC_WORD1 is the size of a texel.
  Value *stride = CreateAnd(CreateLShr(CreateExtractElement(desc, 1), getInt32(16)), getInt32(0x3fff));
  return CreateUDiv(records, stride);
}

} // namespace lgc
