// SPDX-License-Identifier: MIT
#include "src/first/form/control_flow.h"
#include <algorithm>

namespace dovetail::first {

namespace {

bool isIn(const Program &program, uint16_t loop, uint16_t block) {
  return loop == UINT16_MAX || (block >= program.loops[loop].header && block <= program.loops[loop].last);
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
    for (unsigned s = 0; s < block.successorCount(); ++s) {
      const uint16_t successor = block.successors[s];
      if (successor > i) {
        meet(successor);
        continue;
      }
      const Loop &loop = program.loops[program.blocks[successor].loop];
      for (uint16_t inside = loop.header; inside <= loop.last; ++inside)
        for (unsigned k = 0; k < program.blocks[inside].successorCount(); ++k)
          if (program.blocks[inside].successors[k] > loop.last)
            meet(program.blocks[inside].successors[k]);
    }
    if (common == UINT16_MAX && block.terminator != Terminator::End)
      return {};
    after[i] = common;
  }
  return after;
}

// Code also goes where no lane goes on: to the next block in which lanes may wait. Of each block, this is the last one
// whose end all code has passed that comes to its start.
std::vector<uint16_t> dominatorsOfCode(const Program &program, const ControlFlow &flow) {
  const uint16_t count = uint16_t(program.blocks.size()), last = count - 1;
  std::vector<uint16_t> dominators(count, UINT16_MAX);
  dominators[0] = 0;
  auto goes = [&](uint16_t from, uint16_t to) {
    uint16_t &known = dominators[to];
    if (known == UINT16_MAX) {
      known = from;
      return;
    }
    uint16_t other = from;
    while (other != known) {
      uint16_t &later = other > known ? other : known;
      later = dominators[later];
    }
  };
  for (uint16_t i = 0; i < last; ++i) {
    if (dominators[i] == UINT16_MAX)
      continue;
    const Block &block = program.blocks[i];
    const Way &way = flow.ways[i];
    const uint16_t waiting = std::min(flow.nextWaiting(i, last), last);
    if (way.slot == Slot::Collected || way.slot == Slot::Assigned) // no lane may have waited
      goes(dominators[i], std::min(flow.nextWaitingAtStart(i, last), last));
    bool mayEnd = way.isDivergent;
    for (unsigned s = 0; s < block.successorCount(); ++s) {
      const uint16_t successor = block.successors[s];
      if (successor <= i)
        mayEnd |= flow.ways[successor].loopIsDivergent;
      else if (!way.isDivergent)
        goes(i, std::min(waiting, successor));
      else if (successor == i + 1 && flow.ways[successor].slot == Slot::None)
        goes(i, successor);
    }
    if (mayEnd)
      goes(i, waiting);
  }
  return dominators;
}

} // namespace

// `setters`: slots that blocks in front of this one begin.
uint16_t ControlFlow::nextWaiting(uint16_t block, uint16_t limit, unsigned setters) const {
  for (uint16_t i = block + 1; i <= limit; ++i)
    if (ways[i].slot != Slot::None && ways[i].setter < setters)
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

  auto innermost = [&](uint16_t of) { return program.blocks[of].loop; };
  // The level of the loop at which a block is entered from outside.
  auto levelOf = [&](uint16_t block) {
    return program.blocks[block].isLoopHeader ? program.loops[innermost(block)].parent : innermost(block);
  };
  std::vector<uint16_t> earlier(count, UINT16_MAX); // slots that begin before the nearest dominator
  auto beginEarlier = [&](uint16_t block, const std::vector<uint16_t> &codeDominators) {
    auto canBegin = [&](uint16_t setter) {
      return setter <= flow.ways[block].setter && program.dominates(setter, block) &&
             innermost(setter) == levelOf(block);
    };
    uint16_t setter = codeDominators[block];
    while (setter > 0 && !canBegin(setter))
      setter = codeDominators[setter];
    if (!canBegin(setter))
      return false;
    earlier[block] = std::min(earlier[block], setter);
    return true;
  };

  // Uniform branches that would have to record lanes or to jump past waiting ones become branches on masks; that makes
  // more slots, until nothing changes.
  constexpr unsigned maxRounds = 16;
  unsigned rounds = 0;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    if (++rounds > maxRounds)
      return "control flow that takes long to plan";
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
    int lastApart = -1; // block that ends with a branch on a mask, of those in front
    for (uint16_t i = 1; i < count; ++i) {
      if (flow.ways[i - 1].isDivergent)
        lastApart = i - 1;
      const Block &block = program.blocks[i];
      Way &way = flow.ways[i];
      uint16_t single = UINT16_MAX;
      unsigned forward = 0;
      for (uint16_t predecessor : block.predecessors)
        if (predecessor < i) {
          single = predecessor;
          ++forward;
        }
      const uint16_t level = levelOf(i);
      uint16_t setter = block.dominator;
      while (innermost(setter) != level)
        setter = program.blocks[setter].dominator;
      if (earlier[i] != UINT16_MAX) {
        way.slot = Slot::Collected;
        way.setter = std::min(setter, earlier[i]);
        continue;
      }
      if (lastApart < setter)
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
      for (unsigned s = 0; s < block.successorCount(); ++s) {
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
    if (isChanged)
      continue;
    std::vector<uint16_t> codeDominators = dominatorsOfCode(program, flow);
    auto hasBegun = [&](uint16_t waiting) {
      uint16_t dominator = waiting;
      while (dominator > flow.ways[waiting].setter)
        dominator = codeDominators[dominator];
      return dominator == flow.ways[waiting].setter;
    };
    for (uint16_t i = 0; i < count; ++i) {
      const Block &block = program.blocks[i];
      const bool isLost = codeDominators[i] == UINT16_MAX; // its lanes would be
      if (isLost)
        codeDominators[i] = block.dominator;
      bool isLate = isLost || (flow.ways[i].slot != Slot::None && !hasBegun(i));
      for (uint16_t predecessor : block.predecessors) // whose lanes have to wait, because other code comes first
        isLate |=
            predecessor < i && flow.ways[i].slot == Slot::None &&
            (flow.nextWaiting(predecessor, i) < i || (flow.ways[predecessor].isDivergent && predecessor + 1 != i));
      if (!isLate)
        continue;
      if (!beginEarlier(i, codeDominators))
        return "lanes that cannot wait for a block";
      isChanged = true;
    }
  }
  return {};
}

} // namespace dovetail::first
