// SPDX-License-Identifier: MIT
#include "parts/store/connection.h"
#include <fmt/format.h>
#include <thread>

namespace dovetail::store {

namespace {

// The cache holds all pages that lead to the parts of a large store.
constexpr const char *Settings = "PRAGMA mmap_size=0;PRAGMA cell_size_check=ON;PRAGMA synchronous=NORMAL;"
                                 "PRAGMA wal_autocheckpoint=0;PRAGMA secure_delete=OFF;PRAGMA temp_store=MEMORY;"
                                 "PRAGMA cache_size=-512";
constexpr int MaxValueBytes = 1 << 28;

// Where SQLite waits on its own, for locks that are held for microseconds, it does so up to 100 times and ten seconds
// in all, which is for a process that was stopped just then. A look-up would rather miss.
constexpr std::chrono::microseconds LongestSleep(100);

// SQLite's own layer for this system, but for that. Other users of SQLite in this process do not get it.
class FileSystem {
public:
  FileSystem() {
    sqlite3_vfs *usual = sqlite3_vfs_find("unix");
    if (!usual || !sqlite3_threadsafe())
      return;
    m_vfs = *usual;
    m_vfs.zName = m_name.c_str();
    m_vfs.xSleep = [](sqlite3_vfs *, int microseconds) {
      std::this_thread::sleep_for(std::min(LongestSleep, std::chrono::microseconds(microseconds)));
      return microseconds;
    };
    m_isThere = sqlite3_vfs_register(&m_vfs, 0) == SQLITE_OK;
  }
  // The library may be unloaded.
  ~FileSystem() {
    if (m_isThere)
      sqlite3_vfs_unregister(&m_vfs);
  }

  const char *name() const { return m_isThere ? m_name.c_str() : nullptr; }

private:
  sqlite3_vfs m_vfs = {};
  const std::string m_name = fmt::format("dovetail-{}", fmt::ptr(this)); // another copy of this library has its own
  bool m_isThere = false;
};

const char *fileSystemName() {
  static const FileSystem fileSystem;
  return fileSystem.name();
}

std::string uriOf(const std::string &path, Access access) {
  std::string uri = "file:";
  for (char letter : path)
    uri += letter == '%' || letter == '?' || letter == '#' ? fmt::format("%{:02x}", letter) : std::string(1, letter);
  return uri + (access == Access::Frozen ? "?immutable=1" : "");
}

} // namespace

Health healthOf(int code) {
  if (code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_READ || code == SQLITE_IOERR_CORRUPTFS)
    return Health::Damaged;
  if (code == SQLITE_READONLY)
    return Health::Damaged; // the file says that it shall not be written to
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_ROW:
  case SQLITE_DONE:
    return Health::Good;
  case SQLITE_BUSY:
  case SQLITE_PROTOCOL:
    return Health::Busy;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_TOOBIG:
  case SQLITE_ERROR: // a table that is not there any more
    return Health::Damaged;
  default:
    return Health::Failed;
  }
}

Connection::Connection(const std::string &path, Access access, Patience patience) : m_patience(patience) {
  if (!fileSystemName())
    return;
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW |
                    SQLITE_OPEN_EXRESCODE | (access == Access::Write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  m_openCode = sqlite3_open_v2(uriOf(path, access).c_str(), &m_sqlite, flags, fileSystemName());
  if (m_openCode == SQLITE_OK && access == Access::Write && sqlite3_db_readonly(m_sqlite, "main") != 0)
    m_openCode = SQLITE_PERM; // SQLite makes do with reading
  if (m_openCode != SQLITE_OK)
    return;
  auto onBusy = [](void *self, int count) {
    Connection &connection = *static_cast<Connection *>(self);
    const auto now = std::chrono::steady_clock::now();
    if (count == 0)
      connection.m_end = now + connection.m_patience;
    if (now >= connection.m_end)
      return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 1;
  };
  sqlite3_busy_handler(m_sqlite, onBusy, this);
  for (int setting : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE})
    sqlite3_db_config(m_sqlite, setting, 1, nullptr);
  for (int setting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(m_sqlite, setting, 0, nullptr);
  sqlite3_limit(m_sqlite, SQLITE_LIMIT_LENGTH, MaxValueBytes);
  m_openCode = sqlite3_exec(m_sqlite, Settings, nullptr, nullptr, nullptr);
}

Connection::~Connection() {
  for (const auto &[sql, statement] : m_statements)
    sqlite3_finalize(statement);
  sqlite3_close(m_sqlite);
}

Connection::Rows Connection::prepare(const char *sql) {
  for (const auto &[known, statement] : m_statements)
    if (known == sql)
      return Rows(statement, SQLITE_OK);
  m_statements.reserve(m_statements.size() + 1);
  sqlite3_stmt *statement = nullptr;
  const int code = sqlite3_prepare_v3(m_sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (statement)
    m_statements.emplace_back(sql, statement);
  return Rows(statement, code);
}

int Connection::Rows::next() {
  return m_statement ? sqlite3_step(m_statement) : m_prepareCode;
}

void Connection::Rows::bind(int index, Bytes value) {
  sqlite3_bind_blob64(m_statement, index, value.data(), value.size(), SQLITE_STATIC);
}

void Connection::Rows::bind(int index, std::string_view text) {
  sqlite3_bind_text64(m_statement, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

Bytes Connection::Rows::bytes(int column) const {
  const void *data = sqlite3_column_blob(m_statement, column);
  return {static_cast<const uint8_t *>(data), data ? size_t(sqlite3_column_bytes(m_statement, column)) : 0};
}

std::string Connection::Rows::text(int column) const {
  const Bytes text = bytes(column);
  return std::string(text.begin(), text.end());
}

} // namespace dovetail::store
