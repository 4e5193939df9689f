// SPDX-License-Identifier: MIT
//
// SQLite as the part store uses it: connections that trust their file as little as SQLite can, map nothing of it, and
// wait for nobody longer than they were told. Each is used by one thread at a time. SQLite's errors stay numbers here;
// what follows from one depends on its health only.
#pragma once

#include "parts/store/entry.h"
#include <chrono>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <utility>

namespace dovetail::store {

enum class Health : uint8_t {
  Good,
  Busy,    // somebody else is at it; it may work later
  Missing, // there is no database
  Damaged,
  Failed, // the disk is full, memory has run out, a file cannot be opened, …
};
Health healthOf(int code);

enum class Access : uint8_t {
  Read,
  Write,
  Frozen, // nobody writes there: no lock is taken, and nothing is written
};

class Connection {
public:
  using Patience = std::chrono::milliseconds;

  // Opens the file, which must be there, and reads nothing of it yet. openCode() says how that went.
  Connection(const std::string &path, Access access, Patience patience);
  ~Connection();
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  int openCode() const { return m_openCode; }
  std::string message() const { return m_sqlite ? sqlite3_errmsg(m_sqlite) : "SQLite cannot be used"; }
  sqlite3 *get() { return m_sqlite; }
  // How long it waits for locks of other connections.
  void setPatience(Patience patience) { m_patience = patience; }

  // What a statement gives. Until the end of the scope, it reads the state that it began with.
  class Rows {
  public:
    Rows(Rows &&other) noexcept
        : m_statement(std::exchange(other.m_statement, nullptr)), m_prepareCode(other.m_prepareCode) {}
    ~Rows() { sqlite3_reset(m_statement); }

    int next(); // SQLITE_ROW, SQLITE_DONE or an error
    // Of the row, counted from 0; anything is converted. Valid until the next one.
    int64_t integer(int column) const { return sqlite3_column_int64(m_statement, column); }
    Bytes bytes(int column) const;
    std::string text(int column) const;

  private:
    friend class Connection;
    Rows(sqlite3_stmt *statement, int prepareCode) : m_statement(statement), m_prepareCode(prepareCode) {}
    void bind(int index, int64_t value) { sqlite3_bind_int64(m_statement, index, value); }
    void bind(int index, Bytes value);
    void bind(int index, std::string_view text);

    sqlite3_stmt *m_statement;
    int m_prepareCode;
  };

  // Each text is prepared once; it is told by its address. The values must live as long as the rows.
  template <typename... Values> Rows read(const char *sql, const Values &...values) {
    Rows rows = prepare(sql);
    int index = 0;
    (rows.bind(++index, values), ...);
    return rows;
  }
  // Does what the statement says. SQLITE_OK or an error.
  template <typename... Values> int run(const char *sql, const Values &...values) {
    const int code = read(sql, values...).next();
    return healthOf(code) == Health::Good ? SQLITE_OK : code;
  }
  // How many rows the last statement changed.
  int64_t changes() const { return sqlite3_changes64(m_sqlite); }

private:
  Rows prepare(const char *sql);

  sqlite3 *m_sqlite = nullptr;
  int m_openCode = SQLITE_MISUSE;
  Patience m_patience;
  std::chrono::steady_clock::time_point m_end;
  std::vector<std::pair<const char *, sqlite3_stmt *>> m_statements;
};

} // namespace dovetail::store
