// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"
#include "src/lgc/state/pipeline_state.h"
#include <limits>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <optional>

using namespace llvm;
using Place = dovetail::UniformPlace::Place;

namespace lgc {

namespace {

// The place where a load begins.
struct Source {
  Place place = Place::PushConstants;
  uint32_t set = 0, binding = 0;
  uint64_t offset = 0; // bytes
};

// A load through a raw buffer descriptor from memory that nobody writes.
struct BufferRead {
  CallInst *load = nullptr;
  const LoadDescriptorOp *descriptor = nullptr;
  uint64_t offset = 0;
};

std::optional<BufferRead> asBufferRead(Instruction &instruction) {
  auto *load = dyn_cast<IntrinsicInst>(&instruction);
  if (!load)
    return std::nullopt;
  bool isScalar = load->getIntrinsicID() == Intrinsic::amdgcn_s_buffer_load;
  bool isVector =
      load->getIntrinsicID() == Intrinsic::amdgcn_raw_buffer_load && load->hasMetadata(LLVMContext::MD_invariant_load);
  if (!isScalar && !isVector)
    return std::nullopt;
  auto *descriptor = dyn_cast<LoadDescriptorOp>(load->getArgOperand(0));
  auto *offset = dyn_cast<ConstantInt>(load->getArgOperand(1));
  if (!descriptor || !offset)
    return std::nullopt;
  if (auto *scalarOffset = isVector ? dyn_cast<ConstantInt>(load->getArgOperand(2)) : nullptr;
      isVector && (!scalarOffset || !scalarOffset->isZero()))
    return std::nullopt;
  return BufferRead{load, descriptor, offset->getZExtValue()};
}

unsigned elementCount(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

class InlinableUniformFolder {
public:
  InlinableUniformFolder(Function &function, const PipelineState &state)
      : m_function(function), m_others(state.interShaderData()), m_builder(function.getContext()) {}

  bool run() {
    SmallVector<BufferRead, 32> bufferReads;
    SmallVector<ReadPushConstantsOp *, 16> pushConstantReads;
    for (Instruction &instruction : instructions(m_function)) {
      if (auto *read = dyn_cast<ReadPushConstantsOp>(&instruction))
        pushConstantReads.push_back(read);
      else if (std::optional<BufferRead> read = asBufferRead(instruction))
        bufferReads.push_back(*read);
    }
    bool hasFound = false;
    for (const BufferRead &read : bufferReads)
      hasFound |= foldBufferRead(read);
    for (ReadPushConstantsOp *read : pushConstantReads)
      hasFound |= foldPushConstants(*read);
    return hasFound;
  }

private:
  // The known value of `bytes` bytes at `byte` behind the source, if they lie in one dword.
  ConstantInt *known(const Source &source, uint64_t byte, unsigned bytes) {
    uint64_t at = source.offset + byte;
    if (at % 4 + bytes > 4)
      return nullptr;
    if (at > std::numeric_limits<uint32_t>::max())
      return nullptr;
    const auto dword = static_cast<uint32_t>(at / 4 * 4);
    const std::optional<uint32_t> value = m_others.uniformAt({source.place, source.set, source.binding, dword});
    if (!value)
      return nullptr;
    return m_builder.getIntN(bytes * 8, maskTrailingOnes<uint64_t>(bytes * 8) & *value >> at % 4 * 8);
  }

  // The source of a read of element 0 of a binding of buffers.
  static std::optional<Source> sourceOf(const BufferRead &read) {
    auto *element = dyn_cast<ConstantInt>(read.descriptor->index());
    using dovetail::ResourceKind;
    const ResourceKind resource = read.descriptor->resource();
    const bool isBuffer = resource == ResourceKind::Buffer || resource == ResourceKind::CompactBuffer ||
                          resource == ResourceKind::InlineUniforms || resource == ResourceKind::RootBuffer;
    if (!element || !element->isZero() || !isBuffer)
      return std::nullopt;
    return Source{Place::UniformBuffer, read.descriptor->set(), read.descriptor->binding(), read.offset};
  }

  bool foldBufferRead(const BufferRead &read) {
    Type *type = read.load->getType();
    Type *element = type->getScalarType();
    unsigned bytes = element->getPrimitiveSizeInBits() / 8;
    std::optional<Source> source = sourceOf(read);
    if (!source || bytes == 0 || bytes > 4 || read.load->hasMetadata(FoldedMark))
      return false;

    SmallVector<Constant *, 16> constants;
    for (unsigned i = 0; i < elementCount(type); ++i) {
      ConstantInt *constant = known(*source, uint64_t(i) * bytes, bytes);
      constants.push_back(constant ? ConstantExpr::getBitCast(constant, element) : nullptr);
    }
    if (none_of(constants, [](Constant *constant) { return constant; }))
      return false;
    if (all_of(constants, [](Constant *constant) { return constant; })) {
      read.load->replaceAllUsesWith(type->isVectorTy() ? ConstantVector::get(constants) : constants[0]);
      read.load->eraseFromParent();
      return true;
    }

    SmallVector<Use *, 8> uses;
    for (Use &use : read.load->uses())
      uses.push_back(&use);
    m_builder.SetInsertPoint(read.load->getNextNode());
    Value *result = read.load;
    for (unsigned i = 0; i < constants.size(); ++i)
      if (constants[i])
        result = m_builder.CreateInsertElement(result, constants[i], i);
    for (Use *use : uses)
      use->set(result);
    read.load->setMetadata(FoldedMark, MDNode::get(m_builder.getContext(), {}));
    return true;
  }

  // Push constants arrive dword by dword, so each dword is either known or read alone.
  bool foldPushConstants(ReadPushConstantsOp &read) {
    auto *offset = dyn_cast<ConstantInt>(read.byteOffset());
    if (!offset)
      return false;
    Source source = {Place::PushConstants, 0, 0, offset->getZExtValue()};
    Type *type = read.getType();
    unsigned unitBytes = std::min(unsigned(type->getScalarSizeInBits() / 8), 4u);
    unsigned count = unsigned(type->getPrimitiveSizeInBits() / 8) / unitBytes;
    SmallVector<Value *, 16> units;
    for (unsigned i = 0; i < count; ++i)
      units.push_back(known(source, uint64_t(i) * unitBytes, unitBytes));
    if (none_of(units, [](Value *unit) { return unit; }))
      return false;

    m_builder.SetInsertPoint(&read);
    Type *unitType = m_builder.getIntNTy(unitBytes * 8);
    Value *result = PoisonValue::get(FixedVectorType::get(unitType, count));
    for (unsigned i = 0; i < count; ++i) {
      if (!units[i])
        units[i] = ReadPushConstantsOp::create(m_builder, unitType,
                                               m_builder.getInt32(offset->getZExtValue() + i * unitBytes));
      result = m_builder.CreateInsertElement(result, units[i], i);
    }
    read.replaceAllUsesWith(m_builder.CreateBitCast(count == 1 ? units[0] : result, type));
    read.eraseFromParent();
    return true;
  }

  // Marks loads that are known in part and have been handled.
  static constexpr char FoldedMark[] = "lgc.folded";

  Function &m_function;
  const InterShaderData &m_others;
  IRBuilder<> m_builder;
};

} // namespace

bool foldInlinableUniforms(Function &function, const PipelineState &state) {
  if (!state.interShaderData().hasInlinableUniforms())
    return false;
  return InlinableUniformFolder(function, state).run();
}

} // namespace lgc
