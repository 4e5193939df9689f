// SPDX-License-Identifier: MIT
//
// Limits on the size of files, which stand for a full disk (small_disk_test.cpp has real ones), and folders that may
// not be written to. The store turns itself off or is not opened, with one warning, and still serves its parts right.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

// A store with the parts 0 to 3 in a folder that other users may enter.
class ForbiddenStore {
public:
  ForbiddenStore() {
    REQUIRE(prepareTestParts() == "");
    REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
    chmod(folder.path().c_str(), 0755);
  }

  // Checks that no attempt has changed the store.
  ~ForbiddenStore() {
    permit(0700, 0600);
    CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 500000); }) == "");
  }

  void permit(mode_t ofFolder, mode_t ofFiles) const {
    chmod(path.c_str(), 0700);
    for (const auto &[name, content] : readStore(path))
      chmod((path + "/" + name).c_str(), ofFiles);
    chmod(path.c_str(), ofFolder);
  }

  TemporaryFolder folder;
  const std::string path = folder / "store";
};

// useUnwritable() by a user whom permissions bind: they do not bind root.
std::string useAsNobody(const std::string &store, bool trusts = false) {
  return inChild([&]() -> std::string {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      return std::strerror(errno);
    return useUnwritable(store, trusts);
  });
}

} // namespace

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

TEST_CASE("a store that nobody may write to is served from, to another user only if that user trusts it") {
  const ForbiddenStore store;
  store.permit(0555, 0444);
  CHECK(inChild([&] { return useUnwritable(store.path); }) == "4 found, read-only");
  CHECK(useAsNobody(store.path) == (getuid() == 0 ? "not opened" : "4 found, read-only"));
  CHECK(useAsNobody(store.path, true) == "4 found, read-only");
}

TEST_CASE("a store that only its owner may write to is served to another user who trusts it") {
  const ForbiddenStore store;
  store.permit(0755, 0644);
  if (getuid() == 0)
    CHECK(useAsNobody(store.path, true) == "4 found, read-only");
}

TEST_CASE("a store in an empty folder that may not be written to is an Error that names it") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  chmod(folder.path().c_str(), 0755);
  const std::string empty = folder / "empty";
  std::filesystem::create_directory(empty);
  chmod(empty.c_str(), 0555);
  CHECK(useAsNobody(empty) == "not opened");
  CHECK(useAsNobody(empty + "/new/store") == "not opened");
}

TEST_CASE("a store in the place of a file is an Error that names it") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string file = folder.write("file", "x");
  CHECK(inChild([&] { return useUnwritable(file); }) == "not opened");
  CHECK(inChild([&] { return useUnwritable(file + "/store"); }) == "not opened");
}
