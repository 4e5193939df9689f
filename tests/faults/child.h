// SPDX-License-Identifier: MIT
//
// A child runs a piece of a test in a process of its own: it may crash, hang, be stopped or be killed. The test itself
// never opens a store and starts no thread, so forking it is safe. All that a child does to a store or to itself ends
// with it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>

namespace dovetail::faults {

// No test waits for longer than this for something that ought to happen at once.
constexpr std::chrono::seconds Patience(120);

class Child {
public:
  // The child calls this to send its parent a line.
  using Report = std::function<void(const std::string &line)>;

  // Runs `work` in a new process, which ends when `work` returns. The returned text is the child's last word; "" means
  // success.
  explicit Child(const std::function<std::string(const Report &report)> &work);
  // Kills a child that still runs.
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  pid_t id() const { return m_process; }

  // The next line that the child reported. false: it has ended, or reported nothing for that long.
  bool readLine(std::string &line, std::chrono::milliseconds patience = Patience);

  void signal(int number) const;

  // Waits for the child's end. Returns "" if that was its last word; otherwise its last word, or how it ended: "killed
  // by signal 11 (Segmentation fault)", "still running after 120 s" (then it is killed). Lines that were not read are
  // lost.
  std::string wait(std::chrono::milliseconds patience = Patience);

private:
  enum class Received : uint8_t { Text, End, TooLate };
  Received receive(std::chrono::steady_clock::time_point end);
  std::string reap(bool isKilled);

  pid_t m_process = -1;
  int m_pipe = -1;
  std::string m_received;
};

// Runs `work` in a child and waits for it.
std::string inChild(const std::function<std::string()> &work, std::chrono::milliseconds patience = Patience);

} // namespace dovetail::faults
