// SPDX-License-Identifier: MIT
//
// The part store on its database. Look-ups run on the threads that want them (part_store.cpp); one thread writes
// (writer.cpp), or with StoreWriter::Caller whoever calls write() or flush(). Writes of all threads are queued,
// gathered for a moment, and committed together. The writing thread keeps the database below its limit by evicting the
// entries that were not used for longest, and begins a new database when this one is damaged. If anything else goes
// wrong, writing stops, with one warning, and reading goes on.
#pragma once

#include "parts/store/database.h"
#include "parts/store/entry_store.h"
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

// The uses of a part that are not written down yet.
struct Use {
  uint64_t hits = 0;
  int64_t lastUsed = 0; // microseconds since 1970; 0: it was not looked up
  VariantCount variants;
};

// Who writes to the database.
enum class StoreWriter : uint8_t { Thread, Caller };

class SqliteStore final : public EntryStore {
public:
  SqliteStore(PartStoreOptions options, StoreWriter writer);
  ~SqliteStore() override;
  Result<void> begin();

  // A forked process has its parent's connections, too. SQLite believes that it holds their locks there, and would not
  // take them again for new connections. Also, other threads may have been inside SQLite or this class during the fork.
  bool isForked() const { return getpid() != m_process; }
  static bool mayOpen();
  // Errors: those of PartStore::open().
  static Result<std::shared_ptr<SqliteStore>> open(PartStoreOptions options, StoreWriter writer);

  PartRef find(const PartKey &key) override;
  void put(const PartRef &part, std::string_view gpuName) override;
  void putEntry(const PartKey &key, std::vector<uint8_t> entry, std::string_view gpuName) override;
  bool write() override;
  bool hasValidModule(const spirv::ModuleDigest &digest) override;
  void putValidModule(const spirv::ModuleDigest &digest) override;
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) override;
  void flush() override;
  Result<Verification> verify() override;
  Result<uint64_t> prune(uint64_t maxBytes) override;
  Result<std::vector<PartStoreEntry>> entries() override;
  Result<std::vector<spirv::ModuleDigest>> validRows() override;
  PartStoreStatistics statistics() override;
  const PartStoreOptions &options() const override { return m_options; }

private:
  struct NewPart {
    PartKey key;
    PartRef part; // nullptr: it is encoded
    std::vector<uint8_t> entry;
    std::string gpuName;
  };
  // Work that is done together, in this order.
  struct Batch {
    std::deque<NewPart> parts;
    std::vector<spirv::ModuleDigest> validModules; // as rows
    std::map<int64_t, Use> uses;
    std::vector<std::packaged_task<void()>> tasks;
  };
  using Change = std::function<int(Connection &connection)>;

  PartRef read(const PartKey &key);
  Result<Database::Lease> lease();
  tl::unexpected<Error> judge(int code, const OpenDatabase &open);

  bool mayWrite() const { return m_isWritable && !isForked(); }
  void queue(NewPart part);
  void noteUse(std::span<const PartKey> parts, const Hash128 *variant);
  void removeDamaged(const PartKey &key);
  void beginAnew(const FileStatus &damaged, std::string reason);
  std::future<void> enqueue(std::function<void()> work);
  void run(std::function<void()> work);

  Result<void> startWriting();
  void loop(); // the thread's function

  // Only the thread calls the functions below, or everyone with StoreWriter::Caller.
  void writeBatch(Batch batch);
  void writeQueued();
  void endWriting();
  void writeSome(std::deque<NewPart> &parts);
  void writeValid(const std::vector<spirv::ModuleDigest> &rows);
  int makeRoom(Connection &connection, uint64_t pages, uint64_t &evicted) const;
  bool transact(const Change &change);
  int shortenLog(Connection &connection) const;
  void sync();
  void putAside(const FileStatus &damaged, std::string_view reason);
  void turnOff(std::string_view reason);

  static inline std::atomic<unsigned> s_openStores = 0;
  static inline std::atomic<pid_t> s_process = 0; // the process that opened them

  const PartStoreOptions m_options;
  const StoreWriter m_writer;
  const uint64_t m_maxLogBytes;
  const pid_t m_process = getpid();
  std::optional<Database> m_database;
  std::atomic<bool> m_isWritable = false;

  std::mutex m_mutex; // guards the members below; held for moments
  PartStoreStatistics m_statistics;
  std::condition_variable m_wake;
  Batch m_next;
  uint64_t m_toldDropped = 0; // of m_statistics.dropped, by write()
  bool m_isStopping = false;
  bool m_hasEnded = true; // whether nothing is written any more
  std::thread m_thread;
};

} // namespace dovetail::store
