// SPDX-License-Identifier: MIT
#include "tools/random-programs/spirv/spirv_interface.h"

namespace dovetail::random_programs {

using spv::BuiltIn;
using spv::Capability;
using spv::Decoration;

using spv::StorageClass;

void SpirvInterface::needStorage(Scalar scalar) {
  if (bitsOf(scalar) == 8) {
    m_module.need(Capability::StorageBuffer8BitAccess);
  } else if (bitsOf(scalar) == 16) {
    m_module.need(Capability::StorageBuffer16BitAccess);
  }
}

// A structure of one array; length 0: at run time.
uint32_t SpirvInterface::blockOf(Scalar scalar, uint32_t stride, uint32_t length) {
  uint32_t &block = m_blocks[{uint32_t(scalar), stride, length}];
  if (!block) {
    const uint32_t element = m_module.type({scalar});
    const uint32_t array = length ? m_module.declare(spv::Op::OpTypeArray, {element, m_module.word(length)})
                                  : m_module.declare(spv::Op::OpTypeRuntimeArray, {element});
    m_module.decorate(array, Decoration::ArrayStride, {stride});
    block = m_module.declare(spv::Op::OpTypeStruct, {array});
    m_module.decorate(block, Decoration::Block);
    m_module.decorateMember(block, 0, Decoration::Offset, {0});
  }
  return block;
}

uint32_t SpirvInterface::buffer(Space space, Scalar scalar) {
  uint32_t &variable = m_buffers[{space, scalar}];
  if (variable)
    return variable;
  const bool isUniform = space == Space::Uniform;
  const StorageClass storage = isUniform ? StorageClass::Uniform : StorageClass::StorageBuffer;
  uint32_t type = isUniform ? blockOf(scalar, 16, UniformElements) : blockOf(scalar, bitsOf(scalar) / 8, 0);
  if (space == Space::Several)
    type = m_module.declare(spv::Op::OpTypeArray, {type, m_module.word(SeveralBuffers)});
  variable = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(storage, type), {uint32_t(storage)});
  const uint32_t binding = space == Space::Output     ? uint32_t(OutputBinding)
                           : space == Space::Counters ? uint32_t(CountersBinding)
                           : isUniform                ? uint32_t(UniformBinding)
                           : space == Space::Several  ? uint32_t(SeveralBinding)
                           : space == Space::Input    ? InputBinding + uint32_t(scalar)
                                                      : ScratchBinding + uint32_t(scalar);
  m_module.decorate(variable, Decoration::DescriptorSet, {0});
  m_module.decorate(variable, Decoration::Binding, {binding});
  m_module.addToInterface(variable);
  needStorage(scalar);
  return variable;
}

uint32_t SpirvInterface::pushBlock() {
  if (m_push)
    return m_push;
  const uint32_t wordType = m_module.type(I32);
  const uint32_t pointed = blockOf(Scalar::I32, 4, 0);
  m_pointerType = m_module.pointerType(StorageClass::PhysicalStorageBuffer, pointed);
  const uint32_t array = m_module.declare(spv::Op::OpTypeArray, {wordType, m_module.word(PushElements)});
  m_module.decorate(array, Decoration::ArrayStride, {4});
  const uint32_t block = m_module.declare(spv::Op::OpTypeStruct, {m_pointerType, array});
  m_module.decorate(block, Decoration::Block);
  m_module.decorateMember(block, 0, Decoration::Offset, {0});
  m_module.decorateMember(block, 1, Decoration::Offset, {PushWordsOffset});
  m_push = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(StorageClass::PushConstant, block),
                                 {uint32_t(StorageClass::PushConstant)});
  m_module.addToInterface(m_push);
  m_module.usesPointers = true;
  return m_push;
}

uint32_t SpirvInterface::sharedArray() {
  if (!m_shared) {
    const uint32_t wordType = m_module.type(I32);
    const uint32_t array = m_module.declare(spv::Op::OpTypeArray, {wordType, m_module.word(m_shader.sharedElements)});
    m_shared = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(StorageClass::Workgroup, array),
                                     {uint32_t(StorageClass::Workgroup)});
    m_module.addToInterface(m_shared);
  }
  return m_shared;
}

uint32_t SpirvInterface::input(BuiltIn builtIn, const Type &type) {
  uint32_t &variable = m_inputs[builtIn];
  if (!variable) {
    variable =
        m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(StorageClass::Input, m_module.type(type)),
                              {uint32_t(StorageClass::Input)});
    m_module.decorate(variable, Decoration::BuiltIn, {uint32_t(builtIn)});
    m_module.addToInterface(variable);
  }
  return variable;
}

uint32_t SpirvInterface::loadLane(SpirvFunction &function) {
  const uint32_t wordType = m_module.type(I32);
  if (m_stage == Stage::Compute)
    return function.add(spv::Op::OpLoad, wordType, {input(BuiltIn::LocalInvocationIndex, I32)});
  if (m_stage == Stage::Vertex)
    return function.add(spv::Op::OpLoad, wordType, {input(BuiltIn::VertexIndex, I32)});
  if (m_stage != Stage::Fragment)
    return function.add(spv::Op::OpLoad, wordType, {input(BuiltIn::PrimitiveId, I32)});
  const Type place = {Scalar::F32, 4}, two = {Scalar::F32, 2}, twoWords = {Scalar::I32, 2};
  const uint32_t coordinates = function.add(spv::Op::OpLoad, m_module.type(place), {input(BuiltIn::FragCoord, place)});
  const uint32_t xy = function.add(spv::Op::OpVectorShuffle, m_module.type(two), {coordinates, coordinates, 0, 1});
  const uint32_t pixel = function.add(spv::Op::OpConvertFToU, m_module.type(twoWords), {xy});
  const uint32_t x = function.add(spv::Op::OpCompositeExtract, wordType, {pixel, 0});
  const uint32_t y = function.add(spv::Op::OpCompositeExtract, wordType, {pixel, 1});
  const uint32_t row = function.add(spv::Op::OpShiftLeftLogical, wordType, {y, m_module.word(3)});
  return function.add(spv::Op::OpBitwiseOr, wordType, {row, x});
}

uint32_t SpirvInterface::pointTo(SpirvFunction &function, Space space, Scalar scalar, uint32_t index, uint32_t number,
                                 uint32_t lane) {
  const uint32_t element = m_module.type({scalar}), wordType = m_module.type(I32), zero = m_module.word(0);
  auto pointer = [&](StorageClass storage) { return m_module.pointerType(storage, element); };
  auto add = [&](uint32_t x, uint32_t y) { return function.add(spv::Op::OpIAdd, wordType, {x, y}); };
  switch (space) {
  case Space::Uniform:
    return function.add(spv::Op::OpAccessChain, pointer(StorageClass::Uniform), {buffer(space, scalar), zero, index});
  case Space::Push:
    return function.add(spv::Op::OpAccessChain, pointer(StorageClass::PushConstant),
                        {pushBlock(), m_module.word(1), index});
  case Space::Pointer: {
    const uint32_t push = pushBlock();
    const uint32_t held = function.add(spv::Op::OpAccessChain,
                                       m_module.pointerType(StorageClass::PushConstant, m_pointerType), {push, zero});
    const uint32_t block = function.add(spv::Op::OpLoad, m_pointerType, {held});
    return function.add(spv::Op::OpAccessChain, pointer(StorageClass::PhysicalStorageBuffer), {block, zero, index});
  }
  case Space::Several: {
    m_module.need(Capability::ShaderNonUniform);
    m_module.need(Capability::StorageBufferArrayNonUniformIndexing);
    const uint32_t which = function.add(spv::Op::OpUDiv, wordType, {index, m_module.word(InputElements)});
    const uint32_t place = function.add(spv::Op::OpUMod, wordType, {index, m_module.word(InputElements)});
    m_module.decorate(which, Decoration::NonUniform);
    const uint32_t chain = function.add(spv::Op::OpAccessChain, pointer(StorageClass::StorageBuffer),
                                        {buffer(space, scalar), which, zero, place});
    m_module.decorate(chain, Decoration::NonUniform);
    return chain;
  }
  case Space::Varying:
    return function.add(spv::Op::OpAccessChain, pointer(StorageClass::Private), {varyings(), index});
  case Space::Shared:
    return function.add(spv::Op::OpAccessChain, pointer(StorageClass::Workgroup), {sharedArray(), index});
  case Space::Scratch: {
    const uint32_t first = function.add(spv::Op::OpIMul, wordType, {lane, m_module.word(ScratchElements)});
    index = add(first, index);
    break;
  }
  case Space::Output: {
    const uint32_t row = add(lane, m_module.word(number * m_shader.lanes));
    index = add(function.add(spv::Op::OpIMul, wordType, {row, m_module.word(OutputWords)}), index);
    break;
  }
  case Space::Counters:
    index = add(index, m_module.word(number * CounterWords));
    break;
  default:
    break;
  }
  return function.add(spv::Op::OpAccessChain, pointer(StorageClass::StorageBuffer),
                      {buffer(space, scalar), zero, index});
}

uint32_t SpirvInterface::load(SpirvFunction &function, Space space, Scalar scalar, uint32_t index, uint32_t number,
                              uint32_t lane) {
  const uint32_t pointer = pointTo(function, space, scalar, index, number, lane), type = m_module.type({scalar});
  if (space == Space::Pointer)
    return function.add(spv::Op::OpLoad, type, {pointer, uint32_t(spv::MemoryAccessMask::Aligned), bitsOf(scalar) / 8});
  return function.add(spv::Op::OpLoad, type, {pointer});
}

void SpirvInterface::store(SpirvFunction &function, Space space, Scalar scalar, uint32_t index, uint32_t number,
                           uint32_t lane, uint32_t value) {
  function.addUntyped(spv::Op::OpStore, {pointTo(function, space, scalar, index, number, lane), value});
}

} // namespace dovetail::random_programs
