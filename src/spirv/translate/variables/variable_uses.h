// SPDX-License-Identifier: MIT
//
// What the functions of a shader do with their own variables (Function, Private, Output): which of them need an
// address, and which ones a loop may store to. The others can be SSA values (variable_values.h).
#pragma once

#include "src/spirv/translate/context/context.h"
#include "src/spirv/translate/context/control_flow.h"
#include "src/spirv/translate/variables/call_copies.h"

namespace dovetail::spirv {

// What is known of one function's code, however often it is called.
struct FunctionFacts {
  ControlFlow flow;
  CallCopies copies;
  // Head of a loop -> the variables and parameters that the loop may store to.
  std::unordered_map<uint32_t, std::vector<uint32_t>> loopStores;
};

class VariableUses {
public:
  explicit VariableUses(const Context &context) : m_context(context) {}

  // Searches all functions that the entry point calls. To be called once types and constants are known.
  void search();

  // Whether a variable is used by more than loads, stores and access chains whose indices are constants in range, here
  // or in a function that it is passed to.
  bool needsAddress(uint32_t variable) const { return m_needsAddress[variable]; }
  // Of a function in the entry point's call tree.
  const FunctionFacts &of(const Function &function) const { return m_functions.at(function.id); }

private:
  // Stores and calls of a block.
  struct BlockUses {
    std::vector<uint32_t> stored; // variables and parameters
    std::vector<uint32_t> called; // functions
  };

  // The variable or parameter that a pointer points into; 0: it is not known, or is not the shader's own.
  uint32_t variableOf(uint32_t pointer) const { return pointer < m_variables.size() ? m_variables[pointer] : 0; }
  void takeAddress(uint32_t pointer) { m_needsAddress[variableOf(pointer)] = true; }
  void search(const Function &function);
  void search(const Instruction &inst, BlockUses &uses);
  void searchCall(const Instruction &call, BlockUses &uses);
  void searchExtInst(const Instruction &inst, BlockUses &uses);
  // Whether all indices of an access chain are constants in range.
  bool isConstantPath(const Instruction &accessChain) const;
  void spreadAddresses();
  void noteSharedStores(std::span<const Function *const> functions);
  void noteLoopStores(const Function &function);

  const Context &m_context;
  std::vector<uint32_t> m_variables; // by id of a pointer
  std::vector<bool> m_needsAddress;  // by id; that of 0 has no meaning
  std::vector<bool> m_isShared;      // by id: all functions have the variable (Private, Output)
  // If the first one needs an address, so does the second.
  std::vector<std::pair<uint32_t, uint32_t>> m_needsToo;
  std::unordered_map<uint32_t, FunctionFacts> m_functions;
  std::unordered_map<uint32_t, std::unordered_map<uint32_t, BlockUses>> m_blockUses; // by function and label
  // By function: shared variables that it, or a function that it calls, may store to.
  std::unordered_map<uint32_t, std::unordered_set<uint32_t>> m_sharedStores;
};

} // namespace dovetail::spirv
