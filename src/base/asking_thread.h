// SPDX-License-Identifier: MIT
//
// Some threads must not wait while another thread makes the same part or variant. These flags of the calling thread
// tell the tables of parts and variants (parts/cache/single_flight.h) whether it may wait and whether it optimises.
#pragma once

namespace dovetail {

// A thread that does not optimise never waits for one that does: it makes the same value itself.
inline thread_local bool isOptimizingThread = false;

// False inside of a bind that never compiles. Such a bind takes microseconds. If it waited for another thread, it might
// wait for a compiler; if it asked the store, it might wait for a disk.
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

// If `isOn`, the thread waits for nobody while this object lives.
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
