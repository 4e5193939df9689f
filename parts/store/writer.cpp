// SPDX-License-Identifier: MIT
#include "parts/store/sqlite_store.h"
#include <algorithm>
#include <system_error>

namespace dovetail::store {

namespace {

// If more are waiting, new ones are dropped: parts will be made again some day, damage will be found again.
constexpr size_t MaxWaiting = 32768;
constexpr std::chrono::seconds UsesTime(60);
constexpr size_t MaxUses = 16384;
// The pause between two commits, in which other processes get their turn to write.
constexpr std::chrono::milliseconds Courtesy(2);
constexpr uint64_t MaxPruned = 1024; // in one commit
constexpr const char *ShortenLog = "PRAGMA wal_checkpoint(TRUNCATE)";

int64_t microsecondsSince1970() {
  return std::chrono::system_clock::now().time_since_epoch() / std::chrono::microseconds(1);
}

// Stops at the first one that fails.
template <typename List, typename Do> int forAll(const List &list, const Do &change) {
  for (const auto &one : list)
    if (const int code = change(one); code != SQLITE_OK)
      return code;
  return SQLITE_OK;
}

int remove(Connection &connection, int64_t row) {
  const int code = connection.run("DELETE FROM usage WHERE id=?", row);
  return code == SQLITE_OK ? connection.run("DELETE FROM part WHERE id=?", row) : code;
}

int insert(Connection &connection, const PartKey &key, Bytes value, std::string_view gpuName, uint64_t &inserted) {
  const int code = connection.run("INSERT OR IGNORE INTO part VALUES(?,?)", rowOf(key), value);
  if (code != SQLITE_OK || connection.changes() == 0)
    return code;
  ++inserted;
  const int listed =
      connection.run("INSERT OR IGNORE INTO usage VALUES(?1,?2,?3,?4,?5,?5,0,?6,NULL)", rowOf(key), int64_t(key.kind),
                     int64_t(key.hash.high), int64_t(value.size()), microsecondsSince1970(), gpuName);
  // Both tables must have the same rows. If the part was not found but its row in `usage` exists, a tree is damaged.
  return listed == SQLITE_OK && connection.changes() == 0 ? SQLITE_CORRUPT : listed;
}

// Removes the entry that was not used for longest, and returns its size in `bytes`. SQLITE_DONE: there is no entry.
int removeOldest(Connection &connection, uint64_t &bytes) {
  int64_t row = 0;
  {
    Connection::Rows oldest = connection.read("SELECT id,bytes FROM usage ORDER BY lastUsed LIMIT 1");
    if (const int code = oldest.next(); code != SQLITE_ROW)
      return code;
    row = oldest.integer(0);
    bytes = uint64_t(oldest.integer(1));
  }
  return remove(connection, row);
}

int addUse(Connection &connection, int64_t row, const Use &use) {
  VariantCount variants;
  {
    Connection::Rows old = connection.read("SELECT variants FROM usage WHERE id=?", row);
    if (const int code = old.next(); code != SQLITE_ROW)
      return code == SQLITE_DONE ? SQLITE_OK : code;
    variants = VariantCount(old.bytes(0));
  }
  variants.bits |= use.variants.bits;
  return connection.run("UPDATE usage SET hits=hits+?2,lastUsed=max(lastUsed,?3),variants=?4 WHERE id=?1", row,
                        int64_t(use.hits), use.lastUsed, variants.bytes());
}

} // namespace

SqliteStore::SqliteStore(PartStoreOptions options, StoreWriter writer)
    : m_options(std::move(options)), m_writer(writer),
      m_maxLogBytes(std::clamp<uint64_t>(m_options.maxBytes / 8, uint64_t(256) << 10, uint64_t(64) << 20)) {
  ++s_openStores;
}

SqliteStore::~SqliteStore() {
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_isStopping = true;
  }
  m_wake.notify_all();
  if (m_thread.joinable())
    m_thread.join();
  else if (m_writer == StoreWriter::Caller && !m_hasEnded)
    endWriting();
  --s_openStores;
}

void SqliteStore::put(const PartRef &part, std::string_view gpuName) {
  queue({part->key, part, {}, std::string(gpuName)});
}

void SqliteStore::putEntry(const PartKey &key, std::vector<uint8_t> entry, std::string_view gpuName) {
  queue({key, nullptr, std::move(entry), std::string(gpuName)});
}

void SqliteStore::queue(NewPart part) {
  if (!mayWrite())
    return;
  std::lock_guard<std::mutex> lock(m_mutex);
  if (m_next.parts.size() == MaxWaiting) {
    ++m_statistics.dropped;
    return;
  }
  m_next.parts.push_back(std::move(part));
  if (m_next.parts.size() == 1)
    m_wake.notify_all();
}

bool SqliteStore::write() {
  writeQueued();
  std::lock_guard<std::mutex> lock(m_mutex);
  return m_isWritable && std::exchange(m_toldDropped, m_statistics.dropped) == m_statistics.dropped;
}

void SqliteStore::putValidModule(const spirv::ModuleDigest &digest) {
  if (!mayWrite() || m_options.trustFolder)
    return;
  const spirv::ModuleDigest row = rowOf(digest);
  std::lock_guard<std::mutex> lock(m_mutex);
  if (m_next.validModules.size() == MaxWaiting)
    return;
  m_next.validModules.push_back(row);
  if (m_next.validModules.size() == 1)
    m_wake.notify_all();
}

void SqliteStore::noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
  noteUse(parts, &variant);
}

// `variant`: the variant that uses the parts; nullptr for a look-up.
void SqliteStore::noteUse(std::span<const PartKey> parts, const Hash128 *variant) {
  if (!mayWrite() || !m_options.countsUses)
    return;
  std::lock_guard<std::mutex> lock(m_mutex);
  for (const PartKey &key : parts) {
    if (m_next.uses.size() >= MaxUses && !m_next.uses.contains(rowOf(key)))
      continue;
    Use &use = m_next.uses[rowOf(key)];
    if (variant) {
      use.variants.add(*variant);
    } else {
      ++use.hits;
      use.lastUsed = microsecondsSince1970();
    }
  }
}

void SqliteStore::removeDamaged(const PartKey &key) {
  const auto count = [this](uint64_t removed) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_statistics.damaged += removed;
  };
  if (!m_isWritable)
    return count(1);
  enqueue([=, this] {
    uint64_t removed = 0;
    const auto change = [&](Connection &connection) {
      const int code = remove(connection, rowOf(key));
      removed = uint64_t(connection.changes());
      return code;
    };
    if (transact(change))
      count(removed);
  });
}

void SqliteStore::beginAnew(const FileStatus &damaged, std::string reason) {
  enqueue([=, this] { putAside(damaged, reason); });
}

// Queues work for the thread, behind the work that was queued before. If the thread cannot do it, the future is ready
// at once.
std::future<void> SqliteStore::enqueue(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  if (isForked())
    return done;
  std::lock_guard<std::mutex> lock(m_mutex);
  if (!m_hasEnded && m_next.tasks.size() < MaxWaiting)
    m_next.tasks.push_back(std::move(task));
  m_wake.notify_all();
  return done;
}

// Queues work and waits for it. In a warning's callback, which may run on the thread itself, the work is done at once.
void SqliteStore::run(std::function<void()> work) {
  if (m_writer == StoreWriter::Caller) {
    enqueue(std::move(work));
    writeQueued();
  } else if (m_thread.get_id() == std::this_thread::get_id())
    work();
  else
    enqueue(std::move(work)).wait();
}

void SqliteStore::flush() {
  run([this] { sync(); });
}

Result<uint64_t> SqliteStore::prune(uint64_t maxBytes) {
  uint64_t pruned = 0;
  run([&] {
    uint64_t gone = MaxPruned;
    const Change change = [&](Connection &connection) {
      uint64_t all = connection.number("SELECT sum(bytes) FROM usage"), bytes = 0;
      int code = SQLITE_OK;
      for (gone = 0; all > maxBytes && gone < MaxPruned && code == SQLITE_OK; ++gone, all -= std::min(all, bytes))
        code = removeOldest(connection, bytes);
      return code;
    };
    while (gone == MaxPruned && transact(change))
      pruned += gone;
  });
  if (!mayWrite())
    return makeError(ErrorCode::Io, "part store: {} cannot be written to", m_options.path);
  std::lock_guard<std::mutex> lock(m_mutex);
  m_statistics.evicted += pruned;
  return pruned;
}

Result<void> SqliteStore::startWriting() {
  m_isWritable = true;
  m_hasEnded = false;
  if (m_writer == StoreWriter::Caller)
    return {};
  const auto threadMain = [this] {
    try {
      loop();
    } catch (const std::exception &) { // nobody could catch an exception that leaves a thread
      turnOff("memory ran out");
    }
    std::lock_guard<std::mutex> lock(m_mutex);
    m_hasEnded = true;
    m_next.tasks.clear(); // the callers of these wait
  };
  try {
    m_thread = std::thread(threadMain);
  } catch (const std::system_error &error) {
    return ioError(m_options.path, error.what());
  }
  return {};
}

void SqliteStore::loop() {
  auto usesDue = std::chrono::steady_clock::now() + UsesTime;
  for (bool isLast = false; !isLast;) {
    std::unique_lock<std::mutex> lock(m_mutex);
    const auto isUrgent = [&] { return m_isStopping || !m_next.tasks.empty(); };
    m_wake.wait_until(lock, usesDue,
                      [&] { return isUrgent() || !m_next.parts.empty() || !m_next.validModules.empty(); });
    m_wake.wait_for(lock, m_options.gatherTime, isUrgent);
    isLast = m_isStopping;
    Batch batch = std::exchange(m_next, Batch());
    if (isLast || !batch.tasks.empty() || std::chrono::steady_clock::now() >= usesDue)
      usesDue = std::chrono::steady_clock::now() + UsesTime;
    else
      m_next.uses = std::exchange(batch.uses, {});
    lock.unlock();
    writeBatch(std::move(batch));
  }
  endWriting();
}

void SqliteStore::writeBatch(Batch batch) {
  while (!batch.parts.empty())
    writeSome(batch.parts);
  if (!batch.validModules.empty())
    writeValid(batch.validModules);
  if (!batch.uses.empty())
    transact([&](Connection &connection) {
      return forAll(batch.uses, [&](const auto &use) { return addUse(connection, use.first, use.second); });
    });
  for (std::packaged_task<void()> &task : batch.tasks)
    task();
}

void SqliteStore::writeQueued() {
  if (isForked())
    return;
  std::unique_lock<std::mutex> lock(m_mutex);
  Batch batch = std::exchange(m_next, Batch());
  lock.unlock();
  writeBatch(std::move(batch));
}

// Writes what is queued for the last time.
void SqliteStore::endWriting() {
  writeQueued();
  FileStatus damaged;
  if (!m_isWritable)
    return;
  if (const auto open = m_database->lease(Database::Purpose::Write, damaged))
    (*open)->run(ShortenLog);
}

// Writes as many parts as one commit should take.
void SqliteStore::writeSome(std::deque<NewPart> &parts) {
  std::vector<NewPart> taken;
  uint64_t pages = 0, tooLarge = 0;
  for (; !parts.empty() && pages < m_maxLogBytes / PageBytes / 4; parts.pop_front()) {
    NewPart &part = parts.front();
    if (part.part)
      part.entry = encodeEntry(*part.part);
    if (part.entry.size() > m_options.maxBytes / 16) {
      ++tooLarge;
      continue;
    }
    pages += part.entry.size() / PageBytes + 3;
    taken.push_back(std::move(part));
  }
  uint64_t inserted = 0, evicted = 0;
  const bool isDone = transact([&](Connection &connection) {
    inserted = evicted = 0;
    const int code = makeRoom(connection, pages, evicted);
    return code != SQLITE_OK ? code : forAll(taken, [&](const NewPart &part) {
      return insert(connection, part.key, part.entry, part.gpuName, inserted);
    });
  });
  std::lock_guard<std::mutex> lock(m_mutex);
  m_statistics.dropped += tooLarge + (isDone ? 0 : taken.size());
  m_statistics.written += isDone ? inserted : 0;
  m_statistics.evicted += isDone ? evicted : 0;
}

// Writes the rows of valid modules, and removes the oldest ones where there are too many. They take a 64th of the store
// at most.
void SqliteStore::writeValid(const std::vector<spirv::ModuleDigest> &rows) {
  constexpr uint64_t RowBytes = 64;
  const uint64_t most = m_options.maxBytes / 64 / RowBytes;
  uint64_t evicted = 0;
  const bool isDone = transact([&](Connection &connection) {
    const int64_t now = microsecondsSince1970();
    evicted = 0;
    int code = makeRoom(connection, rows.size() * RowBytes / PageBytes + 3, evicted);
    if (code == SQLITE_OK)
      code = forAll(rows, [&](const spirv::ModuleDigest &row) {
        return connection.run("INSERT OR IGNORE INTO valid VALUES(?,?)", Bytes(row), now);
      });
    const uint64_t count = connection.number("SELECT count(*) FROM valid");
    if (code == SQLITE_OK && count > most)
      code = connection.run("DELETE FROM valid WHERE digest IN (SELECT digest FROM valid ORDER BY put LIMIT ?)",
                            int64_t(count - most + most / 8));
    return code;
  });
  std::lock_guard<std::mutex> lock(m_mutex);
  m_statistics.evicted += isDone ? evicted : 0;
}

// Makes room for this many more pages. The log must fit next to the database.
int SqliteStore::makeRoom(Connection &connection, uint64_t pages, uint64_t &evicted) const {
  constexpr const char *UsedPages = "SELECT p.page_count-f.freelist_count FROM pragma_page_count p,"
                                    "pragma_freelist_count f";
  for (; (connection.number(UsedPages) + pages) * PageBytes > m_options.maxBytes - m_maxLogBytes; ++evicted) {
    uint64_t bytes = 0;
    if (const int code = removeOldest(connection, bytes); code != SQLITE_OK)
      return code == SQLITE_DONE ? SQLITE_CORRUPT : code; // all pages belong to entries that are not listed
  }
  return SQLITE_OK;
}

// Commits a change as a whole or not at all; if necessary, in a new database. Returns false if writing is off or other
// processes do not let it.
bool SqliteStore::transact(const Change &change) {
  for (unsigned attempt = 0; m_isWritable; ++attempt) {
    Result<Database::Lease> lease = m_database->leaseOrBegin();
    if (!lease) {
      turnOff(lease.error().text);
      break;
    }
    Database::Lease open = std::move(*lease);
    int code = shortenLog(*open);
    if (code == SQLITE_OK)
      code = open->run("BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
      code = change(*open);
    if (code == SQLITE_OK)
      code = open->run("COMMIT");
    if (code == SQLITE_OK) {
      if (m_writer == StoreWriter::Thread)
        std::this_thread::sleep_for(Courtesy);
      return true;
    }
    const std::string reason = open->message();
    const FileStatus damaged = open->files.front();
    open.reset(); // takes the uncommitted change back
    if (isBusy(code))
      return false;
    if (isDamage(code) && attempt < MaxTimesDamaged)
      putAside(damaged, reason);
    else
      turnOff(reason);
  }
  return false;
}

// SQLite shortens the log with its commits, unless somebody reads an old state. Until that reader ends, nothing is
// written.
int SqliteStore::shortenLog(Connection &connection) const {
  const auto isTooLong = [&] { return m_database->logBytes() > m_maxLogBytes; };
  const int code = isTooLong() ? connection.run(ShortenLog) : SQLITE_OK;
  return code == SQLITE_OK && isTooLong() ? SQLITE_BUSY : code;
}

// Makes the disk write all commits.
void SqliteStore::sync() {
  FileStatus damaged;
  const Result<Database::Lease> open = m_database->lease(Database::Purpose::Write, damaged);
  sqlite3_file *log = nullptr;
  if (open)
    sqlite3_file_control((*open)->get(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log && log->pMethods && log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) != SQLITE_OK)
    turnOff("what was written cannot be had on disk");
}

void SqliteStore::putAside(const FileStatus &damaged, std::string_view reason) {
  if (const Result<void> done = m_database->putAside(damaged, reason); !done)
    turnOff(done.error().text);
}

// Called while no lock is held, because the callback may use the store.
void SqliteStore::turnOff(std::string_view reason) {
  if (m_isWritable.exchange(false) && m_options.onWarning)
    m_options.onWarning(fmt::format("part store: nothing is written any more: {}", reason));
}

} // namespace dovetail::store
