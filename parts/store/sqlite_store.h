// SPDX-License-Identifier: MIT
//
// The part store on its database: look-ups on the threads that want them (part_store.cpp), and one thread that writes
// (writer.cpp). What others want written is queued, gathered for a moment, and committed together. The thread keeps the
// database below its limit by evicting what was not used for longest, and has a new one begun when this one is damaged.
// Whatever else goes wrong, writing stops, with one warning, and reading goes on.
#pragma once

#include "parts/store/database.h"
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

// What was done with a part in the last while.
struct Use {
  uint64_t hits = 0;
  int64_t lastUsed = 0; // microseconds since 1970; 0: it was not looked up
  VariantCount variants;
};

class SqliteStore final : public PartStore {
public:
  explicit SqliteStore(PartStoreOptions options);
  ~SqliteStore() override;
  Result<void> begin();

  // A process that was forked off has its parent's connections, too. SQLite believes to hold their locks there, and
  // would not take them again for new ones; and other threads may have been inside of it, or of this.
  bool isForked() const { return getpid() != m_process; }
  static bool mayOpen();

  PartRef find(const PartKey &key) override;
  void put(const PartRef &part, std::string_view gpuName) override;
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) override;
  void flush() override;
  Result<Verification> verify() override;
  Result<uint64_t> prune(uint64_t maxBytes) override;
  Result<std::vector<PartStoreEntry>> entries() override;
  PartStoreStatistics statistics() override;
  const PartStoreOptions &options() const override { return m_options; }

private:
  struct NewPart {
    PartRef part;
    std::string gpuName;
  };
  // What is done in one go, in this order.
  struct Batch {
    std::deque<NewPart> parts;
    std::map<int64_t, Use> uses;
    std::vector<std::packaged_task<void()>> tasks;
  };
  using Change = std::function<int(Connection &connection)>;

  PartRef read(const PartKey &key);
  Result<Database::Lease> lease();
  tl::unexpected<Error> judge(int code, const OpenDatabase &open);

  bool mayWrite() const { return m_isWritable && !isForked(); }
  void noteUse(std::span<const PartKey> parts, const Hash128 *variant);
  void removeDamaged(const PartKey &key);
  void beginAnew(const FileStatus &damaged, std::string reason);
  std::future<void> enqueue(std::function<void()> work);
  void run(std::function<void()> work);

  Result<void> startWriting();
  void loop(); // the thread; it alone does what follows

  void writeSome(std::deque<NewPart> &parts);
  int makeRoom(Connection &connection, uint64_t pages, uint64_t &evicted) const;
  bool transact(const Change &change);
  int shortenLog(Connection &connection) const;
  void sync();
  void putAside(const FileStatus &damaged, std::string_view reason);
  void turnOff(std::string_view reason);

  static inline std::atomic<unsigned> s_openStores = 0;
  static inline std::atomic<pid_t> s_process = 0; // that opened them

  const PartStoreOptions m_options;
  const uint64_t m_maxLogBytes;
  const pid_t m_process = getpid();
  std::optional<Database> m_database;
  std::atomic<bool> m_isWritable = false;

  std::mutex m_mutex; // of what follows; held for moments
  PartStoreStatistics m_statistics;
  std::condition_variable m_wake;
  Batch m_next;
  bool m_isStopping = false;
  bool m_hasEnded = true; // the thread
  std::thread m_thread;
};

} // namespace dovetail::store
