// SPDX-License-Identifier: MIT
//
// A thread of the library for work that nobody waits for, in a process that is the host's: it yields to the host's own
// threads, and takes none of the host's signals.
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

} // namespace dovetail
