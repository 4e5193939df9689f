// SPDX-License-Identifier: MIT
//
// Starts a process that draws scenes (serve_scenes.h) and talks to it.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <chrono>
#include <span>
#include <string>
#include <sys/types.h>

namespace dovetail {

// Not thread-safe. After a fork, the child may only destroy it.
class ReferenceProcess {
public:
  // `driver`: its name in Errors. `argument`: the program's only argument; empty: none.
  ReferenceProcess(std::string program, std::chrono::milliseconds timeout, std::string driver = "lavapipe",
                   std::string argument = {})
      : m_program(std::move(program)), m_argument(std::move(argument)), m_driver(std::move(driver)),
        m_timeout(timeout) {}
  ReferenceProcess(const ReferenceProcess &) = delete;
  ReferenceProcess &operator=(const ReferenceProcess &) = delete;
  ~ReferenceProcess();

  // Starts the program if it does not run. Errors: as drawReference(). After an Io Error, the process is gone, and the
  // next scene gets a new one.
  Result<SceneResult> draw(const Scene &scene);

  // 0: not running.
  pid_t pid() const { return m_pid; }

private:
  using Deadline = std::chrono::steady_clock::time_point;

  Result<void> start();
  Result<void> send(std::span<const uint8_t> bytes, Deadline deadline);
  Result<void> receive(std::span<uint8_t> bytes, Deadline deadline);
  Result<void> wait(short events, Deadline deadline);
  Result<std::vector<uint8_t>> converse(std::span<const uint8_t> request);
  std::string endedHow();
  void stop();

  std::string m_program, m_argument, m_driver;
  std::chrono::milliseconds m_timeout;
  pid_t m_pid = 0;
  pid_t m_owner = 0; // the process that started it
  int m_socket = -1; // its stdin and stdout
  int m_log = -1;    // its stderr
};

} // namespace dovetail
