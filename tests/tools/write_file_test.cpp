// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
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
  // A limit on the size of files stands for a disk that fills up while this process writes.
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

TEST_CASE("a link is followed to the file that it names, also one that is not there yet") {
  TemporaryFolder folder;
  const std::string link = folder / "link", second = folder / "second";
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/file", link); // relative to the link
  std::filesystem::create_symlink(link, second);
  CHECK(writeFileAtomically(second, "new").has_value());
  CHECK(readWholeFile(folder / "sub/file").value() == "new");
  CHECK(writeFileAtomically(link, "newer").has_value());
  CHECK(readWholeFile(folder / "sub/file").value() == "newer");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::is_symlink(second));
}

TEST_CASE("links in a circle, and one into a folder that is not there, are an Error with the reason") {
  TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  Result<void> circle = writeFileAtomically(folder / "a", "text");
  REQUIRE_FALSE(circle.has_value());
  CHECK(circle.error().text.find("Too many levels of symbolic links") != std::string::npos);
  std::filesystem::create_symlink("none/file", folder / "c");
  Result<void> orphan = writeFileAtomically(folder / "c", "text");
  REQUIRE_FALSE(orphan.has_value());
  CHECK(orphan.error().text.find("No such file or directory") != std::string::npos);
}

TEST_CASE("a name may be as long as the system's names are") {
  TemporaryFolder folder;
  CHECK(writeFileAtomically(folder / std::string(255, 'n'), "text").has_value());
  CHECK(folder.size() == 1);
  Result<void> tooLong = writeFileAtomically(folder / std::string(256, 'n'), "text");
  REQUIRE_FALSE(tooLong.has_value());
  CHECK(tooLong.error().text.find("File name too long") != std::string::npos);
}

TEST_CASE("a new file has the permissions that the process gives to new files") {
  TemporaryFolder folder;
  const mode_t before = ::umask(027);
  CHECK(writeFileAtomically(folder / "a", "text").has_value());
  ::umask(before);
  struct stat status;
  REQUIRE(::stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("a file is read up to a limit") {
  TemporaryFolder folder;
  const std::string path = folder.write("a", std::string(1000, 'x'));
  CHECK(readWholeFile(path, 1000).value().size() == 1000);
  Result<std::string> larger = readWholeFile(path, 999);
  REQUIRE_FALSE(larger.has_value());
  CHECK((larger.error().code == ErrorCode::InvalidInput));
  CHECK(larger.error().text == path + " has more than 999 bytes, which is as much as is read");
  CHECK_FALSE(readWholeFile("/dev/zero", 1 << 20).has_value());
}
