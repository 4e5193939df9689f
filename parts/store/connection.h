// SPDX-License-Identifier: MIT
//
// SQLite as the part store uses it. Connections trust their file as little as SQLite can, map nothing of it, and wait
// for others no longer than they are told. One thread at a time uses a connection. SQLite's errors stay numbers here;
// only three cases matter: somebody else is using the database, the database is damaged, or neither.
#pragma once

#include "parts/store/entry.h"
#include <chrono>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <utility>

namespace dovetail::store {

bool isBusy(int code);
bool isDamage(int code);

enum class Access : uint8_t {
  Read,
  Write,
  Frozen, // nobody can write there, so no lock is taken
};

class Connection {
public:
  // Opens the file, or makes one to write to, but does not read it yet. code() is the result.
  Connection(const std::string &path, Access access);
  ~Connection();
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  int code() const { return m_sqlite ? sqlite3_extended_errcode(m_sqlite) : SQLITE_MISUSE; } // of the last call
  std::string message() const { return m_sqlite ? sqlite3_errmsg(m_sqlite) : "SQLite cannot be used"; }
  // How long the connection waits for locks of other connections.
  void setPatience(std::chrono::milliseconds patience) { sqlite3_busy_timeout(m_sqlite, int(patience.count())); }
  sqlite3 *get() { return m_sqlite; }

  // The rows that a statement returns. Until the end of the scope, they show the state that the read began with.
  class Rows {
  public:
    ~Rows() { sqlite3_reset(m_statement); }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;

    int next() { return m_statement ? sqlite3_step(m_statement) : m_code; } // SQLITE_ROW, SQLITE_DONE or an error
    // Columns of the current row, counted from 0; SQLite converts any type. Valid until the next row.
    int64_t integer(int column) const { return sqlite3_column_int64(m_statement, column); }
    Bytes bytes(int column) const;
    std::string text(int column) const { return {bytes(column).begin(), bytes(column).end()}; }

  private:
    friend class Connection;
    template <typename... Values>
    Rows(sqlite3_stmt *statement, int code, const Values &...values) : m_statement(statement), m_code(code) {
      int index = 0;
      (bind(++index, values), ...);
    }
    void bind(int index, int64_t value) { sqlite3_bind_int64(m_statement, index, value); }
    void bind(int index, Bytes value) {
      sqlite3_bind_blob64(m_statement, index, value.data(), value.size(), SQLITE_STATIC);
    }
    void bind(int index, std::string_view text) {
      sqlite3_bind_text64(m_statement, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }

    sqlite3_stmt *m_statement;
    int m_code; // the error, if there is no statement
  };

  // Prepares each text once, and finds it again by its address. The values must live as long as the rows.
  template <typename... Values> Rows read(const char *sql, const Values &...values) {
    sqlite3_stmt *statement = prepare(sql);
    return {statement, code(), values...};
  }
  // Runs the statement. Returns SQLITE_OK or an error.
  template <typename... Values> int run(const char *sql, const Values &...values) {
    const int code = read(sql, values...).next();
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
  }
  // The same for several statements.
  int runAll(const std::string &sql) { return sqlite3_exec(m_sqlite, sql.c_str(), nullptr, nullptr, nullptr); }
  // The only number that a statement returns, or 0. Defects of the database show when it is written to.
  uint64_t number(const char *sql) {
    Rows rows = read(sql);
    return rows.next() == SQLITE_ROW ? uint64_t(rows.integer(0)) : 0;
  }
  // How many rows the last statement changed.
  int64_t changes() const { return sqlite3_changes64(m_sqlite); }

private:
  sqlite3_stmt *prepare(const char *sql);

  sqlite3 *m_sqlite = nullptr;
  std::vector<std::pair<const char *, sqlite3_stmt *>> m_statements;
};

} // namespace dovetail::store
