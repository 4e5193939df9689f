// SPDX-License-Identifier: MIT
//
// Disks that are full, and folders that may not be written to. The store turns itself off or is not opened, with one
// warning, and still serves its parts right. The full disk is a small tmpfs in a mount namespace of the child, where
// the machine allows that. Everywhere, a limit on file sizes stands for a full disk.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

constexpr const char *CannotMount = "cannot mount";

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

// Puts parts until the store is off, which must happen within 100,000 parts. Then there is one warning, each part that
// is found is right, and those of `mustBeThere` are found.
std::string writeUntilOff(const std::string &path, uint64_t first, const Numbers &mustBeThere) {
  constexpr uint64_t most = 100000;
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return "it cannot be opened: " + opened.store.error().text;
  PartStore &store = **opened.store;
  Numbers numbers;
  while (store.statistics().isWritable && numbers.size() < most) {
    for (unsigned left = 32; left > 0; --left) {
      numbers.push_back(first + numbers.size());
      store.put(std::make_shared<const Part>(makeTestPart(numbers.back())));
    }
    store.flush();
  }
  if (store.statistics().isWritable)
    return fmt::format("it still writes after {} parts", numbers.size());
  // The store accepts later parts without harm.
  for (uint64_t number = 0; number < 64; ++number)
    store.put(std::make_shared<const Part>(makeTestPart(first + most + number)));
  store.flush();
  if (opened.warnings->size() != 1)
    return fmt::format("{} warnings: {}", opened.warnings->size(),
                       opened.warnings->empty() ? "" : opened.warnings->back());
  if (!store.statistics().isReadable)
    return "it is not readable any more";
  uint64_t found;
  if (std::string defect = checkServed(store, numbers, found); !defect.empty())
    return defect;
  if (std::string defect = checkServed(store, mustBeThere, found); !defect.empty())
    return defect;
  return found == mustBeThere.size() ? "" : "what was written before is not found";
}

std::string onSmallDisk(size_t bytes, const std::function<std::string(const std::string &path)> &work) {
  TemporaryFolder folder;
  return inChild([&]() -> std::string {
    if (!enterMountNamespace() || !mountSmallDisk(folder.path().string(), bytes))
      return CannotMount;
    return work(folder.path().string());
  });
}

// A test that needs a mount says so when it is left out.
void checkOnSmallDisk(size_t bytes, const std::function<std::string(const std::string &path)> &work) {
  std::string defect = onSmallDisk(bytes, work);
  if (defect == CannotMount)
    MESSAGE("not run: no file system can be mounted here");
  else
    CHECK(defect == "");
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

TEST_CASE("a limit on the size of files turns writing off") {
  REQUIRE(prepareTestParts() == "");
  for (size_t kilobytes : effort<std::vector<size_t>>({128, 1000}, {70, 90, 128, 250, 512, 1000, 4000})) {
    CAPTURE(kilobytes);
    const Numbers firstFour = kilobytes >= 512 ? Numbers{0, 1, 2, 3} : Numbers();
    TemporaryFolder folder;
    const std::string path = folder / "store";
    std::string defect = inChild([&]() -> std::string {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {kilobytes * 1024, kilobytes * 1024};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return std::strerror(errno);
      return writeUntilOff(path, 0, firstFour);
    });
    CHECK(defect == "");
    CHECK(inChild([&] { return checkHealthy(path, firstFour, 500000); }) == "");
  }
}

TEST_CASE("a store at its own limit evicts and goes on writing") {
  REQUIRE(prepareTestParts() == "");
  constexpr uint64_t MaxBytes = 1 << 20;
  TemporaryFolder folder;
  const std::string path = folder / "store";
  std::string defect = inChild([&]() -> std::string {
    OpenedStore opened = openStore(path, false, MaxBytes);
    if (!opened.store)
      return opened.store.error().text;
    PartStore &store = **opened.store;
    const uint64_t parts = effort<uint64_t>(2000, 20000);
    Numbers numbers;
    for (uint64_t number = 0; number < parts; ++number) {
      numbers.push_back(number);
      store.put(std::make_shared<const Part>(makeTestPart(number)));
      if (number % 32 == 31)
        store.flush();
    }
    store.flush();
    if (!store.statistics().isWritable)
      return opened.warnings->empty() ? "it is off" : opened.warnings->front();
    if (store.statistics().evicted == 0)
      return "nothing was evicted";
    uint64_t found;
    if (std::string wrong = checkServed(store, numbers, found); !wrong.empty())
      return wrong;
    if (found == 0 || !store.find(testPartKey(parts - 1)))
      return "the newest part is not there";
    const std::string data = path + "/" + PartStoreFile;
    const uint64_t bytes = std::filesystem::file_size(data) + std::filesystem::file_size(data + "-wal");
    return bytes <= MaxBytes ? "" : fmt::format("the files have {} bytes", bytes);
  });
  CHECK(defect == "");
  CHECK(inChild([&] { return checkHealthy(path, {}, 500000); }) == "");
}

TEST_CASE("folders that may not be written to are served from, or an Error that names them") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store", empty = folder / "empty";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  std::filesystem::create_directory(empty);
  chmod(folder.path().c_str(), 0755);

  bool trusts = false;
  auto use = [&](const std::string &store) -> std::string {
    OpenedStore opened = openStore(store, false, 0, trusts);
    if (!opened.store)
      return opened.store.error().text.find(store) != std::string::npos
                 ? "not opened"
                 : "the Error does not name the store: " + opened.store.error().text;
    (*opened.store)->put(std::make_shared<const Part>(makeTestPart(9)));
    (*opened.store)->flush();
    uint64_t found;
    if (std::string defect = checkServed(**opened.store, {0, 1, 2, 3}, found); !defect.empty())
      return defect;
    if (opened.warnings->size() > 1)
      return fmt::format("{} warnings", opened.warnings->size());
    return fmt::format("{} found, {}", found, (*opened.store)->statistics().isWritable ? "writable" : "read-only");
  };
  // root ignores permissions.
  auto asNobody = [&](const std::string &store) {
    return inChild([&]() -> std::string {
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return std::strerror(errno);
      return use(store);
    });
  };

  auto chmodFiles = [&](mode_t mode) {
    for (const auto &[name, content] : readStore(path))
      chmod((path + "/" + name).c_str(), mode);
  };

  SUBCASE("nobody may write") {
    chmodFiles(0444);
    chmod(path.c_str(), 0555);
    CHECK(inChild([&] { return use(path); }) == "4 found, read-only");
    CHECK(asNobody(path) == (getuid() == 0 ? "not opened" : "4 found, read-only"));
    trusts = true;
    CHECK(asNobody(path) == "4 found, read-only");
    chmod(path.c_str(), 0700);
    chmodFiles(0600);
  }
  SUBCASE("only others may write") {
    chmodFiles(0644);
    chmod(path.c_str(), 0755);
    trusts = true;
    if (getuid() == 0)
      CHECK(asNobody(path) == "4 found, read-only");
    chmod(path.c_str(), 0700);
    chmodFiles(0600);
  }
  SUBCASE("an empty folder") {
    chmod(empty.c_str(), 0555);
    CHECK(asNobody(empty) == "not opened");
    CHECK(asNobody(empty + "/new/store") == "not opened");
    chmod(empty.c_str(), 0755);
  }
  SUBCASE("a file in its place") {
    CHECK(inChild([&] { return use(folder.write("file", "x")); }) == "not opened");
    CHECK(inChild([&] { return use(folder.write("file", "x") + "/store"); }) == "not opened");
  }
  SUBCASE("a disk that is mounted read-only") {
    std::string defect = inChild([&]() -> std::string {
      if (!enterMountNamespace() || mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
          mount(nullptr, path.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
        return CannotMount;
      return use(path);
    });
    if (defect == CannotMount)
      MESSAGE("not run: no file system can be mounted here");
    else
      CHECK(defect == "4 found, read-only");
  }
  // None of the attempts has changed the store.
  CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 500000); }) == "");
}
