// SPDX-License-Identifier: MIT
#include "parts/store/connection.h"
#include <fmt/format.h>

namespace dovetail::store {

namespace {

// The page cache holds all pages that lead to the parts of a large store.
constexpr const char *Settings = "PRAGMA mmap_size=0;PRAGMA cell_size_check=ON;PRAGMA synchronous=NORMAL;"
                                 "PRAGMA secure_delete=OFF;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-512";
constexpr int MaxValueBytes = 1 << 28;

std::string uriOf(const std::string &path, Access access) {
  std::string uri = "file:";
  for (char letter : path)
    uri += letter == '%' || letter == '?' || letter == '#' ? fmt::format("%{:02x}", letter) : std::string(1, letter);
  return uri + (access == Access::Frozen ? "?immutable=1" : "");
}

} // namespace

bool isBusy(int code) {
  return (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_PROTOCOL;
}

bool isDamage(int code) {
  const int family = code & 0xff;
  return family == SQLITE_CORRUPT || family == SQLITE_NOTADB || family == SQLITE_TOOBIG ||
         family == SQLITE_ERROR ||  // a table or a column is missing
         code == SQLITE_READONLY || // the file says that it must not be written to
         code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_READ || code == SQLITE_IOERR_CORRUPTFS;
}

Connection::Connection(const std::string &path, Access access) {
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW |
                    SQLITE_OPEN_EXRESCODE |
                    (access == Access::Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
  if (!sqlite3_threadsafe() || sqlite3_open_v2(uriOf(path, access).c_str(), &m_sqlite, flags, nullptr) != SQLITE_OK)
    return;
  for (int setting : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE})
    sqlite3_db_config(m_sqlite, setting, 1, nullptr);
  for (int setting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(m_sqlite, setting, 0, nullptr);
  sqlite3_limit(m_sqlite, SQLITE_LIMIT_LENGTH, MaxValueBytes);
  runAll(Settings);
}

Connection::~Connection() {
  for (const auto &[sql, statement] : m_statements)
    sqlite3_finalize(statement);
  sqlite3_close(m_sqlite);
}

sqlite3_stmt *Connection::prepare(const char *sql) {
  for (const auto &[known, statement] : m_statements)
    if (known == sql)
      return statement;
  m_statements.reserve(m_statements.size() + 1);
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v3(m_sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) == SQLITE_OK)
    m_statements.emplace_back(sql, statement);
  return statement;
}

Bytes Connection::Rows::bytes(int column) const {
  const void *data = sqlite3_column_blob(m_statement, column);
  return {static_cast<const uint8_t *>(data), data ? size_t(sqlite3_column_bytes(m_statement, column)) : 0};
}

} // namespace dovetail::store
