// SPDX-License-Identifier: MIT
//
// Atomics. The pointer decides how a read-modify-write is made: by a Builder operation on a buffer, image or texel
// buffer, or by LLVM's own atomics in shared memory and at physical addresses. The atomic itself is relaxed; memory
// semantics that order other accesses become memory barriers around it.
#include "src/spirv/translate/ops/image_dim.h"
#include "src/spirv/translate/translator.h"
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace dovetail::spirv {

using lgc::AtomicOp;
using spv::Op;

namespace {

std::optional<AtomicOp> atomicOp(Op opcode) {
  switch (opcode) {
  case Op::OpAtomicExchange:
    return AtomicOp::Swap;
  case Op::OpAtomicIIncrement:
  case Op::OpAtomicIAdd:
    return AtomicOp::Add;
  case Op::OpAtomicIDecrement:
  case Op::OpAtomicISub:
    return AtomicOp::Sub;
  case Op::OpAtomicSMin:
    return AtomicOp::SMin;
  case Op::OpAtomicUMin:
    return AtomicOp::UMin;
  case Op::OpAtomicSMax:
    return AtomicOp::SMax;
  case Op::OpAtomicUMax:
    return AtomicOp::UMax;
  case Op::OpAtomicAnd:
    return AtomicOp::And;
  case Op::OpAtomicOr:
    return AtomicOp::Or;
  case Op::OpAtomicXor:
    return AtomicOp::Xor;
  case Op::OpAtomicFAddEXT:
    return AtomicOp::FAdd;
  case Op::OpAtomicFMinEXT:
    return AtomicOp::FMin;
  case Op::OpAtomicFMaxEXT:
    return AtomicOp::FMax;
  default:
    return std::nullopt;
  }
}

AtomicRMWInst::BinOp memoryOp(AtomicOp op) {
  switch (op) {
  case AtomicOp::Swap:
    return AtomicRMWInst::Xchg;
  case AtomicOp::Add:
    return AtomicRMWInst::Add;
  case AtomicOp::Sub:
    return AtomicRMWInst::Sub;
  case AtomicOp::SMin:
    return AtomicRMWInst::Min;
  case AtomicOp::UMin:
    return AtomicRMWInst::UMin;
  case AtomicOp::SMax:
    return AtomicRMWInst::Max;
  case AtomicOp::UMax:
    return AtomicRMWInst::UMax;
  case AtomicOp::And:
    return AtomicRMWInst::And;
  case AtomicOp::Or:
    return AtomicRMWInst::Or;
  case AtomicOp::Xor:
    return AtomicRMWInst::Xor;
  case AtomicOp::FAdd:
    return AtomicRMWInst::FAdd;
  case AtomicOp::FMin:
    return AtomicRMWInst::FMin;
  case AtomicOp::FMax:
    return AtomicRMWInst::FMax;
  }
  return AtomicRMWInst::BAD_BINOP;
}

} // namespace

class Translator::AtomicInstruction {
public:
  AtomicInstruction(Translator &translator, const Instruction &inst)
      : m_translator(translator), m_builder(translator.m_builder), m_inst(inst) {}

  Result<void> translate();

private:
  Result<Value *> load();
  Result<void> store(Value *value);
  Result<Value *> modify(AtomicOp op, Value *value);
  Result<Value *> compareSwap(Value *value, Value *comparator);

  bool isTexelBuffer() const { return m_translator.type(m_pointer.texelImage.imageType).dim == spv::Dim::Buffer; }
  Result<lgc::ImageDim> texelDim() const;
  // The pointer for LLVM's own atomics; nullptr if they do not apply.
  Value *memoryPointer();
  SyncScope::ID memoryScope() const {
    bool isShared = m_pointer.storage == spv::StorageClass::Workgroup;
    return m_translator.m_context.getOrInsertSyncScopeID(isShared ? "workgroup" : "agent");
  }
  // Orders other accesses as the semantics operand says, before (release) or after (acquire) the atomic.
  Result<void> order(bool isBefore);

  Translator &m_translator;
  lgc::Builder &m_builder;
  const Instruction &m_inst;
  Pointer m_pointer;
  Type *m_type = nullptr;
  unsigned m_flags = lgc::Coherent;
};

Result<lgc::ImageDim> Translator::AtomicInstruction::texelDim() const {
  if (std::optional<lgc::ImageDim> dim = imageDimOf(m_translator.type(m_pointer.texelImage.imageType)))
    return *dim;
  return m_translator.unsupported(m_inst, "atomics on images of this dimension");
}

Value *Translator::AtomicInstruction::memoryPointer() {
  if (m_pointer.kind == Pointer::Kind::Memory)
    return m_pointer.base;
  if (m_pointer.kind == Pointer::Kind::SharedBlock)
    return m_translator.sharedAddress(m_pointer, 0);
  if (m_pointer.kind == Pointer::Kind::Physical)
    return m_builder.CreateIntToPtr(m_pointer.base,
                                    PointerType::get(m_translator.m_context, llvm::AMDGPUAS::GLOBAL_ADDRESS));
  return nullptr;
}

Result<Value *> Translator::AtomicInstruction::load() {
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

Result<void> Translator::AtomicInstruction::store(Value *value) {
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

Result<Value *> Translator::AtomicInstruction::modify(AtomicOp op, Value *value) {
  if (Value *memory = memoryPointer())
    return m_builder.CreateAtomicRMW(memoryOp(op), memory, value, Align(m_type->getScalarSizeInBits() / 8),
                                     AtomicOrdering::Monotonic, memoryScope());
  if (m_pointer.kind == Pointer::Kind::Buffer)
    return m_builder.CreateBufferAtomic(op, value, m_pointer.base, m_pointer.offset, m_flags);
  if (isTexelBuffer())
    return m_builder.CreateTexelBufferAtomic(op, value, m_pointer.texelImage.image, m_pointer.coord, m_flags);
  return m_builder.CreateImageAtomic(op, DOVETAIL_TRY(texelDim()), value, m_pointer.texelImage.image, m_pointer.coord,
                                     m_pointer.sample, m_flags);
}

Result<Value *> Translator::AtomicInstruction::compareSwap(Value *value, Value *comparator) {
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

Result<void> Translator::AtomicInstruction::order(bool isBefore) {
  using Mask = spv::MemorySemanticsMask;
  uint64_t semantics = DOVETAIL_TRY(m_translator.constantInteger(m_inst, m_inst.operand(2)));
  uint64_t both = uint64_t(Mask::AcquireRelease) | uint64_t(Mask::SequentiallyConsistent);
  uint64_t wanted = both | (isBefore ? uint64_t(Mask::Release) : uint64_t(Mask::Acquire));
  if (!(semantics & wanted))
    return {};
  unsigned scope = DOVETAIL_TRY(m_translator.barrierScope(m_inst, m_inst.operand(1), m_inst.operand(2)));
  if (scope)
    m_builder.CreateMemoryBarrier(scope);
  return {};
}

Result<void> Translator::AtomicInstruction::translate() {
  m_pointer = DOVETAIL_TRY(m_translator.pointer(m_inst, m_inst.operand(0)));
  m_type = DOVETAIL_TRY(m_translator.valueType(m_inst, m_pointer.pointee));
  bool isTexel = m_pointer.kind == Pointer::Kind::ImageTexel;
  if (!memoryPointer() && m_pointer.kind != Pointer::Kind::Buffer && !isTexel)
    return m_translator.unsupported(m_inst, "atomics in this storage class");
  if (!m_type->isIntegerTy(32) && !m_type->isIntegerTy(64) && !m_type->isFloatTy() && !m_type->isDoubleTy())
    return m_translator.unsupported(m_inst, "atomics on this type");
  m_flags |= m_pointer.flags & ~unsigned(lgc::ReadOnly);

  DOVETAIL_CHECK(order(true));
  if (m_inst.opcode == Op::OpAtomicStore) {
    // Operands: pointer, scope, semantics, value; there is no result.
    Value *value = DOVETAIL_TRY(m_translator.operandValue(m_inst, 3));
    DOVETAIL_CHECK(store(value));
    return order(false);
  }
  Value *result = nullptr;
  if (m_inst.opcode == Op::OpAtomicLoad) {
    result = DOVETAIL_TRY(load());
  } else if (m_inst.opcode == Op::OpAtomicCompareExchange) {
    // Operands: pointer, scope, semantics if equal, semantics if unequal, value, comparator.
    Value *value = DOVETAIL_TRY(m_translator.operandValue(m_inst, 4));
    result = DOVETAIL_TRY(compareSwap(value, DOVETAIL_TRY(m_translator.operandValue(m_inst, 5))));
  } else {
    std::optional<AtomicOp> op = atomicOp(m_inst.opcode);
    if (!op)
      return m_translator.unsupported(m_inst);
    bool isStep = m_inst.opcode == Op::OpAtomicIIncrement || m_inst.opcode == Op::OpAtomicIDecrement;
    Value *value = isStep ? ConstantInt::get(m_type, 1) : DOVETAIL_TRY(m_translator.operandValue(m_inst, 3));
    result = DOVETAIL_TRY(modify(*op, value));
  }
  m_translator.setValue(m_inst, result);
  return order(false);
}

Result<void> Translator::translateAtomic(const Instruction &inst) {
  return AtomicInstruction(*this, inst).translate();
}

} // namespace dovetail::spirv
