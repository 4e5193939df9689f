// SPDX-License-Identifier: MIT
//
// Gate: stops a background job where a test wants it to stop, without a guess at how long anything takes.
#pragma once

#include <condition_variable>
#include <mutex>

namespace dovetail {

// Opens once, and stays open. Thread-safe.
class Gate {
public:
  void open() {
    std::lock_guard lock(m_mutex);
    m_isOpen = true;
    m_opened.notify_all();
  }
  void wait() {
    std::unique_lock lock(m_mutex);
    m_opened.wait(lock, [this] { return m_isOpen; });
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_opened;
  bool m_isOpen = false;
};

} // namespace dovetail
