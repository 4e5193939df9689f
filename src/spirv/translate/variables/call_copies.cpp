// SPDX-License-Identifier: MIT
#include "src/spirv/translate/variables/call_copies.h"
#include "src/spirv/translate/context/operand_kinds.h"
#include <algorithm>
#include <unordered_set>

namespace dovetail::spirv {

namespace {

// Whether it is a load without memory operands.
bool isPlainLoad(const Instruction &inst) {
  return inst.opcode == spv::Op::OpLoad && inst.operandCount() == 1;
}
bool isPlainStore(const Instruction &inst) {
  return inst.opcode == spv::Op::OpStore && inst.operandCount() == 2;
}

class Search {
public:
  Search(const Function &function, std::span<const uint32_t> useCounts)
      : m_function(function), m_useCounts(useCounts) {}

  CallCopies run() {
    const bool hasCalls = std::ranges::any_of(m_function.blocks, [](const Block &block) {
      return std::ranges::any_of(block.instructions,
                                 [](const Instruction &inst) { return inst.opcode == spv::Op::OpFunctionCall; });
    });
    if (!hasCalls)
      return {};
    for (const Instruction &parameter : m_function.parameters)
      m_pointerTypes[parameter.result] = parameter.resultType;
    for (const Block &block : m_function.blocks)
      for (const Instruction &inst : block.instructions)
        if (inst.opcode == spv::Op::OpVariable && inst.operandCount() == 1) {
          m_variables.insert(inst.result);
          m_pointerTypes[inst.result] = inst.resultType;
        }
    for (const Block &block : m_function.blocks)
      for (size_t i = 0; i < block.instructions.size(); ++i)
        if (block.instructions[i].opcode == spv::Op::OpFunctionCall)
          searchAround(block, i);
    return std::move(m_result);
  }

private:
  struct Copy {
    const Instruction *load = nullptr, *store = nullptr;
  };
  using Copies = std::unordered_map<uint32_t, Copy>; // by variable

  void searchAround(const Block &block, size_t call) {
    const Copies given = copiesInFrontOf(block, call), returned = copiesBehind(block, call);
    const auto arguments = block.instructions[call].operands.subspan(1);
    std::vector<uint32_t> found, others; // variables
    for (const auto &[variable, back] : returned) {
      const auto there = given.find(variable);
      const bool isFound = there != given.end() && there->second.load->operand(0) == back.store->operand(0) &&
                           std::ranges::count(arguments, variable) == 1 && m_useCounts[variable] == 3;
      (isFound ? found : others).push_back(variable);
    }
    const auto mayBeOne = [&](uint32_t a, uint32_t b) {
      const uint32_t x = returned.at(a).store->operand(0), y = returned.at(b).store->operand(0);
      return x == y || !(m_variables.contains(x) ||
                         m_variables.contains(y)); // they may be the same unless one of them is a variable
    };
    for (uint32_t variable : found) {
      const Copy &there = given.at(variable);
      if (std::ranges::any_of(others, [&](uint32_t other) { return mayBeOne(variable, other); }))
        continue;
      m_result.variables[variable] = {
          .original = there.load->operand(0), .givenLoad = there.load, .givenStore = there.store};
      m_result.values[there.load->result] = m_result.values[returned.at(variable).load->result] = variable;
    }
  }

  bool isOriginal(uint32_t id, uint32_t variable) {
    const auto type = m_pointerTypes.find(id);
    return id != variable && type != m_pointerTypes.end() && type->second == m_pointerTypes[variable];
  }

  // Searches upwards from the call, until something other than a whole variable may be stored to.
  Copies copiesInFrontOf(const Block &block, size_t call) {
    Copies copies;
    std::unordered_map<uint32_t, const Instruction *> stored; // by value
    std::unordered_set<uint32_t> changed;
    for (size_t i = call; i-- > 0;) {
      const Instruction &inst = block.instructions[i];
      if (isPlainStore(inst) && m_variables.contains(inst.operand(0))) {
        changed.insert(inst.operand(0));
        if (m_useCounts[inst.operand(1)] == 1)
          stored[inst.operand(1)] = &inst;
      } else if (inst.opcode == spv::Op::OpLoad) {
        const auto to = stored.find(inst.result);
        if (to != stored.end() && isPlainLoad(inst) && isOriginal(inst.operand(0), to->second->operand(0)) &&
            !changed.contains(inst.operand(0)))
          copies[to->second->operand(0)] = {&inst, to->second};
      } else if (!isPure(inst.opcode)) {
        break;
      }
    }
    return copies;
  }

  // Searches downwards from the call, until the first instruction that is not part of such a copy.
  Copies copiesBehind(const Block &block, size_t call) {
    Copies copies;
    std::unordered_map<uint32_t, const Instruction *> loaded; // by value
    std::unordered_set<uint32_t> changed;
    for (size_t i = call + 1; i < block.instructions.size(); ++i) {
      const Instruction &inst = block.instructions[i];
      if (isPlainLoad(inst) && m_variables.contains(inst.operand(0)) && m_useCounts[inst.result] == 1) {
        if (changed.contains(inst.operand(0)))
          break;
        loaded[inst.result] = &inst;
        continue;
      }
      if (!isPlainStore(inst))
        break;
      const auto from = loaded.find(inst.operand(1));
      if (from == loaded.end() || !isOriginal(inst.operand(0), from->second->operand(0)) ||
          !changed.insert(inst.operand(0)).second)
        break;
      copies[from->second->operand(0)] = {from->second, &inst};
    }
    return copies;
  }

  const Function &m_function;
  const std::span<const uint32_t> m_useCounts;
  std::unordered_set<uint32_t> m_variables; // those without initializer
  std::unordered_map<uint32_t, uint32_t> m_pointerTypes;
  CallCopies m_result;
};

} // namespace

CallCopies findCallCopies(const Function &function, std::span<const uint32_t> useCounts) {
  return Search(function, useCounts).run();
}

} // namespace dovetail::spirv
