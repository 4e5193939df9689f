// SPDX-License-Identifier: MIT
//
// Counts binds by kind and by time, in steps of an eighth of a power of two. One thread at a time writes; others may
// read at any time.
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
  // The end of the step in which this share (0 to 1) of all values is reached, at most the largest value; 0 without
  // values.
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

  // Each value below 2^SubBits has a step of its own.
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
  Counter m_count, m_sum, m_most; // beside each other: every add() writes all three
  std::array<Counter, StepCount> m_steps;
};

// Kinds are those of dovetail_bind_kind; DOVETAIL_BIND_NONE counts failed binds.
constexpr size_t BindKindCount = 8;

// The binds of draws and dispatches. Each bind counts in one of the two arrays.
struct BindCosts {
  std::array<Histogram, BindKindCount> earlyKinds;
  std::array<Histogram, BindKindCount> steadyKinds; // after the warm-up time

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

// The counts of a command pool, whose command buffers belong to one thread at a time. The members that each draw writes
// come first, in one cache line.
struct alignas(64) WorkCounts {
  Counter draws, dispatches, pipelineBinds, pushConstantBytes, stateChanges;
  Histogram ownTimes; // nanoseconds of sampled draws, without Dovetail's calls
  // If the CPU time of all binds is measured: the times of known and unchanged binds, and of as many empty intervals.
  // The longest empty intervals show what the machine itself adds.
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
