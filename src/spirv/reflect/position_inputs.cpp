// SPDX-License-Identifier: MIT
//
// A backward slice: from the values that are stored to the Position built-in, along the operands of instructions, to
// loads of inputs. Memory is told apart by variable only.
#include "src/spirv/reflect/shader_uses.h"
#include <vector>

namespace dovetail::spirv {

namespace {

class Slicer {
public:
  explicit Slicer(const ValueFlow &flow) : m_module(flow.module()), m_flow(flow) {}

  std::unordered_set<uint32_t> run() {
    for (const Function *function : m_flow.functions())
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
  bool isPosition(uint32_t pointer) const {
    auto isPositionDecoration = [](std::span<const DecorationInstance> decorations) {
      const DecorationInstance *found = findDecoration(decorations, spv::Decoration::BuiltIn);
      return found && static_cast<spv::BuiltIn>(found->operands[0]) == spv::BuiltIn::Position;
    };
    uint32_t variable = m_flow.variableOf(pointer);
    if (isPositionDecoration(m_module.decorations(variable)))
      return true;
    // A member of a block is the first index of the access chain.
    const Instruction *chain = m_flow.definition(pointer);
    const Instruction *inst = m_flow.definition(variable);
    if (!inst || inst->opcode != spv::Op::OpVariable || !chain || chain->operandCount() < 2 || chain == inst)
      return false;
    const Instruction *type = m_flow.definition(inst->resultType);
    const Instruction *index = m_flow.definition(chain->operand(1));
    if (!type || type->opcode != spv::Op::OpTypePointer || !index || index->opcode != spv::Op::OpConstant)
      return false;
    return isPositionDecoration(m_module.memberDecorations(type->operand(1), index->operand(0)));
  }

  void push(std::span<const uint32_t> ids) { m_work.insert(m_work.end(), ids.begin(), ids.end()); }

  void follow(uint32_t id) {
    const Instruction *inst = m_flow.definition(id);
    if (!inst)
      return;
    switch (inst->opcode) {
    case spv::Op::OpVariable:
      if (static_cast<spv::StorageClass>(inst->operand(0)) == spv::StorageClass::Input)
        m_inputs.insert(id);
      push(m_flow.storedInto(id));
      return;
    case spv::Op::OpFunctionParameter:
      push(m_flow.argumentsOf(id));
      push(m_flow.storedInto(id));
      return;
    case spv::Op::OpFunctionCall:
      push(m_flow.returnedBy(inst->operand(0)));
      return;
    case spv::Op::OpLoad:
      m_work.push_back(m_flow.variableOf(inst->operand(0)));
      return;
    case spv::Op::OpSelect:
      m_work.push_back(inst->operand(1));
      m_work.push_back(inst->operand(2));
      return;
    default:
      // Some operands are literals. A literal may equal the id of something else, which adds too many inputs at worst.
      // Constants and types lead nowhere.
      if (inst->opcode < spv::Op::OpTypeVoid || inst->opcode > spv::Op::OpSpecConstantOp)
        m_work.insert(m_work.end(), inst->operands.begin(), inst->operands.end());
      return;
    }
  }

  const Module &m_module;
  const ValueFlow &m_flow;
  std::vector<uint32_t> m_work;
  std::unordered_set<uint32_t> m_seen, m_inputs;
};

} // namespace

std::unordered_set<uint32_t> findPositionInputs(const ValueFlow &flow) {
  return Slicer(flow).run();
}

} // namespace dovetail::spirv
