// SPDX-License-Identifier: MIT
//
// Descriptors and push constants. Only the join knows where they lie, so their loads stay internal ops until user data
// lowering.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::ResourceFormKind;
using dovetail::ResourceKind;

namespace lgc {

namespace {

constexpr unsigned ImageDwords = 8, OtherDwords = 4;

} // namespace

void BuilderImpl::fail(ErrorCode code, std::string text) {
  m_pipelineState.fail(code, std::move(text));
}

Value *BuilderImpl::loadDescriptor(ResourceKind resource, unsigned dwords, unsigned set, unsigned binding, Value *index,
                                   unsigned flags) {
  return LoadDescriptorOp::create(*this, FixedVectorType::get(getInt32Ty(), dwords), resource, set, binding, index,
                                  flags);
}

Value *BuilderImpl::CreateLoadBufferDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  auto is = [&](ResourceFormKind form) { return m_pipelineState.hasForm(set, binding, form); };
  const ResourceKind resource = is(ResourceFormKind::CompactBuffer)    ? ResourceKind::CompactBuffer
                                : is(ResourceFormKind::InlineUniforms) ? ResourceKind::InlineUniforms
                                : is(ResourceFormKind::RootBuffer)     ? ResourceKind::RootBuffer
                                                                       : ResourceKind::Buffer;
  return loadDescriptor(resource, OtherDwords, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadImageDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  return loadDescriptor(ResourceKind::Image, ImageDwords, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadFmaskDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  if (m_pipelineState.hasForm(set, binding, ResourceFormKind::NoFmask))
    return Constant::getNullValue(FixedVectorType::get(getInt32Ty(), ImageDwords));
  return loadDescriptor(ResourceKind::Fmask, ImageDwords, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadSamplerDesc(unsigned set, unsigned binding, Value *index, unsigned flags, const Twine &) {
  const bool isImmutable = m_pipelineState.hasForm(set, binding, ResourceFormKind::ImmutableSampler);
  return loadDescriptor(isImmutable ? ResourceKind::ImmutableSampler : ResourceKind::Sampler, OtherDwords, set, binding,
                        index, flags & NonUniformSampler ? unsigned(NonUniformImage) : 0);
}

Value *BuilderImpl::CreateLoadTexelBufferDesc(unsigned set, unsigned binding, Value *index, unsigned flags,
                                              const Twine &) {
  return loadDescriptor(ResourceKind::TexelBuffer, OtherDwords, set, binding, index, flags & NonUniformImage);
}

Value *BuilderImpl::CreateLoadPushConstant(Type *resultType, Value *byteOffset, const Twine &) {
  unsigned elementBits = resultType->getScalarSizeInBits();
  if (resultType->isAggregateType() || elementBits < 8 || elementBits > 64) {
    fail(ErrorCode::Unsupported,
         "a push constant is read that is neither a scalar nor a vector of 8- to 64-bit numbers");
    return PoisonValue::get(resultType);
  }
  return ReadPushConstantsOp::create(*this, resultType, byteOffset);
}

} // namespace lgc
