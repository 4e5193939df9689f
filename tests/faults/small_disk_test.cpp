// SPDX-License-Identifier: MIT
//
// Disks that are full or read-only: a small tmpfs in a mount namespace of a child. The store turns itself off or is not
// opened, with one warning, and still serves its parts right. Where the machine allows no mount, the program says so
// and ends with status 77: skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <cerrno>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

bool writeText(const char *path, const std::string &text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  bool isWritten = file >= 0 && write(file, text.data(), text.size()) == ssize_t(text.size());
  if (file >= 0)
    close(file);
  return isWritten;
}

// Enters a namespace in which this process may mount, unseen by others.
bool enterMountNamespace() {
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (user != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !writeText("/proc/self/setgroups", "deny") ||
        !writeText("/proc/self/uid_map", fmt::format("0 {} 1", user)) ||
        !writeText("/proc/self/gid_map", fmt::format("0 {} 1", group)))
      return false;
  } else if (unshare(CLONE_NEWNS) != 0) {
    return false;
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool mountSmallDisk(const std::string &path, size_t bytes) {
  return mount("tmpfs", path.c_str(), "tmpfs", 0, fmt::format("size={}", bytes).c_str()) == 0;
}

// Fills the disk until no block is free, or until `leave` bytes are free.
void fillDisk(const std::string &file, size_t leave = 0) {
  int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const std::vector<char> block(4096, 'x');
  size_t written = 0;
  while (write(descriptor, block.data(), block.size()) == ssize_t(block.size()))
    written += block.size();
  if (leave > 0 && ftruncate(descriptor, written > leave ? off_t(written - leave) : 0) != 0)
    written = 0;
  close(descriptor);
}

void checkOnSmallDisk(size_t bytes, const std::function<std::string(const std::string &path)> &work) {
  TemporaryFolder folder;
  const std::string path = folder.path().string();
  CHECK(inChild([&]() -> std::string {
          return enterMountNamespace() && mountSmallDisk(path, bytes) ? work(path) : "no disk can be mounted";
        }) == "");
}

} // namespace

TEST_CASE("a disk that gets full turns writing off, and with room again everything works") {
  REQUIRE(prepareTestParts() == "");
  for (size_t kilobytes : effort<std::vector<size_t>>({160, 512, 1024}, {160, 200, 256, 300, 512, 1000, 2048, 8192})) {
    CAPTURE(kilobytes);
    // A commit that does not fit leaves no part.
    const Numbers firstFour = kilobytes >= 512 ? Numbers{0, 1, 2, 3} : Numbers();
    checkOnSmallDisk(kilobytes * 1024, [&](const std::string &disk) -> std::string {
      const std::string path = disk + "/store";
      if (std::string defect = writeUntilOff(path, 0, firstFour); !defect.empty())
        return defect;
      if (mount(nullptr, disk.c_str(), nullptr, MS_REMOUNT, "size=64m") != 0)
        return std::strerror(errno);
      return checkHealthy(path, firstFour, 500000);
    });
  }
}

TEST_CASE("a disk that is full from the start is an Error or a warning, wherever it runs out") {
  REQUIRE(prepareTestParts() == "");
  const size_t step = effort<size_t>(16 * 1024, 4096);
  for (size_t left = 0; left <= 160 * 1024; left += step) {
    CAPTURE(left);
    checkOnSmallDisk(1024 * 1024, [&](const std::string &disk) -> std::string {
      const std::string path = disk + "/store";
      fillDisk(disk + "/filler", left);
      {
        OpenedStore opened = openStore(path);
        if (!opened.store && opened.store.error().text.find(path) == std::string::npos)
          return "the Error does not name the store: " + opened.store.error().text;
        if (opened.store) {
          for (uint64_t number = 0; number < 400; ++number)
            (*opened.store)->put(std::make_shared<const Part>(makeTestPart(number)));
          (*opened.store)->flush();
          uint64_t found;
          if (std::string defect = checkServed(**opened.store, {0, 1, 2, 3, 4, 5, 6, 7}, found); !defect.empty())
            return defect;
          if (!(*opened.store)->statistics().isWritable && opened.warnings->size() != 1)
            return fmt::format("{} warnings", opened.warnings->size());
        }
      }
      std::filesystem::remove(disk + "/filler");
      uint64_t found;
      return checkUsable(path, {0, 1, 2, 3, 4, 5, 6, 7}, found);
    });
  }
}

TEST_CASE("a store that another filled the disk beside goes on serving") {
  REQUIRE(prepareTestParts() == "");
  checkOnSmallDisk(4 * 1024 * 1024, [&](const std::string &disk) -> std::string {
    const std::string path = disk + "/store";
    if (std::string defect = writeParts(path, {0, 1, 2, 3}); !defect.empty())
      return defect;
    fillDisk(disk + "/filler");
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return "it cannot be opened: " + opened.store.error().text;
    uint64_t found;
    if (std::string defect = checkServed(**opened.store, {0, 1, 2, 3}, found); !defect.empty())
      return defect;
    if (found != 4)
      return fmt::format("{} of 4 parts are found", found);
    opened.store = std::shared_ptr<PartStore>();
    return writeUntilOff(path, 1000, {0, 1, 2, 3});
  });
}

TEST_CASE("a store on a disk that is mounted read-only is served from") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  CHECK(inChild([&]() -> std::string {
          if (!enterMountNamespace() || mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
              mount(nullptr, path.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
            return "it cannot be mounted";
          return useUnwritable(path);
        }) == "4 found, read-only");
  CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 500000); }) == "");
}

int main(int argc, char **argv) {
  TemporaryFolder folder;
  const bool canMount =
      inChild([&] { return enterMountNamespace() && mountSmallDisk(folder.path().string(), 65536) ? "" : "no"; }) == "";
  if (!canMount) {
    fmt::print("small disks: no file system can be mounted here\n");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
