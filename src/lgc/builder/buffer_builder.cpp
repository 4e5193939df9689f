// SPDX-License-Identifier: MIT
//
// Buffer loads, stores and atomics through raw buffer descriptors.
//
// A value is cut into the widest pieces that its alignment allows: up to four dwords where the offset is a multiple of
// four, otherwise single shorts or bytes. Memory that nobody writes is read by scalar loads. LLVM turns these into
// vector loads where the offset differs between lanes.
#include "src/lgc/builder/atomic_operation.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

struct Piece {
  unsigned byteOffset;
  unsigned bytes;
};

// The pieces of `size` bytes at an address that is a multiple of `alignment`, none longer than `longest` bytes.
SmallVector<Piece, 8> piecesOf(unsigned size, unsigned alignment, unsigned longest, bool allowThreeDwords) {
  SmallVector<Piece, 8> pieces;
  for (unsigned offset = 0; offset < size;) {
    unsigned left = size - offset;
    unsigned bytes = 1;
    if (alignment >= 4 && left >= 4)
      bytes = left >= 12 && left < 16 && allowThreeDwords ? 12 : std::min(unsigned(bit_floor(left)), longest);
    else if (alignment >= 2 && left >= 2)
      bytes = 2;
    pieces.push_back({offset, bytes});
    offset += bytes;
  }
  return pieces;
}

// The greatest power of two that is known to divide the offset; at least the element's size, by the op's contract.
unsigned knownAlignment(IRBuilderBase &builder, Value *byteOffset, unsigned elementBytes) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  unsigned zeros = computeKnownBits(byteOffset, layout).countMinTrailingZeros();
  return std::max(1u << std::min(zeros, 4u), elementBytes);
}

// The integer type that a piece is loaded or stored as: i8, i16, i32 or a vector of i32.
Type *pieceType(IRBuilderBase &builder, unsigned bytes) {
  if (bytes <= 4)
    return builder.getIntNTy(bytes * 8);
  return FixedVectorType::get(builder.getInt32Ty(), bytes / 4);
}

// A vector type for the value whose integers divide each piece evenly.
FixedVectorType *unitsType(IRBuilderBase &builder, Type *type, unsigned &unitBytes) {
  unsigned elementBytes = type->getScalarSizeInBits() / 8;
  unitBytes = std::min(elementBytes, 4u);
  unsigned bytes = type->getPrimitiveSizeInBits() / 8;
  return FixedVectorType::get(builder.getIntNTy(unitBytes * 8), bytes / unitBytes);
}

} // namespace

// A descriptor that differs between lanes excludes scalar loads; the offset then differs, too, as a rule.
Value *BuilderImpl::CreateBufferLoad(Type *resultType, Value *desc, Value *byteOffset, unsigned flags, const Twine &) {
  unsigned unitBytes;
  FixedVectorType *units = unitsType(*this, resultType, unitBytes);
  unsigned alignment = knownAlignment(*this, byteOffset, resultType->getScalarSizeInBits() / 8);
  bool isReadOnly = (flags & ReadOnly) && !(flags & Volatile);
  bool isScalar = isReadOnly && alignment >= 4 && !(flags & NonUniformImage);
  unsigned size = resultType->getPrimitiveSizeInBits() / 8;
  SmallVector<Piece, 8> pieces = piecesOf(size, alignment, isScalar ? 64 : 16, true);

  separateVolatile(flags);
  auto loadPiece = [&](Value *uniformDesc, const Piece &piece) -> Value * {
    Type *type = pieceType(*this, piece.bytes);
    Value *offset = CreateAdd(byteOffset, getInt32(piece.byteOffset));
    if (isScalar && piece.bytes >= 4)
      return CreateIntrinsic(Intrinsic::amdgcn_s_buffer_load, type, {uniformDesc, offset, getInt32(0)});
    CallInst *load = CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, type,
                                     {uniformDesc, offset, getInt32(0), cachePolicy(flags)});
    if (isReadOnly)
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(getContext(), {}));
    return load;
  };
  auto load = [&](Values uniform) -> Value * {
    Value *result = PoisonValue::get(units);
    for (const Piece &piece : pieces) {
      unsigned count = piece.bytes / unitBytes;
      Value *part = loadPiece(uniform[0], piece);
      Value *partUnits = CreateBitCast(part, FixedVectorType::get(units->getElementType(), count));
      for (unsigned i = 0; i < count; ++i)
        result = CreateInsertElement(result, CreateExtractElement(partUnits, i), piece.byteOffset / unitBytes + i);
    }
    return CreateBitCast(result, resultType);
  };
  return waterfall(desc, bool(flags & NonUniformImage), resultType, load);
}

Value *BuilderImpl::CreateBufferStore(Value *value, Value *desc, Value *byteOffset, unsigned flags, const Twine &) {
  unsigned unitBytes;
  FixedVectorType *unitsVector = unitsType(*this, value->getType(), unitBytes);
  unsigned alignment = knownAlignment(*this, byteOffset, value->getType()->getScalarSizeInBits() / 8);
  SmallVector<Piece, 8> pieces = piecesOf(value->getType()->getPrimitiveSizeInBits() / 8, alignment, 16, true);
  Value *units = CreateBitCast(value, unitsVector);
  separateVolatile(flags);

  auto store = [&](Values uniform) -> Value * {
    Value *last = nullptr;
    for (const Piece &piece : pieces) {
      SmallVector<int, 16> indices;
      for (unsigned i = 0; i < piece.bytes / unitBytes; ++i)
        indices.push_back(piece.byteOffset / unitBytes + i);
      Value *part = CreateBitCast(CreateShuffleVector(units, indices), pieceType(*this, piece.bytes));
      Value *offset = CreateAdd(byteOffset, getInt32(piece.byteOffset));
      last = CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, part->getType(),
                             {part, uniform[0], offset, getInt32(0), cachePolicy(flags)});
    }
    return last;
  };
  return waterfall(desc, bool(flags & NonUniformImage), getVoidTy(), store);
}

// GFX9's buffers have no floating-point additions with a result and no minima and maxima. A loop of compare-and-swap
// does these until no other lane came between.
Value *BuilderImpl::CreateBufferAtomic(AtomicOp op, Value *value, Value *desc, Value *byteOffset, unsigned flags,
                                       const Twine &) {
  Type *type = value->getType();
  Type *integerType = getIntNTy(type->getPrimitiveSizeInBits());

  auto make = [&](Values uniform) -> Value * {
    Value *resource = uniform[0];
    if (const char *suffix = atomicSuffix(op)) {
      std::string name = ("llvm.amdgcn.raw.buffer.atomic." + Twine(suffix)).str();
      Value *operand = CreateBitCast(value, integerType);
      Value *old =
          callByName(name, integerType, {operand, resource, byteOffset, getInt32(0), cachePolicy(flags, true)});
      return CreateBitCast(old, type);
    }
    Value *initial = CreateBufferLoad(integerType, resource, byteOffset, (flags & NonTemporal) | Coherent);
    Value *old = compareSwapLoop(
        initial,
        [&](Value *current) {
          return CreateBitCast(atomicResult(*this, op, CreateBitCast(current, type), value), integerType);
        },
        [&](Value *expected, Value *desired) {
          return CreateBufferAtomicCompareSwap(desired, expected, resource, byteOffset, flags & ~NonUniformImage);
        });
    return CreateBitCast(old, type);
  };
  return waterfall(desc, bool(flags & NonUniformImage), type, make);
}

Value *BuilderImpl::CreateBufferAtomicCompareSwap(Value *value, Value *comparator, Value *desc, Value *byteOffset,
                                                  unsigned flags, const Twine &) {
  auto make = [&](Values uniform) -> Value * {
    return CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_atomic_cmpswap, value->getType(),
                           {value, comparator, uniform[0], byteOffset, getInt32(0), cachePolicy(flags, true)});
  };
  return waterfall(desc, bool(flags & NonUniformImage), value->getType(), make);
}

Value *BuilderImpl::CreateBufferLength(Value *desc, const Twine &) {
  if (auto *load = dyn_cast<LoadDescriptorOp>(desc); load && load->resource() == dovetail::ResourceKind::CompactBuffer)
    m_pipelineState.fail(dovetail::ErrorCode::Unsupported,
                         fmt::format("set {} binding {}: the shader asks how long the buffer is, but the layout has "
                                     "its address alone",
                                     load->set(), load->binding()));
  return CreateExtractElement(desc, 2);
}

} // namespace lgc
