// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/value_flow.h"

namespace dovetail::spirv {

ValueFlow::ValueFlow(const Module &module, uint32_t entryFunction)
    : m_module(module), m_functions(module.callTree(entryFunction)) {
  for (const Instruction &inst : module.globals)
    define(inst);
  for (const Function *each : m_functions)
    index(*each);
}

void ValueFlow::define(const Instruction &inst) {
  if (inst.result == 0 || inst.result >= m_module.idBound)
    return;
  if (inst.result >= m_definitions.size())
    m_definitions.resize(inst.result + 1);
  m_definitions[inst.result] = &inst;
}

void ValueFlow::index(const Function &function) {
  for (const Instruction &parameter : function.parameters)
    define(parameter);
  for (const Block &block : function.blocks)
    for (const Instruction &inst : block.instructions) {
      define(inst);
      if (inst.opcode == spv::Op::OpReturnValue)
        m_returned[function.id].push_back(inst.operand(0));
      if (inst.opcode == spv::Op::OpFunctionCall)
        indexCall(inst);
      if (inst.opcode == spv::Op::OpStore || inst.opcode == spv::Op::OpCopyMemory)
        m_stored[variableOf(inst.operand(0))].push_back(inst.operand(1));
    }
}

void ValueFlow::indexCall(const Instruction &call) {
  auto callee = m_module.functionIndex.find(call.operand(0));
  if (callee == m_module.functionIndex.end())
    return;
  const Function &function = m_module.functions[callee->second];
  for (size_t i = 0; i < function.parameters.size() && i + 1 < call.operandCount(); ++i) {
    uint32_t parameter = function.parameters[i].result, argument = call.operand(i + 1);
    m_arguments[parameter].push_back(argument);
    // The callee's stores through a pointer reach the caller's variable.
    m_stored[variableOf(argument)].push_back(parameter);
  }
}

std::span<const uint32_t> ValueFlow::list(const Lists &lists, uint32_t key) {
  auto found = lists.find(key);
  return found == lists.end() ? std::span<const uint32_t>() : found->second;
}

const Instruction *ValueFlow::definition(uint32_t id) const {
  return id < m_definitions.size() ? m_definitions[id] : nullptr;
}

std::optional<uint32_t> ValueFlow::constant(uint32_t id) const {
  const Instruction *inst = definition(id);
  if (!inst || (inst->opcode != spv::Op::OpConstant && inst->opcode != spv::Op::OpSpecConstant))
    return std::nullopt;
  return inst->operand(0);
}

uint32_t ValueFlow::variableOf(uint32_t pointer) const {
  const Instruction *inst = definition(pointer);
  while (inst && (inst->opcode == spv::Op::OpAccessChain || inst->opcode == spv::Op::OpInBoundsAccessChain ||
                  inst->opcode == spv::Op::OpCopyObject)) {
    pointer = inst->operand(0);
    inst = definition(pointer);
  }
  return pointer;
}

} // namespace dovetail::spirv
