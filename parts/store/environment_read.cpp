// SPDX-License-Identifier: MIT
//
// A read transaction of LMDB's keeps the pages of its state from being used again; what is in them is read past LMDB.
#include "parts/store/environment.h"
#include <new>
#include <sys/stat.h>
#include <thread>

namespace dovetail::store {

namespace {

// A meta page that is being written looks damaged for less time than this takes.
constexpr unsigned MetaAttempts = 50;

} // namespace

Environment::Reading::~Reading() {
  if (m_transaction)
    m_environment.giveBack(m_transaction);
}

// Takes an idle transaction and renews it, or begins one.
int Environment::begin(MDB_txn *&transaction) {
  transaction = nullptr;
  {
    std::lock_guard<std::mutex> lock(m_idleMutex);
    if (!m_idle.empty()) {
      transaction = m_idle.back();
      m_idle.pop_back();
    }
  }
  if (transaction) {
    int code = mdb_txn_renew(transaction);
    if (code == 0 || code == MDB_MAP_RESIZED || code == MDB_PANIC) {
      if (code != 0)
        mdb_txn_abort(transaction);
      return code;
    }
    mdb_txn_abort(transaction);
  }
  int code = mdb_txn_begin(m_lmdb, nullptr, MDB_RDONLY, &transaction);
  if (code == MDB_READERS_FULL) {
    int dead = 0;
    mdb_reader_check(m_lmdb, &dead);
    code = mdb_txn_begin(m_lmdb, nullptr, MDB_RDONLY, &transaction);
  }
  return code;
}

void Environment::giveBack(MDB_txn *transaction) {
  mdb_txn_reset(transaction);
  try {
    std::lock_guard<std::mutex> lock(m_idleMutex);
    m_idle.push_back(transaction);
  } catch (const std::bad_alloc &) {
    mdb_txn_abort(transaction);
  }
}

// What may be read of the file: it grows, and its length is asked for only if it must have.
FileView Environment::view(const Snapshot *snapshot) {
  if (snapshot && (snapshot->lastPage + 1) * snapshot->pageSize > m_fileBytes) {
    struct stat status;
    if (fstat(m_file, &status) == 0)
      m_fileBytes = uint64_t(status.st_size);
  }
  return {m_map, std::min<uint64_t>(m_fileBytes, m_mapBytes)};
}

std::optional<Environment::Reading> Environment::read(ReadFailure &failure) {
  failure = ReadFailure::Closed;
  for (unsigned attempt = 0; attempt < 3; ++attempt) {
    Reading reading(*this, std::shared_lock<std::shared_mutex>(m_mutex));
    if (!m_lmdb) {
      failure = m_isDamaged ? ReadFailure::Broken : ReadFailure::Closed;
      return std::nullopt;
    }
    int code = begin(reading.m_transaction);
    if (code == MDB_MAP_RESIZED || code == MDB_PANIC) {
      // Another process has a larger map, or LMDB could not take back a commit that failed.
      reading.m_transaction = nullptr;
      reading.m_lock.unlock();
      std::unique_lock<std::shared_mutex> lock(m_mutex);
      if (m_lmdb && !reopen(failure))
        return std::nullopt;
      continue;
    }
    if (code != 0) {
      reading.m_transaction = nullptr;
      failure = code == MDB_READERS_FULL ? ReadFailure::Busy : ReadFailure::Closed;
      return std::nullopt;
    }

    // The meta page may be that of a newer state already, if two were committed since the transaction began.
    uint64_t id = mdb_txn_id(reading.m_transaction);
    for (unsigned look = 0; look < MetaAttempts; ++look) {
      std::optional<Snapshot> snapshot = readMeta(view(nullptr), id & 1);
      if (snapshot && snapshot->transaction == id && snapshot->lastPage < m_mapBytes / snapshot->pageSize) {
        reading.m_snapshot = *snapshot;
        reading.m_file = view(&*snapshot);
        failure = ReadFailure::None;
        return reading;
      }
      std::this_thread::yield();
      mdb_txn_reset(reading.m_transaction);
      if (mdb_txn_renew(reading.m_transaction) != 0)
        return std::nullopt;
      id = mdb_txn_id(reading.m_transaction);
    }
    failure = ReadFailure::Broken;
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace dovetail::store
