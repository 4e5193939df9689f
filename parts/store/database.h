// SPDX-License-Identifier: MIT
//
// The database of a store and its files: made, opened, told from what has taken their place, and put aside when they
// are damaged.
//
//   parts-2.sqlite           the database
//   parts-2.sqlite-wal       what was committed last, not yet copied into the database
//   parts-2.sqlite-shm       where in that file what is; memory shared by all who have the database open
//   parts-2.sqlite.damaged   the last one that was found damaged; nothing reads it
//   store.lock               the folder's lock
//
// These are only made, renamed and removed under the folder's exclusive lock, and only opened under its shared one:
// SQLite opens them one after the other by their names, and no two of them must belong to different databases. Other
// processes may have a database open that is put aside: they go on with it, and find that its place was taken before
// they would write.
#pragma once

#include "parts/store/connection.h"
#include "parts/store/folder.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace dovetail::store {

constexpr uint64_t PageBytes = 8192;

// A connection to the database, and which files it has open.
struct OpenDatabase {
  std::unique_ptr<Connection> connection;
  FileId id, log, sharedMemory;
  uint64_t sharedBytes = 0;
};

struct Failure {
  Health health;
  std::string text;
};

class Database {
public:
  using Patience = Connection::Patience;

  // `first`: a connection to it. `warning`: what was done about a damaged one. Errors: those of Folder::open; Io,
  // naming the path and the reason.
  static Result<std::unique_ptr<Database>> open(const PartStoreOptions &options, OpenDatabase &first,
                                                std::string &warning);

  // Whether nobody can write there, or nobody shall here.
  bool isFrozen() const { return m_folder.isFrozen(); }
  // How many were put aside here.
  uint64_t timesPutAside() const { return m_timesPutAside; }

  // Opens for reading what is there now. Waits for nobody longer than `patience`, neither here nor later.
  tl::expected<OpenDatabase, Failure> connect(Patience patience);
  // Opens for writing. What is damaged is put aside, the database `damaged` if it is still there, and a new one is
  // made, unless somebody else was faster. Errors: Io.
  Result<OpenDatabase> connectOrBegin(const FileId &damaged, std::string &warning);

  // Whether its files are still those that are there: shared memory that was cut off must not be touched.
  enum class Place : uint8_t { Kept, Taken, Damaged };
  Place look(OpenDatabase &open) const;
  // Also at the files that are written to.
  Place lookBeforeWriting(OpenDatabase &open) const;

private:
  explicit Database(Folder folder) : m_folder(std::move(folder)) {}

  // For all of these, the folder's lock must be held.
  tl::expected<OpenDatabase, Failure> openFiles(Access access, Patience patience);
  Result<void> putAside(std::string_view reason, std::string &warning);
  Result<void> make();

  Folder m_folder;
  std::timed_mutex m_mutex; // of the threads that want the folder's lock
  std::atomic<uint64_t> m_timesPutAside = 0;
};

} // namespace dovetail::store
