// SPDX-License-Identifier: MIT
#include "tests/faults/write_recorder.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace dovetail::faults {

namespace {

struct Step {
  bool isSync = false;    // otherwise a write
  bool isDurable = false; // the write was through a descriptor with O_DSYNC
  uint64_t offset = 0;
  std::string bytes;
};

std::mutex recordingMutex;
bool isRecording = false;
std::vector<Step> steps;

bool isDatabase(int file) {
  char link[64], path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof(path));
  constexpr std::string_view Name = "/data.mdb";
  return length > 0 && std::string_view(path, size_t(length)).ends_with(Name);
}

void record(int file, uint64_t offset, const void *bytes, size_t length) {
  std::lock_guard<std::mutex> lock(recordingMutex);
  if (isRecording && isDatabase(file))
    steps.push_back(
        {false, (fcntl(file, F_GETFL) & O_DSYNC) != 0, offset, std::string(static_cast<const char *>(bytes), length)});
}

void recordSync(int file) {
  std::lock_guard<std::mutex> lock(recordingMutex);
  if (isRecording && isDatabase(file))
    steps.push_back({true, false, 0, ""});
}

constexpr uint64_t SectorBytes = 512;

void apply(const Step &step, uint64_t from, uint64_t end, std::string &file) {
  if (file.size() < end)
    file.resize(end);
  std::memcpy(file.data() + from, step.bytes.data() + (from - step.offset), end - from);
}

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

std::string fileAfterPowerCut(size_t count, std::mt19937_64 &random) {
  std::lock_guard<std::mutex> lock(recordingMutex);
  size_t safe = count; // steps in front of the last sync
  while (safe > 0 && !steps[safe - 1].isSync)
    --safe;
  // Some disks have written nearly all, some nearly nothing.
  const uint64_t luck = random() % 5;
  std::string file;
  for (size_t index = 0; index < count; ++index) {
    const Step &step = steps[index];
    const uint64_t stepEnd = step.offset + step.bytes.size();
    for (uint64_t at = step.offset; at < stepEnd;) {
      const uint64_t end = std::min(stepEnd, (at / SectorBytes + 1) * SectorBytes);
      if (index < safe || step.isDurable || random() % 4 < luck)
        apply(step, at, end, file);
      at = end;
    }
  }
  return file;
}

} // namespace dovetail::faults

// What LMDB calls. The C library's own are not called, so that no sanitizer's are either.
extern "C" {

// <unistd.h> may have renamed pwrite to pwrite64, and LMDB was not compiled like us.
__attribute__((visibility("default"))) ssize_t recordedPwrite(int, const void *, size_t, off_t) __asm__("pwrite");
ssize_t recordedPwrite(int file, const void *bytes, size_t length, off_t offset) {
  ssize_t written = syscall(SYS_pwrite64, file, bytes, length, offset);
  if (written > 0)
    dovetail::faults::record(file, uint64_t(offset), bytes, size_t(written));
  return written;
}

__attribute__((visibility("default"))) ssize_t writev(int file, const struct iovec *pieces, int count) {
  const off_t before = lseek(file, 0, SEEK_CUR);
  ssize_t written = syscall(SYS_writev, file, pieces, count);
  uint64_t offset = uint64_t(before);
  for (ssize_t left = before < 0 ? 0 : written; left > 0; ++pieces) {
    const size_t length = std::min(size_t(left), pieces->iov_len);
    dovetail::faults::record(file, offset, pieces->iov_base, length);
    offset += length;
    left -= ssize_t(length);
  }
  return written;
}

__attribute__((visibility("default"))) int fdatasync(int file) {
  int result = int(syscall(SYS_fdatasync, file));
  if (result == 0)
    dovetail::faults::recordSync(file);
  return result;
}

__attribute__((visibility("default"))) int fsync(int file) {
  int result = int(syscall(SYS_fsync, file));
  if (result == 0)
    dovetail::faults::recordSync(file);
  return result;
}
}
