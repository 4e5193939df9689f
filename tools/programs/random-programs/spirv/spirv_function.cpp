// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/spirv/spirv_function.h"
#include <algorithm>

namespace dovetail::random_programs {

BlockIndex SpirvFunction::makeBlock(bool isSealed) {
  BasicBlock block;
  block.label = m_module.newId();
  block.isSealed = isSealed;
  m_blocks.push_back(std::move(block));
  return m_blocks.size() - 1;
}

void SpirvFunction::place(BlockIndex block) {
  m_order.push_back(block);
  m_current = block;
}

uint32_t SpirvFunction::add(spv::Op op, uint32_t type, std::span<const uint32_t> operands) {
  Words all = {type, m_module.newId()};
  all.insert(all.end(), operands.begin(), operands.end());
  append(m_blocks[m_current].words, op, all);
  return all[1];
}

void SpirvFunction::addUntyped(spv::Op op, std::initializer_list<uint32_t> operands) {
  append(m_blocks[m_current].words, op, operands);
}

uint32_t SpirvFunction::addVariable(uint32_t pointerType) {
  const uint32_t id = m_module.newId();
  append(m_variableWords, spv::Op::OpVariable, {pointerType, id, uint32_t(spv::StorageClass::Function)});
  return id;
}

void SpirvFunction::addEdge(BlockIndex to) {
  std::vector<BlockIndex> &predecessors = m_blocks[to].predecessors;
  if (std::ranges::find(predecessors, m_current) == predecessors.end())
    predecessors.push_back(m_current);
}

void SpirvFunction::branch(BlockIndex target) {
  addEdge(target);
  addUntyped(spv::Op::OpBranch, {label(target)});
}

void SpirvFunction::branchIf(uint32_t condition, BlockIndex whenTrue, BlockIndex whenFalse) {
  addEdge(whenTrue);
  addEdge(whenFalse);
  addUntyped(spv::Op::OpBranchConditional, {condition, label(whenTrue), label(whenFalse)});
}

void SpirvFunction::branchBySwitch(const Words &operands, std::span<const BlockIndex> targets) {
  for (BlockIndex target : targets)
    addEdge(target);
  append(m_blocks[m_current].words, spv::Op::OpSwitch, operands);
}

void SpirvFunction::terminate(spv::Op op) {
  addUntyped(op, {});
}

void SpirvFunction::returnValue(uint32_t value) {
  addUntyped(spv::Op::OpReturnValue, {value});
}

void SpirvFunction::seal(BlockIndex block) {
  m_blocks[block].isSealed = true;
  const std::map<uint32_t, size_t> incomplete = std::move(m_blocks[block].incomplete);
  m_blocks[block].incomplete.clear();
  for (const auto &[variable, phi] : incomplete)
    fill(block, variable, phi);
}

size_t SpirvFunction::addPhi(BlockIndex block, uint32_t variable) {
  const uint32_t id = m_module.newId();
  m_blocks[block].phis.push_back({id, m_variables.at(variable).type, {}});
  m_blocks[block].values[variable] = id;
  return m_blocks[block].phis.size() - 1;
}

void SpirvFunction::fill(BlockIndex block, uint32_t variable, size_t phi) {
  std::vector<uint32_t> operands;
  const std::vector<BlockIndex> predecessors = m_blocks[block].predecessors;
  for (BlockIndex predecessor : predecessors) {
    operands.push_back(read(predecessor, variable));
    operands.push_back(label(predecessor));
  }
  m_blocks[block].phis[phi].operands = std::move(operands);
}

uint32_t SpirvFunction::read(BlockIndex index, uint32_t variable) {
  {
    BasicBlock &block = m_blocks[index];
    if (auto found = block.values.find(variable); found != block.values.end())
      return found->second;
    if (!block.isSealed) {
      const size_t phi = addPhi(index, variable);
      m_blocks[index].incomplete[variable] = phi;
      return m_blocks[index].phis[phi].id;
    }
    if (block.predecessors.empty()) // the first block, or unreachable
      return m_variables.at(variable).initial;
  }
  if (m_blocks[index].predecessors.size() == 1) {
    const uint32_t id = read(m_blocks[index].predecessors[0], variable);
    m_blocks[index].values[variable] = id;
    return id;
  }
  const size_t phi = addPhi(index, variable);
  const uint32_t id = m_blocks[index].phis[phi].id;
  fill(index, variable, phi);
  return id;
}

void SpirvFunction::writeTo(Words &section) const {
  bool isFirst = true;
  for (BlockIndex index : m_order) {
    const BasicBlock &block = m_blocks[index];
    append(section, spv::Op::OpLabel, {block.label});
    if (isFirst)
      section.insert(section.end(), m_variableWords.begin(), m_variableWords.end());
    isFirst = false;
    for (const Phi &phi : block.phis) {
      Words all = {phi.type, phi.id};
      all.insert(all.end(), phi.operands.begin(), phi.operands.end());
      append(section, spv::Op::OpPhi, all);
    }
    section.insert(section.end(), block.words.begin(), block.words.end());
  }
}

} // namespace dovetail::random_programs
