// SPDX-License-Identifier: MIT
#include "tests/faults/child.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail::faults {

namespace {

using Clock = std::chrono::steady_clock;

// The first character of a child's last line. No report begins with it.
constexpr char LastWord = '=';

void writeAll(int file, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR)
      return;
    at += std::max<ssize_t>(written, 0);
  }
}

std::string singleLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

[[noreturn]] void runChild(const std::function<std::string(const Child::Report &)> &work, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // the child dies with the test
  // The test framework's handlers would report a crash of the child as the parent's.
  for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT})
    ::signal(number, SIG_DFL);
  std::string word;
  try {
    word = work([pipe](const std::string &line) { writeAll(pipe, singleLine(line) + "\n"); });
  } catch (const std::exception &exception) {
    word = fmt::format("it threw: {}", exception.what());
  }
  writeAll(pipe, LastWord + singleLine(word) + "\n");
  // exit() would write the parent's buffers a second time.
  _exit(0);
}

} // namespace

Child::Child(const std::function<std::string(const Report &report)> &work) {
  int ends[2];
  if (pipe(ends) != 0)
    return;
  m_process = fork();
  if (m_process == 0) {
    close(ends[0]);
    runChild(work, ends[1]);
  }
  close(ends[1]);
  m_pipe = ends[0];
}

Child::~Child() {
  if (m_process > 0) {
    signal(SIGKILL);
    reap(true);
  }
  if (m_pipe >= 0)
    close(m_pipe);
}

void Child::signal(int number) const {
  if (m_process > 0)
    kill(m_process, number);
}

// Reads more of the child's text, or notes that there is no more.
Child::Received Child::receive(Clock::time_point end) {
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd poll = {m_pipe, POLLIN, 0};
    int ready = ::poll(&poll, 1, int(std::clamp<long>(left + 1, 0, 1000000)));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready < 0)
      return Received::End;
    if (ready == 0) {
      // poll() may wake up a little early.
      if (Clock::now() < end)
        continue;
      return Received::TooLate;
    }
    char buffer[4096];
    ssize_t length = read(m_pipe, buffer, sizeof(buffer));
    if (length < 0 && errno == EINTR)
      continue;
    if (length > 0)
      m_received.append(buffer, length);
    return length > 0 ? Received::Text : Received::End;
  }
}

bool Child::readLine(std::string &line, std::chrono::milliseconds patience) {
  Clock::time_point end = Clock::now() + patience;
  size_t length;
  while ((length = m_received.find('\n')) == std::string::npos)
    if (receive(end) != Received::Text)
      return false;
  if (m_received.front() == LastWord)
    return false;
  line = m_received.substr(0, length);
  m_received.erase(0, length + 1);
  return true;
}

// Waits for a process that is about to end.
std::string Child::reap(bool isKilled) {
  int status = 0;
  while (waitpid(m_process, &status, 0) < 0 && errno == EINTR)
    ;
  m_process = -1;
  if (WIFSIGNALED(status) && !isKilled)
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return fmt::format("exit status {}", WEXITSTATUS(status));
  return "";
}

std::string Child::wait(std::chrono::milliseconds patience) {
  if (m_process < 0)
    return "it could not be started";
  Clock::time_point end = Clock::now() + patience;
  Received received;
  while ((received = receive(end)) == Received::Text)
    ;
  if (received == Received::TooLate) {
    signal(SIGKILL);
    reap(true);
    return fmt::format("still running after {} s", patience.count() / 1000);
  }
  if (std::string defect = reap(false); !defect.empty())
    return defect;
  size_t word = m_received.starts_with(LastWord) ? 0 : m_received.rfind(std::string("\n") + LastWord);
  if (word == std::string::npos)
    return "it ended without a last word";
  word = m_received.find(LastWord, word) + 1;
  return m_received.substr(word, m_received.size() - 1 - word);
}

std::string inChild(const std::function<std::string()> &work, std::chrono::milliseconds patience) {
  Child child([&](const Child::Report &) { return work(); });
  return child.wait(patience);
}

} // namespace dovetail::faults
