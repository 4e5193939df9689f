// SPDX-License-Identifier: MIT
//
// What binds cost, by kind: how many there were, and how long they took, in steps of a quarter of a power of two. One
// thread at a time writes, others may read at any time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace dovetail::layer {

// Written by one thread at a time.
class Counter {
public:
  Counter() = default;
  Counter(const Counter &other) : m_value(other.get()) {}
  Counter &operator=(const Counter &) = delete;

  void add(uint64_t value) {
    m_value.store(m_value.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
  }
  void raiseTo(uint64_t value) {
    if (value > m_value.load(std::memory_order_relaxed))
      m_value.store(value, std::memory_order_relaxed);
  }
  uint64_t get() const { return m_value.load(std::memory_order_relaxed); }

private:
  std::atomic<uint64_t> m_value = 0;
};

class Histogram {
public:
  void add(uint64_t nanoseconds) {
    m_steps[stepOf(nanoseconds)].add(1);
    m_count.add(1);
    m_sum.add(nanoseconds);
    m_most.raiseTo(nanoseconds);
  }
  void add(const Histogram &other) {
    for (size_t step = 0; step < StepCount; ++step)
      m_steps[step].add(other.m_steps[step].get());
    m_count.add(other.count());
    m_sum.add(other.sum());
    m_most.raiseTo(other.most());
  }

  uint64_t count() const { return m_count.get(); }
  uint64_t sum() const { return m_sum.get(); }
  uint64_t most() const { return m_most.get(); }
  // The end of the step in which this share (0 to 1) of all values is reached, but no more than the largest value; 0
  // without values.
  uint64_t percentile(double share) const {
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(count()));
    uint64_t seen = 0;
    for (size_t step = 0; step < StepCount; ++step) {
      seen += m_steps[step].get();
      if (seen > wanted || (seen == count() && seen > 0))
        return endOf(step) < most() ? endOf(step) : most();
    }
    return 0;
  }

  // Below 2^SubBits, each value is a step of its own.
  static constexpr unsigned SubBits = 3;
  static constexpr size_t StepCount = (48 - SubBits) << SubBits;
  static size_t stepOf(uint64_t value) {
    if (value < (uint64_t(1) << SubBits))
      return value;
    const unsigned exponent = std::bit_width(value) - 1 - SubBits;
    const size_t step = ((exponent + 1) << SubBits) + ((value >> exponent) & ((1u << SubBits) - 1));
    return step < StepCount ? step : StepCount - 1;
  }
  // The largest value of a step.
  static uint64_t endOf(size_t step) {
    if (step < (size_t(1) << SubBits))
      return step;
    const size_t exponent = (step >> SubBits) - 1;
    const uint64_t lead = (uint64_t(1) << SubBits) + (step & ((1u << SubBits) - 1));
    return ((lead + 1) << exponent) - 1;
  }

private:
  Counter m_count, m_sum, m_most; // beside each other, as all are written each time
  std::array<Counter, StepCount> m_steps;
};

// dovetail_bind_kind; DOVETAIL_BIND_NONE stands for binds that failed.
constexpr size_t BindKindCount = 8;

// Of draws and dispatches. A bind is in one of the two.
struct BindCosts {
  std::array<Histogram, BindKindCount> earlyKinds;
  std::array<Histogram, BindKindCount> steadyKinds; // after the time to warm up

  std::array<Histogram, BindKindCount> allKinds() const {
    std::array<Histogram, BindKindCount> all = earlyKinds;
    for (size_t kind = 0; kind < BindKindCount; ++kind)
      all[kind].add(steadyKinds[kind]);
    return all;
  }
  void add(const BindCosts &other) {
    for (size_t kind = 0; kind < BindKindCount; ++kind) {
      earlyKinds[kind].add(other.earlyKinds[kind]);
      steadyKinds[kind].add(other.steadyKinds[kind]);
    }
  }
};

// What is counted for a command pool, whose command buffers belong to one thread at a time. What each draw writes comes
// first, in one cache line.
struct alignas(64) WorkCounts {
  Counter draws, dispatches, pipelineBinds, pushConstantBytes, stateChanges;
  Histogram ownTimes; // nanoseconds of sampled draws outside of Dovetail's calls
  // If the CPU time of all binds is measured: that of known and unchanged ones, and of as many intervals in which
  // nothing was done at all. What the longest of the latter take is the machine's doing.
  Histogram knownBindCpuTimes, emptyCpuTimes;
  BindCosts costs;

  void add(const WorkCounts &other) {
    costs.add(other.costs);
    ownTimes.add(other.ownTimes);
    knownBindCpuTimes.add(other.knownBindCpuTimes);
    emptyCpuTimes.add(other.emptyCpuTimes);
    for (Counter WorkCounts::*counter : {&WorkCounts::draws, &WorkCounts::dispatches, &WorkCounts::pipelineBinds,
                                         &WorkCounts::pushConstantBytes, &WorkCounts::stateChanges})
      (this->*counter).add((other.*counter).get());
  }
};

} // namespace dovetail::layer
