// SPDX-License-Identifier: MIT
//
// The interpreter's values, memory and expressions; interpret.cpp has its control flow.
#pragma once

#include "tools/programs/random-programs/interpret/interpret.h"
#include <set>
#include <span>
#include <tuple>

namespace dovetail::random_programs {

// The components of a value in each lane.
class Lanes {
public:
  Lanes() = default;
  Lanes(unsigned components, uint32_t lanes) : m_lanes(lanes), m_words(size_t(components) * lanes) {}
  uint64_t &at(unsigned component, uint32_t lane) { return m_words[size_t(component) * m_lanes + lane]; }
  uint64_t at(unsigned component, uint32_t lane) const { return m_words[size_t(component) * m_lanes + lane]; }

private:
  uint32_t m_lanes = 0;
  std::vector<uint64_t> m_words;
};

// The memory outside of small programs.
class Memory {
public:
  explicit Memory(const Shader &shader);

  std::optional<UndefinedPlace> undefined;
  // Only the first refusal counts.
  void refuse(const Expression *expression, const Statement *statement, std::string reason);

  void startProgram(uint32_t number) { m_program = number; }
  void passBarrier(uint32_t group) { ++m_epochs[group]; }
  void partSubgroups() { m_result.partsSubgroups = true; }

  // A component of an element. load() gives nothing if it is out of bounds, or a race.
  struct Place {
    Space space = Space::Input;
    unsigned content = 0;
    uint64_t index = 0;
    unsigned component = 0;
  };
  std::optional<uint64_t> load(const Place &place, uint32_t lane);
  bool store(const Place &place, uint32_t lane, uint64_t word);
  bool addAtomically(Space space, AtomicForm form, uint32_t lane, uint64_t index, uint32_t word);
  // A helper invocation's store has no effect. Later loads of this place by the helper are undefined.
  void storeAsHelper(const Place &place, uint32_t lane);

  // Captures for transform feedback. To be called after all stages in front of the rasteriser have run.
  void capture();

  Interpretation &result();

private:
  struct SharedWord {
    uint32_t word = 0;
    uint32_t writtenAt = 0, readAt = 0; // epochs; 0: never
    uint32_t writer = 0;
    LaneMask readers;
    uint32_t changedAt = 0; // when atomics changed it
    AtomicForm form = AtomicForm::Add;
  };
  // nullptr: out of bounds.
  SharedWord *sharedWord(uint32_t lane, uint64_t index);
  static bool isUsedByOthers(const SharedWord &word, uint32_t lane, uint32_t epoch);

  const Shader &m_shader;
  uint32_t m_program = 0;
  std::vector<uint32_t> m_epochs; // of each workgroup
  std::vector<SharedWord> m_shared;
  std::vector<uint32_t> m_varyings; // VaryingWords for each invocation
  std::vector<std::optional<AtomicForm>> m_counterForms;
  std::set<std::tuple<unsigned, uint32_t, uint64_t>> m_helperStores; // content, lane, component of its scratch
  Interpretation m_result;
};

class Evaluator {
public:
  Evaluator(const Shader &shader, const SmallProgram &program, Memory &memory, const LaneMask &alive,
            const LaneMask &helpers);

  // In lanes that are not active, the result may be any value.
  Lanes evaluate(const Expression &expression, const LaneMask &active);

  void assign(uint32_t variable, const Lanes &value, const LaneMask &active);
  void assignElement(const Statement &statement, const LaneMask &active);
  void store(const Statement &statement, const LaneMask &active);
  void addAtomically(const Statement &statement, const LaneMask &active);

  void setCounter(uint32_t variable, const LaneMask &active);
  void count(uint32_t variable, const LaneMask &active);
  LaneMask isBelow(uint32_t variable, const Expression &limit, const LaneMask &active);

private:
  template <typename Do> void eachLane(const LaneMask &mask, const Do &act) const {
    for (uint32_t lane = 0; lane < m_shader.lanes; ++lane)
      if (mask[lane])
        act(lane);
  }
  void refuse(const Expression &expression, std::string reason);
  bool areUsual(const Type &type, const std::vector<uint64_t> &words) const;
  Lanes evaluateRow(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateElement(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateLoad(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateCall(const Expression &expression, const LaneMask &active);
  // The first component at the end of a path; `values` holds the path's indices.
  unsigned follow(const Type &whole, const Path &path, std::span<const Lanes> values,
                  std::span<const Expression> indices, uint32_t lane);
  Lanes evaluateBitcast(const Expression &expression, const Lanes &value, const LaneMask &active);
  Lanes evaluateVector(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateDot(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateMatrix(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateSubgroup(const Expression &expression, const std::vector<Lanes> &arguments, const LaneMask &active);
  Lanes evaluateDerivative(const Expression &expression, const Lanes &value, const LaneMask &active);

  const Shader &m_shader;
  const SmallProgram &m_program;
  Memory &m_memory;
  const LaneMask &m_alive, &m_helpers;
  std::vector<Lanes> m_variables;
  const std::vector<Lanes> *m_parameters = nullptr; // of the function that is being evaluated
};

} // namespace dovetail::random_programs
