// SPDX-License-Identifier: MIT
#include "tools/programs/lgc/in_child.h"
#include "tools/common/command/pipe_io.h"
#include <csignal>
#include <cstdint>
#include <llvm/IR/PassTimingInfo.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail::lgc_tool {

namespace {

// A child first sends how many texts follow. Failed: one text follows, with the error.
constexpr uint64_t Failed = UINT64_MAX;

bool send(int pipe, const std::string &text) {
  const uint64_t size = text.size();
  return writeFully(pipe, &size, sizeof(size)) && writeFully(pipe, text.data(), text.size());
}

bool receive(int pipe, std::string &text) {
  uint64_t size = 0;
  if (!readFully(pipe, &size, sizeof(size)))
    return false;
  text.resize(size);
  return readFully(pipe, text.data(), size);
}

void sendAll(int pipe, const Result<std::vector<std::string>> &result) {
  const uint64_t count = result ? result->size() : Failed;
  if (!writeFully(pipe, &count, sizeof(count)))
    return;
  if (!result) {
    const auto code = static_cast<uint32_t>(result.error().code);
    if (writeFully(pipe, &code, sizeof(code)))
      send(pipe, result.error().text);
    return;
  }
  for (const std::string &text : *result)
    if (!send(pipe, text))
      return;
}

Result<std::vector<std::string>> receiveAll(int pipe, const std::string &name) {
  uint64_t count = 0;
  bool isWhole = readFully(pipe, &count, sizeof(count));
  if (isWhole && count == Failed) {
    uint32_t code = 0;
    std::string text;
    if (readFully(pipe, &code, sizeof(code)) && receive(pipe, text))
      return makeError(static_cast<ErrorCode>(code), "{}", text);
  }
  std::vector<std::string> texts;
  for (uint64_t i = 0; isWhole && count != Failed && i < count; ++i)
    isWhole = receive(pipe, texts.emplace_back());
  if (!isWhole || count == Failed)
    return makeError(ErrorCode::InvalidInput, "{}: LLVM gave up", name);
  return texts;
}

} // namespace

Result<std::vector<std::string>> doInChild(const std::string &name, const Work &work) {
  int ends[2];
  if (pipe(ends) != 0)
    return makeError(ErrorCode::Io, "{}: there is no pipe to a process for it", name);
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return makeError(ErrorCode::Io, "{}: there is no process for it", name);
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    sendAll(ends[1], work());
    llvm::reportAndResetTimings(); // -time-passes
    _exit(0);
  }
  close(ends[1]);
  Result<std::vector<std::string>> texts = receiveAll(ends[0], name);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return texts;
}

} // namespace dovetail::lgc_tool
