// SPDX-License-Identifier: MIT
//
// Forward data flow: what is known before each instruction. States are followed from one instruction along every path
// until nothing changes any more. Where paths meet, `meet` makes one state of two. A meet only ever goes one way.
#pragma once

#include "merge/check/checks.h"
#include <deque>
#include <functional>
#include <queue>

namespace dovetail::check {

// The state before each instruction.
template <typename State> class FlowStates {
public:
  explicit FlowStates(size_t instructions) : m_places(instructions, Nowhere) {}

  // nullptr if no path comes to the instruction.
  const State *before(uint32_t node) const { return m_places[node] == Nowhere ? nullptr : &m_states[m_places[node]]; }

  // Adds a state and returns whether the state before the instruction has changed.
  template <typename Meet> bool merge(uint32_t node, const State &state, const Meet &meet) {
    if (m_places[node] == Nowhere) {
      m_places[node] = uint32_t(m_states.size());
      m_states.push_back(state);
      return true;
    }
    State &known = m_states[m_places[node]];
    State merged = meet(known, state);
    if (merged == known)
      return false;
    known = std::move(merged);
    return true;
  }

private:
  static constexpr uint32_t Nowhere = ~0u;
  std::vector<uint32_t> m_places; // in m_states
  std::deque<State> m_states;
};

// Enters the instruction at the offset with `start`. transfer(node, before, pass) calls pass(successor, state) for each
// way out of an instruction, with the state behind the instruction on that way.
template <typename State, typename Transfer, typename Meet>
FlowStates<State> flowForward(const Program &program, uint32_t offset, const State &start, const Transfer &transfer,
                              const Meet &meet) {
  FlowStates<State> states(program.instructions.size());
  // In the order of the code: so most instructions are reached when all paths to them are known.
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> work;
  std::vector<bool> waits(program.instructions.size());
  auto pass = [&](uint32_t node, const State &state) {
    if (!states.merge(node, state, meet) || waits[node])
      return;
    waits[node] = true;
    work.push(node);
  };
  if (auto first = program.indexAt.find(offset); first != program.indexAt.end())
    pass(first->second, start);
  while (!work.empty()) {
    const uint32_t node = work.top();
    work.pop();
    waits[node] = false;
    const State before = *states.before(node);
    transfer(node, before, pass);
  }
  return states;
}

// Whether something has happened before an instruction, over the paths that come to it: on none, on some or on all.
struct Happened {
  bool onSomePath = false;
  bool notOnSomePath = false;

  bool operator==(const Happened &) const = default;
};

// Follows the paths from the program's entry along these successors. happens(instruction): it has happened from there
// on.
template <typename Happens>
FlowStates<Happened> flowOf(const Program &program, const std::vector<std::vector<uint32_t>> &successors,
                            const Happens &happens) {
  return flowForward(
      program, program.stage.entry, Happened{false, true},
      [&](uint32_t node, const Happened &before, const auto &pass) {
        const Happened after = happens(program.instructions[node]) ? Happened{true, false} : before;
        for (uint32_t successor : successors[node])
          pass(successor, after);
      },
      [](const Happened &a, const Happened &b) {
        return Happened{a.onSomePath || b.onSomePath, a.notOnSomePath || b.notOnSomePath};
      });
}

} // namespace dovetail::check
