// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/command/write_file.h"
#include <csignal>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dovetail;

TEST_CASE("a file is written whole and read back") {
  TemporaryFolder folder;
  std::string path = folder / "a";
  std::string content(100'000, 'x');
  CHECK(writeFileAtomically(path, content).has_value());
  CHECK(readWholeFile(path).value() == content);
  CHECK(folder.size() == 1);
}

TEST_CASE("a file that was there keeps its permissions and gets the new content") {
  TemporaryFolder folder;
  std::string path = folder.write("a", "old");
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  CHECK(writeFileAtomically(path, "new").has_value());
  CHECK(readWholeFile(path).value() == "new");
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a write that fails half way leaves the old content and nothing else") {
  TemporaryFolder folder;
  std::string path = folder.write("a", "old");
  // A limit on the size of files stands for a disk that fills up while we write.
  rlimit old, small;
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  small = {1000, old.rlim_max};
  auto *handler = ::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  Result<void> result = writeFileAtomically(path, std::string(100'000, 'x'));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  ::signal(SIGXFSZ, handler);

  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == ErrorCode::Io));
  CHECK(readWholeFile(path).value() == "old");
  CHECK(folder.size() == 1);
}

TEST_CASE("a full device is an Error") {
  Result<void> result = writeFileAtomically("/dev/full", "text");
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text.find("No space left on device") != std::string::npos);
}

TEST_CASE("a folder is made, its parents are not") {
  TemporaryFolder folder;
  CHECK(makeFolder(folder / "a").has_value());
  CHECK(makeFolder(folder / "a").has_value()); // there already
  CHECK(makeFolder(folder / "b/").has_value());
  Result<void> orphan = makeFolder(folder / "c/d");
  REQUIRE_FALSE(orphan.has_value());
  CHECK(orphan.error().text.find(folder / "c/d") != std::string::npos);
  CHECK_FALSE(makeFolder(folder.write("file", "")).has_value());
  CHECK(folder.size() == 3);
}

TEST_CASE("a folder that is not there, or a folder in place of the file, is an Error") {
  TemporaryFolder folder;
  CHECK_FALSE(writeFileAtomically(folder / "no/file", "text").has_value());
  CHECK_FALSE(writeFileAtomically(folder.path().string(), "text").has_value());
  CHECK(folder.size() == 0);
}
