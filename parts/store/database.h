// SPDX-License-Identifier: MIT
//
// The database of a store and its files. This class makes and opens the files, recognises when other files have taken
// their place, and puts them aside when they are damaged.
//
//   parts-4.sqlite           the database
//   parts-4.sqlite-wal       the last commits, not yet copied into the database
//   parts-4.sqlite-shm       an index of that file; memory shared by all who have the database open
//   parts-4.sqlite.damaged   the last database that was found damaged; nothing reads it
//
// The files are opened, made and renamed under the folder's lock only. SQLite opens them one after the other by their
// names, and no two of them may belong to different databases. Other processes may have a database open that is put
// aside; they notice that its place was taken before they use it again.
#pragma once

#include "parts/store/connection.h"
#include "parts/store/folder.h"
#include <array>
#include <atomic>
#include <mutex>

namespace dovetail::store {

constexpr uint64_t PageBytes = 8192;
// How often a damaged database is made anew before an operation gives up.
constexpr unsigned MaxTimesDamaged = 4;

// A connection to the database, and the files that it has open: the database, the log, the shared memory.
struct OpenDatabase : Connection {
  using Connection::Connection;
  std::array<FileStatus, 3> files;
};

class Database {
public:
  // The database in this folder. The options must live as long as this object.
  Database(const std::string &folder, const PartStoreOptions &options);

  bool mayWrite() const { return m_access == Access::Write; }
  uint64_t timesPutAside() const { return m_timesPutAside; }
  uint64_t logBytes() const { return look(m_paths[1]).bytes; }

  // Readers may be threads that draw, so they wait only for a short time.
  enum class Purpose : uint8_t { Read, Write };
  struct GiveBack {
    void operator()(OpenDatabase *open) const { database->giveBack(std::unique_ptr<OpenDatabase>(open)); }
    Database *database;
  };
  using Lease = std::unique_ptr<OpenDatabase, GiveBack>;
  // Returns a connection to the existing database. If there is none and this object may write, it makes one. A few
  // connections are kept open and reused. Errors: Io; `damaged` is set if damage is the reason.
  Result<Lease> lease(Purpose purpose, FileStatus &damaged);
  // The same, but a damaged database is put aside. Errors: Io.
  Result<Lease> leaseOrBegin();

  // Renames the database, if it is still the one in this place. Errors: Io.
  Result<void> putAside(const FileStatus &damaged, std::string_view reason);

private:
  bool keepsFile(OpenDatabase &open, size_t file) const;
  Result<std::unique_ptr<OpenDatabase>> connect(Patience patience, FileStatus &damaged);
  void giveBack(std::unique_ptr<OpenDatabase> open);

  const PartStoreOptions &m_options;
  const std::string m_folder;
  const std::array<std::string, 4> m_paths; // of the open files, and of SQLite's other journal
  const Access m_access;
  std::atomic<uint64_t> m_timesPutAside = 0;

  std::mutex m_mutex;
  std::array<std::unique_ptr<OpenDatabase>, 8> m_idle;
};

} // namespace dovetail::store
