// SPDX-License-Identifier: MIT
//
// Descriptors and push constants. What is known here is where a resource lies in its table; where the table's address
// is (an SGPR or the spill table) is known only when all of the shader's user data is, so the loads stay internal ops
// until user data lowering.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"
#include <fmt/format.h>

using namespace llvm;
using dovetail::ErrorCode;

namespace lgc {

void BuilderImpl::fail(ErrorCode code, std::string text) {
  m_pipelineState.fail(code, std::move(text));
}

// Reads `dwords` dwords at `offsetInDwords` of element `index` of the node.
Value *BuilderImpl::loadDescriptor(const UserDataNode *node, unsigned dwords, unsigned offsetInDwords, unsigned set,
                                   unsigned binding, Value *index, unsigned flags) {
  Type *type = FixedVectorType::get(getInt32Ty(), dwords);
  if (!node) {
    fail(ErrorCode::StateMismatch,
         fmt::format("set {} binding {} is not among the user data nodes, or of another type", set, binding));
    return PoisonValue::get(type);
  }
  unsigned stride = node->strideInDwords ? node->strideInDwords : node->sizeInDwords;
  Value *first = getInt32((node->offsetInDwords + offsetInDwords) * 4);
  Value *offset = CreateAdd(CreateMul(index, getInt32(stride * 4)), first);
  return LoadDescriptorOp::create(*this, type, set, offset, flags);
}

Value *BuilderImpl::CreateLoadBufferDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  const UserDataNode *node = m_pipelineState.findNode(set, binding, {UserDataNodeType::Buffer});
  return loadDescriptor(node, 4, 0, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadImageDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  const UserDataNode *node =
      m_pipelineState.findNode(set, binding, {UserDataNodeType::Image, UserDataNodeType::CombinedImageSampler});
  return loadDescriptor(node, 8, 0, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadFmaskDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  const UserDataNode *node = m_pipelineState.findNode(set, binding, {UserDataNodeType::Fmask});
  if (!node)
    return Constant::getNullValue(FixedVectorType::get(getInt32Ty(), 8));
  return loadDescriptor(node, 8, 0, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadSamplerDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  const UserDataNode *node =
      m_pipelineState.findNode(set, binding, {UserDataNodeType::Sampler, UserDataNodeType::CombinedImageSampler});
  unsigned samplerOffset = node && node->type == UserDataNodeType::CombinedImageSampler ? 8 : 0;
  return loadDescriptor(node, 4, samplerOffset, set, binding, index,
                        flags & NonUniformSampler ? unsigned(NonUniformImage) : 0);
}

Value *BuilderImpl::CreateLoadTexelBufferDesc(unsigned set, unsigned binding, Value *index, unsigned flags,
                                              const Twine &) {
  const UserDataNode *node = m_pipelineState.findNode(set, binding, {UserDataNodeType::TexelBuffer});
  return loadDescriptor(node, 4, 0, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadPushConstant(Type *resultType, Value *byteOffset, const Twine &) {
  const UserDataNode *node = m_pipelineState.findRootNode(UserDataNodeType::PushConstants);
  if (!node) {
    fail(ErrorCode::StateMismatch, "the shader reads push constants, but the user data nodes have none");
    return PoisonValue::get(resultType);
  }
  unsigned elementBits = resultType->getScalarSizeInBits();
  if (resultType->isAggregateType() || elementBits < 8 || elementBits > 64) {
    fail(ErrorCode::Unsupported,
         "a push constant is read that is neither a scalar nor a vector of 8- to 64-bit numbers");
    return PoisonValue::get(resultType);
  }
  Value *offset = CreateAdd(byteOffset, getInt32(node->offsetInDwords * 4));
  return LoadRootTableOp::create(*this, resultType, offset, node->offsetInDwords, node->sizeInDwords);
}

} // namespace lgc
