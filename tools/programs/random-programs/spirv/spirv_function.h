// SPDX-License-Identifier: MIT
//
// Builds a function from basic blocks. Variables that are values get phis where paths meet: if a block reads a variable
// that it has not written, it asks the blocks before it (Braun et al., "Simple and Efficient Construction of Static
// Single Assignment Form").
#pragma once

#include "tools/programs/random-programs/spirv/spirv_module.h"
#include <functional>

namespace dovetail::random_programs {

using BlockIndex = size_t;

class SpirvFunction {
public:
  explicit SpirvFunction(SpirvModule &module) : m_module(module) { place(makeBlock(true)); }

  BlockIndex makeBlock(bool isSealed);
  // Later instructions go into this block.
  void place(BlockIndex block);
  BlockIndex current() const { return m_current; }
  bool hasPredecessors(BlockIndex block) const { return !m_blocks[block].predecessors.empty(); }
  uint32_t label(BlockIndex block) const { return m_blocks[block].label; }

  uint32_t add(spv::Op op, uint32_t type, std::span<const uint32_t> operands); // returns its id
  uint32_t add(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
    return add(op, type, std::span(operands.begin(), operands.size()));
  }
  void addUntyped(spv::Op op, std::initializer_list<uint32_t> operands);
  uint32_t addVariable(uint32_t pointerType);

  // Terminators.
  void branch(BlockIndex target);
  void branchIf(uint32_t condition, BlockIndex whenTrue, BlockIndex whenFalse);
  void branchBySwitch(const Words &operands, std::span<const BlockIndex> targets);
  void terminate(spv::Op op);
  void returnValue(uint32_t value);

  // To be called when all predecessors of the block are known.
  void seal(BlockIndex block);

  // Variables that are values have a number and a SPIR-V type.
  struct Value {
    uint32_t type = 0, initial = 0;
  };
  void define(uint32_t variable, const Value &value) { m_variables[variable] = value; }
  void write(uint32_t variable, uint32_t id) { m_blocks[m_current].values[variable] = id; }
  uint32_t read(uint32_t variable) { return read(m_current, variable); }

  // Appends the function's words, which follow OpFunction.
  void writeTo(Words &section) const;

private:
  struct Phi {
    uint32_t id = 0, type = 0;
    std::vector<uint32_t> operands;
  };
  struct BasicBlock {
    uint32_t label = 0;
    bool isSealed = false;
    std::vector<BlockIndex> predecessors;
    std::map<uint32_t, uint32_t> values;
    std::map<uint32_t, size_t> incomplete; // variable: phi
    std::vector<Phi> phis;
    Words words;
  };

  void addEdge(BlockIndex to);
  uint32_t read(BlockIndex block, uint32_t variable);
  size_t addPhi(BlockIndex block, uint32_t variable);
  void fill(BlockIndex block, uint32_t variable, size_t phi);

  SpirvModule &m_module;
  std::vector<BasicBlock> m_blocks;
  std::vector<BlockIndex> m_order;
  BlockIndex m_current = 0;
  Words m_variableWords;
  std::map<uint32_t, Value> m_variables;
};

} // namespace dovetail::random_programs
