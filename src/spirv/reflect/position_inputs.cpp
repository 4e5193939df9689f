// SPDX-License-Identifier: MIT
//
// A backward slice: from what is stored to the Position built-in, along the operands of instructions, to loads of
// inputs. A memory location is known by the variable that it is in.
#include "src/spirv/reflect/position_inputs.h"
#include <vector>

namespace dovetail::spirv {

namespace {

class Slicer {
public:
  Slicer(const Module &module, uint32_t function) : m_module(module), m_functions(module.callTree(function)) {
    for (const Instruction &inst : module.globals)
      if (inst.result)
        m_definitions[inst.result] = &inst;
    for (const Function *each : m_functions)
      index(*each);
  }

  std::unordered_set<uint32_t> run() {
    for (const Function *function : m_functions)
      for (const Block &block : function->blocks)
        for (const Instruction &inst : block.instructions)
          if (inst.opcode == spv::Op::OpStore && isPosition(inst.operand(0)))
            m_work.push_back(inst.operand(1));
    while (!m_work.empty()) {
      uint32_t id = m_work.back();
      m_work.pop_back();
      if (m_seen.insert(id).second)
        follow(id);
    }
    return std::move(m_inputs);
  }

private:
  void index(const Function &function) {
    for (size_t i = 0; i < function.parameters.size(); ++i)
      m_definitions[function.parameters[i].result] = &function.parameters[i];
    for (const Block &block : function.blocks)
      for (const Instruction &inst : block.instructions) {
        if (inst.result)
          m_definitions[inst.result] = &inst;
        if (inst.opcode == spv::Op::OpReturnValue)
          m_returned[function.id].push_back(inst.operand(0));
        if (inst.opcode == spv::Op::OpFunctionCall)
          indexCall(inst);
        // A store, or a copy, into the variable behind a pointer.
        if (inst.opcode == spv::Op::OpStore || inst.opcode == spv::Op::OpCopyMemory)
          m_stored[variableOf(inst.operand(0))].push_back(inst.operand(1));
      }
  }

  void indexCall(const Instruction &call) {
    auto callee = m_module.functionIndex.find(call.operand(0));
    if (callee == m_module.functionIndex.end())
      return;
    const Function &function = m_module.functions[callee->second];
    for (size_t i = 0; i < function.parameters.size() && i + 1 < call.operandCount(); ++i) {
      uint32_t parameter = function.parameters[i].result, argument = call.operand(i + 1);
      m_arguments[parameter].push_back(argument);
      // What the callee stores through a pointer is in the caller's variable afterwards.
      m_stored[variableOf(argument)].push_back(parameter);
    }
  }

  const Instruction *definition(uint32_t id) const {
    auto found = m_definitions.find(id);
    return found == m_definitions.end() ? nullptr : found->second;
  }

  // The variable or parameter that a pointer points into.
  uint32_t variableOf(uint32_t pointer) const {
    const Instruction *inst = definition(pointer);
    while (inst && (inst->opcode == spv::Op::OpAccessChain || inst->opcode == spv::Op::OpInBoundsAccessChain ||
                    inst->opcode == spv::Op::OpCopyObject)) {
      pointer = inst->operand(0);
      inst = definition(pointer);
    }
    return pointer;
  }

  bool isPosition(uint32_t pointer) const {
    auto isPositionDecoration = [](std::span<const DecorationInstance> decorations) {
      const DecorationInstance *found = findDecoration(decorations, spv::Decoration::BuiltIn);
      return found && static_cast<spv::BuiltIn>(found->operands[0]) == spv::BuiltIn::Position;
    };
    uint32_t variable = variableOf(pointer);
    if (isPositionDecoration(m_module.decorations(variable)))
      return true;
    // A member of a block: the first index of the access chain.
    const Instruction *chain = definition(pointer);
    const Instruction *inst = definition(variable);
    if (!inst || inst->opcode != spv::Op::OpVariable || !chain || chain->operandCount() < 2 || chain == inst)
      return false;
    const Instruction *type = definition(inst->resultType);
    const Instruction *index = definition(chain->operand(1));
    if (!type || type->opcode != spv::Op::OpTypePointer || !index || index->opcode != spv::Op::OpConstant)
      return false;
    return isPositionDecoration(m_module.memberDecorations(type->operand(1), index->operand(0)));
  }

  void push(const std::unordered_map<uint32_t, std::vector<uint32_t>> &lists, uint32_t key) {
    auto found = lists.find(key);
    if (found != lists.end())
      m_work.insert(m_work.end(), found->second.begin(), found->second.end());
  }

  void follow(uint32_t id) {
    const Instruction *inst = definition(id);
    if (!inst)
      return;
    switch (inst->opcode) {
    case spv::Op::OpVariable:
      if (static_cast<spv::StorageClass>(inst->operand(0)) == spv::StorageClass::Input)
        m_inputs.insert(id);
      push(m_stored, id);
      return;
    case spv::Op::OpFunctionParameter:
      push(m_arguments, id);
      push(m_stored, id);
      return;
    case spv::Op::OpFunctionCall:
      push(m_returned, inst->operand(0));
      return;
    case spv::Op::OpLoad:
      m_work.push_back(variableOf(inst->operand(0)));
      return;
    case spv::Op::OpSelect:
      m_work.push_back(inst->operand(1));
      m_work.push_back(inst->operand(2));
      return;
    default:
      // Literals among the operands are small numbers that may be ids of something else, which adds more inputs at
      // worst; constants and types lead nowhere.
      if (inst->opcode < spv::Op::OpTypeVoid || inst->opcode > spv::Op::OpSpecConstantOp)
        m_work.insert(m_work.end(), inst->operands.begin(), inst->operands.end());
      return;
    }
  }

  const Module &m_module;
  std::vector<const Function *> m_functions;
  std::unordered_map<uint32_t, const Instruction *> m_definitions;
  std::unordered_map<uint32_t, std::vector<uint32_t>> m_stored;    // variable -> values stored into it
  std::unordered_map<uint32_t, std::vector<uint32_t>> m_arguments; // parameter -> values passed to it
  std::unordered_map<uint32_t, std::vector<uint32_t>> m_returned;  // function -> values that it returns
  std::vector<uint32_t> m_work;
  std::unordered_set<uint32_t> m_seen, m_inputs;
};

} // namespace

std::unordered_set<uint32_t> findPositionInputs(const Module &module, uint32_t function) {
  return Slicer(module, function).run();
}

} // namespace dovetail::spirv
