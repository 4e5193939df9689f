// SPDX-License-Identifier: MIT
//
// Expressions of one small program as instructions of the current block.
#pragma once

#include "tools/random-programs/spirv/spirv_interface.h"

namespace dovetail::random_programs {

class SpirvExpressions {
public:
  // `pointers`: of variables in memory, by number.
  SpirvExpressions(SpirvModule &module, SpirvInterface &interface, SpirvFunction &function, const SmallProgram &program,
                   uint32_t lane);

  uint32_t write(const Expression &expression);
  uint32_t readVariable(uint32_t variable);
  void writeVariable(uint32_t variable, uint32_t value);
  // A pointer to an element of a variable in memory.
  uint32_t pointToElement(uint32_t variable, uint32_t index);
  uint32_t lane() const { return m_lane; }

private:
  uint32_t writeRow(const Expression &expression, const OperationRow &row, const Words &arguments);
  uint32_t writeMember(const Expression &expression, const OperationRow &row, const Words &arguments);
  uint32_t writeDot(const Expression &expression, const Words &arguments);
  uint32_t writeSubgroup(const Expression &expression, const Words &arguments);
  uint32_t writeSelect(const Expression &expression, const Words &arguments);

  SpirvModule &m_module;
  SpirvInterface &m_interface;
  SpirvFunction &m_function;
  const SmallProgram &m_program;
  uint32_t m_lane;
  uint32_t m_firstValue; // variables that are values are known to the function by number from this one on
  Words m_pointers;
};

} // namespace dovetail::random_programs
