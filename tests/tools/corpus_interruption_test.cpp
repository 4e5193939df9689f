// SPDX-License-Identifier: MIT
//
// A corpus run that is ended early, as a process among others.
#include "tests/tools/run_tool.h"
#include "tools/common/command/write_file.h"
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dovetail;

namespace {

std::set<pid_t> childrenOf(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  std::set<pid_t> children;
  for (pid_t child; list >> child;)
    children.insert(child);
  return children;
}

// `dovetail corpus` over more shaders than it can finish, in a process group of its own.
class RunningCorpus {
public:
  explicit RunningCorpus(const std::string &options) {
    for (unsigned index = 0; index < 2000; ++index)
      m_shaders.write("many/" + std::to_string(index) + ".frag", Fragment);
    const std::string command = std::string("exec '" DOVETAIL_TOOL "' corpus --jobs 3 ") + options + " " +
                                (m_shaders / "many") + " >'" + output() + "' 2>'" + errors() + "'";
    m_pid = ::fork();
    if (m_pid == 0) {
      ::setpgid(0, 0);
      ::signal(SIGHUP, SIG_DFL); // the tests may run under nohup
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
  }
  ~RunningCorpus() {
    if (m_pid > 0)
      end(SIGKILL);
  }

  // Waits until it has reported progress. Returns its workers.
  std::set<pid_t> waitForProgress() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (readWholeFile(errors()).value_or("").find(" of 2000 units") == std::string::npos) {
      REQUIRE(std::chrono::steady_clock::now() < deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::set<pid_t> workers = childrenOf(m_pid);
    CHECK(workers.size() == 3);
    return workers;
  }

  // Sends the signal, and returns waitpid()'s status.
  int end(int signal) {
    ::kill(m_pid, signal);
    int status = 0;
    ::waitpid(std::exchange(m_pid, 0), &status, 0);
    return status;
  }

  // As Ctrl-C in a terminal does.
  int endGroup(int signal) {
    ::kill(-m_pid, signal);
    return end(0);
  }

  std::string output() const { return m_shaders / "stdout"; }
  std::string errors() const { return m_shaders / "stderr"; }

private:
  TemporaryFolder m_shaders;
  pid_t m_pid = 0;
};

// A dead process may wait to be reaped by init.
bool isRunning(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  return !text.empty() && text.substr(text.rfind(')') + 2, 1) != "Z";
}

void checkGone(const std::set<pid_t> &processes) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (pid_t pid : processes) {
    while (isRunning(pid) && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK_FALSE(isRunning(pid));
  }
}

} // namespace

TEST_CASE("a corpus run that is interrupted prints what it has, and leaves no process") {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    RunningCorpus corpus("");
    const std::set<pid_t> workers = corpus.waitForProgress();
    const auto sent = std::chrono::steady_clock::now();
    const int status = signal == SIGINT ? corpus.endGroup(signal) : corpus.end(signal);
    CHECK(std::chrono::steady_clock::now() - sent < std::chrono::seconds(10));
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + signal);
    for (pid_t worker : workers)
      CHECK_FALSE(isRunning(worker)); // the workers end with it
    const std::string output = readWholeFile(corpus.output()).value();
    CHECK_MESSAGE(output.ends_with(" compiled, 0 failed, 0 not valid input\n"), output);
    CHECK(std::stoul(output) >= 1);
    CHECK(std::stoul(output) < 2000);
    CHECK(readWholeFile(corpus.errors()).value().find("interrupted: ") != std::string::npos);
  }
}

TEST_CASE("a corpus that is being drawn is interrupted likewise, and lavapipe's processes end") {
  RunningCorpus corpus("--draw --size 8");
  const std::set<pid_t> workers = corpus.waitForProgress();
  // A worker starts a lavapipe process with its first draw, which may come later than another worker's progress.
  std::set<pid_t> references;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (references.size() < workers.size() && std::chrono::steady_clock::now() < deadline) {
    references.clear();
    for (pid_t worker : workers)
      references.merge(childrenOf(worker));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(references.size() == 3);
  const int status = corpus.end(SIGINT);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGINT);
  checkGone(references);
  const std::string output = readWholeFile(corpus.output()).value();
  CHECK_MESSAGE(output.ends_with(" match, 0 differ, 0 not drawn\n"), output);
}

TEST_CASE("a corpus run that is interrupted writes its JSON") {
  TemporaryFolder folder;
  const std::string json = folder / "out.json";
  RunningCorpus corpus("--json " + json);
  corpus.waitForProgress();
  corpus.end(SIGTERM);
  CHECK(readWholeFile(json).value().find("\"compiled\": ") != std::string::npos);
}

TEST_CASE("a corpus run that is killed leaves no process") {
  RunningCorpus corpus("");
  const std::set<pid_t> workers = corpus.waitForProgress();
  corpus.end(SIGKILL);
  checkGone(workers);
}

TEST_CASE("a folder without a shader is an error") {
  Shaders shaders;
  TemporaryFolder empty;
  empty.write("notes.txt", "");
  checkError(runTool("corpus " + empty.path().string()),
             empty.path().string() + ": there is no shader file in this folder");
  checkError(runTool("corpus " + shaders.path().string() + " " + empty.path().string()), empty.path().string());
  checkError(runTool("corpus --stages comp " + shaders.path().string()), "--stages: no shader is of these stages");
  CHECK(runTool("corpus --stages frag " + shaders.path().string()).status == 0);
}

TEST_CASE("links in circles and to nowhere are no shaders of a corpus") {
  Shaders shaders;
  std::filesystem::create_symlink("circle.frag", shaders / "circle.frag");
  std::filesystem::create_symlink("nowhere", shaders / "nowhere.frag");
  const Run run = runTool("corpus " + shaders.path().string());
  CHECK_MESSAGE(run.output.ends_with("2 compiled, 0 failed, 0 not valid input\n"), run.errors);
}
