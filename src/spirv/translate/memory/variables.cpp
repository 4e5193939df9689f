// SPDX-License-Identifier: MIT
//
// Variables. The shader's own memory (Function, Private, Output, Workgroup) becomes an alloca or an LDS global. Other
// variables, and outputs of control shaders, become symbolic pointers. Module-scope variables that the entry point's
// call tree does not use are left out.
#include "src/spirv/module/names.h"
#include "src/spirv/translate/translator.h"
#include <algorithm>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

namespace {

// A wave's scratch is at most 8 MiB, 128 KiB for each lane. Optimisation removes most allocas first, so the limit is
// higher.
constexpr uint64_t MaxAllocaBytes = 1 << 20;
constexpr uint64_t MaxWorkgroupBytes = 64 << 10;
constexpr uint64_t MaxOutputScalars = 1024;

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

Result<llvm::Value *> Translator::createAlloca(const Instruction &inst, const TypeInfo &info) {
  if (!info.memory)
    return unsupported(inst, "a variable of this opaque or unsized type is not supported");
  // Scalars take at most 8 bytes, or 16 with the padding of three-component vectors.
  uint64_t bytes = info.scalarCount > MaxAllocaBytes
                       ? info.scalarCount
                       : m_target.getDataLayout().getTypeAllocSize(info.memory).getFixedValue();
  m_memoryBytes += std::min(bytes, MaxAllocaBytes + 1);
  if (bytes > MaxAllocaBytes || m_memoryBytes > 4 * MaxAllocaBytes)
    return unsupported(inst, fmt::format("variables of more than {} bytes are not supported", MaxAllocaBytes));
  llvm::IRBuilder<>::InsertPointGuard guard(m_builder);
  m_builder.SetInsertPoint(m_entryBlock, m_entryBlock->begin());
  return m_builder.CreateAlloca(info.memory, m_target.getDataLayout().getAllocaAddrSpace());
}

Result<void> Translator::translateLocalVariable(const Instruction &inst) {
  const TypeInfo &pointee = type(resultType(inst).element);
  if (isOpaque(pointee) || isOpaqueArray(pointee))
    return translateOpaqueVariable(inst);
  Pointer result;
  result.kind = Pointer::Kind::Memory;
  result.storage = spv::StorageClass::Function;
  result.pointee = pointee.id;
  result.base = DOVETAIL_TRY(createAlloca(inst, pointee));
  if (auto name = m_module.names.find(inst.result); name != m_module.names.end())
    result.base->setName(name->second);
  if (inst.operandCount() > 1) {
    Value *initializer = DOVETAIL_TRY(operandValue(inst, 1));
    DOVETAIL_CHECK(store(inst, result, initializer));
  }
  setPointer(inst, std::move(result));
  return {};
}

// Records the decorations of a buffer block; other resources have nothing to record.
void Translator::noteBlock(Variable &variable) const {
  const TypeInfo *block = &type(variable.type);
  while (block->kind == TypeKind::Array || block->kind == TypeKind::RuntimeArray)
    block = &type(block->element);
  if (block->kind != TypeKind::Struct)
    return;
  variable.blockType = block->id;
  variable.isNonWritable = true;
  for (uint32_t i = 0; i < block->members.size(); ++i)
    variable.isNonWritable &=
        findDecoration(m_module.memberDecorations(block->id, i), spv::Decoration::NonWritable) != nullptr;
  variable.isNonWritable |= hasDecoration(variable.id, spv::Decoration::NonWritable);
}

// Whether the variable is decorated so itself, or a member of its block is.
bool Translator::isInvariant(uint32_t variableId, const TypeInfo &info) const {
  bool invariant = hasDecoration(variableId, spv::Decoration::Invariant);
  const TypeInfo *block = &info;
  while (block->kind == TypeKind::Array)
    block = &type(block->element);
  for (uint32_t i = 0; block->kind == TypeKind::Struct && i < block->members.size(); ++i)
    invariant |= findDecoration(m_module.memberDecorations(block->id, i), spv::Decoration::Invariant) != nullptr;
  return invariant;
}

// All blocks alias each other.
Result<llvm::GlobalVariable *> Translator::sharedBlocks(const Instruction &inst) {
  if (m_sharedBlocks)
    return m_sharedBlocks;
  uint64_t bytes = 0;
  for (const Instruction &other : m_module.globals) {
    if (other.opcode != spv::Op::OpVariable || !m_usedVariables.count(other.result) ||
        static_cast<spv::StorageClass>(other.operand(0)) != spv::StorageClass::Workgroup)
      continue;
    bytes = std::max(bytes, DOVETAIL_TRY(m_declarations.layoutSize(resultType(other).element, {})));
  }
  if (bytes > MaxWorkgroupBytes)
    return unsupported(inst, fmt::format("shared memory of more than {} bytes is not supported", MaxWorkgroupBytes));
  m_sharedBlocks = createSharedMemory(m_target, dwordsOf(m_context, bytes));
  return m_sharedBlocks;
}

Result<Pointer> Translator::sharedVariable(const Instruction &inst, Variable &variable) {
  const TypeInfo &pointee = type(variable.type);
  const llvm::DataLayout &layout = m_target.getDataLayout();
  Pointer result;
  result.storage = spv::StorageClass::Workgroup;
  result.pointee = pointee.id;
  result.variable = &variable;
  result.flags = pointerFlags(inst.result);
  llvm::GlobalVariable *memory = nullptr;
  const bool isZeroed = inst.operandCount() > 1; // an initializer can only be null
  if (pointee.kind == TypeKind::Struct && hasDecoration(pointee.id, spv::Decoration::Block)) {
    result.kind = Pointer::Kind::SharedBlock;
    result.offset = m_builder.getInt32(0);
    memory = DOVETAIL_TRY(sharedBlocks(inst));
  } else {
    if (!pointee.memory || pointee.scalarCount > MaxWorkgroupBytes ||
        layout.getTypeAllocSize(pointee.memory).getFixedValue() > MaxWorkgroupBytes)
      return unsupported(inst, fmt::format("shared memory of more than {} bytes is not supported", MaxWorkgroupBytes));
    // Zeros are stored in whole dwords.
    const uint64_t bytes = layout.getTypeAllocSize(pointee.memory).getFixedValue();
    memory = createSharedMemory(m_target, isZeroed ? dwordsOf(m_context, bytes) : pointee.memory);
  }
  if (isZeroed && std::ranges::find(m_zeroedSharedMemory, memory) == m_zeroedSharedMemory.end())
    m_zeroedSharedMemory.push_back(memory);
  result.base = variable.memory = memory;
  return result;
}

// Each invocation stores every n-th dword, where n is the number of invocations.
void Translator::zeroSharedMemory() {
  if (m_zeroedSharedMemory.empty())
    return;
  const lgc::ComputeShaderMode &mode = m_builder.shaderModes().compute;
  const uint64_t invocations = uint64_t(mode.workgroupSizeX) * mode.workgroupSizeY * mode.workgroupSizeZ;
  llvm::Type *i32 = m_builder.getInt32Ty();
  Value *first = m_builder.CreateReadBuiltInInput(i32, lgc::BuiltIn::LocalInvocationIndex, nullptr, nullptr);
  for (llvm::GlobalVariable *memory : m_zeroedSharedMemory) {
    const uint64_t dwords = m_target.getDataLayout().getTypeAllocSize(memory->getValueType()).getFixedValue() / 4;
    llvm::BasicBlock *before = m_builder.GetInsertBlock();
    llvm::BasicBlock *loop = llvm::BasicBlock::Create(m_context, "zero", m_main);
    llvm::BasicBlock *body = llvm::BasicBlock::Create(m_context, "zero.body", m_main);
    llvm::BasicBlock *after = llvm::BasicBlock::Create(m_context, "zero.end", m_main);
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

// Places a variable that shares a buffer with others (reflect/opengl_uniforms.h).
void Translator::placeInBuffer(const Variable &variable, Pointer &pointer) {
  pointer.kind = Pointer::Kind::Buffer;
  pointer.base = m_builder.CreateLoadBufferDesc(variable.set, variable.binding, m_builder.getInt32(0), pointer.flags);
  pointer.offset = m_builder.getInt32(decorationOperand(variable.id, spv::Decoration::Offset).value_or(0));
  pointer.matrix.stride = decorationOperand(variable.id, spv::Decoration::MatrixStride).value_or(0);
}

// Places a variable of OpenGL's default block.
void Translator::placeUniform(const Variable &variable, Pointer &pointer) {
  if (!m_declarations.hasTextures(variable.type)) {
    pointer.flags |= lgc::ReadOnly;
    placeInBuffer(variable, pointer);
    return;
  }
  pointer.kind = Pointer::Kind::UniformTree;
  pointer.offset = m_builder.getInt32(decorationOperand(variable.id, spv::Decoration::Offset).value_or(0));
  pointer.textures.location = decorationOperand(variable.id, spv::Decoration::Location).value_or(0);
}

Result<void> Translator::translateGlobalVariable(const Instruction &inst) {
  if (!m_usedVariables.count(inst.result))
    return {};
  auto storage = static_cast<spv::StorageClass>(inst.operand(0));
  const TypeInfo &pointee = type(resultType(inst).element);
  m_variables.push_back(std::make_unique<Variable>());
  Variable &variable = *m_variables.back();
  variable.id = inst.result;
  variable.storage = storage;
  variable.type = pointee.id;
  const ResourcePlace place = m_declarations.resourcePlace(inst, m_options.stage);
  variable.set = place.set;
  variable.binding = place.binding;

  Pointer result;
  result.storage = storage;
  result.pointee = pointee.id;
  result.variable = &variable;
  result.flags = pointerFlags(inst.result);
  switch (storage) {
  case spv::StorageClass::AtomicCounter:
    placeInBuffer(variable, result);
    break;
  case spv::StorageClass::UniformConstant:
    if (m_declarations.isInDefaultBlock(inst))
      placeUniform(variable, result);
    else
      result.kind = Pointer::Kind::Resource;
    break;
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
    result.kind = Pointer::Kind::Resource;
    noteBlock(variable);
    break;
  case spv::StorageClass::PushConstant:
    result.kind = Pointer::Kind::PushConstant;
    result.offset = m_builder.getInt32(0);
    break;
  case spv::StorageClass::Input:
    result.kind = Pointer::Kind::Input;
    DOVETAIL_CHECK(applyInterfaceDecorations(inst, m_module.decorations(inst.result), result.place));
    result.place.isPerVertex = m_declarations.isPerVertex(inst, m_options.stage);
    break;
  case spv::StorageClass::Private:
  case spv::StorageClass::Output:
    if (storage == spv::StorageClass::Output) {
      bool isPerVertex = m_declarations.isPerVertex(inst, m_options.stage);
      uint64_t scalars = isPerVertex ? type(pointee.element).scalarCount : pointee.scalarCount;
      if (scalars > MaxOutputScalars)
        return unsupported(inst, fmt::format("an output of {} scalars is not supported", scalars));
    }
    if (storage == spv::StorageClass::Output)
      m_hasInvariantOutput |= isInvariant(inst.result, pointee);
    if (storage == spv::StorageClass::Output && m_options.stage == lgc::ShaderStage::TessControl) {
      result.kind = Pointer::Kind::SharedOutput;
      DOVETAIL_CHECK(applyInterfaceDecorations(inst, m_module.decorations(inst.result), result.place));
      result.place.isPerVertex = m_declarations.isPerVertex(inst, m_options.stage);
      result.place.isSharedOutput = true;
      if (inst.operandCount() > 1) {
        Value *initializer = DOVETAIL_TRY(operandValue(inst, 1));
        DOVETAIL_CHECK(initializeSharedOutput(inst, result, initializer));
      }
      break;
    }
    result.base = variable.memory = DOVETAIL_TRY(createAlloca(inst, pointee));
    if (auto name = m_module.names.find(inst.result); name != m_module.names.end())
      result.base->setName(name->second);
    if (inst.operandCount() > 1) {
      Value *initializer = DOVETAIL_TRY(operandValue(inst, 1));
      DOVETAIL_CHECK(store(inst, result, initializer));
    }
    break;
  case spv::StorageClass::Workgroup:
    result = DOVETAIL_TRY(sharedVariable(inst, variable));
    break;
  default:
    return unsupported(inst, fmt::format("storage class {} is not supported", nameOf(storage)));
  }
  setPointer(inst, std::move(result));
  return {};
}

} // namespace dovetail::spirv
