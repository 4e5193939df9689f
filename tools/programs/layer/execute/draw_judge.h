// SPDX-License-Identifier: MIT
//
// DrawJudges: threads that run draws in the emulator and compare them with the driver's results, while the application
// goes on.
#pragma once

#include "tools/programs/layer/execute/drawn_variant.h"
#include "tools/programs/layer/session/execution_log.h"
#include <condition_variable>
#include <deque>
#include <thread>

namespace dovetail::layer {

struct DrawJob {
  Scene scene;
  SceneResult theirs;
  std::shared_ptr<const DrawnVariant> variant;
  bool isDamaged = false; // DOVETAIL_SHADOW_EXECUTE_FAULT: our result gets a fault
};

// Thread-safe.
class DrawJudges {
public:
  DrawJudges(ExecutionLog &log, uint32_t threads);
  // Waits for all draws.
  ~DrawJudges();
  DrawJudges(const DrawJudges &) = delete;
  DrawJudges &operator=(const DrawJudges &) = delete;

  // Waits while the waiting draws hold too much memory.
  void add(DrawJob job);
  // Returns when all draws that were added are judged.
  void drain();

private:
  void work();

  ExecutionLog &m_log;
  std::mutex m_mutex; // guards what follows
  std::condition_variable m_changed;
  std::deque<DrawJob> m_waiting;
  size_t m_waitingBytes = 0, m_running = 0;
  bool m_isEnding = false;
  std::vector<std::thread> m_threads;
};

} // namespace dovetail::layer
