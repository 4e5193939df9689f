// SPDX-License-Identifier: MIT
#include "parts/store/writer.h"
#include <algorithm>
#include <system_error>

namespace dovetail::store {

namespace {

// Parts come in bursts; a commit of many costs as much as one of one.
constexpr std::chrono::milliseconds GatherTime(20);
constexpr size_t FullBatch = 1024;
// More than wait are dropped: they will be made again some day.
constexpr size_t MaxWaiting = 32768;
constexpr std::chrono::seconds UsesTime(60);
constexpr size_t MaxUses = 65536;
// For others who write: so long each time that they get on, and so often.
constexpr Database::Patience Patience(2000);
constexpr unsigned MaxTurns = 30;
// Between two commits, so that others who want to write get their turn.
constexpr std::chrono::milliseconds Courtesy(2);
constexpr unsigned MaxTimesDamaged = 4;
// That wait to be copied into the database. So much is read again when a store is opened that a killed process left.
constexpr uint64_t MaxIdleLogBytes = uint64_t(4) << 20;

constexpr const char *Remove = "DELETE FROM part WHERE id=?";

int remove(Connection &connection, int64_t row, uint64_t &removed) {
  int code = connection.run(Remove, row);
  const int64_t wasThere = connection.changes();
  if (code == SQLITE_OK)
    code = connection.run("DELETE FROM usage WHERE id=?", row);
  if (code == SQLITE_OK && wasThere > 0)
    code = connection.run("UPDATE total SET entries=entries-1");
  removed += code == SQLITE_OK && wasThere > 0;
  return code;
}

// What was found damaged may have been written anew since.
int removeIfDamaged(Connection &connection, const PartKey &key) {
  {
    Connection::Rows value = connection.read("SELECT value FROM part WHERE id=?", rowOf(key));
    if (int code = value.next(); code != SQLITE_ROW)
      return code == SQLITE_DONE ? SQLITE_OK : code;
    if (decodeEntry(key, value.bytes(0)))
      return SQLITE_OK;
  }
  uint64_t removed = 0;
  return remove(connection, rowOf(key), removed);
}

int insert(Connection &connection, const PartKey &key, Bytes value, std::string_view gpuName, uint64_t &inserted) {
  int code = connection.run("INSERT OR IGNORE INTO part VALUES(?,?)", rowOf(key), value);
  if (code != SQLITE_OK || connection.changes() == 0)
    return code;
  code =
      connection.run("INSERT OR REPLACE INTO usage VALUES(?1,?2,?3,?4,?5,?5,0,?6,NULL)", rowOf(key), int64_t(key.kind),
                     int64_t(key.hash.high), int64_t(value.size()), microsecondsSince1970(), gpuName);
  if (code == SQLITE_OK)
    code = connection.run("UPDATE total SET entries=entries+1");
  inserted += code == SQLITE_OK;
  return code;
}

int addUse(Connection &connection, const PartKey &key, const Use &use) {
  DistinctCount variants;
  {
    Connection::Rows old = connection.read("SELECT variants FROM usage WHERE id=?", rowOf(key));
    if (int code = old.next(); code != SQLITE_ROW)
      return code == SQLITE_DONE ? SQLITE_OK : code;
    variants = DistinctCount(old.bytes(0));
  }
  const DistinctCount before = variants;
  variants.merge(use.variants);
  if (use.hits == 0 && variants == before)
    return SQLITE_OK;
  return connection.run("UPDATE usage SET hits=hits+?2,lastUsed=max(lastUsed,?3),variants=?4 WHERE id=?1", rowOf(key),
                        int64_t(use.hits), use.lastUsed, Bytes(variants.registers));
}

// The only number that a statement gives, or 0. What is wrong with a database is found out when it is written to.
uint64_t numberOf(Connection &connection, const char *sql) {
  Connection::Rows rows = connection.read(sql);
  return rows.next() == SQLITE_ROW ? uint64_t(rows.integer(0)) : 0;
}

} // namespace

Writer::Writer(Database &database, Readers &readers, const PartStoreOptions &options, Counters &counters)
    : m_database(database), m_readers(readers), m_counters(counters), m_onWarning(options.onWarning),
      m_maxBytes(options.maxBytes),
      m_maxLogBytes(std::clamp<uint64_t>(options.maxBytes / 8, uint64_t(256) << 10, uint64_t(64) << 20)) {
  try {
    m_thread = std::thread([this] { threadMain(); });
  } catch (const std::system_error &error) {
    turnOff(error.what());
  }
}

Writer::~Writer() {
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_isStopping = true;
  }
  m_wake.notify_all();
  if (m_thread.joinable())
    m_thread.join();
}

void Writer::put(const PartRef &part, std::string_view gpuName) {
  if (!m_isWritable)
    return;
  std::unique_lock<std::mutex> lock(m_mutex);
  const size_t waiting = m_next.parts.size();
  if (waiting < MaxWaiting)
    m_next.parts.push_back({part, std::string(gpuName)});
  else
    ++m_counters.dropped;
  lock.unlock();
  if (waiting == 0 || waiting + 1 == FullBatch)
    m_wake.notify_all();
}

void Writer::noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
  std::lock_guard<std::mutex> lock(m_mutex);
  for (const PartKey &key : parts)
    if (m_isWritable && (m_next.uses.size() < MaxUses || m_next.uses.contains(key)))
      m_next.uses[key].variants.add(variant);
}

void Writer::removeDamaged(const PartKey &key) {
  std::lock_guard<std::mutex> lock(m_mutex);
  if (!m_damaged.insert(key).second)
    return;
  m_next.damaged.insert(key);
  ++m_counters.damaged;
  m_wake.notify_all();
}

void Writer::beginAnew(const FileId &damaged) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_next.damagedDatabase = damaged;
  m_wake.notify_all();
}

// Has the thread do this behind what was wanted before, and waits for it. false: there is no thread.
bool Writer::run(const std::function<void()> &task) {
  if (m_thread.get_id() == std::this_thread::get_id()) {
    task();
    return true;
  }
  std::unique_lock<std::mutex> lock(m_mutex);
  if (!m_thread.joinable() || m_hasEnded)
    return false;
  m_next.tasks.push_back(&task);
  m_wake.notify_all();
  const uint64_t mine = m_started + 1;
  m_done.wait(lock, [&] { return m_finished >= mine || m_hasEnded; });
  return true;
}

void Writer::flush() {
  run([this] { sync(); });
}

Result<uint64_t> Writer::prune(uint64_t maxBytes) {
  uint64_t evicted = 0;
  const auto task = [&] {
    if (!prepare())
      return;
    const uint64_t bytes = numberOf(*m_open->connection, "SELECT sum(bytes) FROM usage");
    evicted = bytes > maxBytes ? evict(bytes - maxBytes) : 0;
  };
  if (!run(task) || !m_isWritable)
    return makeError(ErrorCode::Io, "part store: pruning failed: nothing is written any more");
  return evicted;
}

// Nobody could catch what is thrown out of a thread; there is little but memory that runs out.
void Writer::threadMain() {
  try {
    loop();
  } catch (const std::exception &exception) {
    try {
      turnOff(exception.what());
      warn();
    } catch (const std::exception &) {
      // There is not even memory to say so.
    }
  }
  std::lock_guard<std::mutex> lock(m_mutex);
  m_open.reset();
  m_hasEnded = true;
  m_done.notify_all();
}

void Writer::loop() {
  std::unique_lock<std::mutex> lock(m_mutex);
  for (auto usesDue = std::chrono::steady_clock::now() + UsesTime;;) {
    m_wake.wait_until(lock, usesDue, [&] { return m_isStopping || !m_next.isEmpty(); });
    m_wake.wait_for(lock, GatherTime,
                    [&] { return m_isStopping || !m_next.tasks.empty() || m_next.parts.size() >= FullBatch; });

    const bool isLast = m_isStopping;
    Batch batch = std::exchange(m_next, Batch());
    const bool writesUses = isLast || !batch.tasks.empty() || std::chrono::steady_clock::now() >= usesDue;
    if (writesUses)
      usesDue = std::chrono::steady_clock::now() + UsesTime;
    else
      m_next.uses = std::exchange(batch.uses, {});
    ++m_started;
    lock.unlock();
    // Waits for look-ups that hold a reader, and they may be waiting for the lock, to tell of damage.
    if (writesUses)
      m_readers.collectUses(batch.uses);
    process(batch);
    if (isLast && m_open && m_logPages > 0)
      checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
    // Beyond this point, no lock is held.
    warn();
    lock.lock();
    ++m_finished;
    m_done.notify_all();
    if (isLast)
      return;
  }
}

void Writer::process(Batch &batch) {
  m_timesDamaged = 0;
  if (batch.damagedDatabase)
    connect(*batch.damagedDatabase);
  if (transactInPieces(batch.damaged, removeIfDamaged)) {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (const PartKey &key : batch.damaged)
      m_damaged.erase(key);
  }
  while (!batch.parts.empty() && m_isWritable)
    writeSome(batch.parts);
  transactInPieces(batch.uses,
                   [](Connection &connection, const auto &use) { return addUse(connection, use.first, use.second); });
  for (const std::function<void()> *task : batch.tasks)
    (*task)();
}

void Writer::turnOff(std::string_view reason) {
  if (m_isWritable.exchange(false))
    m_warnings.push_back(fmt::format("part store: nothing is written any more: {}", reason));
}

void Writer::warn() {
  for (const std::string &text : std::exchange(m_warnings, {}))
    if (m_onWarning)
      m_onWarning(text);
}

// Opens what is there for writing, or a new one in place of a damaged one. false: writing is off.
bool Writer::connect(const FileId &damaged) {
  m_open.reset();
  if (!m_isWritable)
    return false;
  if (damaged != FileId() && ++m_timesDamaged > MaxTimesDamaged) {
    turnOff("the database is damaged again and again");
    return false;
  }
  std::string warning;
  Result<OpenDatabase> opened = m_database.connectOrBegin(damaged, warning);
  if (!warning.empty())
    m_warnings.push_back(std::move(warning));
  if (!opened) {
    turnOff(opened.error().text);
    return false;
  }
  m_open = std::move(*opened);
  m_open->connection->setPatience(Patience);
  auto onCommit = [](void *logPages, sqlite3 *, const char *, int pages) {
    *static_cast<int *>(logPages) = pages;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(m_open->connection->get(), onCommit, &m_logPages);
  return true;
}

// Beyond a `true`, the database that is the store's now is open for writing.
bool Writer::prepare() {
  while (m_isWritable) {
    const Database::Place place = m_open ? m_database.lookBeforeWriting(*m_open) : Database::Place::Taken;
    if (place == Database::Place::Kept)
      return true;
    connect(place == Database::Place::Damaged ? m_open->id : FileId());
  }
  return false;
}

// Commits a change, or nothing of it; if need be in a new database. false: writing is off.
bool Writer::transact(const Change &change) {
  constexpr const char *Version = "PRAGMA data_version"; // another number when others have committed
  std::optional<uint64_t> version;
  for (unsigned turn = 0; prepare();) {
    Connection &connection = *m_open->connection;
    if (!version)
      version = numberOf(connection, Version);
    int code = connection.run("BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
      code = change(connection);
    if (code == SQLITE_OK)
      code = connection.run("COMMIT");
    if (code == SQLITE_OK)
      return true;
    const std::string reason = connection.message();
    if (!sqlite3_get_autocommit(connection.get()))
      connection.run("ROLLBACK");
    if (healthOf(code) == Health::Damaged) {
      connect(m_open->id);
    } else if (healthOf(code) == Health::Busy) {
      // Others may go on for as long as they get on.
      const std::optional<uint64_t> before = std::exchange(version, numberOf(connection, Version));
      if (version == before || ++turn == MaxTurns)
        turnOff("another process has held the lock for writing for too long");
    } else {
      turnOff(reason);
    }
  }
  return false;
}

// In commits that are small enough for the log. false: not everything was done.
template <typename List, typename Do> bool Writer::transactInPieces(const List &list, const Do &change) {
  const auto most = std::ptrdiff_t(m_maxLogBytes / PageBytes / 8);
  for (auto at = list.begin(); at != list.end();) {
    const auto end = std::next(at, std::min(std::distance(at, list.end()), most));
    const bool isDone = hasLogRoom() && transact([&](Connection &connection) {
                          int code = SQLITE_OK;
                          for (auto one = at; one != end && code == SQLITE_OK; ++one)
                            code = change(connection, *one);
                          return code;
                        });
    if (!isDone)
      return false;
    at = end;
    std::this_thread::sleep_for(Courtesy);
  }
  return true;
}

void Writer::checkpoint(int mode) {
  int pages = 0;
  Connection &connection = *m_open->connection;
  connection.setPatience(mode == SQLITE_CHECKPOINT_RESTART ? Patience : Database::Patience(0));
  const int code = sqlite3_wal_checkpoint_v2(connection.get(), "main", mode, &pages, nullptr);
  connection.setPatience(Patience);
  if (code == SQLITE_OK)
    m_logPages = mode == SQLITE_CHECKPOINT_PASSIVE ? pages : 0;
  else if (healthOf(code) == Health::Damaged)
    connect(m_open->id);
  else if (healthOf(code) == Health::Failed)
    turnOff(connection.message());
}

// Copies what is in the write-ahead log into the database before it gets long. The next commit begins it anew then,
// unless somebody reads an old state: nobody waits for that for long, and nothing is written as long as it is too long.
bool Writer::hasLogRoom() {
  const auto isBeyond = [&](uint64_t bytes) { return m_open && uint64_t(m_logPages) * PageBytes > bytes; };
  if (isBeyond(std::min(m_maxLogBytes / 4, MaxIdleLogBytes)))
    checkpoint(SQLITE_CHECKPOINT_PASSIVE);
  if (isBeyond(m_maxLogBytes))
    checkpoint(SQLITE_CHECKPOINT_RESTART);
  return !isBeyond(m_maxLogBytes);
}

// For so many pages more, if need be after evicting a tenth of the limit.
bool Writer::hasRoom(uint64_t pages) {
  constexpr const char *UsedPages = "SELECT p.page_count-f.freelist_count FROM pragma_page_count p,"
                                    "pragma_freelist_count f";
  const uint64_t most = (m_maxBytes - m_maxLogBytes) / PageBytes;
  for (unsigned attempt = 0; prepare(); ++attempt) {
    const uint64_t used = numberOf(*m_open->connection, UsedPages);
    if (used + pages <= most)
      return true;
    // Pages are not quite full, and some hold no entries.
    if (attempt == 8 || evict((used + pages + most / 10 - most) * PageBytes) == 0)
      return false;
  }
  return false;
}

// As many as one commit should take.
void Writer::writeSome(std::deque<NewPart> &parts) {
  std::vector<std::pair<NewPart, std::vector<uint8_t>>> entries;
  uint64_t pages = 0;
  while (!parts.empty() && pages < m_maxLogBytes / PageBytes / 4) {
    NewPart part = std::move(parts.front());
    parts.pop_front();
    std::vector<uint8_t> value;
    encodeEntry(*part.part, value);
    if (value.size() <= m_maxBytes / 16) {
      pages += value.size() / PageBytes + 3;
      entries.emplace_back(std::move(part), std::move(value));
    } else {
      ++m_counters.dropped;
    }
  }
  uint64_t inserted = 0;
  const bool isDone = hasLogRoom() && hasRoom(pages) && transact([&](Connection &connection) {
                        inserted = 0;
                        int code = SQLITE_OK;
                        for (size_t at = 0; at < entries.size() && code == SQLITE_OK; ++at)
                          code = insert(connection, entries[at].first.part->key, entries[at].second,
                                        entries[at].first.gpuName, inserted);
                        return code;
                      });
  (isDone ? m_counters.written : m_counters.dropped) += isDone ? inserted : entries.size();
  if (!parts.empty())
    std::this_thread::sleep_for(Courtesy);
}

// Removes what was not used for longest, no more than gives so many bytes free. Returns how many entries went.
uint64_t Writer::evict(uint64_t bytes) {
  std::vector<int64_t> rows;
  {
    Connection::Rows list = m_open->connection->read("SELECT id,bytes FROM usage ORDER BY lastUsed");
    for (uint64_t sum = 0; sum < bytes && list.next() == SQLITE_ROW; sum += uint64_t(list.integer(1)))
      rows.push_back(list.integer(0));
  }
  uint64_t evicted = 0;
  transactInPieces(rows, [&](Connection &connection, int64_t row) { return remove(connection, row, evicted); });
  m_counters.evicted += evicted;
  return evicted;
}

// Has the disk write what was committed.
void Writer::sync() {
  sqlite3_file *log = nullptr;
  if (!m_open || !m_isWritable)
    return;
  sqlite3_file_control(m_open->connection->get(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log && log->pMethods && log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) != SQLITE_OK)
    turnOff("what was written cannot be had on disk");
}

} // namespace dovetail::store
