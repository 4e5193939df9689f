// SPDX-License-Identifier: MIT
#include "src/first/form/control_flow.h"
#include <algorithm>

namespace dovetail::first {

namespace {

bool isIn(const Program &program, uint16_t loop, uint16_t block) {
  return loop == UINT16_MAX || (block >= program.loops[loop].header && block <= program.loops[loop].last);
}

bool dominates(const Program &program, uint16_t block, uint16_t of) {
  while (of > block)
    of = program.blocks[of].dominator;
  return of == block;
}

unsigned successorCount(const Block &block) {
  return block.terminator == Terminator::Branch ? 2 : block.terminator == Terminator::Jump ? 1 : 0;
}

// Immediate post-dominators. The way back to a loop's start leads to where the loop is left.
std::vector<uint16_t> postDominators(const Program &program) {
  const uint16_t count = uint16_t(program.blocks.size());
  std::vector<uint16_t> after(count, UINT16_MAX);
  for (uint16_t i = count; i-- > 0;) {
    const Block &block = program.blocks[i];
    uint16_t common = UINT16_MAX;
    auto meet = [&](uint16_t successor) {
      if (common == UINT16_MAX) {
        common = successor;
        return;
      }
      while (common != successor && common != UINT16_MAX && successor != UINT16_MAX) {
        uint16_t &lower = common < successor ? common : successor;
        lower = after[lower];
      }
      common = std::max(common, successor);
    };
    for (unsigned s = 0; s < successorCount(block); ++s) {
      const uint16_t successor = block.successors[s];
      if (successor > i) {
        meet(successor);
        continue;
      }
      const Loop &loop = program.loops[program.blocks[successor].loop];
      for (uint16_t inside = loop.header; inside <= loop.last; ++inside)
        for (unsigned k = 0; k < successorCount(program.blocks[inside]); ++k)
          if (program.blocks[inside].successors[k] > loop.last)
            meet(program.blocks[inside].successors[k]);
    }
    if (common == UINT16_MAX && block.terminator != Terminator::End)
      return {};
    after[i] = common;
  }
  return after;
}

} // namespace

uint16_t ControlFlow::nextWaiting(uint16_t block, uint16_t limit) const {
  for (uint16_t i = block + 1; i <= limit; ++i)
    if (ways[i].slot != Slot::None && ways[i].setter <= block)
      return i;
  return limit + 1;
}

std::string planControlFlow(const Program &program, ControlFlow &flow) {
  const uint16_t count = uint16_t(program.blocks.size());
  flow.ways.assign(count, {});
  if (count == 1)
    return {};
  if (std::ranges::count(program.blocks, Terminator::End, &Block::terminator) != 1 ||
      program.blocks.back().terminator != Terminator::End)
    return "a program with several ends";
  const std::vector<uint16_t> after = postDominators(program);
  if (after.empty())
    return "a program with several ends";
  for (uint16_t i = 0; i < count; ++i)
    if (program.blocks[i].terminator == Terminator::Branch)
      flow.ways[i].isDivergent = program.nodes[program.blocks[i].condition].bank == Bank::Vector;

  // Uniform branches that would have to record lanes or to jump past waiting ones become branches on masks; that makes
  // more slots, until nothing changes.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Way &way : flow.ways) {
      way.slot = Slot::None;
      way.loopIsDivergent = false;
    }
    for (uint16_t i = 0; i < count; ++i) {
      if (!flow.ways[i].isDivergent)
        continue;
      for (unsigned s = 0; s < 2; ++s)
        for (uint16_t loop = program.blocks[i].loop; loop != UINT16_MAX; loop = program.loops[loop].parent)
          if (!isIn(program, loop, program.blocks[i].successors[s]))
            flow.ways[program.loops[loop].header].loopIsDivergent = true;
    }
    for (uint16_t i = 1; i < count; ++i) {
      const Block &block = program.blocks[i];
      Way &way = flow.ways[i];
      uint16_t single = UINT16_MAX;
      unsigned forward = 0;
      for (uint16_t predecessor : block.predecessors)
        if (predecessor < i) {
          single = predecessor;
          ++forward;
        }
      // The level of the loop at which the block is entered from outside.
      const uint16_t level = block.isLoopHeader ? program.loops[block.loop].parent : block.loop;
      uint16_t setter = block.dominator;
      auto innermost = [&](uint16_t of) { return program.blocks[of].loop; };
      while (innermost(setter) != level)
        setter = program.blocks[setter].dominator;
      bool isApart = false;
      for (uint16_t k = setter; k < i; ++k)
        isApart |= flow.ways[k].isDivergent;
      if (!isApart)
        continue;
      way.setter = setter;
      if (forward == 1 && innermost(single) == level) {
        if (!flow.ways[single].isDivergent || single + 1 == i) // EXEC has these lanes
          continue;
        way.slot = Slot::Assigned;
        way.setter = single;
        continue;
      }
      uint16_t reached = setter;
      while (reached < i)
        reached = after[reached];
      way.slot = reached == i ? Slot::Saved : Slot::Collected;
    }
    for (uint16_t i = 0; i < count; ++i) {
      const Block &block = program.blocks[i];
      if (block.terminator == Terminator::End || flow.ways[i].isDivergent)
        continue;
      for (unsigned s = 0; s < successorCount(block); ++s) {
        const uint16_t successor = block.successors[s];
        if (successor <= i)
          continue;
        const bool passesWaiting = flow.nextWaiting(i, successor) < successor;
        const bool mustRecord = flow.ways[successor].slot == Slot::Collected;
        if (block.terminator == Terminator::Branch && (passesWaiting || mustRecord)) {
          flow.ways[i].isDivergent = true;
          isChanged = true;
        }
      }
    }
  }
  for (uint16_t i = 0; i < count; ++i) {
    const Block &block = program.blocks[i];
    for (unsigned s = 0; s < successorCount(block); ++s) {
      const uint16_t successor = block.successors[s];
      if (successor <= i)
        continue;
      const uint16_t waiting = flow.nextWaiting(i, successor);
      if (waiting < successor && flow.ways[successor].slot == Slot::None)
        return "control flow that passes waiting lanes";
      if (waiting <= successor && !dominates(program, flow.ways[waiting].setter, i))
        return "control flow that is interleaved";
    }
  }
  return {};
}

} // namespace dovetail::first
