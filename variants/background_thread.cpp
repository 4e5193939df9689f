// SPDX-License-Identifier: MIT
#include "variants/background_thread.h"
#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace dovetail {

namespace {

// While this object lives, this thread and the threads that it starts get only signals that their own instructions
// raise.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int raised : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
      sigdelset(&blocked, raised);
    pthread_sigmask(SIG_BLOCK, &blocked, &m_before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t m_before;
};

// Both calls change only this thread on Linux.
void lowerPriority() {
#ifdef __linux__
  if (sched_getscheduler(0) == SCHED_IDLE) // the host wants this, and it is lower still
    return;
  const sched_param none = {};
  static_cast<void>(sched_setscheduler(0, SCHED_BATCH, &none));
  static_cast<void>(!nice(10));
#endif
}

} // namespace

std::jthread startThread(std::function<void()> work) {
  SignalsBlocked blocked;
  return std::jthread([work = std::move(work)] {
    pthread_setname_np(pthread_self(), "dovetail");
    work();
  });
}

std::jthread startBackgroundThread(std::function<void()> work) {
  return startThread([work = std::move(work)] {
    lowerPriority();
    work();
  });
}

} // namespace dovetail
