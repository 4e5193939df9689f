// SPDX-License-Identifier: MIT
//
// A Redis server of a test's own, on a Unix socket in a folder of its own.
#pragma once

#include "tests/tools/run_tool.h"
#include <csignal>
#include <doctest/doctest.h>
#include <sys/types.h>
#include <vector>

namespace dovetail::test {

class RedisServer {
public:
  // `options`: more of redis-server's, such as {"--maxmemory", "4mb"}.
  explicit RedisServer(std::vector<std::string> options = {});
  ~RedisServer();
  RedisServer(const RedisServer &) = delete;

  void start();
  // Ends it with this signal.
  void end(int signal = SIGKILL);
  void send(int signal) const { ::kill(m_pid, signal); }
  // Where --queue finds it.
  std::string url() const { return "unix://" + m_socket; }
  // Runs redis-cli; returns what it prints.
  std::string ask(const std::string &command) const;
  const TemporaryFolder &folder() const { return m_folder; }

private:
  TemporaryFolder m_folder;
  std::string m_socket;
  std::vector<std::string> m_options;
  pid_t m_pid = -1;
};

// `dovetail farm work` in the background.
class FarmWorker {
public:
  FarmWorker(const RedisServer &server, const std::string &store, const std::string &options = "");
  ~FarmWorker();
  FarmWorker(const FarmWorker &) = delete;

  // Ends it, and all of its worker processes with it.
  void kill();
  // Waits until it ends; its exit status, or -1 if that took too long.
  int wait(unsigned seconds);

private:
  pid_t m_pid = -1;
};

// A number of a long run, from the environment.
unsigned effortOr(const char *variable, unsigned ordinary);

} // namespace dovetail::test
