// SPDX-License-Identifier: MIT
//
// A block is in a loop if it can be reached from the loop's head without passing the merge block: structured control
// flow leaves a loop only by that block, or by leaving the function. Of two loops around a block, the inner one has
// fewer blocks.
#include "src/spirv/translate/context/control_flow.h"
#include "src/spirv/translate/context/context.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

// The labels that a terminator can go to, each once.
std::vector<uint32_t> targetsOf(const Context &context, const Instruction &terminator) {
  std::vector<uint32_t> targets;
  const auto add = [&](uint32_t label) {
    if (std::ranges::find(targets, label) == targets.end())
      targets.push_back(label);
  };
  switch (terminator.opcode) {
  case spv::Op::OpBranch:
    add(terminator.operand(0));
    break;
  case spv::Op::OpBranchConditional:
    add(terminator.operand(1));
    add(terminator.operand(2));
    break;
  case spv::Op::OpSwitch: {
    const size_t literalWords = context.typeOf(terminator.operand(0)).width == 64 ? 2 : 1;
    std::unordered_set<uint32_t> seen = {terminator.operand(1)};
    targets.push_back(terminator.operand(1));
    for (size_t i = 2 + literalWords; i < terminator.operandCount(); i += literalWords + 1)
      if (seen.insert(terminator.operand(i)).second)
        targets.push_back(terminator.operand(i));
    break;
  }
  default:
    break;
  }
  return targets;
}

const Instruction *loopMerge(const Block &block) {
  if (block.instructions.size() < 2)
    return nullptr;
  const Instruction &merge = block.instructions[block.instructions.size() - 2];
  return merge.opcode == spv::Op::OpLoopMerge ? &merge : nullptr;
}

} // namespace

ControlFlow::ControlFlow(const Context &context, const Function &function) : m_function(function) {
  m_targets.reserve(function.blocks.size());
  for (const Block &block : function.blocks)
    m_targets.push_back(targetsOf(context, block.instructions.back()));
  if (!function.blocks.empty())
    findReachable();
  findLoops();
}

void ControlFlow::findReachable() {
  const uint32_t first = m_function.blocks.front().label;
  m_predecessorCounts[first] = 1;
  std::vector<uint32_t> toVisit = {first};
  while (!toVisit.empty()) {
    const uint32_t label = toVisit.back();
    toVisit.pop_back();
    for (uint32_t target : targets(label))
      if (++m_predecessorCounts[target] == 1)
        toVisit.push_back(target);
  }
}

void ControlFlow::findLoops() {
  for (const Block &head : m_function.blocks) {
    const Instruction *merge = loopMerge(head);
    if (!merge || !isReachable(head.label))
      continue;
    Loop loop = {.head = head.label, .merge = merge->operand(0), .blocks = {head.label}};
    std::vector<uint32_t> toVisit = {head.label};
    while (!toVisit.empty()) {
      const uint32_t label = toVisit.back();
      toVisit.pop_back();
      for (uint32_t target : targets(label)) {
        loop.backEdges += target == loop.head;
        if (target != loop.merge && loop.blocks.insert(target).second)
          toVisit.push_back(target);
      }
    }
    m_loops.emplace(head.label, std::move(loop));
  }
}

std::unordered_map<uint32_t, const Loop *> ControlFlow::innermostLoops() const {
  std::unordered_map<uint32_t, const Loop *> innermost;
  for (const auto &[head, loop] : m_loops)
    for (uint32_t label : loop.blocks) {
      auto [found, isNew] = innermost.try_emplace(label, &loop);
      if (!isNew && loop.blocks.size() < found->second->blocks.size())
        found->second = &loop;
    }
  return innermost;
}

} // namespace dovetail::spirv
