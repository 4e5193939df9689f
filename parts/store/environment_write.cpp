// SPDX-License-Identifier: MIT
//
// Committing changes. LMDB asserts what it believes of its pages and aborts the process otherwise, even where its
// assertion callback returns; so the callback leaves LMDB by longjmp, and LMDB is not used for writing after that.
#include "parts/store/environment.h"
#include <algorithm>
#include <cerrno>
#include <csetjmp>

namespace dovetail::store {

namespace {

constexpr std::chrono::milliseconds Patience(2000);

thread_local std::jmp_buf *landing = nullptr;

// Between setjmp and longjmp there must be no object with a destructor, so this is C.
int commitChanges(MDB_env *lmdb, Change *changes, size_t count) {
  MDB_txn *transaction;
  int code = mdb_txn_begin(lmdb, nullptr, 0, &transaction);
  if (code != 0)
    return code;
  MDB_dbi data;
  code = mdb_dbi_open(transaction, nullptr, 0, &data);
  for (size_t i = 0; i < count && code == 0; ++i) {
    Change &change = changes[i];
    MDB_val key = {change.key.size(), change.key.data()};
    MDB_val value = {change.value.size(), const_cast<uint8_t *>(change.value.data())};
    switch (change.kind) {
    case Change::Kind::Put:
      code = mdb_put(transaction, data, &key, &value, 0);
      break;
    case Change::Kind::PutIfAbsent:
      code = mdb_put(transaction, data, &key, &value, MDB_NOOVERWRITE);
      break;
    case Change::Kind::Remove:
      code = mdb_del(transaction, data, &key, nullptr);
      break;
    }
    change.done = code == 0;
    if (code == MDB_KEYEXIST || code == MDB_NOTFOUND)
      code = 0;
  }
  if (code == 0)
    return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return code;
}

constexpr int AssertedCode = -1;

int commitGuarded(MDB_env *lmdb, Change *changes, size_t count) {
  std::jmp_buf here;
  if (setjmp(here) != 0) {
    landing = nullptr;
    return AssertedCode;
  }
  landing = &here;
  int code = commitChanges(lmdb, changes, count);
  landing = nullptr;
  return code;
}

} // namespace

void onLmdbAssertion(MDB_env *, const char *) {
  if (landing)
    std::longjmp(*landing, 1);
}

bool Environment::lockForWriting() {
  return m_lock.lockForWriting(Patience, [this] {
    ReadFailure failure;
    std::optional<Reading> reading = read(failure);
    return reading ? reading->snapshot().transaction : 0;
  });
}

Commit Environment::commit(std::span<Change> changes, int &code) {
  std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.key < b.key; });
  std::shared_lock<std::shared_mutex> lock(m_mutex);
  code = EBADF;
  if (!m_lmdb || m_isAbandoned)
    return Commit::Failed;
  code = commitGuarded(m_lmdb, changes.data(), changes.size());
  switch (code) {
  case 0:
    return Commit::Done;
  case MDB_MAP_FULL:
    return Commit::Full;
  case AssertedCode:
    m_isAbandoned = true;
    return Commit::Asserted;
  default:
    return Commit::Failed;
  }
}

int Environment::sync() {
  std::shared_lock<std::shared_mutex> lock(m_mutex);
  return m_lmdb && !m_isAbandoned ? mdb_env_sync(m_lmdb, 1) : EBADF;
}

} // namespace dovetail::store
