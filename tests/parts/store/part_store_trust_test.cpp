// SPDX-License-Identifier: MIT
//
// A store believes only files of its own user, to which nobody else may write.
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <sys/stat.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

mode_t modeOf(const std::string &path) {
  struct stat status = {};
  CHECK(lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

const std::string Files[] = {"parts-4.sqlite", "parts-4.sqlite-wal", "parts-4.sqlite-shm"};

// Opening the spoilt store must be an Error with this reason. It must succeed with trustFolder if `mayBeTrusted`.
void checkRefused(
    StoreFolder &folder, const std::string &path, const std::string &reason, bool mayBeTrusted = true,
    const std::function<void()> &spoil = [] {}) {
  CAPTURE(reason);
  for (bool readOnly : {false, true}) {
    spoil();
    Result<std::shared_ptr<PartStore>> store = folder.tryOpen({.path = path, .readOnly = readOnly});
    REQUIRE_FALSE(store.has_value());
    CHECK((store.error().code == ErrorCode::Io));
    CHECK(store.error().text.ends_with(": " + reason));
    CHECK(folder.tryOpen({.path = path, .readOnly = readOnly, .trustFolder = true}).has_value() == mayBeTrusted);
  }
}

} // namespace

TEST_CASE("a folder that is made is its user's alone, and so are the files in it, whatever the umask") {
  StoreFolder folder;
  const mode_t before = umask(0);
  std::shared_ptr<PartStore> store = folder.open({.path = folder.file("new/store")});
  store->put(madeUpPart(1));
  store->flush();
  umask(before);
  CHECK(modeOf(folder.file("new")) == 0700);
  CHECK(modeOf(folder.file("new/store")) == 0700);
  for (const std::string &name : Files) {
    CAPTURE(name);
    CHECK(modeOf(folder.file("new/store/") + name) == 0600);
  }
}

TEST_CASE("a folder to which others may write is refused, unless it is trusted") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  for (mode_t mode : {0720, 0702, 0777}) {
    chmod(folder.path().c_str(), mode);
    checkRefused(folder, folder.path(), "others may write to it");
  }
  for (mode_t mode : {0755, 0700}) {
    chmod(folder.path().c_str(), mode);
    CHECK(has(*folder.open(), madeUpPart(1)));
  }
}

TEST_CASE("a file to which others may write is refused, unless the folder is trusted") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  for (const std::string &name : Files) {
    CAPTURE(name);
    const std::string path = folder.file(name.c_str());
    // SQLite gives an empty one of its files the database's permissions.
    checkRefused(folder, folder.path(), "others may write to it", true, [&] { chmod(path.c_str(), 0666); });
    chmod(path.c_str(), 0600);
  }
  CHECK(has(*folder.open(), madeUpPart(1)));
}

TEST_CASE("somebody else's folder or file is refused, unless the folder is trusted" * doctest::skip(geteuid() != 0)) {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  constexpr uid_t Nobody = 65534;
  for (const std::string &path : {folder.path(), folder.data()}) {
    CHECK(chown(path.c_str(), Nobody, Nobody) == 0);
    checkRefused(folder, folder.path(), "it belongs to another user");
    // SQLite gives the owner of the database its other files.
    for (const std::filesystem::directory_entry &file : std::filesystem::directory_iterator(folder.path()))
      CHECK(chown(file.path().c_str(), 0, 0) == 0);
    CHECK(chown(folder.path().c_str(), 0, 0) == 0);
  }
  CHECK(has(*folder.open(), madeUpPart(1)));
}

TEST_CASE("a link in place of the folder is refused, unless it is trusted; links on the way to it are not") {
  StoreFolder folder;
  folder.open({.path = folder.file("real/store")})->put(madeUpPart(1));
  std::filesystem::create_directory_symlink(folder.file("real/store"), folder.file("link"));
  std::filesystem::create_directory_symlink(folder.file("real"), folder.file("way"));
  checkRefused(folder, folder.file("link"), "it is a link");
  checkRefused(folder, folder.file("link//"), "it is a link");
  CHECK(has(*folder.open({.path = folder.file("way/store")}), madeUpPart(1)));
  CHECK(has(*folder.open({.path = folder.file("link"), .trustFolder = true}), madeUpPart(1)));
}

TEST_CASE("a link in place of one of the files is refused, and what it leads to stays as it is") {
  for (const std::string &name : Files) {
    CAPTURE(name);
    StoreFolder folder;
    folder.open({.path = folder.file("store")})->put(madeUpPart(1));
    const std::string place = folder.file("store/") + name, target = folder.file("target");
    std::filesystem::rename(place, target);
    std::filesystem::create_symlink(target, place);
    const FileBytes before = readFile(target);
    checkRefused(folder, folder.file("store"), "it is a link", false);
    CHECK(readFile(target) == before);
  }
}

TEST_CASE("what is no file in place of one of the files is refused, and nobody waits for a pipe") {
  for (const std::string &name : Files)
    for (bool isPipe : {true, false}) {
      CAPTURE(name);
      StoreFolder folder;
      folder.open({.path = folder.file("store")})->put(madeUpPart(1));
      const std::string place = folder.file("store/") + name;
      std::filesystem::remove(place);
      CHECK((isPipe ? mkfifo(place.c_str(), 0600) : mkdir(place.c_str(), 0700)) == 0);
      checkRefused(folder, folder.file("store"), "it is no file", false);
    }
}
