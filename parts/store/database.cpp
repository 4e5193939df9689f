// SPDX-License-Identifier: MIT
#include "parts/store/database.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

namespace dovetail::store {

namespace {

constexpr size_t DatabaseFile = 0, Log = 1, SharedMemory = 2; // of OpenDatabase::files
// How long to wait for somebody who is making files, uses SQLite's shared memory, or writes.
constexpr Patience ReadingPatience(20), WritingPatience(2000);

// Existing tables stay as they are. SQLite copies commits into the database when the log has 4 MiB, or less if the
// store is small.
constexpr const char *Begin = "PRAGMA page_size={};"
                              "PRAGMA journal_mode=WAL;"
                              "CREATE TABLE IF NOT EXISTS part(id INTEGER PRIMARY KEY,value BLOB);"
                              "CREATE TABLE IF NOT EXISTS usage(id INTEGER PRIMARY KEY,kind INT,high INT,bytes INT,"
                              "created INT,lastUsed INT,hits INT,gpu TEXT,variants BLOB);"
                              "CREATE INDEX IF NOT EXISTS oldest ON usage(lastUsed);"
                              "CREATE TABLE IF NOT EXISTS valid(digest BLOB PRIMARY KEY,put INT) WITHOUT ROWID;"
                              "PRAGMA wal_autocheckpoint={};"
                              "PRAGMA journal_size_limit={};"
                              "SELECT value FROM part LIMIT 0";

Access accessTo(const std::string &path, bool readOnly) {
  struct stat status;
  const bool isProtected = stat(path.c_str(), &status) == 0 && (status.st_mode & 0222) == 0;
  const int denial = access(path.c_str(), W_OK) == 0 ? 0 : errno;
  if (isProtected || denial == EROFS)
    return Access::Frozen;
  return readOnly || denial == EACCES ? Access::Read : Access::Write;
}

Result<void> removeAll(std::span<const std::string> paths) {
  for (const std::string &path : paths)
    if (unlink(path.c_str()) != 0 && errno != ENOENT)
      return ioError(path);
  return {};
}

} // namespace

Database::Database(const std::string &folder, const PartStoreOptions &options)
    : m_options(options), m_folder(folder), m_paths([](const std::string &path) {
        return std::array{path, path + "-wal", path + "-shm", path + "-journal"};
      }(folder + "/" + PartStoreFile)),
      m_access(accessTo(m_paths[DatabaseFile], options.readOnly)) {}

Result<std::unique_ptr<OpenDatabase>> Database::connect(Patience patience, FileStatus &damaged) {
  const std::string &path = m_paths[DatabaseFile];
  const FolderLock lock = m_access == Access::Frozen ? nullptr : DOVETAIL_TRY(lockFolder(m_folder, patience));
  for (const std::string &file : m_paths)
    DOVETAIL_CHECK(checkFile(file, m_options.trustFolder));
  const bool isNew = mayWrite() && look(path).bytes == 0;
  if (isNew) // files of another database must not be taken for parts of this one
    DOVETAIL_CHECK(removeAll(m_paths));

  auto open = std::make_unique<OpenDatabase>(path, m_access);
  if (isNew)
    chmod(path.c_str(), 0600); // SQLite gives its other files the same permissions
  open->setPatience(patience);
  const uint64_t logBytes = std::min<uint64_t>(m_options.maxBytes / 32, uint64_t(4) << 20);
  if (open->code() == SQLITE_OK)
    open->runAll(fmt::format(Begin, PageBytes, logBytes / PageBytes, logBytes));
  std::ranges::transform(std::span(m_paths).first(open->files.size()), open->files.begin(), look);
  if (isDamage(open->code()))
    damaged = open->files[DatabaseFile];
  if (open->code() != SQLITE_OK)
    return ioError(path, open->message());
  // Beyond this point, SQLite opens no more files by name.

  if (m_access != Access::Frozen && !(open->files[Log].isThere() && open->files[SharedMemory].isThere()))
    return ioError(path, "SQLite has no write-ahead log here");
  return open;
}

// Whether this file is still the one that is open. Shared memory that was cut off must not be touched.
bool Database::keepsFile(OpenDatabase &open, size_t file) const {
  const FileStatus now = look(m_paths[file]);
  if (!now.isSame(open.files[file]) || (file == SharedMemory && now.bytes < open.files[file].bytes))
    return false;
  open.files[file] = now;
  return true;
}

Result<Database::Lease> Database::lease(Purpose purpose, FileStatus &damaged) {
  std::unique_ptr<OpenDatabase> open;
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (auto idle = std::ranges::find_if(m_idle, [](const auto &one) { return one != nullptr; }); idle != m_idle.end())
      open = std::move(*idle);
  }
  const bool reads = purpose == Purpose::Read;
  // Another database has shared memory of its own, so readers need not look at the other files.
  const bool isKept =
      open && keepsFile(*open, SharedMemory) && (reads || (keepsFile(*open, DatabaseFile) && keepsFile(*open, Log)));
  if (open && !isKept && keepsFile(*open, DatabaseFile)) {
    damaged = open->files[DatabaseFile];
    return ioError(m_paths[DatabaseFile], "its other files were changed");
  }
  const Patience patience = reads ? ReadingPatience : WritingPatience;
  if (!isKept)
    open = DOVETAIL_TRY(connect(patience, damaged));
  open->setPatience(patience);
  return Lease(open.release(), GiveBack{this});
}

Result<Database::Lease> Database::leaseOrBegin() {
  for (unsigned attempt = 0;; ++attempt) {
    FileStatus damaged;
    Result<Lease> open = lease(Purpose::Write, damaged);
    if (open || !damaged.isThere() || attempt == MaxTimesDamaged)
      return open;
    DOVETAIL_CHECK(putAside(damaged, open.error().text));
  }
}

// Keeps a connection for the next lease. One that is in the middle of a change is closed instead, so that SQLite takes
// the change back.
void Database::giveBack(std::unique_ptr<OpenDatabase> open) {
  std::lock_guard<std::mutex> lock(m_mutex);
  auto place = std::ranges::find_if(m_idle, [](const auto &one) { return one == nullptr; });
  if (place != m_idle.end() && sqlite3_get_autocommit(open->get()))
    *place = std::move(open);
}

Result<void> Database::putAside(const FileStatus &damaged, std::string_view reason) {
  const std::string &path = m_paths[DatabaseFile];
  {
    const FolderLock lock = DOVETAIL_TRY(lockFolder(m_folder, WritingPatience));
    if (!look(path).isSame(damaged))
      return {}; // somebody else was faster
    DOVETAIL_CHECK(removeAll(std::span(m_paths).subspan(1)));
    if (rename(path.c_str(), (path + ".damaged").c_str()) != 0)
      return ioError(path);
  }
  ++m_timesPutAside;
  if (m_options.onWarning)
    m_options.onWarning(
        fmt::format("part store: {} was damaged: {}; it was renamed and a new one begun", path, reason));
  return {};
}

} // namespace dovetail::store
