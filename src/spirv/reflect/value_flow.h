// SPDX-License-Identifier: MIT
//
// Follows the values of an entry function and the functions that it calls: which instruction defines an id, and which
// values reach a variable, a parameter or a call. The order of execution is unknown: a value that is stored anywhere
// may be read anywhere.
#pragma once

#include "src/spirv/module/module.h"
#include <optional>
#include <unordered_map>
#include <vector>

namespace dovetail::spirv {

class ValueFlow {
public:
  // Refers to the module, which must outlive it.
  ValueFlow(const Module &module, uint32_t entryFunction);

  const Module &module() const { return m_module; }
  const std::vector<const Function *> &functions() const { return m_functions; }

  // nullptr for an id that is no instruction's result: a block, or a function.
  const Instruction *definition(uint32_t id) const;
  // The value of an integer constant of 32 bits, with the default of a specialisation constant.
  std::optional<uint32_t> constant(uint32_t id) const;
  // The variable or parameter that a pointer points into.
  uint32_t variableOf(uint32_t pointer) const;

  // Ids of the values that are stored into a variable or through a parameter. For copies, ids of the source pointers.
  std::span<const uint32_t> storedInto(uint32_t variable) const { return list(m_stored, variable); }
  // The arguments that calls pass to a parameter.
  std::span<const uint32_t> argumentsOf(uint32_t parameter) const { return list(m_arguments, parameter); }
  std::span<const uint32_t> returnedBy(uint32_t function) const { return list(m_returned, function); }

private:
  using Lists = std::unordered_map<uint32_t, std::vector<uint32_t>>;
  static std::span<const uint32_t> list(const Lists &lists, uint32_t key);
  void define(const Instruction &inst);
  void index(const Function &function);
  void indexCall(const Instruction &call);

  const Module &m_module;
  std::vector<const Function *> m_functions;
  std::vector<const Instruction *> m_definitions; // by id
  Lists m_stored, m_arguments, m_returned;
};

} // namespace dovetail::spirv
