// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/shared_memory.h"
#include <algorithm>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

namespace {

constexpr uint64_t MaxWorkgroupBytes = 64 << 10;

llvm::GlobalVariable *createSharedMemory(llvm::Module &module, llvm::Type *type) {
  auto *memory =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
                               "lds", nullptr, llvm::GlobalValue::NotThreadLocal, llvm::AMDGPUAS::LOCAL_ADDRESS);
  if (type->isArrayTy() && type->getArrayElementType()->isIntegerTy(32))
    memory->setAlignment(llvm::Align(16)); // it may hold longer elements than its type says
  return memory;
}

llvm::Type *dwordsOf(llvm::LLVMContext &context, uint64_t bytes) {
  return llvm::ArrayType::get(llvm::Type::getInt32Ty(context), (bytes + 3) / 4);
}

} // namespace

Result<llvm::GlobalVariable *> SharedMemory::blocks(const Instruction &inst) {
  if (m_blocks)
    return m_blocks;
  uint64_t bytes = 0;
  for (const Instruction &other : m_context.module.globals) {
    if (other.opcode != spv::Op::OpVariable || !m_context.usedIds[other.result] ||
        static_cast<spv::StorageClass>(other.operand(0)) != spv::StorageClass::Workgroup)
      continue;
    bytes = std::max(bytes, DOVETAIL_TRY(m_context.declarations.layoutSize(m_context.resultType(other).element, {})));
  }
  if (bytes > MaxWorkgroupBytes)
    return unsupported(inst, fmt::format("shared memory of more than {} bytes is not supported", MaxWorkgroupBytes));
  m_blocks = createSharedMemory(m_context.target, dwordsOf(m_context.llvmContext, bytes));
  return m_blocks;
}

Result<Pointer> SharedMemory::createVariable(const Instruction &inst, Variable &variable) {
  const TypeInfo &pointee = m_context.type(variable.type);
  const llvm::DataLayout &layout = m_context.target.getDataLayout();
  Pointer result;
  result.storage = spv::StorageClass::Workgroup;
  result.pointee = pointee.id;
  result.variable = &variable;
  result.flags = m_context.resourceFlags(inst.result);
  llvm::GlobalVariable *memory = nullptr;
  const bool isZeroed = inst.operandCount() > 1; // an initializer can only be null
  if (pointee.kind == TypeKind::Struct && m_context.hasDecoration(pointee.id, spv::Decoration::Block)) {
    result.kind = Pointer::Kind::SharedBlock;
    result.offset = m_builder.getInt32(0);
    memory = DOVETAIL_TRY(blocks(inst));
  } else {
    if (!pointee.memory || pointee.scalarCount > MaxWorkgroupBytes ||
        layout.getTypeAllocSize(pointee.memory).getFixedValue() > MaxWorkgroupBytes)
      return unsupported(inst, fmt::format("shared memory of more than {} bytes is not supported", MaxWorkgroupBytes));
    // Zeros are stored in whole dwords.
    const uint64_t bytes = layout.getTypeAllocSize(pointee.memory).getFixedValue();
    memory = createSharedMemory(m_context.target, isZeroed ? dwordsOf(m_context.llvmContext, bytes) : pointee.memory);
  }
  if (isZeroed && std::ranges::find(m_zeroed, memory) == m_zeroed.end())
    m_zeroed.push_back(memory);
  result.base = memory;
  return result;
}

void SharedMemory::zero() {
  if (m_zeroed.empty())
    return;
  const lgc::ComputeShaderMode &mode = m_builder.shaderModes().compute;
  const uint64_t invocations = uint64_t(mode.workgroupSizeX) * mode.workgroupSizeY * mode.workgroupSizeZ;
  llvm::Type *i32 = m_builder.getInt32Ty();
  llvm::Value *first = m_builder.CreateReadBuiltInInput(i32, lgc::BuiltIn::LocalInvocationIndex, nullptr, nullptr);
  for (llvm::GlobalVariable *memory : m_zeroed) {
    const uint64_t dwords =
        m_context.target.getDataLayout().getTypeAllocSize(memory->getValueType()).getFixedValue() / 4;
    llvm::BasicBlock *before = m_builder.GetInsertBlock();
    llvm::BasicBlock *loop = llvm::BasicBlock::Create(m_context.llvmContext, "zero", m_context.main);
    llvm::BasicBlock *body = llvm::BasicBlock::Create(m_context.llvmContext, "zero.body", m_context.main);
    llvm::BasicBlock *after = llvm::BasicBlock::Create(m_context.llvmContext, "zero.end", m_context.main);
    m_builder.CreateBr(loop);
    m_builder.SetInsertPoint(loop);
    llvm::PHINode *place = m_builder.CreatePHI(i32, 2);
    place->addIncoming(first, before);
    m_builder.CreateCondBr(m_builder.CreateICmpULT(place, m_builder.getInt32(dwords)), body, after);
    m_builder.SetInsertPoint(body);
    m_builder.CreateStore(m_builder.getInt32(0), m_builder.CreateGEP(i32, memory, place));
    place->addIncoming(m_builder.CreateAdd(place, m_builder.getInt32(invocations)), body);
    m_builder.CreateBr(loop);
    m_builder.SetInsertPoint(after);
  }
  m_builder.CreateBarrier();
}

} // namespace dovetail::spirv
