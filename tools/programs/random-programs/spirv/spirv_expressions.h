// SPDX-License-Identifier: MIT
//
// Writes expressions of one small program as instructions of the current block.
#pragma once

#include "tools/programs/random-programs/spirv/spirv_interface.h"

namespace dovetail::random_programs {

class SpirvExpressions {
public:
  // `pointers`: of variables in memory, by number.
  SpirvExpressions(SpirvModule &module, SpirvInterface &interface, SpirvFunction &function, const SmallProgram &program,
                   uint32_t lane);

  uint32_t write(const Expression &expression);
  uint32_t readVariable(uint32_t variable);
  void writeVariable(uint32_t variable, uint32_t value);
  // A pointer to a part of a variable in memory; 0: the variable is not in memory. `indices`: those of the path.
  uint32_t pointTo(uint32_t variable, const Path &path, std::span<const uint32_t> indices);
  // The place that a load reads or a store writes.
  SpirvInterface::Place placeOf(const Expression &load);
  SpirvInterface::Place placeOf(const Statement &store);
  uint32_t lane() const { return m_lane; }

private:
  // For a function's body, whose parameters are ids.
  SpirvExpressions(SpirvExpressions &caller, SpirvFunction &function, const SmallProgram &empty, uint32_t lane,
                   Words parameters);
  Words idsOf(std::span<const Expression> expressions);
  // A path's steps as ids.
  Words stepsOf(const Path &path, std::span<const uint32_t> indices);
  uint32_t writeCall(const Expression &expression, const Words &arguments);
  uint32_t writeRow(const Expression &expression, const OperationRow &row, const Words &arguments);
  uint32_t writeMember(const Expression &expression, const OperationRow &row, const Words &arguments);
  uint32_t writeDot(const Expression &expression, const Words &arguments);
  uint32_t writeSubgroup(const Expression &expression, const Words &arguments);
  uint32_t writeSubgroupInMemory(const Expression &expression, const Words &arguments); // spirv_subgroups.cpp
  uint32_t writeSelect(const Expression &expression, const Words &arguments);

  SpirvModule &m_module;
  SpirvInterface &m_interface;
  SpirvFunction &m_function;
  const SmallProgram &m_program;
  uint32_t m_lane;
  uint32_t m_firstValue; // the function knows variables that are values by numbers from this one on
  Words m_pointers;
  Words m_parameters; // pointers or values; of the function whose body this is
};

} // namespace dovetail::random_programs
