// SPDX-License-Identifier: MIT
//
// The child sends its answer through a pipe. The first byte says whether it is an answer or an Error's text; then come
// numbers and length-prefixed strings.
#include "tests/radv/radv_process.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
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

// To link the driver with its libraries takes as long as to make a pipeline. So it is done once, before any child
// begins. No code of the driver runs here. If the driver is missing, the child reports it.
void linkDriver() {
  static void *const driver = dlopen("libvulkan_radeon.so", RTLD_NOW | RTLD_LOCAL);
  static_cast<void>(driver);
}

// Runs `answer` in a child process, which ends with it, and returns the bytes that the child has sent.
Result<std::string> askChild(const std::function<void(int file)> &answer) {
  linkDriver();
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

void send(const RegisterValues &registers, Sender &sender) {
  sender.number(registers.size());
  for (auto [address, value] : registers) {
    sender.number(address);
    sender.number(value);
  }
}

RegisterValues readRegisters(Receiver &receiver) {
  RegisterValues registers;
  for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
    const auto address = static_cast<uint32_t>(receiver.number());
    registers[address] = static_cast<uint32_t>(receiver.number());
  }
  return registers;
}

void send(const RadvProgram &program, Sender &sender) {
  sender.number(static_cast<uint64_t>(program.stage));
  sender.number(program.isMerged);
  sender.number(program.stages);
  sender.number(program.texts.size());
  for (const auto &[name, text] : program.texts) {
    sender.text(name);
    sender.text(text);
  }
  sender.text({program.bytes.begin(), program.bytes.end()});
  sender.number(program.codeBytes);
  sender.number(program.scratchBytesOfWave);
  sender.number(program.userSgprs.size());
  for (const RadvUserSgpr &sgpr : program.userSgprs) {
    sender.number(static_cast<uint64_t>(sgpr.kind));
    sender.number(sgpr.index);
  }
}

// Reads a program; the listing is parsed again from the text.
Result<RadvProgram> readProgram(Receiver &receiver) {
  RadvProgram program;
  program.stage = static_cast<HardwareStage>(receiver.number());
  program.isMerged = receiver.number() != 0;
  program.stages = static_cast<VkShaderStageFlags>(receiver.number());
  for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
    std::string name = receiver.text();
    program.texts[name] = receiver.text();
  }
  const std::string bytes = receiver.text();
  program.bytes.assign(bytes.begin(), bytes.end());
  program.codeBytes = receiver.number();
  program.scratchBytesOfWave = receiver.number();
  for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count) {
    const auto kind = static_cast<RadvUserSgpr::Kind>(receiver.number());
    program.userSgprs.push_back({kind, static_cast<uint32_t>(receiver.number())});
  }
  program.listing = DOVETAIL_TRY(readRadvListing(program.texts["Assembly"]));
  return program;
}

Result<RadvPipeline> takeHere(RadvBackend backend, const std::string &family, const ShaderSet &shaders,
                              const PipelineState &state) {
  selectRadv(backend, family);
  std::unique_ptr<RadvDevice> device = DOVETAIL_TRY(RadvDevice::create());
  return device->takePipeline(shaders, state);
}

void answer(const Result<RadvPipeline> &pipeline, int file) {
  Sender sender;
  sender.number(pipeline.has_value());
  if (!pipeline) {
    sender.text(pipeline.error().text);
  } else {
    sender.number(pipeline->programs.size());
    for (const RadvProgram &program : pipeline->programs)
      send(program, sender);
    send(pipeline->registers, sender);
  }
  sender.send(file);
}

Result<RadvPipeline> understand(std::string bytes) {
  Receiver receiver(std::move(bytes));
  if (!receiver.number()) {
    std::string text = receiver.text();
    if (receiver.failed)
      return makeError(ErrorCode::Io, "RADV's process ended without an answer");
    return makeError(ErrorCode::Unsupported, "{}", text);
  }
  RadvPipeline pipeline;
  for (uint64_t count = receiver.number(); count > 0 && !receiver.failed; --count)
    pipeline.programs.push_back(DOVETAIL_TRY(readProgram(receiver)));
  pipeline.registers = readRegisters(receiver);
  if (receiver.failed)
    return makeError(ErrorCode::Io, "RADV's process ended within its answer");
  return pipeline;
}

Result<RecordedRegisters> recordBoth(RadvDevice &device, const ShaderSet &shaders, const PipelineState &state) {
  RecordedRegisters recorded;
  recorded.apart = DOVETAIL_TRY(device.recordPipeline(shaders, state, false));
  recorded.linked = DOVETAIL_TRY(device.recordPipeline(shaders, state, true));
  return recorded;
}

// Sends one message for each state.
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

Result<RadvPipeline> compileWithRadv(RadvBackend backend, const std::string &family, const ShaderSet &shaders,
                                     const PipelineState &state) {
  return understand(DOVETAIL_TRY(askChild([&](int file) { answer(takeHere(backend, family, shaders, state), file); })));
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
    if (receiver.failed) // the next process begins with the state behind that one
      answers.push_back(makeError(ErrorCode::Io, "RADV's process ended without an answer"));
  }
  return answers;
}

} // namespace dovetail
