// SPDX-License-Identifier: MIT
//
// A block is in a loop if it can be reached from the loop's head without passing the merge block: structured control
// flow leaves a loop only by that block, or by leaving the function. Of two loops around a block, the inner one has
// fewer blocks.
#include "src/spirv/translate/loops.h"
#include <unordered_set>

namespace dovetail::spirv {

namespace {

const Instruction *loopMerge(const Block &block) {
  if (block.instructions.size() < 2)
    return nullptr;
  const Instruction &merge = block.instructions[block.instructions.size() - 2];
  return merge.opcode == spv::Op::OpLoopMerge ? &merge : nullptr;
}

} // namespace

LoopsOfBlocks findLoops(const Function &function,
                        const std::function<void(const Block &, const VisitTarget &)> &visitTargets) {
  LoopsOfBlocks loops;
  std::unordered_map<uint32_t, size_t> sizes; // the size of each block's loop
  for (const Block &head : function.blocks) {
    const Instruction *merge = loopMerge(head);
    if (!merge)
      continue;
    const Loop loop = {head.label, merge->operand(0)};
    std::unordered_set<uint32_t> inside = {head.label};
    std::vector<uint32_t> toVisit = {head.label};
    while (!toVisit.empty()) {
      const Block &block = function.blocks[function.blockIndex.at(toVisit.back())];
      toVisit.pop_back();
      visitTargets(block, [&](uint32_t label) {
        if (label != loop.merge && inside.insert(label).second)
          toVisit.push_back(label);
      });
    }
    for (uint32_t label : inside) {
      auto [size, isNew] = sizes.try_emplace(label, inside.size());
      if (isNew || inside.size() < size->second) {
        size->second = inside.size();
        loops[label] = loop;
      }
    }
  }
  return loops;
}

} // namespace dovetail::spirv
