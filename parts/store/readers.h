// SPDX-License-Identifier: MIT
//
// Connections for look-ups, a few for all threads. A thread takes one that is free, without a mutex, and has it for
// some microseconds; it also notes there what it found, which the thread that writes collects now and then.
#pragma once

#include "parts/store/database.h"
#include <array>
#include <map>
#include <optional>

namespace dovetail::store {

class Readers {
public:
  // `first`: a connection that is open already.
  Readers(Database &database, OpenDatabase first);

  struct Reader {
    Connection &connection() { return *open->connection; }
    void noteHit(const PartKey &key);

    std::atomic<bool> isTaken = false;
    std::optional<OpenDatabase> open;
    std::vector<std::pair<PartKey, int64_t>> hits;
  };
  struct GiveBack {
    void operator()(Reader *reader) const { reader->isTaken.store(false, std::memory_order_release); }
  };
  using Lease = std::unique_ptr<Reader, GiveBack>;

  // A connection to the database that is there. nullptr: it cannot be read; `damaged` is set if it is that.
  Lease take(std::optional<FileId> &damaged);

  // Adds the hits that were noted since the last time.
  void collectUses(std::map<PartKey, Use> &uses);

private:
  size_t ownIndex() const;

  Database &m_database;
  std::array<Reader, 8> m_readers;
};

} // namespace dovetail::store
