// SPDX-License-Identifier: MIT
//
// The library's threads run in the host's process, so they take none of the host's signals. Threads for work that
// nobody waits for yield to the host's own threads.
//
// Low priority is SCHED_BATCH and a nice value of 10 more than the starting thread's. A drawing thread on the same core
// then gets nine tenths of it. SCHED_IDLE would give it all. But the background holds locks for moments that others
// need (malloc's, those of the tables), so it must get to release them even on a busy machine.
#pragma once

#include <functional>
#include <thread>

namespace dovetail {

// Throws std::system_error if the system refuses a thread, std::bad_alloc if memory runs out. If the system does not
// allow the priority, the thread runs without it. `work` must not throw.
std::jthread startBackgroundThread(std::function<void()> work);
// The same with the priority of the starting thread, for work that the starting thread waits for.
std::jthread startThread(std::function<void()> work);

} // namespace dovetail
