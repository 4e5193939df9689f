// SPDX-License-Identifier: MIT
//
// The one thread of a part store that writes: what others want written is queued, gathered for a moment, and committed
// together, because a commit waits for the disk. Before its first commit it checks the structure of the whole database,
// and before each one that there is room. Whatever goes wrong here, writing stops, with one warning, and reading goes
// on. If a damaged database was put aside, by whomever, what is whole in it is written again between other things.
#pragma once

#include "parts/store/aside.h"
#include "parts/store/environment.h"
#include "parts/store/eviction.h"
#include "parts/store/salvage.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <thread>

namespace dovetail::store {

class Writer {
public:
  struct Counters {
    std::atomic<uint64_t> written = 0, damaged = 0, evicted = 0, dropped = 0, salvaged = 0, lost = 0;
  };

  Writer(Environment &environment, uint64_t maxBytes, Counters &counters,
         std::function<void(std::string_view)> onWarning);
  // Writes what waits to be written.
  ~Writer();

  // None of these waits for the disk.
  void put(const PartRef &part, std::string_view gpuName);
  void noteHit(const PartKey &key);
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts);
  void removeDamaged(const PartKey &key);
  void reportBroken(); // a page of the database is damaged

  // Waits until what was wanted before is done. In a warning's callback, which the thread may be inside of, it returns
  // at once.
  void flush();
  // Has the thread do this between two commits, and waits for it. false: writing is off.
  bool run(const std::function<void()> &task);

  // For tasks, on the writer's thread. Evicts until the entries take no more than this. Returns how many went.
  Result<uint64_t> prune(uint64_t maxBytes);

  // Says what there is to say, where no lock is held. For whoever opened the store, if there is no thread to do so.
  void warn();
  bool hasThread() const { return m_thread.joinable(); }

  bool isWritable() const { return m_isWritable; }
  bool isReadable() const { return m_isReadable; }

private:
  struct Use {
    uint64_t hits = 0;
    int64_t lastUsed = 0; // 0: it was not looked up
    DistinctCount variants;
  };
  struct NewPart {
    PartRef part;
    std::array<char, GpuNameBytes> gpuName;
  };
  // What is done in one go.
  struct Batch {
    std::deque<NewPart> parts;
    std::set<PartKey> damaged;
    std::map<PartKey, Use> uses;
    std::vector<const std::function<void()> *> tasks;
    bool isBroken = false;
    bool wantsSync = false;
    bool isUsesTime = false; // uses are written, and the folder is looked into for what waits to be salvaged

    bool isEmpty() const { return parts.empty() && damaged.empty() && tasks.empty() && !isBroken && !wantsSync; }
  };

  bool isOwnThread() const { return m_thread.get_id() == std::this_thread::get_id(); }
  Use *useOf(const PartKey &key);
  void threadMain();
  void loop();
  void process(Batch &batch, bool isLast);
  bool begin();
  void end();
  bool checkStructureOnce();
  void settle(const Result<void> &opened);
  void beginSalvage();
  void salvageSome();
  enum class SalvageEnd : uint8_t { Complete, NoRoom, Interrupted };
  void endSalvage(SalvageEnd end);
  bool isThere(const PartKey &key);
  void removeEntries(const std::set<PartKey> &keys);
  void writeUses(const std::map<PartKey, Use> &uses);
  void writeParts(std::deque<NewPart> &parts);
  uint64_t writeSome(std::deque<NewPart> &parts);
  bool commit(std::vector<Change> &changes, uint64_t bytes);
  void turnOff(std::string_view reason);

  Environment &m_environment;
  Counters &m_counters;
  std::function<void(std::string_view)> m_onWarning;
  uint64_t m_maxBytes;
  Eviction m_eviction;

  // The writer's thread only.
  bool m_isStructureChecked = false;
  bool m_hasAsserted = false;
  unsigned m_fullBatches = 0;
  std::vector<std::string> m_warnings; // that are still to be said
  struct Salvaging {
    AsideFile aside;
    Salvage salvage;
    uint64_t written = 0, unwritten = 0; // entries
  };
  std::optional<Salvaging> m_salvaging;
  bool m_maySalvage = true;

  std::atomic<bool> m_isWritable = true;
  std::atomic<bool> m_isReadable = true;

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
