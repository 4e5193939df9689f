// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/spirv/spirv_interface.h"
#include "tools/programs/random-programs/program/structures.h"

namespace dovetail::random_programs {

using spv::BuiltIn;
using spv::Capability;
using spv::Decoration;

using spv::StorageClass;

void SpirvInterface::needStorage(unsigned content) {
  const Type type = typeOfContent(content);
  for (unsigned i = 0; i < type.components(); ++i)
    if (const unsigned bits = bitsOf(type.scalarOf(i)); bits < 32)
      m_module.need(bits == 8 ? Capability::StorageBuffer8BitAccess : Capability::StorageBuffer16BitAccess);
}

// A structure of one array; length 0: a runtime array.
uint32_t SpirvInterface::blockOf(unsigned content, uint32_t stride, uint32_t length) {
  uint32_t &block = m_blocks[{content, stride, length}];
  if (!block) {
    const uint32_t element = m_module.type(typeOfContent(content), true);
    const uint32_t array = length ? m_module.declare(spv::Op::OpTypeArray, {element, m_module.word(length)})
                                  : m_module.declare(spv::Op::OpTypeRuntimeArray, {element});
    m_module.decorate(array, Decoration::ArrayStride, {stride});
    block = m_module.declare(spv::Op::OpTypeStruct, {array});
    m_module.decorate(block, Decoration::Block);
    m_module.decorateMember(block, 0, Decoration::Offset, {0});
  }
  return block;
}

uint32_t SpirvInterface::buffer(Space space, unsigned content) {
  uint32_t &variable = m_buffers[{space, content}];
  if (variable)
    return variable;
  const bool isUniform = space == Space::Uniform;
  const StorageClass storage = isUniform ? StorageClass::Uniform : StorageClass::StorageBuffer;
  uint32_t type =
      isUniform ? blockOf(content, 16, UniformElements) : blockOf(content, sizeOf(typeOfContent(content)), 0);
  if (space == Space::Several)
    type = m_module.declare(spv::Op::OpTypeArray, {type, m_module.word(SeveralBuffers)});
  variable = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(storage, type), {uint32_t(storage)});
  const uint32_t binding = space == Space::Output     ? uint32_t(OutputBinding)
                           : space == Space::Counters ? uint32_t(CountersBinding)
                           : isUniform                ? uint32_t(UniformBinding)
                           : space == Space::Several  ? uint32_t(SeveralBinding)
                           : space == Space::Input    ? InputBinding + content
                                                      : ScratchBinding + content;
  m_module.decorate(variable, Decoration::DescriptorSet, {0});
  m_module.decorate(variable, Decoration::Binding, {binding});
  m_module.addToInterface(variable);
  needStorage(content);
  return variable;
}

uint32_t SpirvInterface::pushBlock() {
  if (m_push)
    return m_push;
  const uint32_t wordType = m_module.type(I32);
  const uint32_t pointed = blockOf(unsigned(Scalar::I32), 4, 0);
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

void SpirvInterface::addBarrier(SpirvFunction &function) {
  const uint32_t scope = m_module.word(uint32_t(spv::Scope::Workgroup));
  const uint32_t semantics = m_module.word(uint32_t(spv::MemorySemanticsMask::AcquireRelease) |
                                           uint32_t(spv::MemorySemanticsMask::WorkgroupMemory));
  function.addUntyped(spv::Op::OpControlBarrier, {scope, scope, semantics});
}

uint32_t SpirvInterface::loadLocalLane(SpirvFunction &function) {
  return function.add(spv::Op::OpLoad, m_module.type(I32), {input(BuiltIn::LocalInvocationIndex, I32)});
}

uint32_t SpirvInterface::pointToExchange(SpirvFunction &function, const Type &type, uint32_t index) {
  const uint32_t element = m_module.type(type);
  uint32_t &variable = m_exchanges[type.scalar];
  if (!variable) {
    const uint32_t array = m_module.declare(spv::Op::OpTypeArray, {element, m_module.word(m_shader.groupLanes)});
    variable = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(StorageClass::Workgroup, array),
                                     {uint32_t(StorageClass::Workgroup)});
    m_module.addToInterface(variable);
  }
  return function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Workgroup, element),
                      {variable, index});
}

uint32_t SpirvInterface::loadGroup(SpirvFunction &function) {
  const Type three = {Scalar::I32, 3};
  const uint32_t place = function.add(spv::Op::OpLoad, m_module.type(three), {input(BuiltIn::WorkgroupId, three)});
  return function.add(spv::Op::OpCompositeExtract, m_module.type(I32), {place, 0});
}

uint32_t SpirvInterface::loadLane(SpirvFunction &function) {
  const uint32_t wordType = m_module.type(I32);
  if (m_stage == Stage::Compute) {
    const uint32_t own = loadLocalLane(function);
    if (m_shader.groups() == 1)
      return own;
    const uint32_t first =
        function.add(spv::Op::OpIMul, wordType, {loadGroup(function), m_module.word(m_shader.groupLanes)});
    return function.add(spv::Op::OpIAdd, wordType, {first, own});
  }
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

uint32_t SpirvInterface::pointTo(SpirvFunction &function, const Place &place) {
  const auto &[space, content, index, path, type, number, lane] = place;
  const uint32_t part = m_module.type(type, true), wordType = m_module.type(I32), zero = m_module.word(0);
  auto chain = [&](StorageClass storage, Words operands) {
    operands.insert(operands.end(), path.begin(), path.end());
    return function.add(spv::Op::OpAccessChain, m_module.pointerType(storage, part), operands);
  };
  auto add = [&](uint32_t x, uint32_t y) { return function.add(spv::Op::OpIAdd, wordType, {x, y}); };
  auto times = [&](uint32_t x, uint32_t y) { return function.add(spv::Op::OpIMul, wordType, {x, m_module.word(y)}); };
  uint32_t element = index;
  switch (space) {
  case Space::Uniform:
    return chain(StorageClass::Uniform, {buffer(space, content), zero, index});
  case Space::Push:
    return chain(StorageClass::PushConstant, {pushBlock(), m_module.word(1), index});
  case Space::Pointer: {
    const uint32_t push = pushBlock();
    const uint32_t held = function.add(spv::Op::OpAccessChain,
                                       m_module.pointerType(StorageClass::PushConstant, m_pointerType), {push, zero});
    const uint32_t block = function.add(spv::Op::OpLoad, m_pointerType, {held});
    return chain(StorageClass::PhysicalStorageBuffer, {block, zero, index});
  }
  case Space::Several: {
    m_module.need(Capability::ShaderNonUniform);
    m_module.need(Capability::StorageBufferArrayNonUniformIndexing);
    const uint32_t which = function.add(spv::Op::OpUDiv, wordType, {index, m_module.word(InputElements)});
    const uint32_t rest = function.add(spv::Op::OpUMod, wordType, {index, m_module.word(InputElements)});
    m_module.decorate(which, Decoration::NonUniform);
    const uint32_t pointer = chain(StorageClass::StorageBuffer, {buffer(space, content), which, zero, rest});
    m_module.decorate(pointer, Decoration::NonUniform);
    return pointer;
  }
  case Space::Varying:
    return chain(StorageClass::Private, {varyings(), index});
  case Space::Shared:
    return chain(StorageClass::Workgroup, {sharedArray(), index});
  case Space::Scratch:
    element = add(times(lane, scratchElements(content)), index);
    break;
  case Space::Output:
    element = add(times(add(lane, m_module.word(number * m_shader.lanes)), OutputWords), index);
    break;
  case Space::Counters:
    element = add(index, m_module.word(number * CounterWords));
    break;
  default:
    break;
  }
  return chain(StorageClass::StorageBuffer, {buffer(space, content), zero, element});
}

// Values' types have no layout.
uint32_t SpirvInterface::load(SpirvFunction &function, const Place &place) {
  const uint32_t pointer = pointTo(function, place);
  const uint32_t type = m_module.type(place.type, true), plain = m_module.type(place.type);
  if (place.space == Space::Pointer)
    return function.add(spv::Op::OpLoad, type, {pointer, uint32_t(spv::MemoryAccessMask::Aligned), sizeOf(place.type)});
  const uint32_t loaded = function.add(spv::Op::OpLoad, type, {pointer});
  return type == plain ? loaded : function.add(spv::Op::OpCopyLogical, plain, {loaded});
}

void SpirvInterface::store(SpirvFunction &function, const Place &place, uint32_t value) {
  const uint32_t type = m_module.type(place.type, true);
  const uint32_t pointer = pointTo(function, place);
  if (type != m_module.type(place.type))
    value = function.add(spv::Op::OpCopyLogical, type, {value});
  function.addUntyped(spv::Op::OpStore, {pointer, value});
}

} // namespace dovetail::random_programs
