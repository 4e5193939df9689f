// SPDX-License-Identifier: MIT
//
// One socket serves both directions: writing to a dead process then gives an error and no signal. The process's stderr
// goes to an unlinked file, which holds the last words of a crashed driver.
#include "tools/proof/reference/reference_process.h"
#include "tools/proof/reference/protocol.h"
#include "tools/proof/scene/scene_file.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace dovetail {

namespace {

std::string describeStatus(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("crashed: {}", strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

int waitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

} // namespace

ReferenceProcess::~ReferenceProcess() {
  stop();
}

void ReferenceProcess::stop() {
  for (int *descriptor : {&m_socket, &m_log}) {
    if (*descriptor >= 0)
      ::close(*descriptor);
    *descriptor = -1;
  }
  // Only the process that started the child may end it; a forked copy of this object may not.
  if (m_pid > 0 && m_owner == ::getpid()) {
    ::kill(m_pid, SIGKILL);
    waitFor(m_pid);
  }
  m_pid = 0;
}

Result<void> ReferenceProcess::start() {
  if (::access(m_program.c_str(), X_OK) != 0)
    return makeError(ErrorCode::Io, "cannot run the reference {}: {}", m_program, std::strerror(errno));
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return makeError(ErrorCode::Io, "no socket for the reference: {}", std::strerror(errno));
  m_socket = sockets[0];
  m_log = ::memfd_create("reference-stderr", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  if (m_log >= 0)
    posix_spawn_file_actions_adddup2(&actions, m_log, STDERR_FILENO);
  char *arguments[] = {m_program.data(), m_argument.empty() ? nullptr : m_argument.data(), nullptr};
  int failure = posix_spawn(&m_pid, m_program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(sockets[1]);
  if (failure != 0) {
    m_pid = 0;
    stop();
    return makeError(ErrorCode::Io, "cannot run the reference {}: {}", m_program, std::strerror(failure));
  }
  m_owner = ::getpid();
  return {};
}

// Waits for the process and says how it ended. Afterwards it is gone.
std::string ReferenceProcess::endedHow() {
  // Once the status is there, the log is complete.
  std::string text = describeStatus(waitFor(m_pid));
  m_pid = 0;
  std::string log(4096, '\0');
  off_t end = m_log >= 0 ? ::lseek(m_log, 0, SEEK_END) : 0;
  ssize_t length = m_log >= 0 ? ::pread(m_log, log.data(), log.size(), std::max<off_t>(end - off_t(log.size()), 0)) : 0;
  log.resize(std::max<ssize_t>(length, 0));
  while (log.ends_with('\n'))
    log.pop_back();
  if (!log.empty())
    text += ": " + log.substr(log.rfind('\n') + 1);
  stop();
  return text;
}

Result<void> ReferenceProcess::wait(short events, Deadline deadline) {
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd polled = {m_socket, events, 0};
    int ready = left.count() > 0 ? ::poll(&polled, 1, static_cast<int>(left.count())) : 0;
    if (ready > 0)
      return {};
    if (ready < 0 && errno == EINTR)
      continue;
    stop();
    return makeError(ErrorCode::Io, "the reference ({}) did not answer in {} ms", m_driver, m_timeout.count());
  }
}

Result<void> ReferenceProcess::send(std::span<const uint8_t> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    DOVETAIL_CHECK(wait(POLLOUT, deadline));
    ssize_t length = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (length < 0)
      return makeError(ErrorCode::Io, "the reference ({}) {}", m_driver, endedHow());
    bytes = bytes.subspan(length);
  }
  return {};
}

Result<void> ReferenceProcess::receive(std::span<uint8_t> bytes, Deadline deadline) {
  while (!bytes.empty()) {
    DOVETAIL_CHECK(wait(POLLIN, deadline));
    ssize_t length = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (length <= 0)
      return makeError(ErrorCode::Io, "the reference ({}) {}", m_driver, endedHow());
    bytes = bytes.subspan(length);
  }
  return {};
}

Result<std::vector<uint8_t>> ReferenceProcess::converse(std::span<const uint8_t> request) {
  Deadline deadline = std::chrono::steady_clock::now() + m_timeout;
  uint64_t length = request.size();
  auto bytesOf = [](uint64_t &value) { return std::span(reinterpret_cast<uint8_t *>(&value), sizeof(value)); };
  DOVETAIL_CHECK(send(bytesOf(length), deadline));
  DOVETAIL_CHECK(send(request, deadline));
  DOVETAIL_CHECK(receive(bytesOf(length), deadline));
  if (length == 0 || length > reference::MaxMessageBytes) {
    stop();
    return makeError(ErrorCode::Io, "the reference ({}) announces {} bytes", m_driver, length);
  }
  std::vector<uint8_t> reply(length);
  DOVETAIL_CHECK(receive(reply, deadline));
  return reply;
}

Result<SceneResult> ReferenceProcess::draw(const Scene &scene) {
  // A process that died between scenes, or that belongs to this process's parent, is no failure of this scene: start
  // another one.
  if (m_pid > 0 && (m_owner != ::getpid() || ::waitpid(m_pid, nullptr, WNOHANG) != 0)) {
    m_pid = 0;
    stop();
  }
  if (m_pid == 0)
    DOVETAIL_CHECK(start());
  std::vector<uint8_t> reply = DOVETAIL_TRY(converse(writeScene(scene)));
  std::span<const uint8_t> rest = std::span<const uint8_t>(reply).subspan(1);
  std::string text(rest.begin(), rest.end());
  switch (static_cast<reference::ReplyKind>(reply[0])) {
  case reference::ReplyKind::Result:
    return readSceneResult(rest);
  case reference::ReplyKind::Refused:
    return makeError(ErrorCode::Unsupported, text);
  case reference::ReplyKind::Invalid:
    return makeError(ErrorCode::InvalidInput, text);
  }
  stop();
  return makeError(ErrorCode::Io, "the reference ({}) answers with the unknown kind {}", m_driver, reply[0]);
}

} // namespace dovetail
