// SPDX-License-Identifier: MIT
#define SPV_ENABLE_UTILITY_CODE // declares spv::HasResultAndType()
#include "tools/proof/spirv/spirv_editor.h"
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

using Instruction = SpirvEditor::Instruction;
using Section = SpirvEditor::Section;
using Words = SpirvEditor::Words;

Instruction instructionOf(SpirvInstruction words) {
  Instruction inst = {opcodeOf(words)};
  bool hasResult = false, hasType = false;
  spv::HasResultAndType(inst.opcode, &hasResult, &hasType);
  size_t at = 1;
  if (hasType && at < words.size())
    inst.type = words[at++];
  if (hasResult && at < words.size())
    inst.result = words[at++];
  inst.operands.assign(words.begin() + ptrdiff_t(at), words.end());
  return inst;
}

void append(Words &to, const Instruction &inst) {
  const size_t begin = to.size();
  to.push_back(0);
  if (inst.type != 0)
    to.push_back(inst.type);
  if (inst.result != 0)
    to.push_back(inst.result);
  to.insert(to.end(), inst.operands.begin(), inst.operands.end());
  to[begin] = uint32_t(to.size() - begin) << 16 | uint32_t(inst.opcode);
}

bool isType(spv::Op opcode) {
  return opcode >= spv::Op::OpTypeVoid && opcode <= spv::Op::OpTypeForwardPointer;
}

// Whether a module must not declare the same again.
bool isUnique(spv::Op opcode) {
  switch (opcode) {
  case spv::Op::OpCapability:
  case spv::Op::OpExtension:
  case spv::Op::OpExtInstImport:
    return true;
  default:
    return (isType(opcode) && opcode < spv::Op::OpTypeArray) || opcode == spv::Op::OpTypeFunction;
  }
}

// The section that begins with an instruction, at the latest. Each section begins with one of a few opcodes: constants
// and variables stand behind a type.
Section sectionFrom(spv::Op opcode) {
  if (isType(opcode))
    return Section::Global;
  switch (opcode) {
  case spv::Op::OpExtension:
    return Section::Extension;
  case spv::Op::OpExtInstImport:
    return Section::Import;
  case spv::Op::OpMemoryModel:
    return Section::Model;
  case spv::Op::OpDecorate:
  case spv::Op::OpMemberDecorate:
  case spv::Op::OpDecorationGroup:
  case spv::Op::OpDecorateId:
  case spv::Op::OpDecorateString:
  case spv::Op::OpMemberDecorateString:
    return Section::Annotation;
  case spv::Op::OpFunction:
    return Section::Function;
  default:
    return Section::Capability;
  }
}

} // namespace

SpirvEditor::SpirvEditor(std::span<const uint32_t> words)
    : m_header(words.begin(), words.begin() + ptrdiff_t(std::min(words.size(), SpirvHeaderWords))) {
  eachInstruction(words, [&](SpirvInstruction each) {
    const Instruction &inst = m_read.emplace_back(instructionOf(each));
    if (inst.result != 0)
      m_results.emplace(inst.result, m_read.size() - 1);
    if (inst.opcode == spv::Op::OpDecorate)
      m_decorations[{inst.operands[0], spv::Decoration(inst.operands[1])}] =
          inst.operands.size() > 2 ? inst.operands[2] : 0;
    if (inst.opcode == spv::Op::OpGroupDecorate)
      for (const auto &[place, literal] : std::map(m_decorations))
        for (uint32_t target : std::span(inst.operands).subspan(1))
          if (place.first == inst.operands[0])
            m_decorations[{target, place.second}] = literal;
    if (isUnique(inst.opcode))
      m_declared.emplace(Declaration(inst.opcode, inst.type, inst.operands), inst.result);
  });
}

std::optional<uint32_t> SpirvEditor::valueOf(uint32_t id) const {
  const bool isConstant = hasResult(id) && definition(id).opcode == spv::Op::OpConstant;
  return isConstant ? std::optional(definition(id).operands[0]) : std::nullopt;
}

const Instruction *SpirvEditor::imageOf(uint32_t type) const {
  if (!hasResult(type))
    return nullptr;
  const Instruction &inst = definition(type);
  if (inst.opcode == spv::Op::OpTypeSampledImage)
    return &definition(inst.operands[0]);
  return inst.opcode == spv::Op::OpTypeImage ? &inst : nullptr;
}

std::optional<uint32_t> SpirvEditor::decoration(uint32_t id, spv::Decoration kind) const {
  auto found = m_decorations.find({id, kind});
  return found == m_decorations.end() ? std::nullopt : std::optional(found->second);
}

Words SpirvEditor::rewrite(const std::function<void(Instruction)> &change) {
  while (m_next < m_read.size()) {
    const Instruction &inst = m_read[m_next++];
    m_section = std::max(m_section, sectionFrom(inst.opcode));
    if (!m_early.contains(inst.result))
      change(inst);
  }
  Words all = m_header;
  for (size_t section = 0; section < Sections; ++section)
    for (const Words *words : {&m_words[section], &m_ends[section]})
      all.insert(all.end(), words->begin(), words->end());
  return all;
}

uint32_t SpirvEditor::emit(spv::Op opcode, uint32_t type, Words operands) {
  const uint32_t id = freshId();
  emit({opcode, type, id, std::move(operands)});
  return id;
}

void SpirvEditor::add(Section section, const Instruction &inst) {
  append((section == m_section ? m_words : m_ends)[size_t(section)], inst);
}

void SpirvEditor::decorate(uint32_t id, spv::Decoration kind, std::initializer_list<uint32_t> literals) {
  Instruction inst = {spv::Op::OpDecorate, 0, 0, {id, uint32_t(kind)}};
  inst.operands.insert(inst.operands.end(), literals);
  add(Section::Annotation, inst);
}

uint32_t SpirvEditor::declareFloat(float value) {
  return declareConstant(declareType(spv::Op::OpTypeFloat, {32}), {std::bit_cast<uint32_t>(value)});
}

void SpirvEditor::declareCapability(spv::Capability capability) {
  declare(Section::Capability, {spv::Op::OpCapability, 0, 0, {uint32_t(capability)}});
}

void SpirvEditor::declareExtension(std::string_view name) {
  declare(Section::Extension, {spv::Op::OpExtension, 0, 0, packString(name)});
}

uint32_t SpirvEditor::declareImport(std::string_view name) {
  return declare(Section::Import, {spv::Op::OpExtInstImport, 0, 0, packString(name)});
}

uint32_t SpirvEditor::declare(Section section, Instruction inst) {
  auto [found, isNew] = m_declared.try_emplace({inst.opcode, inst.type, inst.operands}, 0);
  // The module may declare a type only further down.
  const bool isTooLate = !isNew && m_section == Section::Global && section == m_section && hasResult(found->second) &&
                         m_results.at(found->second) >= m_next && m_early.insert(found->second).second;
  if (isNew && section >= Section::Import)
    found->second = freshId();
  inst.result = found->second;
  if (isNew || isTooLate)
    add(section, inst);
  return inst.result;
}

Words packString(std::string_view text) {
  Words words(text.size() / sizeof(uint32_t) + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

} // namespace dovetail
