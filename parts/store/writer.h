// SPDX-License-Identifier: MIT
//
// The one thread of a part store that writes: what others want written is queued, gathered for a moment, and committed
// together. It keeps the database below its limit by evicting what was not used for longest, copies what was committed
// into the database before too much of it waits in the write-ahead log, and begins a new database when this one is
// damaged. Whatever else goes wrong, writing stops, with one warning, and reading goes on.
#pragma once

#include "parts/store/readers.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <thread>

namespace dovetail::store {

class Writer {
public:
  struct Counters {
    std::atomic<uint64_t> written = 0, damaged = 0, evicted = 0, dropped = 0;
  };

  Writer(Database &database, Readers &readers, const PartStoreOptions &options, Counters &counters);
  // Writes what waits to be written.
  ~Writer();

  // None of these waits for the disk.
  void put(const PartRef &part, std::string_view gpuName);
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts);
  void removeDamaged(const PartKey &key);
  void beginAnew(const FileId &damaged); // nothing: whatever is there

  // Waits until what was wanted before is done. In a warning's callback, which the thread may be inside of, it returns
  // at once.
  void flush();
  // Evicts until the entries take no more than this. Returns how many went. Errors: Io.
  Result<uint64_t> prune(uint64_t maxBytes);

  bool isWritable() const { return m_isWritable; }
  // Says what there is to say, where no lock is held. For whoever opened the store, as there may be no thread.
  void warn();

private:
  struct NewPart {
    PartRef part;
    std::string gpuName;
  };
  // What is done in one go.
  struct Batch {
    std::deque<NewPart> parts;
    std::set<PartKey> damaged;
    std::map<PartKey, Use> uses;
    std::optional<FileId> damagedDatabase;
    std::vector<const std::function<void()> *> tasks; // are done last

    bool isEmpty() const { return parts.empty() && damaged.empty() && !damagedDatabase && tasks.empty(); }
  };
  using Change = std::function<int(Connection &connection)>;

  bool run(const std::function<void()> &task);
  void threadMain();
  void loop();
  void process(Batch &batch);
  bool connect(const FileId &damaged = {});
  bool prepare();
  bool transact(const Change &change);
  template <typename List, typename Do> bool transactInPieces(const List &list, const Do &change);
  void checkpoint(int mode);
  bool hasLogRoom();
  bool hasRoom(uint64_t pages);
  void writeSome(std::deque<NewPart> &parts);
  uint64_t evict(uint64_t bytes);
  void sync();
  void turnOff(std::string_view reason);

  Database &m_database;
  Readers &m_readers;
  Counters &m_counters;
  const std::function<void(std::string_view)> m_onWarning;
  const uint64_t m_maxBytes, m_maxLogBytes;
  std::atomic<bool> m_isWritable = true;

  // The writer's thread only.
  std::optional<OpenDatabase> m_open;
  int m_logPages = 0;                  // that the last commit saw
  unsigned m_timesDamaged = 0;         // in this batch
  std::vector<std::string> m_warnings; // that are still to be said

  std::mutex m_mutex;
  std::condition_variable m_wake, m_done;
  Batch m_next;
  std::set<PartKey> m_damaged;            // that were counted and have not been removed yet
  uint64_t m_started = 0, m_finished = 0; // batches
  bool m_isStopping = false;
  bool m_hasEnded = false; // the thread
  std::thread m_thread;
};

} // namespace dovetail::store
