// SPDX-License-Identifier: MIT
#include "tests/farm/redis_server.h"
#include <chrono>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace dovetail::test {

namespace {

// Starts a program that ends with this one. Its output goes to a file.
pid_t startProgram(std::vector<std::string> words, const std::string &output) {
  const pid_t parent = ::getpid(), child = ::fork();
  if (child != 0)
    return child;
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent)
    ::_exit(1);
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

} // namespace

RedisServer::RedisServer(std::vector<std::string> options)
    : m_socket(m_folder / "socket"), m_options(std::move(options)) {
  start();
}

RedisServer::~RedisServer() {
  end();
}

void RedisServer::start() {
  std::vector<std::string> words = {"redis-server",  "--port", "0", "--unixsocket", m_socket, "--dir",
                                    m_folder.path(), "--save", "",  "--appendonly", "yes"};
  words.insert(words.end(), m_options.begin(), m_options.end());
  m_pid = startProgram(words, m_folder / "server.log");
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string answer = ask("ping");
    if (answer.find("PONG") != std::string::npos || answer.find("NOAUTH") != std::string::npos)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL("redis-server does not start");
}

void RedisServer::end(int signal) {
  if (m_pid <= 0)
    return;
  ::kill(m_pid, SIGCONT);
  ::kill(m_pid, signal);
  ::waitpid(m_pid, nullptr, 0);
  m_pid = -1;
}

std::string RedisServer::ask(const std::string &command) const {
  return runCommand("redis-cli", "-s " + m_socket + " " + command).output;
}

FarmWorker::FarmWorker(const RedisServer &server, const std::string &store, const std::string &options)
    : m_pid(startProgram(
          {"/bin/sh", "-c",
           "exec \"" DOVETAIL_TOOL "\" farm work --queue " + server.url() + " --store " + store + " " + options},
          server.folder() / "worker.log")) {}

FarmWorker::~FarmWorker() {
  kill();
}

void FarmWorker::kill() {
  if (m_pid <= 0)
    return;
  ::kill(m_pid, SIGKILL);
  ::waitpid(m_pid, nullptr, 0);
  m_pid = -1;
}

int FarmWorker::wait(unsigned seconds) {
  int status = 0;
  for (unsigned tick = 0; tick < 100 * seconds; ++tick) {
    if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
      m_pid = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

unsigned effortOr(const char *variable, unsigned ordinary) {
  const char *asked = std::getenv(variable);
  return asked ? unsigned(std::atoi(asked)) : ordinary;
}

} // namespace dovetail::test
