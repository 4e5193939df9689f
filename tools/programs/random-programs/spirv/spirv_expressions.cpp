// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/spirv/spirv_expressions.h"
#include <optional>

namespace dovetail::random_programs {

using spv::Capability;
using spv::StorageClass;

SpirvExpressions::SpirvExpressions(SpirvModule &module, SpirvInterface &interface, SpirvFunction &function,
                                   const SmallProgram &program, uint32_t lane)
    : m_module(module), m_interface(interface), m_function(function), m_program(program), m_lane(lane),
      m_firstValue(program.number * 1024) {
  for (uint32_t i = 0; i < program.variables.size(); ++i) {
    const Variable &variable = program.variables[i];
    const uint32_t type = module.type(variable.type), initial = module.constant(variable.type, variable.initial);
    if (variable.isMemory) {
      m_pointers.push_back(function.addVariable(module.pointerType(StorageClass::Function, type)));
      function.addUntyped(spv::Op::OpStore, {m_pointers[i], initial});
    } else {
      m_pointers.push_back(0);
      function.define(m_firstValue + i, {type, initial});
      function.write(m_firstValue + i, initial);
    }
  }
}

SpirvExpressions::SpirvExpressions(SpirvExpressions &caller, SpirvFunction &function, const SmallProgram &empty,
                                   uint32_t lane, Words parameters)
    : m_module(caller.m_module), m_interface(caller.m_interface), m_function(function), m_program(empty), m_lane(lane),
      m_firstValue(0), m_parameters(std::move(parameters)) {}

uint32_t SpirvExpressions::readVariable(uint32_t variable) {
  if (m_pointers[variable])
    return m_function.add(spv::Op::OpLoad, m_module.type(m_program.variables[variable].type), {m_pointers[variable]});
  return m_function.read(m_firstValue + variable);
}

void SpirvExpressions::writeVariable(uint32_t variable, uint32_t value) {
  if (m_pointers[variable])
    m_function.addUntyped(spv::Op::OpStore, {m_pointers[variable], value});
  else
    m_function.write(m_firstValue + variable, value);
}

Words SpirvExpressions::idsOf(std::span<const Expression> expressions) {
  Words ids;
  for (const Expression &expression : expressions)
    ids.push_back(write(expression));
  return ids;
}

Words SpirvExpressions::stepsOf(const Path &path, std::span<const uint32_t> indices) {
  Words steps;
  size_t next = 0;
  for (uint64_t step : path)
    steps.push_back(step == AtIndex ? indices[next++] : m_module.word(uint32_t(step)));
  return steps;
}

uint32_t SpirvExpressions::pointTo(uint32_t variable, const Path &path, std::span<const uint32_t> indices) {
  if (!m_pointers[variable] || path.empty())
    return m_pointers[variable];
  const uint32_t part = m_module.type(typeAlong(m_program.variables[variable].type, path));
  Words operands = stepsOf(path, indices);
  operands.insert(operands.begin(), m_pointers[variable]);
  return m_function.add(spv::Op::OpAccessChain, m_module.pointerType(StorageClass::Function, part), operands);
}

SpirvInterface::Place SpirvExpressions::placeOf(const Expression &load) {
  const Words ids = idsOf(load.arguments);
  return {load.space, contentOf(load.type.scalar, uint8_t(load.index)),
          ids[0],     stepsOf(load.words, std::span(ids).subspan(1)),
          load.type,  m_program.number,
          m_lane};
}

SpirvInterface::Place SpirvExpressions::placeOf(const Statement &store) {
  const Type &type = store.values[0].type;
  const Words ids = idsOf(std::span(store.values).subspan(1));
  return {store.space, contentOf(type.scalar, store.structure),
          ids[0],      stepsOf(store.path, std::span(ids).subspan(1)),
          type,        m_program.number,
          m_lane};
}

// Each call gets a function of its own.
uint32_t SpirvExpressions::writeCall(const Expression &expression, const Words &arguments) {
  const uint32_t result = m_module.type(expression.type), id = m_module.newId();
  Words types, given, taken, declarations;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool isPointer = expression.words[0] >> i & 1;
    uint32_t type = m_module.type(expression.arguments[i].type);
    uint32_t argument = arguments[i];
    if (isPointer) {
      type = m_module.pointerType(StorageClass::Function, type);
      argument = m_function.addVariable(type);
      m_function.addUntyped(spv::Op::OpStore, {argument, arguments[i]});
    }
    types.push_back(type);
    given.push_back(argument);
    taken.push_back(m_module.newId());
    append(declarations, spv::Op::OpFunctionParameter, {type, taken.back()});
  }
  SpirvFunction function(m_module);
  for (size_t i = 0; i < taken.size(); ++i)
    if (expression.words[0] >> i & 1)
      taken[i] = function.add(spv::Op::OpLoad, m_module.type(expression.arguments[i].type), {taken[i]});
  const SmallProgram empty{.number = m_program.number, .stage = m_program.stage};
  SpirvExpressions body(*this, function, empty, m_interface.loadLane(function), std::move(taken));
  function.returnValue(body.write(expression.arguments.back()));
  append(m_module.functions, spv::Op::OpFunction, {result, id, 0, m_module.functionType(result, types)});
  m_module.functions.insert(m_module.functions.end(), declarations.begin(), declarations.end());
  function.writeTo(m_module.functions);
  append(m_module.functions, spv::Op::OpFunctionEnd, {});
  given.insert(given.begin(), id);
  return m_function.add(spv::Op::OpFunctionCall, result, given);
}

uint32_t SpirvExpressions::writeMember(const Expression &expression, const OperationRow &row, const Words &arguments) {
  const bool isSecond = expression.op == Op::CarryOfAdd || expression.op == Op::BorrowOfSubtract ||
                        expression.op == Op::HighProduct || expression.op == Op::HighProductSigned;
  const uint32_t pair = m_function.add(spv::Op(row.instruction), m_module.pairType(), arguments);
  return m_function.add(spv::Op::OpCompositeExtract, m_module.type(I32), {pair, isSecond});
}

uint32_t SpirvExpressions::writeRow(const Expression &expression, const OperationRow &row, const Words &arguments) {
  const uint32_t type = m_module.type(expression.type);
  if (expression.op >= Op::AddWithCarry && expression.op <= Op::HighProductSigned)
    return writeMember(expression, row, arguments);
  if (row.isExtended) {
    Words all = {m_module.extendedSet(), row.instruction};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return m_function.add(spv::Op::OpExtInst, type, all);
  }
  const uint32_t id = m_function.add(spv::Op(row.instruction), type, arguments);
  if (row.signature == Signature::Floats)
    m_module.decorate(id, spv::Decoration::NoContraction);
  return id;
}

uint32_t SpirvExpressions::writeDot(const Expression &expression, const Words &arguments) {
  constexpr spv::Op Instructions[][3] = {{spv::Op::OpUDot, spv::Op::OpSDot, spv::Op::OpSUDot},
                                         {spv::Op::OpUDotAccSat, spv::Op::OpSDotAccSat, spv::Op::OpSUDotAccSat}};
  const Type &from = expression.arguments[0].type;
  m_module.need(Capability::DotProduct);
  m_module.needExtension("SPV_KHR_integer_dot_product");
  Words operands = arguments;
  if (from.width == 1) {
    m_module.need(Capability::DotProductInput4x8BitPacked);
    operands.push_back(uint32_t(spv::PackedVectorFormat::PackedVectorFormat4x8Bit));
  } else if (from.scalar == Scalar::I8 && from.width == 4) {
    m_module.need(Capability::DotProductInput4x8Bit);
  } else {
    m_module.need(Capability::DotProductInputAll);
  }
  return m_function.add(Instructions[arguments.size() - 2][expression.words[0]], m_module.type(expression.type),
                        operands);
}

uint32_t SpirvExpressions::write(const Expression &expression) {
  const uint32_t type = m_module.type(expression.type);
  if (expression.op == Op::Constant)
    return m_module.constant(expression.type, expression.words);
  if (expression.op == Op::Variable)
    return readVariable(expression.index);
  if (expression.op == Op::Lane)
    return m_lane;
  if (expression.op == Op::Group)
    return m_interface.loadGroup(m_function);
  if (expression.op == Op::Parameter)
    return m_parameters[expression.index];
  if (expression.op == Op::Load)
    return m_interface.load(m_function, placeOf(expression));
  if (expression.op == Op::Call)
    return writeCall(expression, idsOf(std::span(expression.arguments).first(expression.arguments.size() - 1)));
  const Words arguments = idsOf(expression.arguments);
  auto add = [&](spv::Op op, std::initializer_list<uint32_t> operands) { return m_function.add(op, type, operands); };
  auto component = [&](size_t i) { return uint32_t(expression.words[i]); };
  switch (expression.op) {
  case Op::Element:
    if (const uint32_t pointer = pointTo(expression.index, expression.words, arguments))
      return add(spv::Op::OpLoad, {pointer});
    return add(spv::Op::OpVectorExtractDynamic, {readVariable(expression.index), arguments[0]});
  case Op::ConvertUnsigned:
    return add(spv::Op::OpUConvert, {arguments[0]});
  case Op::ConvertSigned:
    return add(spv::Op::OpSConvert, {arguments[0]});
  case Op::Bitcast:
    return add(spv::Op::OpBitcast, {arguments[0]});
  case Op::FloatOfUnsigned:
    return add(spv::Op::OpConvertUToF, {arguments[0]});
  case Op::FloatOfSigned:
    return add(spv::Op::OpConvertSToF, {arguments[0]});
  case Op::UnsignedOfFloat:
    return add(spv::Op::OpConvertFToU, {arguments[0]});
  case Op::SignedOfFloat:
    return add(spv::Op::OpConvertFToS, {arguments[0]});
  case Op::ConvertFloat:
    return add(spv::Op::OpFConvert, {arguments[0]});
  case Op::Construct:
    return m_function.add(spv::Op::OpCompositeConstruct, type, arguments);
  case Op::Extract:
  case Op::Insert: {
    const bool isInsert = expression.op == Op::Insert;
    Words operands = isInsert ? Words{arguments[1], arguments[0]} : arguments;
    for (size_t i = 0; i < expression.words.size(); ++i)
      operands.push_back(component(i));
    return m_function.add(isInsert ? spv::Op::OpCompositeInsert : spv::Op::OpCompositeExtract, type, operands);
  }
  case Op::ExtractAt:
    return add(spv::Op::OpVectorExtractDynamic, {arguments[0], arguments[1]});
  case Op::InsertAt:
    return add(spv::Op::OpVectorInsertDynamic, {arguments[0], arguments[1], arguments[2]});
  case Op::Shuffle: {
    Words operands = arguments;
    for (size_t i = 0; i < expression.words.size(); ++i)
      operands.push_back(component(i));
    return m_function.add(spv::Op::OpVectorShuffle, type, operands);
  }
  case Op::Select:
    return add(spv::Op::OpSelect, {arguments[0], arguments[1], arguments[2]});
  case Op::AllTrue:
    return add(spv::Op::OpAll, {arguments[0]});
  case Op::AnyTrue:
    return add(spv::Op::OpAny, {arguments[0]});
  case Op::Dot:
    return writeDot(expression, arguments);
  case Op::ColumnScale:
    return add(spv::Op::OpMatrixTimesScalar, {arguments[0], arguments[1]});
  case Op::MatrixProduct:
    return add(spv::Op::OpMatrixTimesVector, {arguments[0], arguments[1]});
  case Op::Subgroup:
    if (m_interface.subgroups() == SubgroupSpelling::SharedMemory)
      return writeSubgroupInMemory(expression, arguments);
    return writeSubgroup(expression, arguments);
  case Op::Derivative:
    m_module.need(Capability::DerivativeControl);
    return add(expression.words[0] ? spv::Op::OpDPdyFine : spv::Op::OpDPdxFine, {arguments[0]});
  default:
    return writeRow(expression, *findRow(expression.op), arguments);
  }
}

} // namespace dovetail::random_programs
