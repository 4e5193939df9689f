// SPDX-License-Identifier: MIT
//
// The child sends its answer through a pipe: a byte that says whether it is an answer or an Error's text, then numbers
// and length-prefixed strings.
#include "tests/radv/radv_process.h"
#include <cstdio>
#include <cstring>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail {

namespace {

class Sender {
public:
  void number(uint64_t value) { m_bytes.append(reinterpret_cast<const char *>(&value), sizeof(value)); }
  void text(const std::string &value) {
    number(value.size());
    m_bytes += value;
  }
  bool send(int file) const {
    for (size_t sent = 0; sent < m_bytes.size();) {
      ssize_t count = write(file, m_bytes.data() + sent, m_bytes.size() - sent);
      if (count <= 0)
        return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }

private:
  std::string m_bytes;
};

// Reading behind the end gives zeros and sets `failed`.
class Receiver {
public:
  explicit Receiver(std::string bytes) : m_bytes(std::move(bytes)) {}
  uint64_t number() {
    uint64_t value = 0;
    if (std::string bytes = take(sizeof(value)); !failed)
      std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  std::string text() { return take(number()); }
  bool failed = false;

private:
  std::string take(uint64_t size) {
    failed = failed || size > m_bytes.size() - m_at;
    if (failed)
      return {};
    m_at += size;
    return m_bytes.substr(m_at - size, size);
  }
  std::string m_bytes;
  size_t m_at = 0;
};

// Runs `answer` in a child process, which ends with it, and returns what it has sent.
Result<std::string> askChild(const std::function<void(int file)> &answer) {
  int ends[2];
  if (pipe(ends) != 0)
    return makeError(ErrorCode::Io, "no pipe: {}", std::strerror(errno));
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    answer(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string bytes;
  char buffer[1 << 16];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    bytes.append(buffer, static_cast<size_t>(count));
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return bytes;
}

Result<std::vector<RadvExecutable>> compileHere(RadvBackend backend, const ShaderSet &shaders,
                                                const PipelineState &state) {
  selectRadv(backend);
  std::unique_ptr<RadvDevice> device = DOVETAIL_TRY(RadvDevice::create());
  return device->describePipeline(shaders, state);
}

void answer(const Result<std::vector<RadvExecutable>> &result, int file) {
  Sender sender;
  sender.number(result.has_value());
  if (!result) {
    sender.text(result.error().text);
  } else {
    sender.number(result->size());
    for (const RadvExecutable &executable : *result) {
      sender.number(executable.stages);
      sender.number(executable.texts.size());
      for (const auto &[name, text] : executable.texts) {
        sender.text(name);
        sender.text(text);
      }
      sender.number(executable.statistics.size());
      for (const auto &[name, value] : executable.statistics) {
        sender.text(name);
        sender.number(value);
      }
    }
  }
  sender.send(file);
}

Result<std::vector<RadvExecutable>> understand(std::string bytes) {
  Receiver receiver(std::move(bytes));
  if (!receiver.number()) {
    std::string text = receiver.text();
    if (receiver.failed)
      return makeError(ErrorCode::Io, "RADV's process ended without an answer");
    return makeError(ErrorCode::Unsupported, "{}", text);
  }
  std::vector<RadvExecutable> executables(receiver.number());
  for (RadvExecutable &executable : executables) {
    executable.stages = static_cast<VkShaderStageFlags>(receiver.number());
    for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
      std::string name = receiver.text();
      executable.texts[name] = receiver.text();
    }
    for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
      std::string name = receiver.text();
      executable.statistics[name] = receiver.number();
    }
  }
  if (receiver.failed)
    return makeError(ErrorCode::Io, "RADV's process ended within its answer");
  return executables;
}

void send(const RegisterValues &registers, Sender &sender) {
  sender.number(registers.size());
  for (auto [address, value] : registers) {
    sender.number(address);
    sender.number(value);
  }
}

Result<RecordedRegisters> recordBoth(RadvDevice &device, const ShaderSet &shaders, const PipelineState &state) {
  RecordedRegisters recorded;
  recorded.apart = DOVETAIL_TRY(device.recordPipeline(shaders, state, false));
  recorded.linked = DOVETAIL_TRY(device.recordPipeline(shaders, state, true));
  return recorded;
}

// A message for each state.
void sendRegisters(RadvDevice &device, const ShaderSet &shaders, const PipelineState &state, int file) {
  Result<RecordedRegisters> recorded = recordBoth(device, shaders, state);
  Sender sender;
  sender.number(recorded.has_value());
  if (!recorded) {
    sender.text(recorded.error().text);
  } else {
    for (const RecordedDraws *draws : {&recorded->apart, &recorded->linked}) {
      send(draws->plain, sender);
      send(draws->withRestart, sender);
    }
  }
  sender.send(file);
}

void recordHere(const std::string &family, const ShaderSet &shaders, std::span<const PipelineState> states, int file) {
  selectRadv(RadvBackend::Aco, family);
  Result<std::unique_ptr<RadvDevice>> device = RadvDevice::create();
  if (!device)
    return;
  for (const PipelineState &state : states)
    sendRegisters(**device, shaders, state, file);
}

RegisterValues readRegisters(Receiver &receiver) {
  RegisterValues registers;
  for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
    const auto address = static_cast<uint32_t>(receiver.number());
    registers[address] = static_cast<uint32_t>(receiver.number());
  }
  return registers;
}

Result<RecordedRegisters> readRecorded(Receiver &receiver) {
  const bool isAnswer = receiver.number();
  if (!isAnswer)
    return makeError(ErrorCode::Unsupported, "{}", receiver.text());
  RecordedRegisters recorded;
  for (RecordedDraws *draws : {&recorded.apart, &recorded.linked}) {
    draws->plain = readRegisters(receiver);
    draws->withRestart = readRegisters(receiver);
  }
  return recorded;
}

} // namespace

Result<std::vector<RadvExecutable>> compileWithRadv(RadvBackend backend, const ShaderSet &shaders,
                                                    const PipelineState &state) {
  return understand(DOVETAIL_TRY(askChild([&](int file) { answer(compileHere(backend, shaders, state), file); })));
}

std::vector<Result<RecordedRegisters>> recordWithRadv(const std::string &family, const ShaderSet &shaders,
                                                      std::span<const PipelineState> states) {
  std::vector<Result<RecordedRegisters>> answers;
  while (answers.size() < states.size()) {
    std::span<const PipelineState> rest = states.subspan(answers.size());
    Result<std::string> bytes = askChild([&](int file) { recordHere(family, shaders, rest, file); });
    Receiver receiver(bytes ? std::move(*bytes) : std::string());
    while (answers.size() < states.size()) {
      Result<RecordedRegisters> recorded = readRecorded(receiver);
      if (receiver.failed)
        break;
      answers.push_back(std::move(recorded));
    }
    if (receiver.failed) // the next process begins with the state after that
      answers.push_back(makeError(ErrorCode::Io, "RADV's process ended without an answer"));
  }
  return answers;
}

} // namespace dovetail
