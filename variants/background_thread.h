// SPDX-License-Identifier: MIT
//
// Threads of the library in a process that is the host's: they take none of the host's signals. Those for work that
// nobody waits for yield to the host's own threads.
//
// Low priority is SCHED_BATCH and a nice value of 10 more than the starting thread's, which gives a thread that draws
// on the same core nine tenths of it. SCHED_IDLE would give it all: but the background holds locks for moments that
// others need (malloc's, those of the tables), and must come to let go of them on a machine that is busy.
#pragma once

#include <functional>
#include <thread>

namespace dovetail {

// Throws std::system_error if the system refuses a thread, std::bad_alloc if memory runs out. Where it does not allow
// the priority, the thread runs without. `work` must not throw.
std::jthread startBackgroundThread(std::function<void()> work);
// The same with the priority of the starting thread, for work that it waits for.
std::jthread startThread(std::function<void()> work);

} // namespace dovetail
