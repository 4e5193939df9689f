// SPDX-License-Identifier: MIT
//
// The files of a part store, open: LMDB's environment, a mapping of our own to read through (lmdb_pages.h), and the
// locks. Says what state the database is in and commits changes to it; knows nothing of parts.
//
// Files in the folder: data.mdb and lock.mdb are LMDB's, store.lock is ours (folder_lock.h). A data.mdb that was found
// damaged is put aside, to be salvaged (aside.h). Other processes may have it open meanwhile: they go on reading it,
// and find that it is not the store's any more before they would write.
#pragma once

#include "parts/store/entry.h"
#include "parts/store/folder_lock.h"
#include "parts/store/lmdb_pages.h"
#include "src/base/error.h"
#include <atomic>
#include <lmdb.h>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

namespace dovetail::store {

// One record to be changed.
struct Change {
  enum class Kind : uint8_t { Put, PutIfAbsent, Remove } kind;
  KeyRecord key;
  Bytes value;
  bool done = false; // out: false if there was nothing to do
};

// How a commit ended.
enum class Commit : uint8_t {
  Done,
  Full,     // the map is
  Failed,   // errno or LMDB's code says how
  Asserted, // LMDB found itself in a state that should not be. It must not be used for writing again.
};

class Environment {
public:
  struct Options {
    std::string folder;
    uint64_t maxBytes;
    bool readOnly;
  };

  // Makes the files unless readOnly. A damaged database is put aside.
  // Errors: Io, naming the path and the reason.
  static Result<std::unique_ptr<Environment>> open(Options options);
  ~Environment();

  // Nobody can write there: no lock is taken and nothing is written.
  bool isFrozen() const { return m_isFrozen; }
  bool isReadOnly() const { return m_isFrozen || m_options.readOnly; }
  // How many damaged databases were put aside here.
  uint64_t timesPutAside() const { return m_timesPutAside; }
  const std::string &folder() const { return m_options.folder; }
  const FolderLock &lock() const { return m_lock; }

  // A state of the database that stays as it is for as long as this lives. Values lie in the file.
  class Reading {
  public:
    Reading(Reading &&other) noexcept
        : m_environment(other.m_environment), m_lock(std::move(other.m_lock)),
          m_transaction(std::exchange(other.m_transaction, nullptr)), m_file(other.m_file),
          m_snapshot(other.m_snapshot) {}
    Reading &operator=(Reading &&) = delete;
    ~Reading();

    FileView file() const { return m_file; }
    const Snapshot &snapshot() const { return m_snapshot; }
    Lookup find(const KeyRecord &key, Bytes &value) const { return store::find(m_file, m_snapshot, key, value); }

  private:
    friend class Environment;
    Reading(Environment &environment, std::shared_lock<std::shared_mutex> lock)
        : m_environment(environment), m_lock(std::move(lock)) {}

    Environment &m_environment;
    std::shared_lock<std::shared_mutex> m_lock;
    MDB_txn *m_transaction = nullptr;
    FileView m_file;
    Snapshot m_snapshot;
  };

  enum class ReadFailure : uint8_t {
    None,
    Busy,   // no place for another reader, or somebody is opening the files
    Broken, // a meta page is damaged
    Closed, // LMDB does not work any more
  };
  // Thread-safe.
  std::optional<Reading> read(ReadFailure &failure);

  // Waits for other processes that write, with a time-out. false: writing is not possible. Between this and
  // unlockForWriting, the state that is read is the newest. Only one thread writes.
  bool lockForWriting();
  void unlockForWriting() { m_lock.unlockForWriting(); }

  // All changes or none; in the order of their keys they are made faster. `code` says why it failed.
  Commit commit(std::span<Change> changes, int &code);
  // Has the disk written what was committed. An errno, or 0.
  int sync();

  // These two are for the thread that writes, while it has the lock for writing.
  // Somebody else has put the files aside, or they are gone: opens those that are there now, or makes them.
  // Errors: Io; then nothing can be read or written any more.
  bool isReplaced();
  Result<void> follow();
  // The database is damaged: puts it aside and starts anew. Errors: Io, likewise.
  Result<void> replaceDamaged();

  // In a process that was forked off.
  void leaveToParent() { m_lock.leaveToParent(); }

  // That may be used. All ones: it cannot be told.
  uint64_t freeDiskBytes() const;

private:
  explicit Environment(Options options) : m_options(std::move(options)) {}

  std::string pathOf(const char *name) const { return m_options.folder + "/" + name; }
  Result<void> openFolder();
  // For all of these, m_mutex must be held exclusively, or nobody else know of this.
  enum class Condition : uint8_t { Whole, New, Damaged };
  Condition look(uint64_t &usedBytes) const;
  Result<void> openFiles();
  Result<void> makeFiles();
  Result<void> startAnew(Condition condition);
  Result<void> openLmdb(uint64_t usedBytes);
  Result<void> reopenAsWriter(bool isDamaged);
  bool reopen(ReadFailure &failure);
  void closeFiles();
  void unmap();

  FileView view(const Snapshot *snapshot);
  bool remap();
  int begin(MDB_txn *&transaction);
  void giveBack(MDB_txn *transaction);

  Options m_options;
  bool m_isFrozen = false;
  std::atomic<uint64_t> m_timesPutAside = 0;
  FolderLock m_lock;

  // Held shared by whoever reads or writes, exclusively to open and close.
  std::shared_mutex m_mutex;
  MDB_env *m_lmdb = nullptr;
  bool m_isAbandoned = false; // LMDB asserted: it must not even be closed
  bool m_isDamaged = false;   // and therefore not open
  int m_file = -1;
  const uint8_t *m_map = nullptr;
  std::atomic<uint64_t> m_mapBytes = 0;
  std::atomic<uint64_t> m_fileBytes = 0;

  std::mutex m_idleMutex;
  std::vector<MDB_txn *> m_idle; // read transactions that were reset
};

} // namespace dovetail::store
