// SPDX-License-Identifier: MIT
#include "parts/store/database.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace dovetail::store {

namespace {

constexpr const char *LogName = "parts-2.sqlite-wal", *SharedMemoryName = "parts-2.sqlite-shm",
                     *JournalName = "parts-2.sqlite-journal";

// As SQLite keeps them: a database that is opened must have just these.
constexpr std::string_view Tables =
    "CREATE TABLE part(id INTEGER PRIMARY KEY,value BLOB);"
    "CREATE TABLE usage(id INTEGER PRIMARY KEY,kind INT,high INT,bytes INT,created INT,lastUsed INT,hits INT,gpu TEXT,"
    "variants BLOB);"
    "CREATE TABLE total(entries INT);";

constexpr Database::Patience OpeningPatience(2000);

tl::unexpected<Failure> failure(Health health, std::string text) {
  return tl::unexpected<Failure>(Failure{health, std::move(text)});
}

bool isForNewOne(const Failure &failure) {
  return failure.health == Health::Missing || failure.health == Health::Damaged;
}

bool needsWriter(int code) {
  return code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY || code == SQLITE_READONLY_CANTINIT;
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const PartStoreOptions &options, OpenDatabase &first,
                                                 std::string &warning) {
  Folder folder = DOVETAIL_TRY(Folder::open(options));
  std::unique_ptr<Database> database(new Database(std::move(folder)));
  tl::expected<OpenDatabase, Failure> opened = database->connect(OpeningPatience);
  if (opened)
    first = std::move(*opened);
  else if (options.readOnly || database->isFrozen() || !isForNewOne(opened.error()))
    return ioError(database->m_folder.pathOf(PartStoreFile), opened.error().text);
  else
    first = DOVETAIL_TRY(database->connectOrBegin({}, warning));
  return database;
}

tl::expected<OpenDatabase, Failure> Database::connect(Patience patience) {
  std::unique_lock<std::timed_mutex> mutex(m_mutex, patience);
  if (!mutex)
    return failure(Health::Busy, "another thread opens it");
  if (isFrozen())
    return openFiles(Access::Frozen, patience);
  Result<Folder::Lock> lock = m_folder.lock(Folder::Sharing::Shared, patience);
  if (!lock)
    return failure(Health::Failed, lock.error().text);
  return openFiles(Access::Read, patience);
}

Result<OpenDatabase> Database::connectOrBegin(const FileId &damaged, std::string &warning) {
  std::lock_guard<std::timed_mutex> mutex(m_mutex);
  if (damaged == FileId()) {
    Folder::Lock lock = DOVETAIL_TRY(m_folder.lock(Folder::Sharing::Shared, OpeningPatience));
    tl::expected<OpenDatabase, Failure> opened = openFiles(Access::Write, OpeningPatience);
    if (opened)
      return std::move(*opened);
    if (!isForNewOne(opened.error()))
      return ioError(m_folder.pathOf(PartStoreFile), opened.error().text);
  }
  Folder::Lock lock = DOVETAIL_TRY(m_folder.lock(Folder::Sharing::Exclusive, OpeningPatience));
  if (damaged != FileId() && m_folder.look(PartStoreFile).id == damaged)
    DOVETAIL_CHECK(putAside("", warning));
  for (unsigned attempt = 0;; ++attempt) {
    tl::expected<OpenDatabase, Failure> opened = openFiles(Access::Write, OpeningPatience);
    if (opened)
      return std::move(*opened);
    if (attempt == 2 || !isForNewOne(opened.error()))
      return ioError(m_folder.pathOf(PartStoreFile), opened.error().text);
    if (opened.error().health == Health::Damaged)
      DOVETAIL_CHECK(putAside(opened.error().text, warning));
    else
      DOVETAIL_CHECK(make());
  }
}

tl::expected<OpenDatabase, Failure> Database::openFiles(Access access, Patience patience) {
  OpenDatabase open;
  open.id = m_folder.look(PartStoreFile).id;
  if (open.id == FileId())
    return failure(Health::Missing, "there is no store");
  for (const char *name : {PartStoreFile, LogName, SharedMemoryName, JournalName})
    if (Result<void> good = m_folder.check(name); !good)
      return failure(Health::Failed, good.error().text);

  open.connection = std::make_unique<Connection>(m_folder.pathOf(PartStoreFile), access, patience);
  int code = open.connection->openCode();
  std::string tables;
  if (code == SQLITE_OK) {
    // The first read opens the other files.
    Connection::Rows rows = open.connection->read("SELECT sql FROM sqlite_schema ORDER BY rowid");
    while ((code = rows.next()) == SQLITE_ROW)
      tables += rows.text(0) + ";";
  }
  // A process or the power went while something was written; who may write puts that right.
  if (access == Access::Read && needsWriter(code))
    return failure(Health::Missing, "nobody has opened it for writing since it was left in the midst of a change");
  if (healthOf(code) != Health::Good)
    return failure(healthOf(code), open.connection->message());
  // Beyond this point, SQLite opens no file by its name any more.

  if (tables.empty())
    return failure(Health::Missing, "there is no store"); // whoever was making it did not finish
  if (tables != Tables)
    return failure(Health::Damaged, "its tables are not those of a store");
  const FileStatus sharedMemory = m_folder.look(SharedMemoryName);
  open.log = m_folder.look(LogName).id;
  open.sharedMemory = sharedMemory.id;
  open.sharedBytes = sharedMemory.bytes;
  if (access != Access::Frozen && (open.log == FileId() || open.sharedMemory == FileId()))
    return failure(Health::Failed, "SQLite has no write-ahead log here");
  return open;
}

Database::Place Database::look(OpenDatabase &open) const {
  const FileStatus sharedMemory = m_folder.look(SharedMemoryName);
  if (sharedMemory.id == open.sharedMemory && sharedMemory.bytes >= open.sharedBytes) {
    open.sharedBytes = sharedMemory.bytes;
    return Place::Kept;
  }
  return m_folder.look(PartStoreFile).id == open.id ? Place::Damaged : Place::Taken;
}

Database::Place Database::lookBeforeWriting(OpenDatabase &open) const {
  if (m_folder.look(PartStoreFile).id != open.id)
    return Place::Taken;
  return m_folder.look(LogName).id == open.log ? look(open) : Place::Damaged;
}

Result<void> Database::putAside(std::string_view reason, std::string &warning) {
  const std::string path = m_folder.pathOf(PartStoreFile);
  if (rename(path.c_str(), (path + ".damaged").c_str()) != 0)
    return ioError(path);
  ++m_timesPutAside;
  warning = fmt::format("part store: {} was damaged{}{}; it was renamed and a new one begun", path,
                        reason.empty() ? "" : ": ", reason);
  return {};
}

Result<void> Database::make() {
  // What is left of another database must not be taken for a part of this one.
  for (const char *name : {PartStoreFile, LogName, SharedMemoryName, JournalName})
    if (unlink(m_folder.pathOf(name).c_str()) != 0 && errno != ENOENT)
      return ioError(m_folder.pathOf(name));
  // SQLite gives its other files the same permissions.
  const std::string path = m_folder.pathOf(PartStoreFile);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return ioError(path);
  close(file);
  Connection connection(path, Access::Write, OpeningPatience);
  const std::string script = fmt::format("PRAGMA page_size={};PRAGMA journal_mode=WAL;BEGIN;{}"
                                         "INSERT INTO total VALUES(0);COMMIT;PRAGMA wal_checkpoint(TRUNCATE)",
                                         PageBytes, Tables);
  const bool isMade = connection.openCode() == SQLITE_OK &&
                      sqlite3_exec(connection.get(), script.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  return isMade ? Result<void>() : ioError(path, connection.message());
}

} // namespace dovetail::store
