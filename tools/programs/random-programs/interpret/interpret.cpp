// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include "tools/programs/random-programs/interpret/interpret_lanes.h"
#include <algorithm>
#include <bit>

namespace dovetail::random_programs {

namespace {

// For all loops of a small program together.
constexpr unsigned MaxRounds = 2000;

struct Frame {
  bool isLoop = false;
  LaneMask broken, continued;
};

class Runner {
public:
  Runner(const Shader &shader, Memory &memory, LaneMask &alive, LaneMask &helpers)
      : m_shader(shader), m_memory(memory), m_alive(alive), m_helpers(helpers) {}

  void run(const SmallProgram &program) {
    m_memory.startProgram(program.number);
    Evaluator evaluator(m_shader, program, m_memory, m_alive, m_helpers);
    m_evaluator = &evaluator;
    LaneMask active = m_alive;
    runBlock(program.body, active);
    m_alive &= ~m_killed;
  }

private:
  bool isUndefined() const { return m_memory.undefined.has_value(); }
  void refuse(const Statement &statement, const char *reason) { m_memory.refuse(nullptr, &statement, reason); }

  template <typename Do> void eachLane(const LaneMask &mask, const Do &act) {
    for (uint32_t lane = 0; lane < m_shader.lanes; ++lane)
      if (mask[lane])
        act(lane);
  }

  LaneMask truthOf(const Expression &condition, const LaneMask &active) {
    const Lanes value = m_evaluator->evaluate(condition, active);
    LaneMask truth;
    eachLane(active, [&](uint32_t lane) { truth[lane] = value.at(0, lane) != 0; });
    return truth;
  }

  // Returns the lanes that reach the block's end.
  LaneMask runBlock(const Block &block, LaneMask active) {
    for (const Statement &statement : block) {
      if (isUndefined() || active.none())
        return {};
      active = runStatement(statement, active);
    }
    return active;
  }

  Frame &innermostLoop() {
    return *std::find_if(m_frames.rbegin(), m_frames.rend(), [](const Frame &frame) { return frame.isLoop; });
  }

  LaneMask runStatement(const Statement &statement, const LaneMask &active) {
    switch (statement.kind) {
    case StatementKind::Assign:
      m_evaluator->assign(statement.variable, m_evaluator->evaluate(statement.values[0], active), active);
      return active;
    case StatementKind::AssignElement:
      m_evaluator->assignElement(statement, active);
      return active;
    case StatementKind::Store:
      m_evaluator->store(statement, active);
      return active;
    case StatementKind::Atomic:
      m_evaluator->addAtomically(statement, active);
      return active;
    case StatementKind::If: {
      const LaneMask truth = truthOf(statement.values[0], active);
      LaneMask out = runBlock(statement.blocks[0], truth);
      const LaneMask others = active & ~truth;
      return out | (statement.blocks.size() > 1 ? runBlock(statement.blocks[1], others) : others);
    }
    case StatementKind::Loop:
      return runLoop(statement, active);
    case StatementKind::Switch:
      return runSwitch(statement, active);
    case StatementKind::Break:
      m_frames.back().broken |= active;
      return {};
    case StatementKind::BreakLoop:
      innermostLoop().broken |= active;
      return {};
    case StatementKind::Continue:
      innermostLoop().continued |= active;
      return {};
    case StatementKind::Return:
      return {};
    case StatementKind::Barrier:
      passBarrier(statement, active);
      return active;
    case StatementKind::Demote:
      m_helpers |= active;
      return active;
    case StatementKind::Kill:
      m_helpers |= active;
      m_killed |= active;
      return {};
    }
    return active;
  }

  // Of each workgroup, all living invocations must be here, or none.
  void passBarrier(const Statement &statement, const LaneMask &active) {
    for (uint32_t group = 0; group < m_shader.groups(); ++group) {
      LaneMask all;
      for (uint32_t lane = 0; lane < m_shader.groupLanes; ++lane)
        all[group * m_shader.groupLanes + lane] = true;
      if ((active & all).none())
        continue;
      if ((active & all) != (m_alive & all))
        refuse(statement, "a barrier in divergent control flow");
      m_memory.passBarrier(group);
    }
  }

  LaneMask runLoop(const Statement &statement, LaneMask active) {
    m_frames.push_back({true});
    m_evaluator->setCounter(statement.variable, active);
    const auto form = LoopForm(statement.form);
    LaneMask out;
    while (active.any() && !isUndefined()) {
      if (++m_rounds > MaxRounds)
        refuse(statement, "too many rounds");
      if (form != LoopForm::TestAtEnd) {
        const LaneMask stay = m_evaluator->isBelow(statement.variable, statement.values[0], active);
        out |= active & ~stay;
        active = stay;
      }
      if (active.none())
        break;
      const LaneMask end = runBlock(statement.blocks[0], active);
      active = end | m_frames.back().continued;
      m_frames.back().continued.reset();
      m_evaluator->count(statement.variable, active);
      if (form == LoopForm::TestAtEnd) {
        const LaneMask stay = m_evaluator->isBelow(statement.variable, statement.values[0], active);
        out |= active & ~stay;
        active = stay;
      }
    }
    out |= m_frames.back().broken;
    m_frames.pop_back();
    return out;
  }

  LaneMask runSwitch(const Statement &statement, const LaneMask &active) {
    const Lanes selector = m_evaluator->evaluate(statement.values[0], active);
    std::vector<LaneMask> entering(statement.blocks.size());
    eachLane(active, [&](uint32_t lane) {
      size_t chosen = statement.cases.size() - 1;
      for (size_t i = 0; i < statement.cases.size(); ++i)
        if (std::ranges::find(statement.cases[i].labels, selector.at(0, lane)) != statement.cases[i].labels.end())
          chosen = i;
      entering[chosen][lane] = true;
    });
    m_frames.push_back({false});
    LaneMask out, falling;
    for (size_t i = 0; i < statement.blocks.size(); ++i) {
      const LaneMask end = runBlock(statement.blocks[i], entering[i] | falling);
      falling = statement.cases[i].fallsThrough ? end : LaneMask();
      out |= statement.cases[i].fallsThrough ? LaneMask() : end;
    }
    out |= m_frames.back().broken;
    m_frames.pop_back();
    return out;
  }

  const Shader &m_shader;
  Memory &m_memory;
  LaneMask &m_alive, &m_helpers;
  LaneMask m_killed;
  Evaluator *m_evaluator = nullptr;
  std::vector<Frame> m_frames;
  unsigned m_rounds = 0;
};

bool isDrawn(const Shader &shader, uint32_t lane) {
  if (shader.stage == Stage::Compute)
    return true;
  const uint32_t x = lane % 8, y = lane / 8;
  const auto &[left, top, width, height] = shader.scissor;
  return x >= left && x < left + width && y >= top && y < top + height;
}

} // namespace

uint32_t initialCounter(uint32_t index) {
  return 0x10000001u * index;
}

Interpretation interpret(const Shader &shader) {
  Memory memory(shader);
  LaneMask alive, helpers;
  for (uint32_t lane = 0; lane < shader.lanes; ++lane) {
    alive[lane] = true;
    helpers[lane] = !shader.isChain && !isDrawn(shader, lane);
  }
  bool isCaptured = !shader.capturesVertices;
  for (const SmallProgram &program : shader.programs) {
    if (memory.undefined)
      break;
    if (program.stage == Stage::Fragment && !isCaptured) {
      memory.capture();
      isCaptured = true;
    }
    // The fragments of a chain are those whose points are drawn.
    if (shader.isChain && program.stage == Stage::Fragment)
      for (uint32_t lane = 0; lane < shader.lanes; ++lane)
        alive[lane] = alive[lane] && isDrawn(shader, lane);
    Runner(shader, memory, alive, helpers).run(program);
  }
  if (!isCaptured)
    memory.capture();
  return std::move(memory.result());
}

} // namespace dovetail::random_programs
