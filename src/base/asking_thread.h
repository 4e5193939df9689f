// SPDX-License-Identifier: MIT
//
// What the tables of parts and variants (parts/cache/single_flight.h) have to know of the thread that asks: whether it
// may wait for another one that is making the very same.
#pragma once

namespace dovetail {

// Others must never wait for a thread that optimises: they make what it is making themselves.
inline thread_local bool isOptimizingThread = false;

// Inside of a bind that never compiles. What it makes itself takes microseconds; for another thread it might wait for a
// compiler, and for the store, for a disk.
inline thread_local bool mayWait = true;

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

// The thread waits for nobody while this object lives, if `isOn`.
class WaitlessScope {
public:
  explicit WaitlessScope(bool isOn) : m_before(mayWait) { mayWait = mayWait && !isOn; }
  ~WaitlessScope() { mayWait = m_before; }
  WaitlessScope(const WaitlessScope &) = delete;
  WaitlessScope &operator=(const WaitlessScope &) = delete;

private:
  const bool m_before;
};

} // namespace dovetail
