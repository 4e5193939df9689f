// SPDX-License-Identifier: MIT
#include "tests/faults/write_recorder.h"
#include "parts/store/part_store.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace dovetail::faults {

namespace {

struct Step {
  enum class Kind : uint8_t { Write, Cut, Sync, Remove } kind;
  std::string file;
  uint64_t offset = 0; // of a cut: the length
  std::string bytes = {};
};

std::mutex recordingMutex;
bool isRecording = false;
std::vector<Step> steps;

// The name of a file that a power cut may spoil. SQLite makes the file that processes share anew afterwards.
std::string nameOf(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  return name.starts_with(PartStoreFile) && !name.ends_with("-shm") ? std::string(name) : "";
}

void record(Step::Kind kind, std::string_view path, uint64_t offset = 0, std::string_view bytes = {}) {
  std::lock_guard<std::mutex> lock(recordingMutex);
  if (std::string name = isRecording ? nameOf(path) : ""; !name.empty())
    steps.push_back({kind, name, offset, std::string(bytes)});
}

void record(Step::Kind kind, int file, uint64_t offset = 0, std::string_view bytes = {}) {
  char link[64], path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof(path));
  record(kind, std::string_view(path, size_t(std::max<ssize_t>(length, 0))), offset, bytes);
}

constexpr uint64_t SectorBytes = 512;

} // namespace

void startRecording() {
  std::lock_guard<std::mutex> lock(recordingMutex);
  steps.clear();
  isRecording = true;
}

void stopRecording() {
  std::lock_guard<std::mutex> lock(recordingMutex);
  isRecording = false;
}

size_t recordedSteps() {
  std::lock_guard<std::mutex> lock(recordingMutex);
  return steps.size();
}

std::map<std::string, std::string> filesAfterPowerCut(size_t count, std::mt19937_64 &random) {
  std::lock_guard<std::mutex> lock(recordingMutex);
  std::map<std::string, size_t> safe; // the number of steps in front of a file's last sync
  for (size_t index = 0; index < count; ++index)
    if (steps[index].kind == Step::Kind::Sync)
      safe[steps[index].file] = index;
  // Some disks have written nearly everything, some nearly nothing.
  const uint64_t luck = random() % 5;
  std::map<std::string, std::string> files;
  for (size_t index = 0; index < count; ++index) {
    const Step &step = steps[index];
    if (step.kind == Step::Kind::Remove) { // file systems keep the order of changes to folders
      files.erase(step.file);
      continue;
    }
    std::string &file = files[step.file];
    const auto isDone = [&] { return index < safe[step.file] || random() % 4 < luck; };
    if (step.kind == Step::Kind::Cut && isDone())
      file.resize(step.offset);
    const uint64_t end = step.offset + step.bytes.size();
    for (uint64_t at = step.offset; at < end;) {
      const uint64_t next = std::min(end, (at / SectorBytes + 1) * SectorBytes);
      if (isDone()) {
        file.resize(std::max<size_t>(file.size(), next));
        std::memcpy(file.data() + at, step.bytes.data() + (at - step.offset), next - at);
      }
      at = next;
    }
  }
  return files;
}

} // namespace dovetail::faults

// The functions that SQLite calls. They make system calls themselves, past the C library's functions and so past those
// of sanitizers.
using namespace dovetail::faults;

extern "C" {

__attribute__((visibility("default"))) ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) {
  const ssize_t written = syscall(SYS_pwrite64, file, bytes, length, offset);
  if (written > 0)
    record(Step::Kind::Write, file, uint64_t(offset), {static_cast<const char *>(bytes), size_t(written)});
  return written;
}

__attribute__((visibility("default"))) int ftruncate64(int file, off_t length) {
  const int result = int(syscall(SYS_ftruncate, file, length));
  if (result == 0)
    record(Step::Kind::Cut, file, uint64_t(length));
  return result;
}

__attribute__((visibility("default"))) int unlink(const char *path) {
  const int result = int(syscall(SYS_unlink, path));
  if (result == 0)
    record(Step::Kind::Remove, path);
  return result;
}

__attribute__((visibility("default"))) int fdatasync(int file) {
  const int result = int(syscall(SYS_fdatasync, file));
  if (result == 0)
    record(Step::Kind::Sync, file);
  return result;
}

__attribute__((visibility("default"))) int fsync(int file) {
  const int result = int(syscall(SYS_fsync, file));
  if (result == 0)
    record(Step::Kind::Sync, file);
  return result;
}
}
