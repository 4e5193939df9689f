// SPDX-License-Identifier: MIT
//
// A thread of the layer takes samples for charts over time, and writes the report from time to time and on request: a
// signal handler can only wake the thread. A forked child lacks this thread and writes no report.
#include "tools/programs/layer/process.h"
#include "tools/programs/layer/report/report.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace dovetail::layer {

namespace {

struct Process {
  std::mutex mutex; // guards what follows
  std::shared_ptr<Session> session;
  Application application;
  std::thread thread;
  pid_t id = 0;
  std::mutex reportMutex; // one report at a time
};

Process &process() {
  static Process *const one = new Process; // never destroyed: threads of the application may still run at the end
  return *one;
}

sem_t wakeUp;
std::atomic<bool> isReportWanted = false, isEnding = false;
std::atomic<int> lastSignal = 0; // a signal that ends the process

void onSignal(int) {
  const int before = errno;
  isReportWanted.store(true, std::memory_order_relaxed);
  sem_post(&wakeUp);
  errno = before;
}

void onLastSignal(int signal) {
  const int before = errno;
  lastSignal.store(signal, std::memory_order_relaxed);
  sem_post(&wakeUp);
  errno = before;
}

void report(Session &session, ReportTime time) {
  std::scoped_lock lock(process().reportMutex);
  try {
    if (session.device() && !session.options().store.empty())
      (void)dovetail_device_flush_store(session.device(), nullptr);
    session.sample();
    writeReport(session, time);
  } catch (const std::exception &) { // out of memory: nobody can be told
  }
}

void watch(Session &session) {
  const double every = session.options().output.empty() ? 0 : session.options().reportEvery;
  double next = every;
  while (!isEnding.load(std::memory_order_acquire)) {
    // The pause grows with the session, for enough samples at first and not too many in the end.
    double pause = std::max(0.1, session.seconds() / 200);
    if (every > 0)
      pause = std::clamp(next - session.seconds(), 0.01, pause);
    timespec until = {};
    clock_gettime(CLOCK_REALTIME, &until);
    const auto nanoseconds = until.tv_nsec + static_cast<long>(pause * 1e9);
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    (void)sem_timedwait(&wakeUp, &until);
    if (const int signal = lastSignal.load()) {
      report(session, ReportTime::End);
      (void)std::signal(signal, SIG_DFL);
      (void)kill(getpid(), signal);
      return;
    }
    const double now = session.seconds();
    if (isReportWanted.exchange(false)) {
      report(session, ReportTime::Signal);
    } else if (every > 0 && now >= next && !isEnding.load(std::memory_order_acquire)) {
      report(session, ReportTime::Running);
      // However long a report is, it takes at most a twentieth of a core.
      next = session.seconds() + std::max(every, 20 * (session.seconds() - now));
    } else {
      session.sample();
    }
  }
}

// The thread blocks all signals, because they are for the application's threads.
std::thread startWatching(Session &session) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread([&session] { watch(session); });
  } catch (const std::system_error &) { // then the layer takes no samples, and writes the report only at the end
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

// Handles the signal unless the application does.
void handle(int signal, void (*handler)(int)) {
  struct sigaction there = {};
  if (signal == 0 || sigaction(signal, nullptr, &there) != 0 || there.sa_handler != SIG_DFL)
    return;
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (handler == onLastSignal)
    action.sa_flags |= SA_RESETHAND; // a second signal ends the process, even if the report hangs
  sigemptyset(&action.sa_mask);
  (void)sigaction(signal, &action, nullptr);
}

void stopHandling(const Options &options) {
  for (const int signal : {options.signal, SIGINT, SIGTERM}) {
    struct sigaction there = {};
    if (signal != 0 && sigaction(signal, nullptr, &there) == 0 &&
        (there.sa_handler == onSignal || there.sa_handler == onLastSignal))
      (void)std::signal(signal, SIG_DFL);
  }
}

// For a process that exits with the session open. Destroys nothing, because other threads may still use it.
void onExit() {
  Process &here = process();
  std::shared_ptr<Session> session;
  {
    std::scoped_lock lock(here.mutex);
    session = here.session;
    if (!session || here.id != getpid())
      return;
    stopHandling(session->options());
    isEnding.store(true, std::memory_order_release);
    sem_post(&wakeUp);
    if (here.thread.joinable())
      here.thread.join();
  }
  session->finishAll();
  report(*session, ReportTime::End);
}

} // namespace

void noteApplication(const VkApplicationInfo *info) {
  Process &here = process();
  std::scoped_lock lock(here.mutex);
  const auto text = [](const char *given) { return std::string(given ? given : ""); };
  here.application = info ? Application{text(info->pApplicationName), text(info->pEngineName)} : Application();
}

std::shared_ptr<Session> openSession() {
  Process &here = process();
  std::scoped_lock lock(here.mutex);
  if (here.session)
    return here.session;
  here.session = std::make_shared<Session>(readOptions(), here.application);
  here.id = getpid();
  sem_init(&wakeUp, 0, 0);
  isEnding = false;
  here.thread = startWatching(*here.session);
  handle(here.session->options().signal, onSignal);
  if (here.thread.joinable()) // the thread writes the report
    for (const int signal : {SIGINT, SIGTERM})
      handle(signal, onLastSignal);
  static const int registered = std::atexit(onExit);
  (void)registered;
  return here.session;
}

void closeSession() {
  Process &here = process();
  std::scoped_lock lock(here.mutex);
  if (!here.session)
    return;
  if (here.id == getpid()) {
    stopHandling(here.session->options());
    isEnding.store(true, std::memory_order_release);
    sem_post(&wakeUp);
    if (here.thread.joinable())
      here.thread.join();
    report(*here.session, ReportTime::End);
    sem_destroy(&wakeUp);
  }
  here.session = nullptr;
}

} // namespace dovetail::layer
