// SPDX-License-Identifier: MIT
//
// Joins what the other files do: readers find, the writer writes behind the callers' backs. What reads all of the store
// has a connection of its own.
#include "parts/store/part_store.h"
#include "parts/store/writer.h"
#include <algorithm>
#include <unistd.h>

namespace dovetail {

using namespace store;

namespace {

// For who looks at the whole store.
constexpr Database::Patience Patience(2000);
// Verified in one go: who reads an old state for long keeps the write-ahead log growing.
constexpr const char *SomeParts = "SELECT p.id,u.kind,u.high,p.value FROM part p LEFT JOIN usage u ON u.id=p.id "
                                  "WHERE p.id>? ORDER BY p.id LIMIT 64";

// A process that was forked off has its parent's connections, too. SQLite believes to hold their locks there, and would
// not take them again for new ones; and other threads may have been inside of it.
class Process {
public:
  // false: this process was forked off from one that had stores open then.
  static bool enter() {
    pid_t nobody = 0;
    const pid_t self = getpid();
    if (!s_process.compare_exchange_strong(nobody, self) && nobody != self) {
      if (s_stores != 0)
        return false;
      s_process = self;
    }
    ++s_stores;
    return true;
  }
  static void leave() { --s_stores; }

private:
  static inline std::atomic<pid_t> s_process = 0;
  static inline std::atomic<unsigned> s_stores = 0;
};

} // namespace

class PartStore::Implementation {
public:
  Implementation(PartStoreOptions options, std::unique_ptr<Database> database, OpenDatabase first)
      : m_options(std::move(options)), m_database(std::move(database)), m_readers(*m_database, std::move(first)) {
    if (!m_options.readOnly && !m_database->isFrozen())
      m_writer.emplace(*m_database, m_readers, m_options, m_counters);
  }
  ~Implementation() { Process::leave(); }

  // What opening has to say, once it is open: a callback may use it.
  void warn(const std::string &text) {
    if (!text.empty() && m_options.onWarning)
      m_options.onWarning(text);
    if (m_database->isFrozen() && !m_options.readOnly && m_options.onWarning)
      m_options.onWarning("part store: the store is write-protected; nothing is written");
    if (m_writer && !m_writer->isWritable())
      m_writer->warn();
  }

  // This is a copy of the process that opened the store. The writer's thread is not in it, and SQLite does not work.
  bool isForked() const { return getpid() != m_process; }
  Writer *writer() { return m_writer && !isForked() ? &*m_writer : nullptr; }

  PartRef find(const PartKey &key) {
    PartRef part = read(key);
    ++(part ? m_hits : m_misses);
    return part;
  }

  Result<Verification> verify();
  Result<void> forEach(const std::function<void(const PartStoreEntry &)> &visit);
  PartStoreStatistics statistics();
  const PartStoreOptions &options() const { return m_options; }

private:
  Readers::Lease takeReader();
  // What follows from what SQLite said.
  void judge(int code, const OpenDatabase &open);
  void removeDamaged(const PartKey &key);
  PartRef read(const PartKey &key);
  Result<OpenDatabase> connect();
  tl::unexpected<Error> errorOf(const OpenDatabase &open, int code);

  PartStoreOptions m_options;
  const pid_t m_process = getpid();
  std::unique_ptr<Database> m_database;
  Writer::Counters m_counters;
  std::atomic<uint64_t> m_hits = 0, m_misses = 0;
  Readers m_readers;
  std::optional<Writer> m_writer; // ends before what it uses
};

Readers::Lease PartStore::Implementation::takeReader() {
  if (isForked())
    return nullptr;
  std::optional<FileId> damaged;
  Readers::Lease reader = m_readers.take(damaged);
  if (damaged && m_writer)
    m_writer->beginAnew(*damaged);
  return reader;
}

void PartStore::Implementation::judge(int code, const OpenDatabase &open) {
  if (healthOf(code) == Health::Damaged && m_writer)
    m_writer->beginAnew(open.id);
}

void PartStore::Implementation::removeDamaged(const PartKey &key) {
  if (m_writer)
    m_writer->removeDamaged(key);
  else
    ++m_counters.damaged;
}

PartRef PartStore::Implementation::read(const PartKey &key) {
  Readers::Lease reader = takeReader();
  if (!reader)
    return nullptr;
  Connection::Rows value = reader->connection().read("SELECT value FROM part WHERE id=?", rowOf(key));
  const int code = value.next();
  judge(code, *reader->open);
  if (code != SQLITE_ROW)
    return nullptr;
  Result<Part> part = decodeEntry(key, value.bytes(0));
  if (!part) {
    removeDamaged(key);
    return nullptr;
  }
  if (m_writer)
    reader->noteHit(key);
  return std::make_shared<const Part>(std::move(*part));
}

// For who looks at the whole store.
Result<OpenDatabase> PartStore::Implementation::connect() {
  if (isForked())
    return makeError(ErrorCode::Io, "part store: {} was opened by another process", m_options.path);
  tl::expected<OpenDatabase, Failure> opened = m_database->connect(Patience);
  if (opened)
    return std::move(*opened);
  if (opened.error().health == Health::Damaged && m_writer)
    m_writer->beginAnew({});
  return makeError(ErrorCode::Io, "part store: {} cannot be read: {}", m_options.path, opened.error().text);
}

tl::unexpected<Error> PartStore::Implementation::errorOf(const OpenDatabase &open, int code) {
  judge(code, open);
  return makeError(ErrorCode::Io, "part store: {} cannot be read: {}", m_options.path, open.connection->message());
}

Result<PartStore::Verification> PartStore::Implementation::verify() {
  Verification result;
  std::vector<PartKey> damaged;
  if (Writer *writer = this->writer())
    writer->flush(); // what was put is verified, too
  {
    OpenDatabase open = DOVETAIL_TRY(connect());
    int code;
    {
      Connection::Rows check = open.connection->read("PRAGMA quick_check");
      while ((code = check.next()) == SQLITE_ROW)
        if (check.text(0) != "ok")
          result.defects.push_back(check.text(0));
      if (healthOf(code) == Health::Damaged)
        result.defects.push_back(open.connection->message());
    }
    if (!result.defects.empty()) {
      judge(SQLITE_CORRUPT, open);
    } else {
      int64_t last = INT64_MIN;
      for (bool isAtEnd = false; !isAtEnd;) {
        isAtEnd = true;
        Connection::Rows some = open.connection->read(SomeParts, last);
        for (; (code = some.next()) == SQLITE_ROW; isAtEnd = false) {
          last = some.integer(0);
          const PartKey key = keyOf(last, PartKind(some.integer(1)), uint64_t(some.integer(2)));
          ++result.entries;
          if (Result<Part> part = decodeEntry(key, some.bytes(3)); !part) {
            damaged.push_back(key);
            result.defects.push_back(part.error().text);
          }
        }
      }
      if (code != SQLITE_DONE)
        return errorOf(open, code);
    }
  }
  result.damaged = damaged.size();
  for (const PartKey &key : damaged)
    removeDamaged(key);
  if (Writer *writer = this->writer())
    writer->flush();
  return result;
}

Result<void> PartStore::Implementation::forEach(const std::function<void(const PartStoreEntry &)> &visit) {
  // What is visited is copied first: a visitor may take its time, and an old state must not be held for long.
  std::vector<PartStoreEntry> entries;
  {
    OpenDatabase open = DOVETAIL_TRY(connect());
    Connection::Rows list =
        open.connection->read("SELECT id,kind,high,bytes,hits,created,lastUsed,gpu,variants FROM usage");
    int code;
    while ((code = list.next()) == SQLITE_ROW)
      if (list.integer(1) >= 0 && list.integer(1) <= int64_t(PartKind::Monolithic))
        entries.push_back({keyOf(list.integer(0), PartKind(list.integer(1)), uint64_t(list.integer(2))),
                           uint64_t(list.integer(3)), uint64_t(list.integer(4)), list.integer(5) / 1'000'000,
                           list.integer(6) / 1'000'000, list.text(7), DistinctCount(list.bytes(8)).estimate()});
    if (code != SQLITE_DONE)
      return errorOf(open, code);
  }
  std::ranges::sort(entries, {}, &PartStoreEntry::key);
  for (const PartStoreEntry &entry : entries)
    visit(entry);
  return {};
}

PartStoreStatistics PartStore::Implementation::statistics() {
  PartStoreStatistics result;
  result.hits = m_hits;
  result.misses = m_misses;
  result.written = m_counters.written;
  result.damaged = m_counters.damaged + m_database->timesPutAside();
  result.evicted = m_counters.evicted;
  result.dropped = m_counters.dropped;
  result.isWritable = m_writer && m_writer->isWritable();
  if (Readers::Lease reader = takeReader()) {
    Connection::Rows totals =
        reader->connection().read("SELECT entries,p.page_count-f.freelist_count FROM total,pragma_page_count p,"
                                  "pragma_freelist_count f");
    const int code = totals.next();
    judge(code, *reader->open);
    result.isReadable = code == SQLITE_ROW;
    result.entries = uint64_t(totals.integer(0));
    result.bytes = uint64_t(totals.integer(1)) * PageBytes;
  }
  return result;
}

Result<std::shared_ptr<PartStore>> PartStore::open(PartStoreOptions options) {
  // Below this, what waits to be copied into the database would not fit beside it.
  options.maxBytes = std::max<uint64_t>(options.maxBytes, uint64_t(1) << 20);
  if (!Process::enter())
    return makeError(ErrorCode::Io,
                     "part store: {}: this process was forked off by one that had a store open; it can open one after "
                     "exec",
                     options.path);
  OpenDatabase first;
  std::string warning;
  Result<std::unique_ptr<Database>> database = Database::open(options, first, warning);
  if (!database) {
    Process::leave();
    return tl::unexpected(std::move(database).error());
  }
  std::shared_ptr<PartStore> store(
      new PartStore(std::make_unique<Implementation>(std::move(options), std::move(*database), std::move(first))));
  store->m_implementation->warn(warning);
  return store;
}

PartStore::PartStore(std::unique_ptr<Implementation> implementation) : m_implementation(std::move(implementation)) {}

PartStore::~PartStore() {
  if (m_implementation->isForked())
    (void)m_implementation.release(); // it is the parent's to close
}

PartRef PartStore::find(const PartKey &key) {
  return m_implementation->find(key);
}

void PartStore::put(const PartRef &part, std::string_view gpuName) {
  if (Writer *writer = m_implementation->writer())
    writer->put(part, gpuName);
}

void PartStore::noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
  if (Writer *writer = m_implementation->writer())
    writer->noteVariant(variant, parts);
}

void PartStore::flush() {
  if (Writer *writer = m_implementation->writer())
    writer->flush();
}

Result<PartStore::Verification> PartStore::verify() {
  return m_implementation->verify();
}

Result<uint64_t> PartStore::prune(uint64_t maxBytes) {
  if (Writer *writer = m_implementation->writer())
    return writer->prune(maxBytes);
  return makeError(ErrorCode::Io, "part store: {} cannot be written to", options().path);
}

Result<void> PartStore::forEach(const std::function<void(const PartStoreEntry &entry)> &visit) const {
  return m_implementation->forEach(visit);
}

PartStoreStatistics PartStore::statistics() const {
  return m_implementation->statistics();
}

const PartStoreOptions &PartStore::options() const {
  return m_implementation->options();
}

} // namespace dovetail
