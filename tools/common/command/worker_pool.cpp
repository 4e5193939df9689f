// SPDX-License-Identifier: MIT
//
// Each worker process reads units from one pipe and answers each on another, both as a length and a text. On the way, a
// unit may ask the pool (unit_link.h); a letter in front of what a worker says tells questions and replies apart. Its
// stderr goes to an unlinked file; after a crash, the pool finds the message of a failed assertion there.
#include "tools/common/command/worker_pool.h"
#include "tools/common/command/pipe_io.h"
#include "tools/common/command/processor_time.h"
#include "tools/common/command/unit_link.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <map>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

using Work = std::function<std::string(const std::string &)>;

// In one call of the system.
bool sendText(int descriptor, std::string_view start, const std::string &text) {
  const uint64_t length = start.size() + text.size();
  std::string message(reinterpret_cast<const char *>(&length), sizeof(length));
  message.reserve(sizeof(length) + length);
  message.append(start).append(text);
  return writeFully(descriptor, message.data(), message.size());
}

// Nothing if the other process ended in the middle of it.
std::optional<std::string> receiveText(int descriptor) {
  uint64_t length = 0;
  if (!readFully(descriptor, &length, sizeof(length)))
    return std::nullopt;
  std::string text(length, '\0');
  if (!readFully(descriptor, text.data(), length))
    return std::nullopt;
  return text;
}

constexpr char Question = '?', Answered = '=';

// The step of a worker's unit, and the worker's processor time when the step began. Worker and pool share it.
struct Progress {
  std::atomic<uint64_t> step;
  std::atomic<int64_t> nanoseconds;
};

// In a worker process.
struct OwnEnds {
  int requests = -1, replies = -1;
  Progress *progress = nullptr;
} ownEnds;

bool say(char letter, const std::string &text) {
  return sendText(ownEnds.replies, {&letter, 1}, text);
}

[[noreturn]] void workUntilTold(const Work &work) {
  while (const std::optional<std::string> unit = receiveText(ownEnds.requests))
    if (!say(Answered, work(*unit)))
      break;
  ::_exit(0);
}

void limitMemory([[maybe_unused]] uint64_t bytes) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit limit = {bytes, bytes};
  if (bytes != 0 && ::setrlimit(RLIMIT_DATA, &limit) != 0)
    ::_exit(1);
#endif
}

// Catches the signals that end a process: while an Interruption lives, they end the pool's loop instead.
class Interruption {
public:
  Interruption() {
    s_signal = 0;
    struct sigaction action = {};
    action.sa_handler = [](int number) { s_signal = number; };
    for (size_t i = 0; i < std::size(Signals); ++i) {
      ::sigaction(Signals[i], nullptr, &m_before[i]);
      const bool isUnderNohup = Signals[i] == SIGHUP && m_before[i].sa_handler == SIG_IGN;
      if (!isUnderNohup)
        ::sigaction(Signals[i], &action, nullptr);
    }
  }
  ~Interruption() {
    for (size_t i = 0; i < std::size(Signals); ++i)
      ::sigaction(Signals[i], &m_before[i], nullptr);
  }
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;

  // The signal that came; 0: none.
  static int signal() { return s_signal; }
  // To be called in a worker. A terminal sends SIGINT to all of its processes. The pool ends the workers, so that no
  // worker counts as crashed.
  static void ignore() {
    for (int number : Signals)
      ::signal(number, SIG_IGN);
  }

private:
  static constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
  static inline volatile std::sig_atomic_t s_signal = 0;
  struct sigaction m_before[std::size(Signals)];
};

class Worker {
public:
  Worker(const Work &work, uint64_t maxMemory, const std::list<Worker> &others) : m_maxMemory(maxMemory) {
    void *shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
      return;
    m_progress = new (shared) Progress();
    int requests[2], replies[2];
    if (::pipe2(requests, O_CLOEXEC) != 0)
      return;
    if (::pipe2(replies, O_CLOEXEC) != 0) {
      ::close(requests[0]);
      ::close(requests[1]);
      return;
    }
    m_log = ::memfd_create("worker-stderr", MFD_CLOEXEC);
    const pid_t pool = ::getpid();
    m_pid = ::fork();
    if (m_pid == 0) {
      Interruption::ignore();
      if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != pool)
        ::_exit(1);
      // If this worker kept copies of another worker's pipes, those pipes would never report their end.
      for (const Worker &other : others)
        if (&other != this)
          other.closeAll();
      ::close(requests[1]);
      ::close(replies[0]);
      ::dup2(m_log, STDERR_FILENO);
      limitMemory(maxMemory);
      ownEnds = {requests[0], replies[1], m_progress};
      workUntilTold(work);
    }
    ::close(requests[0]);
    ::close(replies[1]);
    m_requests = requests[1];
    m_replies = replies[0];
  }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  ~Worker() {
    closeAll();
    reap();
    if (m_progress)
      ::munmap(m_progress, sizeof(Progress));
  }

  bool isAlive() const { return m_pid > 0; }
  bool isBusy() const { return m_unit.has_value(); }
  uint64_t unit() const { return *m_unit; }
  int replies() const { return m_replies; }
  Clock::time_point deadline() const { return m_deadline; }

  uint64_t step() const { return m_progress ? m_progress->step.load() : 0; }

  // Whether the deadline has passed. As long as the process has not had its processor time for the step, the deadline
  // is moved.
  bool isTooSlow(Clock::time_point now) {
    if (now < m_deadline)
      return false;
    if (const uint64_t step = m_progress->step; std::exchange(m_step, step) != step)
      m_lastDeadline = now + WaitingFactor * m_timeout;
    const std::chrono::nanoseconds left =
        m_timeout - (processorTime() - std::chrono::nanoseconds(m_progress->nanoseconds));
    m_deadline = std::min(now + left, m_lastDeadline);
    return now >= m_deadline;
  }

  bool start(uint64_t unit, const std::string &text, std::chrono::milliseconds timeout) {
    m_unit = unit;
    m_timeout = timeout;
    m_step = m_progress->step = 0;
    m_progress->nanoseconds = processorTime().count();
    const Clock::time_point now = Clock::now();
    m_deadline = now + timeout;
    m_lastDeadline = now + WaitingFactor * timeout;
    if (m_log >= 0 && ::ftruncate(m_log, 0) == 0)
      ::lseek(m_log, 0, SEEK_SET);
    return sendText(m_requests, "", text);
  }

  // What waits in the pipe: a letter and a text. Nothing if the process ended in the middle of it.
  std::optional<std::string> receive() {
    std::optional<std::string> text = receiveText(m_replies);
    if (text && text->front() == Answered)
      m_unit.reset();
    return text;
  }

  // The worker has waited for the answer since then. If it is gone, the next receive() tells.
  void answer(const std::string &text, Clock::time_point since) {
    sendText(m_requests, "", text);
    const Clock::duration waited = Clock::now() - since;
    m_deadline += waited;
    m_lastDeadline += waited;
  }

  void kill() { ::kill(m_pid, SIGKILL); }

  // Waits for the process and says why it ended. Afterwards it is gone.
  std::string reap() {
    if (m_pid <= 0)
      return "no process could be started";
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR)
      ;
    m_pid = -1;
    std::string reason = WIFSIGNALED(status) ? std::string("crashed: ") + strsignal(WTERMSIG(status))
                                             : "ended with status " + std::to_string(WEXITSTATUS(status));
    std::string message = lastWords();
    const bool hadNoMemory =
        message.find("bad_alloc") != std::string::npos || message.find("out of memory") != std::string::npos;
    if (m_maxMemory != 0 && hadNoMemory)
      return "needed more than " + std::to_string(m_maxMemory >> 20) + " MiB of memory: " + message;
    return message.empty() ? reason : reason + ": " + message;
  }

private:
  // Of the worker since it started.
  std::chrono::nanoseconds processorTime() const {
    clockid_t clock;
    return ::clock_getcpuclockid(m_pid, &clock) == 0 ? dovetail::processorTime(clock) : std::chrono::nanoseconds(0);
  }

  // Closes this process's ends; the other ends are the worker's.
  void closeAll() const {
    for (int descriptor : {m_requests, m_replies, m_log})
      if (descriptor >= 0)
        ::close(descriptor);
  }

  // The line of stderr that tells most about a crash.
  std::string lastWords() const {
    std::string log(8192, '\0');
    ssize_t length = m_log >= 0 ? ::pread(m_log, log.data(), log.size(), 0) : 0;
    log.resize(std::max<ssize_t>(length, 0));
    for (const char *mark :
         {"Assertion", "LLVM ERROR", "UNREACHABLE", "ERROR: AddressSanitizer", "runtime error", "what():"}) {
      size_t at = log.find(mark);
      if (at != std::string::npos)
        return log.substr(at, std::min<size_t>(log.find('\n', at) - at, 300));
    }
    return log.substr(0, std::min<size_t>(log.find('\n'), 300));
  }

  static constexpr int WaitingFactor = 10;

  pid_t m_pid = -1;
  int m_requests = -1;
  int m_replies = -1;
  int m_log = -1;
  uint64_t m_maxMemory;
  std::optional<uint64_t> m_unit;
  Progress *m_progress = nullptr;
  uint64_t m_step = 0; // as far as isTooSlow() knows
  std::chrono::nanoseconds m_timeout{};
  Clock::time_point m_deadline, m_lastDeadline;
};

// The units 0 to count - 1, whose replies are handed out in their order.
class NumberedUnits final : public WorkSource {
public:
  NumberedUnits(size_t count, const std::function<bool(size_t, const WorkerReply &)> &done)
      : m_count(count), m_done(done) {}

  std::optional<std::string> take(bool) override {
    if (isOver())
      return std::nullopt;
    return std::to_string(m_taken++);
  }
  bool isOver() override { return m_taken == m_count; }

  // Keeps a reply until those with lower numbers have come.
  bool done(uint64_t unit, const WorkerReply &reply) override {
    m_waiting.emplace(unit, reply);
    for (auto next = m_waiting.find(m_next); next != m_waiting.end(); next = m_waiting.find(m_next)) {
      bool goesOn = m_done(m_next++, next->second);
      m_waiting.erase(next);
      if (!goesOn)
        return false;
    }
    return true;
  }

  // Hands out the replies that wait for one that will not come.
  void finish() {
    for (const auto &[unit, reply] : m_waiting)
      m_done(unit, reply);
    m_waiting.clear();
  }

private:
  const size_t m_count;
  const std::function<bool(size_t, const WorkerReply &)> &m_done;
  std::map<size_t, WorkerReply> m_waiting;
  size_t m_taken = 0, m_next = 0;
};

} // namespace

namespace {

// `stepped`: the source, if its units have steps.
int runPool(WorkSource &source, SteppedSource *stepped, const WorkerPoolOptions &options, const Work &work) {
  std::list<Worker> workers;
  const auto lose = [&](uint64_t unit, uint64_t step, const WorkerReply &reply) {
    return stepped ? stepped->lost(unit, step, reply) : source.done(unit, reply);
  };
  const auto isBusy = [](const Worker &worker) { return worker.isBusy(); };
  uint64_t taken = 0;
  // A dead worker is noticed when the pool reads or writes its pipe, not by a signal.
  auto *oldHandler = ::signal(SIGPIPE, SIG_IGN);

  Interruption interruption;
  for (bool goesOn = true; goesOn && !interruption.signal();) {
    // Give each job a unit; a process is started when a unit needs it.
    for (size_t busy = std::ranges::count_if(workers, isBusy); goesOn && busy < std::max(options.jobs, 1u);) {
      const std::optional<std::string> unit = source.take(busy == 0);
      if (!unit)
        break;
      auto worker = std::ranges::find_if_not(workers, isBusy);
      if (worker == workers.end())
        worker = workers.emplace(workers.end(), work, options.maxMemory, workers);
      if (worker->isAlive() && worker->start(taken, *unit, options.timeout)) {
        ++busy;
      } else {
        goesOn = lose(taken, 0, {WorkerReply::Status::Crashed, worker->reap()});
        workers.erase(worker);
      }
      ++taken;
    }
    source.tick(); // while the workers work

    std::vector<pollfd> polled;
    Clock::time_point earliest = Clock::now() + std::chrono::seconds(1);
    for (const Worker &worker : workers)
      if (worker.isBusy()) {
        polled.push_back({worker.replies(), POLLIN, 0});
        earliest = std::min(earliest, worker.deadline());
      }
    if (polled.empty() && source.isOver())
      break;
    auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(earliest - Clock::now()).count();
    if (!polled.empty()) // otherwise the source has waited
      ::poll(polled.data(), polled.size(), static_cast<int>(std::max<int64_t>(wait + 1, 0)));
    const Clock::time_point answered = Clock::now(); // `done` may take longer than a worker has

    for (auto worker = workers.begin(); worker != workers.end() && goesOn;) {
      bool lost = false;
      if (worker->isBusy()) {
        const uint64_t unit = worker->unit();
        auto readable = std::ranges::find(polled, worker->replies(), &pollfd::fd);
        if (readable != polled.end() && readable->revents != 0) {
          std::optional<std::string> text = worker->receive();
          lost = !text;
          if (lost)
            goesOn = lose(unit, worker->step(), {WorkerReply::Status::Crashed, worker->reap()});
          else if (text->front() == Question)
            worker->answer(stepped ? stepped->answer(unit, text->substr(1)) : "", answered);
          else
            goesOn = source.done(unit, {WorkerReply::Status::Finished, text->substr(1)});
        } else if (worker->isTooSlow(answered)) {
          lost = true;
          worker->kill();
          worker->reap();
          goesOn = lose(unit, worker->step(), {WorkerReply::Status::TimedOut, "took too long"});
        }
      }
      worker = lost ? workers.erase(worker) : std::next(worker);
    }
  }
  for (Worker &worker : workers)
    if (worker.isBusy())
      worker.kill();
  workers.clear();
  ::signal(SIGPIPE, oldHandler);
  return interruption.signal();
}

} // namespace

int runInWorkers(SteppedSource &source, const WorkerPoolOptions &options, const Work &work) {
  return runPool(source, &source, options, work);
}

void beginStep(uint64_t step) {
  ownEnds.progress->nanoseconds = processorTime().count();
  ownEnds.progress->step = step;
}

std::string askPool(const std::string &question) {
  std::optional<std::string> answer;
  if (say(Question, question))
    answer = receiveText(ownEnds.requests);
  if (!answer)
    ::_exit(0);
  return std::move(*answer);
}

int runInWorkers(size_t count, const WorkerPoolOptions &options, const std::function<std::string(size_t)> &work,
                 const std::function<bool(size_t, const WorkerReply &)> &done) {
  NumberedUnits units(count, done);
  const int signal = runPool(units, nullptr, options, [&](const std::string &unit) { return work(std::stoul(unit)); });
  if (signal != 0)
    units.finish();
  return signal;
}

bool areWorkersInterrupted() {
  return Interruption::signal() != 0;
}

} // namespace dovetail
