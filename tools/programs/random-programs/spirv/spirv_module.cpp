// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/spirv/spirv_module.h"
#include "tools/programs/random-programs/program/structures.h"

namespace dovetail::random_programs {

void append(Words &section, spv::Op op, std::span<const uint32_t> operands) {
  section.push_back(uint32_t(operands.size() + 1) << 16 | uint32_t(op));
  section.insert(section.end(), operands.begin(), operands.end());
}

void appendString(Words &words, std::string_view text) {
  for (size_t i = 0; i <= text.size(); i += 4) {
    uint32_t word = 0;
    for (size_t k = i; k < i + 4 && k < text.size(); ++k)
      word |= uint32_t(uint8_t(text[k])) << (8 * (k - i));
    words.push_back(word);
  }
}

uint32_t SpirvModule::extendedSet() {
  if (!m_extendedSet)
    m_extendedSet = newId();
  return m_extendedSet;
}

uint32_t SpirvModule::declare(spv::Op op, std::initializer_list<uint32_t> operands) {
  Words all = {newId()};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_declarations, op, all);
  return all[0];
}

uint32_t SpirvModule::declareTyped(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
  Words all = {type, newId()};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_declarations, op, all);
  return all[1];
}

void SpirvModule::decorate(uint32_t id, spv::Decoration decoration, std::initializer_list<uint32_t> operands) {
  Words all = {id, uint32_t(decoration)};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_decorations, spv::Op::OpDecorate, all);
}

void SpirvModule::decorateMember(uint32_t id, uint32_t member, spv::Decoration decoration,
                                 std::initializer_list<uint32_t> operands) {
  Words all = {id, member, uint32_t(decoration)};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_decorations, spv::Op::OpMemberDecorate, all);
}

void SpirvModule::addMode(uint32_t entry, spv::ExecutionMode mode, std::initializer_list<uint32_t> operands) {
  Words all = {entry, uint32_t(mode)};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_modes, spv::Op::OpExecutionMode, all);
}

uint32_t SpirvModule::voidType() {
  if (!m_void)
    m_void = declare(spv::Op::OpTypeVoid, {});
  return m_void;
}

uint32_t SpirvModule::pairType() {
  if (!m_pair) {
    const uint32_t member = type(I32);
    m_pair = declare(spv::Op::OpTypeStruct, {member, member});
  }
  return m_pair;
}

uint32_t SpirvModule::scalarType(Scalar scalar) {
  switch (scalar) {
  case Scalar::Bool:
    return declare(spv::Op::OpTypeBool, {});
  case Scalar::I8:
    need(spv::Capability::Int8);
    break;
  case Scalar::I16:
    need(spv::Capability::Int16);
    break;
  case Scalar::I64:
    need(spv::Capability::Int64);
    break;
  case Scalar::F16:
    need(spv::Capability::Float16);
    break;
  case Scalar::F64:
    need(spv::Capability::Float64);
    break;
  default:
    break;
  }
  return isFloat(scalar) ? declare(spv::Op::OpTypeFloat, {bitsOf(scalar)})
                         : declare(spv::Op::OpTypeInt, {bitsOf(scalar), 0});
}

uint32_t SpirvModule::structureType(const Type &type, bool isLaidOut) {
  Words members;
  for (unsigned i = 0; i < type.parts(); ++i)
    members.push_back(this->type(type.part(i), isLaidOut));
  Words all = {newId()};
  all.insert(all.end(), members.begin(), members.end());
  append(m_declarations, spv::Op::OpTypeStruct, all);
  for (unsigned i = 0; i < type.parts() && isLaidOut; ++i) {
    decorateMember(all[0], i, spv::Decoration::Offset, {offsetOfMember(type.structure, i)});
    Type matrix = type.part(i);
    matrix.elements = 0;
    if (matrix.columns) {
      decorateMember(all[0], i, spv::Decoration::ColMajor);
      decorateMember(all[0], i, spv::Decoration::MatrixStride, {strideOf(matrix)});
    }
  }
  return all[0];
}

uint32_t SpirvModule::functionType(uint32_t result, const Words &parameters) {
  Words all = {result};
  all.insert(all.end(), parameters.begin(), parameters.end());
  uint32_t &id = m_functionTypes[all];
  if (!id) {
    id = newId();
    all.insert(all.begin(), id);
    append(m_declarations, spv::Op::OpTypeFunction, all);
  }
  return id;
}

uint32_t SpirvModule::type(const Type &wanted, bool isLaidOut) {
  isLaidOut = isLaidOut && (wanted.structure || wanted.elements);
  const std::vector<uint32_t> key = {uint32_t(wanted.scalar), wanted.width,     wanted.columns,
                                     wanted.elements,         wanted.structure, isLaidOut};
  if (auto found = m_types.find(key); found != m_types.end())
    return found->second;
  uint32_t id = 0;
  if (wanted.elements) {
    const uint32_t element = type(wanted.inner(), isLaidOut), length = word(wanted.elements);
    id = declare(spv::Op::OpTypeArray, {element, length});
    if (isLaidOut)
      decorate(id, spv::Decoration::ArrayStride, {strideOf(wanted)});
  } else if (wanted.structure) {
    id = structureType(wanted, isLaidOut);
  } else if (wanted.columns) {
    const uint32_t column = type(wanted.inner());
    id = declare(spv::Op::OpTypeMatrix, {column, wanted.columns});
  } else if (wanted.width > 1) {
    const uint32_t component = type(wanted.inner());
    id = declare(spv::Op::OpTypeVector, {component, wanted.width});
  } else {
    id = scalarType(wanted.scalar);
  }
  return m_types[key] = id;
}

uint32_t SpirvModule::pointerType(spv::StorageClass storage, uint32_t pointee) {
  uint32_t &id = m_pointers[{uint32_t(storage), pointee}];
  if (!id)
    id = declare(spv::Op::OpTypePointer, {uint32_t(storage), pointee});
  return id;
}

uint32_t SpirvModule::constant(const Type &type, const std::vector<uint64_t> &words) {
  std::vector<uint64_t> key = {uint64_t(type.scalar), type.width, type.columns, type.elements, type.structure};
  key.insert(key.end(), words.begin(), words.end());
  if (auto found = m_constants.find(key); found != m_constants.end())
    return found->second;
  const uint32_t typeId = this->type(type);
  uint32_t id = 0;
  if (!type.isScalar()) {
    Words all = {typeId, 0};
    for (unsigned i = 0; i < type.parts(); ++i) {
      const Type part = type.part(i);
      const auto first = words.begin() + type.offsetOf(i);
      all.push_back(constant(part, {first, first + part.components()}));
    }
    id = all[1] = newId();
    append(m_declarations, spv::Op::OpConstantComposite, all);
  } else if (type.scalar == Scalar::Bool) {
    id = declareTyped(words[0] ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, typeId, {});
  } else if (bitsOf(type.scalar) == 64) {
    id = declareTyped(spv::Op::OpConstant, typeId, {uint32_t(words[0]), uint32_t(words[0] >> 32)});
  } else {
    id = declareTyped(spv::Op::OpConstant, typeId, {uint32_t(words[0])});
  }
  return m_constants[key] = id;
}

Words SpirvModule::finish(spv::ExecutionModel model, uint32_t entry) {
  need(spv::Capability::Shader);
  if (usesPointers)
    need(spv::Capability::PhysicalStorageBufferAddresses);
  Words module = {spv::MagicNumber, 0x00010500, 0, m_nextId, 0};
  for (spv::Capability capability : m_capabilities)
    append(module, spv::Op::OpCapability, {uint32_t(capability)});
  for (const std::string &name : m_extensions) {
    Words text;
    appendString(text, name);
    append(module, spv::Op::OpExtension, text);
  }
  if (m_extendedSet) {
    Words import = {m_extendedSet};
    appendString(import, "GLSL.std.450");
    append(module, spv::Op::OpExtInstImport, import);
  }
  append(module, spv::Op::OpMemoryModel,
         {uint32_t(usesPointers ? spv::AddressingModel::PhysicalStorageBuffer64 : spv::AddressingModel::Logical),
          uint32_t(spv::MemoryModel::GLSL450)});
  Words entryPoint = {uint32_t(model), entry};
  appendString(entryPoint, "main");
  entryPoint.insert(entryPoint.end(), m_interface.begin(), m_interface.end());
  append(module, spv::Op::OpEntryPoint, entryPoint);
  for (const Words *section : {&m_modes, &m_decorations, &m_declarations, &functions})
    module.insert(module.end(), section->begin(), section->end());
  return module;
}

} // namespace dovetail::random_programs
