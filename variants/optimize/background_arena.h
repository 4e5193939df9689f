// SPDX-License-Identifier: MIT
//
// Work on oneTBB's workers at low priority, for a library that may be unloaded. oneTBB shares its workers between all
// arenas of a process, the host's included, and gives those of higher priority theirs first; so the background takes
// what the host leaves, and no thread's own priority is touched. Two things need care:
//
// A thread that calls oneTBB becomes known to it: it gets an arena of its own, and holds the scheduler until it ends.
// Threads that draw are the host's, and must not be changed so. Therefore one thread of ours makes every call of
// oneTBB.
//
// A worker that has run a task is still inside that task's last instructions when whoever waits for it goes on. Nobody
// may be in there when the library is unloaded, nor in libtbb.so if it goes, too. Therefore an observer counts who is
// in the arena, and then the scheduler is finalized: workers are joined if we were oneTBB's only user. If there is
// another (the host, another device), they stay, outside of our code; and that user holds libtbb.so.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace dovetail {

// Thread-safe. The destructor waits for what was requested; afterwards no thread is inside `task`, or in code of this
// library because of it.
class BackgroundArena {
public:
  // `task` is called on at most `threads` workers at a time. It must not throw. oneTBB may give fewer: its limit is the
  // host's (by default one for each core but one; always at least one).
  BackgroundArena(unsigned threads, std::function<void()> task);
  ~BackgroundArena();
  BackgroundArena(const BackgroundArena &) = delete;
  BackgroundArena &operator=(const BackgroundArena &) = delete;

  // Has the task called once more, in the order of requests. The first request starts our thread; returns false if
  // the system refuses it one, or after stop().
  bool request();
  // What the destructor does. Must not be called from inside the task.
  void stop();

private:
  struct RequestedTask;
  void runTask();
  void callOneTbb();
  // 0: stop.
  unsigned nextRequests();

  const unsigned m_threads;
  const std::function<void()> m_task;
  std::mutex m_mutex; // guards what follows
  std::condition_variable m_changed;
  unsigned m_requests = 0; // that were not handed to oneTBB yet
  bool m_isStopping = false;
  std::thread m_thread;
};

} // namespace dovetail
