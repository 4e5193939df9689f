// SPDX-License-Identifier: MIT
//
// Which threads optimise at this moment. Others must never wait for them: what an optimiser is making, a thread that
// draws makes itself if it needs the very same (parts/cache/single_flight.h).
#pragma once

namespace dovetail {

inline thread_local bool isOptimizingThread = false;

// The thread optimises while this object lives.
class OptimizingScope {
public:
  OptimizingScope() : m_before(isOptimizingThread) { isOptimizingThread = true; }
  ~OptimizingScope() { isOptimizingThread = m_before; }
  OptimizingScope(const OptimizingScope &) = delete;
  OptimizingScope &operator=(const OptimizingScope &) = delete;

private:
  const bool m_before;
};

} // namespace dovetail
