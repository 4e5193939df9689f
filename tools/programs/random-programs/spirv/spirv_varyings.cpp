// SPDX-License-Identifier: MIT
//
// Writes the values that the stages of a chain hand to each other: words, which a private array holds while a stage
// runs, and a point on the pixel with the invocation's number.
#include "tools/programs/random-programs/spirv/spirv_interface.h"
#include <bit>

namespace dovetail::random_programs {

using spv::BuiltIn;
using spv::Capability;
using spv::Decoration;
using spv::StorageClass;

namespace {

constexpr uint32_t MaxPatchVertices = 32;

// The number of vertices in a stage's input arrays; 0: its inputs are no arrays.
uint32_t inputVertices(Stage stage) {
  return stage == Stage::Geometry ? 1 : stage == Stage::TessControl || stage == Stage::TessEval ? MaxPatchVertices : 0;
}

} // namespace

uint32_t SpirvInterface::varyings() {
  if (!m_varyings) {
    const Type words = {Scalar::I32, 1, 0, uint8_t(VaryingWords)};
    m_varyings = m_module.declareTyped(
        spv::Op::OpVariable, m_module.pointerType(StorageClass::Private, m_module.type(words)),
        {uint32_t(StorageClass::Private), m_module.constant(words, std::vector<uint64_t>(VaryingWords))});
    m_module.addToInterface(m_varyings);
  }
  return m_varyings;
}

// A word at a location; `vertices`: the array's length, 0: no array.
uint32_t SpirvInterface::varying(StorageClass storage, uint32_t location, uint32_t vertices) {
  uint32_t type = m_module.type(I32);
  if (vertices)
    type = m_module.declare(spv::Op::OpTypeArray, {type, m_module.word(vertices)});
  const uint32_t id =
      m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(storage, type), {uint32_t(storage)});
  m_module.decorate(id, Decoration::Location, {location});
  if (m_stage == Stage::Fragment)
    m_module.decorate(id, Decoration::Flat);
  m_module.addToInterface(id);
  return id;
}

void SpirvInterface::takeVaryings(SpirvFunction &function) {
  if (m_stage == Stage::Vertex)
    return;
  const uint32_t wordType = m_module.type(I32), vertices = inputVertices(m_stage);
  for (uint32_t i = 0; i < VaryingWords; ++i) {
    uint32_t pointer = varying(StorageClass::Input, i, vertices);
    if (vertices)
      pointer = function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Input, wordType),
                             {pointer, m_module.word(0)});
    const uint32_t value = function.add(spv::Op::OpLoad, wordType, {pointer});
    const uint32_t place = function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Private, wordType),
                                        {varyings(), m_module.word(i)});
    function.addUntyped(spv::Op::OpStore, {place, value});
  }
}

uint32_t SpirvInterface::output(BuiltIn builtIn, uint32_t type) {
  const uint32_t id = m_module.declareTyped(spv::Op::OpVariable, m_module.pointerType(StorageClass::Output, type),
                                            {uint32_t(StorageClass::Output)});
  m_module.decorate(id, Decoration::BuiltIn, {uint32_t(builtIn)});
  m_module.addToInterface(id);
  return id;
}

void SpirvInterface::giveTessellation(SpirvFunction &function) {
  for (const auto &[builtIn, count] :
       {std::pair(BuiltIn::TessLevelOuter, uint8_t(4)), std::pair(BuiltIn::TessLevelInner, uint8_t(2))}) {
    const Type type = {Scalar::F32, 1, 0, count};
    const uint32_t id = output(builtIn, m_module.type(type));
    m_module.decorate(id, Decoration::Patch);
    function.addUntyped(spv::Op::OpStore,
                        {id, m_module.constant(type, std::vector<uint64_t>(count, std::bit_cast<uint32_t>(1.0f)))});
  }
}

void SpirvInterface::givePoint(SpirvFunction &function, uint32_t lane) {
  const uint32_t wordType = m_module.type(I32), floatType = m_module.type(F32);
  const Type place = {Scalar::F32, 4};
  auto number = [&](float value) { return m_module.constant(F32, {std::bit_cast<uint32_t>(value)}); };
  // The centre of its pixel.
  auto coordinate = [&](spv::Op op, uint32_t operand) {
    const uint32_t pixel = function.add(op, wordType, {lane, m_module.word(operand)});
    const uint32_t real = function.add(spv::Op::OpConvertUToF, floatType, {pixel});
    const uint32_t scaled = function.add(spv::Op::OpFMul, floatType, {real, number(0.25f)});
    return function.add(spv::Op::OpFAdd, floatType, {scaled, number(-0.875f)});
  };
  const uint32_t x = coordinate(spv::Op::OpBitwiseAnd, 7), y = coordinate(spv::Op::OpShiftRightLogical, 3);
  const uint32_t position =
      function.add(spv::Op::OpCompositeConstruct, m_module.type(place), {x, y, number(0), number(1)});
  function.addUntyped(spv::Op::OpStore, {output(BuiltIn::Position, m_module.type(place)), position});
  function.addUntyped(spv::Op::OpStore, {output(BuiltIn::PointSize, floatType), number(1)});
  if (m_stage == Stage::TessEval)
    m_module.need(Capability::TessellationPointSize);
  if (m_stage == Stage::Geometry)
    m_module.need(Capability::GeometryPointSize);
}

void SpirvInterface::captureVarying(uint32_t variable, const CapturedWord &place) {
  m_module.decorate(variable, Decoration::XfbBuffer, {place.buffer});
  m_module.decorate(variable, Decoration::XfbStride, {CapturedStrides[place.buffer]});
  m_module.decorate(variable, Decoration::Offset, {place.offset});
}

void SpirvInterface::giveVaryings(SpirvFunction &function, uint32_t lane) {
  if (m_stage == Stage::Fragment)
    return;
  const uint32_t wordType = m_module.type(I32);
  uint32_t invocation = 0;
  if (m_stage == Stage::TessControl)
    invocation = function.add(spv::Op::OpLoad, wordType, {input(BuiltIn::InvocationId, I32)});
  for (uint32_t i = 0; i < VaryingWords; ++i) {
    const uint32_t place = function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Private, wordType),
                                        {varyings(), m_module.word(i)});
    const uint32_t value = function.add(spv::Op::OpLoad, wordType, {place});
    uint32_t pointer = varying(StorageClass::Output, i, m_stage == Stage::TessControl ? 1 : 0);
    if (m_shader.capturesVertices && m_stage == m_shader.lastBeforeRaster())
      captureVarying(pointer, CapturedWords[i]);
    if (invocation)
      pointer = function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Output, wordType),
                             {pointer, invocation});
    function.addUntyped(spv::Op::OpStore, {pointer, value});
  }
  if (m_stage == Stage::TessControl)
    giveTessellation(function);
  else
    givePoint(function, lane);
  if (m_stage == Stage::Geometry) {
    function.addUntyped(spv::Op::OpEmitVertex, {});
    function.addUntyped(spv::Op::OpEndPrimitive, {});
  }
}

} // namespace dovetail::random_programs
