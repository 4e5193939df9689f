// SPDX-License-Identifier: MIT
//
// The folder of a store: made if it is missing, judged before anything in it is believed, and locked while files are
// opened, made or put aside. Parts are machine code, so what is in a folder is as trustworthy as whoever may write to
// it: the folder and its files must be ours, nobody else may write to them, and no link among them is followed.
#pragma once

#include "parts/store/part_store.h"
#include <chrono>
#include <sys/types.h>
#include <utility>

namespace dovetail::store {

// Which file it is, whatever it is called.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;

  bool operator==(const FileId &) const = default;
};

struct FileStatus {
  FileId id; // nothing: there is none
  uint64_t bytes = 0;
};

class Folder {
public:
  // Makes the folder, with its parents, unless options.readOnly. Errors: InvalidInput for an empty path; Io, naming the
  // path and the reason.
  static Result<Folder> open(const PartStoreOptions &options);

  // Of a file in the folder.
  std::string pathOf(const char *name) const { return m_path + "/" + name; }
  FileStatus look(const char *name) const;
  // Errors: Io, if it is there and must not be used: a link, no file, somebody else's, or others may write to it.
  Result<void> check(const char *name) const;

  // Nobody can write there: the file system is mounted so, or nobody may write to the database.
  bool isFrozen() const { return m_isFrozen; }

  // The kernel's (flock), so it ends with the process that holds it, however that ends.
  class Lock {
  public:
    ~Lock();
    Lock(Lock &&other) noexcept : m_file(std::exchange(other.m_file, -1)) {}
    Lock &operator=(Lock &&) = delete;

  private:
    friend class Folder;
    explicit Lock(int file) : m_file(file) {}
    int m_file;
  };
  // Shared: while files are opened. Exclusive: while they are made or put aside. Errors: Io; also if somebody has had
  // it for so long.
  enum class Sharing : uint8_t { Shared, Exclusive };
  Result<Lock> lock(Sharing sharing, std::chrono::milliseconds patience) const;

private:
  Folder(std::string path, bool trusts, bool isFrozen)
      : m_path(std::move(path)), m_trusts(trusts), m_isFrozen(isFrozen) {}

  std::string m_path;
  bool m_trusts;
  bool m_isFrozen;
};

// Without a reason: errno's.
tl::unexpected<Error> ioError(const std::string &path, std::string_view reason = {});

} // namespace dovetail::store
