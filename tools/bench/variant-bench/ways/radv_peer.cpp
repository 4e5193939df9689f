// SPDX-License-Identifier: MIT
//
// A supervisor stands between this process and RADV's. When RADV's process crashes, it starts another one, and sends an
// Error if the crashed one owed a reply. A reply is a flag (numbers, or an Error's text), the length in bytes, and the
// content.
#include "tools/bench/variant-bench/ways/radv_peer.h"
#include "tools/bench/variant-bench/ways/cold_states.h"
#include "tools/bench/variant-bench/ways/radv_ways.h"
#include "tools/common/command/pipe_io.h"
#include "variants/state/default_state.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail {

namespace {

// RADV with LLVM takes seconds for the largest shaders.
constexpr int MaxWaitMilliseconds = 600'000;

struct Request {
  RadvQuestion question;
  uint32_t program, argument;
};

struct ReplyHead {
  uint64_t isNumbers, bytes;
};

bool sendReply(int file, const Result<std::vector<double>> &answer) {
  const void *data = answer ? static_cast<const void *>(answer->data()) : answer.error().text.data();
  const size_t size = answer ? answer->size() * sizeof(double) : answer.error().text.size();
  const ReplyHead head = {answer.has_value(), size};
  return writeFully(file, &head, sizeof(head)) && writeFully(file, data, size);
}

// Lives in RADV's process.
class Service {
public:
  Service(std::span<const BenchProgram> programs, const BenchProgram &coldProgram)
      : m_programs(programs), m_cold(coldProgram) {}

  Result<std::vector<double>> answer(const Request &request) {
    if (request.question == RadvQuestion::Renew) {
      m_ways.reset();
      return std::vector<double>();
    }
    if (!m_ways)
      m_ways = DOVETAIL_TRY(RadvWays::create());
    const BenchProgram &program = m_programs[request.program];
    const PipelineState &cold = m_cold.grid.states.front();
    switch (request.question) {
    case RadvQuestion::Renew:
    case RadvQuestion::Hello:
      return std::vector<double>();
    case RadvQuestion::Whole:
      return m_ways->makeWhole(program, request.argument != 0).map(toNumbers);
    case RadvQuestion::Linked:
      return m_ways->makeLinked(program, request.argument != 0).map(toNumbers);
    case RadvQuestion::NewVariants:
      return m_ways->newVariants(program);
    case RadvQuestion::Mains:
      return m_ways->wholePipeline(program, request.argument);
    case RadvQuestion::ColdPrologs:
      return m_ways->coldPrologs(m_cold, coldVertexInputs(cold, request.argument));
    case RadvQuestion::ColdEpilogs1:
      return m_ways->coldEpilogs(coldColors(cold, 1, request.argument));
    case RadvQuestion::ColdEpilogs4:
      return m_ways->coldEpilogs(coldColors(cold, 4, request.argument));
    case RadvQuestion::Costs:
      return m_ways->costs(program).map([](const std::vector<RadvCost> &costs) {
        std::vector<double> numbers;
        for (const RadvCost &cost : costs)
          numbers.insert(numbers.end(), {double(unsigned(cost.stage)), double(cost.instructions), double(cost.vgprs),
                                         double(cost.sgprs), double(cost.codeBytes)});
        return numbers;
      });
    }
    return makeError(ErrorCode::Internal, "no such question");
  }

private:
  std::span<const BenchProgram> m_programs;
  const BenchProgram &m_cold;
  std::unique_ptr<RadvWays> m_ways;
};

// Shared by supervisor and server: whether a request has no reply yet.
using OwesReply = std::atomic<bool>;

// Ends when the asking process ends.
[[noreturn]] void serve(Service &service, int requests, int replies, OwesReply &owesReply) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    dup2(null, STDERR_FILENO); // RADV prints there that it is no conformant implementation
  Request request;
  while (readFully(requests, &request, sizeof(request))) {
    owesReply = true;
    const Result<std::vector<double>> answer = service.answer(request);
    owesReply = false;
    if (!sendReply(replies, answer))
      break;
  }
  _exit(0);
}

[[noreturn]] void supervise(Service &service, int requests, int replies) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  void *shared = mmap(nullptr, sizeof(OwesReply), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    _exit(1);
  auto &owesReply = *new (shared) OwesReply(false);
  while (true) {
    const pid_t child = fork();
    if (child == 0)
      serve(service, requests, replies, owesReply);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || WIFEXITED(status))
      _exit(0);
    if (owesReply.exchange(false) && !sendReply(replies, makeError(ErrorCode::Io, "RADV's process crashed")))
      _exit(0);
  }
}

} // namespace

Result<std::unique_ptr<RadvPeer>> RadvPeer::start(RadvBackend backend, const std::string &family,
                                                  std::span<const BenchProgram> programs,
                                                  const BenchProgram &coldProgram, const std::string &cacheFolder) {
  int requests[2], replies[2];
  if (pipe2(requests, O_CLOEXEC) != 0)
    return makeError(ErrorCode::Io, "no pipe: {}", std::strerror(errno));
  if (pipe2(replies, O_CLOEXEC) != 0) {
    close(requests[0]);
    close(requests[1]);
    return makeError(ErrorCode::Io, "no pipe: {}", std::strerror(errno));
  }
  std::fflush(nullptr);
  signal(SIGPIPE, SIG_IGN); // a dead process gives an Error of ask() instead
  const pid_t process = fork();
  if (process == 0) {
    close(requests[1]);
    close(replies[0]);
    selectRadv(backend, family, cacheFolder);
    Service service(programs, coldProgram);
    supervise(service, requests[0], replies[1]);
  }
  close(requests[0]);
  close(replies[1]);
  std::unique_ptr<RadvPeer> peer(new RadvPeer(process, requests[1], replies[0]));
  if (process < 0)
    return makeError(ErrorCode::Io, "no process: {}", std::strerror(errno));
  DOVETAIL_TRY(peer->ask(RadvQuestion::Hello));
  return peer;
}

RadvPeer::~RadvPeer() {
  close(m_requests);
  close(m_replies);
  if (m_process <= 0)
    return;
  kill(m_process, SIGKILL); // its server ends with it
  waitpid(m_process, nullptr, 0);
}

bool RadvPeer::readReply(void *data, size_t size) {
  pollfd ready = {m_replies, POLLIN, 0};
  return poll(&ready, 1, MaxWaitMilliseconds) > 0 && readFully(m_replies, data, size);
}

Result<std::vector<double>> RadvPeer::ask(RadvQuestion question, size_t program, uint32_t argument) {
  const Request request = {question, uint32_t(program), argument};
  ReplyHead head;
  if (m_isLost || !writeFully(m_requests, &request, sizeof(request)) || !readReply(&head, sizeof(head))) {
    m_isLost = true;
    return makeError(ErrorCode::Io, "RADV's process does not answer");
  }
  std::string text(head.isNumbers ? 0 : head.bytes, '\0');
  std::vector<double> numbers(head.isNumbers ? head.bytes / sizeof(double) : 0);
  if (!readFully(m_replies, head.isNumbers ? static_cast<void *>(numbers.data()) : text.data(), head.bytes)) {
    m_isLost = true;
    return makeError(ErrorCode::Io, "RADV's process ended within its answer");
  }
  if (!head.isNumbers)
    return makeError(ErrorCode::Unsupported, "{}", text);
  return numbers;
}

} // namespace dovetail
