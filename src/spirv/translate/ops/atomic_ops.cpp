// SPDX-License-Identifier: MIT
//
// Atomics. The pointer decides how a read-modify-write is made: by a Builder operation on a buffer, image or texel
// buffer, or by LLVM's own atomics in shared memory and at physical addresses. The atomic itself is relaxed; memory
// semantics that order other accesses become memory barriers around it.
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace dovetail::spirv {

using lgc::AtomicOp;

namespace {

// LLVM's operations, in the order of AtomicOp.
constexpr AtomicRMWInst::BinOp MemoryOps[] = {
    AtomicRMWInst::Xchg, AtomicRMWInst::Add,  AtomicRMWInst::Sub,  AtomicRMWInst::Min, AtomicRMWInst::UMin,
    AtomicRMWInst::Max,  AtomicRMWInst::UMax, AtomicRMWInst::And,  AtomicRMWInst::Or,  AtomicRMWInst::Xor,
    AtomicRMWInst::FAdd, AtomicRMWInst::FMin, AtomicRMWInst::FMax,
};
static_assert(std::size(MemoryOps) == static_cast<size_t>(AtomicOp::FMax) + 1);

class AtomicInstruction {
public:
  AtomicInstruction(Services &services, const Instruction &inst)
      : m_services(services), m_builder(services.builder), m_inst(inst) {}

  // Reads the pointer. The semantics operand orders other accesses before and behind the atomic.
  Result<void> begin();
  Result<void> end() { return order(/*isBefore=*/false); }
  // The type that the pointer points to.
  Type *type() const { return m_type; }
  Result<Value *> load();
  Result<void> store(Value *value);
  Result<Value *> modify(AtomicOp op, Value *value);
  Result<Value *> compareSwap(Value *value, Value *comparator);

private:
  bool isTexelBuffer() const { return m_services.type(m_pointer.texelImage.imageType).dim == spv::Dim::Buffer; }
  Result<lgc::ImageDim> texelDim() const;
  // The pointer for LLVM's own atomics; nullptr if they do not apply.
  Value *memoryPointer();
  SyncScope::ID memoryScope() const {
    bool isShared = m_pointer.storage == spv::StorageClass::Workgroup;
    return m_services.llvmContext.getOrInsertSyncScopeID(isShared ? "workgroup" : "agent");
  }
  // Orders other accesses as the semantics operand says, before (release) or after (acquire) the atomic.
  Result<void> order(bool isBefore);

  Services &m_services;
  lgc::Builder &m_builder;
  const Instruction &m_inst;
  Pointer m_pointer;
  Type *m_type = nullptr;
  unsigned m_flags = lgc::Coherent;
};

Result<lgc::ImageDim> AtomicInstruction::texelDim() const {
  if (std::optional<lgc::ImageDim> dim = imageDimOf(m_services.type(m_pointer.texelImage.imageType)))
    return *dim;
  return unsupported(m_inst, "atomics on images of this dimension");
}

Value *AtomicInstruction::memoryPointer() {
  if (m_pointer.kind == Pointer::Kind::Memory)
    return m_pointer.base;
  if (m_pointer.kind == Pointer::Kind::SharedBlock)
    return m_services.laidOutMemory.address(m_pointer);
  if (m_pointer.kind == Pointer::Kind::Physical)
    return m_builder.CreateIntToPtr(m_pointer.base,
                                    PointerType::get(m_services.llvmContext, llvm::AMDGPUAS::GLOBAL_ADDRESS));
  return nullptr;
}

Result<Value *> AtomicInstruction::load() {
  if (Value *memory = memoryPointer()) {
    LoadInst *load = m_builder.CreateAlignedLoad(m_type, memory, Align(m_type->getScalarSizeInBits() / 8));
    load->setAtomic(AtomicOrdering::Monotonic, memoryScope());
    return load;
  }
  if (m_pointer.kind == Pointer::Kind::Buffer)
    return m_builder.CreateBufferLoad(m_type, m_pointer.base, m_pointer.offset, m_flags);
  auto *four = FixedVectorType::get(m_type, 4);
  Value *texel = nullptr;
  if (isTexelBuffer())
    texel = m_builder.CreateTexelBufferLoad(four, m_pointer.texelImage.image, m_pointer.coord, m_flags);
  else
    texel = m_builder.CreateImageLoad(four, DOVETAIL_TRY(texelDim()), m_pointer.texelImage.image, m_pointer.coord,
                                      nullptr, m_pointer.sample, m_flags);
  return m_builder.CreateExtractElement(texel, uint64_t(0));
}

Result<void> AtomicInstruction::store(Value *value) {
  if (Value *memory = memoryPointer()) {
    StoreInst *store = m_builder.CreateAlignedStore(value, memory, Align(m_type->getScalarSizeInBits() / 8));
    store->setAtomic(AtomicOrdering::Monotonic, memoryScope());
    return {};
  }
  if (m_pointer.kind == Pointer::Kind::Buffer) {
    m_builder.CreateBufferStore(value, m_pointer.base, m_pointer.offset, m_flags);
    return {};
  }
  Value *texel = Constant::getNullValue(FixedVectorType::get(m_type, 4));
  texel = m_builder.CreateInsertElement(texel, value, uint64_t(0));
  if (isTexelBuffer())
    m_builder.CreateTexelBufferStore(texel, m_pointer.texelImage.image, m_pointer.coord, m_flags);
  else
    m_builder.CreateImageStore(texel, DOVETAIL_TRY(texelDim()), m_pointer.texelImage.image, m_pointer.coord, nullptr,
                               m_pointer.sample, m_flags);
  return {};
}

Result<Value *> AtomicInstruction::modify(AtomicOp op, Value *value) {
  if (Value *memory = memoryPointer())
    return m_builder.CreateAtomicRMW(MemoryOps[static_cast<size_t>(op)], memory, value,
                                     Align(m_type->getScalarSizeInBits() / 8), AtomicOrdering::Monotonic,
                                     memoryScope());
  if (m_pointer.kind == Pointer::Kind::Buffer)
    return m_builder.CreateBufferAtomic(op, value, m_pointer.base, m_pointer.offset, m_flags);
  if (isTexelBuffer())
    return m_builder.CreateTexelBufferAtomic(op, value, m_pointer.texelImage.image, m_pointer.coord, m_flags);
  return m_builder.CreateImageAtomic(op, DOVETAIL_TRY(texelDim()), value, m_pointer.texelImage.image, m_pointer.coord,
                                     m_pointer.sample, m_flags);
}

Result<Value *> AtomicInstruction::compareSwap(Value *value, Value *comparator) {
  if (Value *memory = memoryPointer()) {
    Value *both = m_builder.CreateAtomicCmpXchg(memory, comparator, value, Align(m_type->getScalarSizeInBits() / 8),
                                                AtomicOrdering::Monotonic, AtomicOrdering::Monotonic, memoryScope());
    return m_builder.CreateExtractValue(both, 0);
  }
  if (m_pointer.kind == Pointer::Kind::Buffer)
    return m_builder.CreateBufferAtomicCompareSwap(value, comparator, m_pointer.base, m_pointer.offset, m_flags);
  if (isTexelBuffer())
    return m_builder.CreateTexelBufferAtomicCompareSwap(value, comparator, m_pointer.texelImage.image, m_pointer.coord,
                                                        m_flags);
  return m_builder.CreateImageAtomicCompareSwap(DOVETAIL_TRY(texelDim()), value, comparator, m_pointer.texelImage.image,
                                                m_pointer.coord, m_pointer.sample, m_flags);
}

Result<void> AtomicInstruction::order(bool isBefore) {
  using Mask = spv::MemorySemanticsMask;
  uint64_t semantics = DOVETAIL_TRY(m_services.constant(m_inst, 2));
  uint64_t both = uint64_t(Mask::AcquireRelease) | uint64_t(Mask::SequentiallyConsistent);
  uint64_t wanted = both | (isBefore ? uint64_t(Mask::Release) : uint64_t(Mask::Acquire));
  if (!(semantics & wanted))
    return {};
  unsigned scope = DOVETAIL_TRY(barrierScope(m_services, m_inst, 1));
  if (scope)
    m_builder.CreateMemoryBarrier(scope);
  return {};
}

Result<void> AtomicInstruction::begin() {
  m_pointer = DOVETAIL_TRY(m_services.pointer(m_inst, 0));
  m_type = DOVETAIL_TRY(m_services.types.valueType(m_inst, m_pointer.pointee));
  bool isTexel = m_pointer.kind == Pointer::Kind::ImageTexel;
  if (!memoryPointer() && m_pointer.kind != Pointer::Kind::Buffer && !isTexel)
    return unsupported(m_inst, "atomics in this storage class");
  if (!m_type->isIntegerTy(32) && !m_type->isIntegerTy(64) && !m_type->isFloatTy() && !m_type->isDoubleTy())
    return unsupported(m_inst, "atomics on this type");
  m_flags |= m_pointer.flags & ~unsigned(lgc::ReadOnly);
  return order(/*isBefore=*/true);
}

// Reads a value and perhaps writes another.
template <typename Access> Result<Value *> access(Services &s, const Instruction &inst, const Access &makeAccess) {
  AtomicInstruction atomic(s, inst);
  DOVETAIL_CHECK(atomic.begin());
  Value *read = DOVETAIL_TRY(makeAccess(atomic));
  DOVETAIL_CHECK(atomic.end());
  return read;
}

} // namespace

Result<Value *> translateAtomicLoad(Services &s, const Instruction &inst) {
  return access(s, inst, [](AtomicInstruction &atomic) { return atomic.load(); });
}

// Operands: pointer, scope, semantics, value; there is no result.
Result<void> translateAtomicStore(Services &s, const Instruction &inst) {
  AtomicInstruction atomic(s, inst);
  DOVETAIL_CHECK(atomic.begin());
  Value *value = DOVETAIL_TRY(s.operand(inst, 3));
  DOVETAIL_CHECK(atomic.store(value));
  return atomic.end();
}

Result<Value *> translateAtomic(Services &s, const Instruction &inst, AtomicOp op) {
  return access(s, inst, [&](AtomicInstruction &atomic) -> Result<Value *> {
    Value *value = DOVETAIL_TRY(s.operand(inst, 3));
    return atomic.modify(op, value);
  });
}

Result<Value *> translateAtomicStep(Services &s, const Instruction &inst, AtomicOp op) {
  return access(s, inst,
                [&](AtomicInstruction &atomic) { return atomic.modify(op, ConstantInt::get(atomic.type(), 1)); });
}

// Operands: pointer, scope, semantics if equal, semantics if unequal, value, comparator.
Result<Value *> translateAtomicCompareExchange(Services &s, const Instruction &inst) {
  return access(s, inst, [&](AtomicInstruction &atomic) -> Result<Value *> {
    Value *value = DOVETAIL_TRY(s.operand(inst, 4));
    Value *comparator = DOVETAIL_TRY(s.operand(inst, 5));
    return atomic.compareSwap(value, comparator);
  });
}

} // namespace dovetail::spirv
