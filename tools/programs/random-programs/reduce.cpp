// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/reduce.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

using Clock = std::chrono::steady_clock;

// Makes as many candidates at a time; takes the first that fails.
constexpr size_t BatchSize = 12;

class Reducer {
public:
  Reducer(Reduction &reduction, const ReduceOptions &options)
      : m_reduction(reduction), m_options(options), m_end(Clock::now() + options.limit) {}

  void run() {
    keepNamedProgram();
    for (bool isChanged = true; isChanged && Clock::now() < m_end;) {
      isChanged = false;
      for (unsigned stage = 0; stage < EditStageCount; ++stage)
        isChanged |= runStage(stage);
    }
  }

private:
  // Most failures need only the small program with the wrong word.
  void keepNamedProgram() {
    if (!m_reduction.finding.program)
      return;
    Shader alone = m_reduction.shader;
    std::erase_if(alone.programs,
                  [&](const SmallProgram &program) { return program.number != m_reduction.finding.program; });
    std::vector<Shader> candidates = {std::move(alone)};
    if (!interpret(candidates[0]).undefined && firstFailing(candidates))
      m_reduction.shader = std::move(candidates[0]);
  }

  bool runStage(unsigned stage) {
    bool isChanged = false;
    for (size_t number = 0; Clock::now() < m_end;) {
      std::vector<Shader> candidates;
      std::vector<size_t> numbers;
      bool isLast = false;
      size_t next = number;
      // Undefined candidates are dropped here, without a child process.
      for (; candidates.size() < BatchSize && !isLast; ++next) {
        Shader candidate = m_reduction.shader;
        isLast = !applyEdit(candidate, stage, next);
        if (!isLast && !candidate.programs.empty() && !interpret(candidate).undefined) {
          candidates.push_back(std::move(candidate));
          numbers.push_back(next);
        }
      }
      const std::optional<size_t> found = firstFailing(candidates);
      if (found) {
        isChanged = true;
        m_reduction.shader = std::move(candidates[*found]);
        number = numbers[*found]; // this number now means the next edit
      } else if (isLast) {
        break;
      } else {
        number = next;
      }
    }
    return isChanged;
  }

  std::optional<size_t> firstFailing(const std::vector<Shader> &candidates) {
    std::optional<size_t> found;
    const Way way = m_reduction.finding.way;
    auto work = [&](size_t i) {
      return encode(m_options.check ? m_options.check(candidates[i]) : check(candidates[i], way));
    };
    auto done = [&](size_t i, const WorkerReply &reply) {
      ++m_reduction.checks;
      const Finding finding = decode(reply, way);
      if (!isSameFailure(finding, m_reduction.finding))
        return true;
      m_reduction.finding = finding;
      found = i;
      return false;
    };
    if (!candidates.empty())
      runInWorkers(candidates.size(), {m_options.jobs, m_options.timeout}, work, done);
    return found;
  }

  Reduction &m_reduction;
  const ReduceOptions &m_options;
  Clock::time_point m_end;
};

} // namespace

Reduction reduce(const Shader &shader, const Finding &finding, const ReduceOptions &options) {
  Reduction reduction{shader, finding};
  Reducer(reduction, options).run();
  return reduction;
}

} // namespace dovetail::random_programs
