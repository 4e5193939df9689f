// SPDX-License-Identifier: MIT
//
// Kills RADV's process, as a shader does that crashes it. Tests nothing where RADV is not installed.
#include "tools/bench/variant-bench/ways/radv_peer.h"
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

using namespace dovetail;

namespace {

// The youngest child of a process; 0 if it has none.
pid_t lastChildOf(pid_t process) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  pid_t last = 0;
  for (pid_t child; children >> child;)
    last = child;
  return last;
}

// RADV's process: the child of the process that starts it.
pid_t radvProcess() {
  return lastChildOf(lastChildOf(getpid()));
}

struct Peer {
  std::vector<BenchProgram> programs = std::move(*readOwnPrograms({1, 1, 1}));
  std::unique_ptr<RadvPeer> peer = start();

  std::unique_ptr<RadvPeer> start() const {
    Result<std::unique_ptr<RadvPeer>> started =
        RadvPeer::start(RadvBackend::Aco, "vega10", programs, *findProgram(programs, "gbuffer"));
    return started ? std::move(*started) : nullptr;
  }

  void checkAnswers() const {
    Result<std::vector<double>> times = peer->ask(RadvQuestion::ColdEpilogs1, 0, 3);
    REQUIRE(times);
    CHECK(times->size() == 3);
  }
};

} // namespace

TEST_CASE("a question that ends RADV's process fails, and the next is answered by another") {
  const Peer radv;
  if (!radv.peer)
    return;
  const pid_t before = radvProcess();
  REQUIRE(before > 0);
  std::jthread killer([before] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(before, SIGKILL);
  });
  Result<std::vector<double>> times = radv.peer->ask(RadvQuestion::ColdEpilogs4, 0, 1'000'000);
  REQUIRE_FALSE(times);
  CHECK(times.error().text.find("crashed") != std::string::npos);
  radv.checkAnswers();
  CHECK(radvProcess() != before);
}

TEST_CASE("RADV's process may end while nobody asks") {
  const Peer radv;
  if (!radv.peer)
    return;
  const pid_t before = radvProcess();
  REQUIRE(before > 0);
  kill(before, SIGKILL);
  for (int wait = 0; wait < 1000 && radvProcess() == before; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  radv.checkAnswers();
}

TEST_CASE("processes of RADV go with the peer") {
  Peer radv;
  if (!radv.peer)
    return;
  const pid_t process = radvProcess();
  radv.peer.reset();
  for (int wait = 0; wait < 1000 && kill(process, 0) == 0; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(kill(process, 0) != 0);
}
