// SPDX-License-Identifier: MIT
#include "parts/store/part_store.h"
#include "parts/store/sqlite_store.h"
#include <algorithm>

namespace dovetail {

namespace store {

Result<void> SqliteStore::begin() {
  m_database.emplace(DOVETAIL_TRY(openFolder(m_options)), m_options);
  FileStatus damaged;
  if (!m_database->mayWrite()) {
    DOVETAIL_TRY(m_database->lease(Database::Purpose::Write, damaged));
    if (!m_options.readOnly && m_options.onWarning)
      m_options.onWarning("part store: the store is write-protected; nothing is written");
    return {};
  }
  DOVETAIL_TRY(m_database->leaseOrBegin());
  return startWriting();
}

bool SqliteStore::mayOpen() {
  if (s_openStores == 0)
    s_process = getpid();
  return s_process == getpid();
}

Result<Database::Lease> SqliteStore::lease() {
  if (isForked())
    return makeError(ErrorCode::Io, "part store: {} was opened by another process", m_options.path);
  FileStatus damaged;
  Result<Database::Lease> open = m_database->lease(Database::Purpose::Read, damaged);
  if (damaged.isThere())
    beginAnew(damaged, open.error().text);
  return open;
}

// Turns an error of SQLite into an Error. If the database is damaged, a new one is begun.
tl::unexpected<Error> SqliteStore::judge(int code, const OpenDatabase &open) {
  if (isDamage(code))
    beginAnew(open.files.front(), open.message());
  return makeError(ErrorCode::Io, "part store: {} cannot be read: {}", m_options.path, open.message());
}

PartRef SqliteStore::read(const PartKey &key) {
  const Result<Database::Lease> open = lease();
  if (!open)
    return nullptr;
  Connection::Rows value = (*open)->read("SELECT value FROM part WHERE id=?", rowOf(key));
  if (const int code = value.next(); code != SQLITE_ROW) {
    if (code != SQLITE_DONE)
      judge(code, **open);
    return nullptr;
  }
  Result<Part> part = decodeEntry(key, value.bytes(0));
  if (part)
    return std::make_shared<const Part>(std::move(*part));
  removeDamaged(key);
  return nullptr;
}

PartRef SqliteStore::find(const PartKey &key) {
  if (isForked())
    return nullptr;
  PartRef part = read(key);
  if (part)
    noteUse({&key, 1}, nullptr);
  std::lock_guard<std::mutex> lock(m_mutex);
  ++(part ? m_statistics.hits : m_statistics.misses);
  return part;
}

bool SqliteStore::hasValidModule(const spirv::ModuleDigest &digest) {
  if (m_options.trustFolder)
    return false;
  const Result<Database::Lease> open = lease();
  if (!open)
    return false;
  const spirv::ModuleDigest row = rowOf(digest);
  Connection::Rows found = (*open)->read("SELECT 1 FROM valid WHERE digest=?", Bytes(row));
  const int code = found.next();
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    judge(code, **open);
  return code == SQLITE_ROW;
}

Result<PartStore::Verification> SqliteStore::verify() {
  Verification result;
  flush(); // so that parts that were just put are verified, too
  {
    const Database::Lease open = DOVETAIL_TRY(lease());
    Connection::Rows check = open->read("PRAGMA quick_check");
    int code;
    while ((code = check.next()) == SQLITE_ROW && check.text(0) != "ok")
      result.defects.push_back(check.text(0));
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      result.defects.push_back(open->message());
    if (!result.defects.empty())
      judge(SQLITE_CORRUPT, *open);
  }
  if (result.defects.empty()) {
    const Database::Lease open = DOVETAIL_TRY(lease());
    Connection::Rows all = open->read("SELECT id,kind,high,value FROM part LEFT JOIN usage USING(id)");
    int code;
    for (; (code = all.next()) == SQLITE_ROW; ++result.entries) {
      const PartKey key = keyOf(all.integer(0), PartKind(all.integer(1)), uint64_t(all.integer(2)));
      if (Result<Part> part = decodeEntry(key, all.bytes(3)); !part) {
        result.defects.push_back(part.error().text);
        ++result.damaged;
        removeDamaged(key);
      }
    }
    if (code != SQLITE_DONE)
      return judge(code, *open);
  }
  flush();
  return result;
}

Result<std::vector<PartStoreEntry>> SqliteStore::entries() {
  std::vector<PartStoreEntry> entries;
  const Database::Lease open = DOVETAIL_TRY(lease());
  Connection::Rows list = open->read("SELECT id,kind,high,bytes,hits,created,lastUsed,gpu,variants FROM usage");
  int code;
  while ((code = list.next()) == SQLITE_ROW)
    if (list.integer(1) >= 0 && list.integer(1) < PartKindCount)
      entries.push_back({keyOf(list.integer(0), PartKind(list.integer(1)), uint64_t(list.integer(2))),
                         uint64_t(list.integer(3)), uint64_t(list.integer(4)), list.integer(5) / 1'000'000,
                         list.integer(6) / 1'000'000, list.text(7), VariantCount(list.bytes(8)).estimate()});
  if (code != SQLITE_DONE)
    return judge(code, *open);
  std::ranges::sort(entries, {}, &PartStoreEntry::key);
  return entries;
}

Result<std::vector<spirv::ModuleDigest>> SqliteStore::validRows() {
  std::vector<spirv::ModuleDigest> valid;
  if (m_options.trustFolder)
    return valid;
  const Database::Lease open = DOVETAIL_TRY(lease());
  Connection::Rows rows = open->read("SELECT digest FROM valid ORDER BY digest");
  int code;
  while ((code = rows.next()) == SQLITE_ROW)
    if (const Bytes bytes = rows.bytes(0); bytes.size() == sizeof(spirv::ModuleDigest))
      std::ranges::copy(bytes, valid.emplace_back().begin());
  if (code != SQLITE_DONE)
    return judge(code, *open);
  return valid;
}

PartStoreStatistics SqliteStore::statistics() {
  const Result<Database::Lease> open = lease();
  if (isForked())
    return {};
  std::unique_lock<std::mutex> lock(m_mutex);
  PartStoreStatistics result = m_statistics;
  lock.unlock();
  result.damaged += m_database->timesPutAside();
  result.isWritable = m_isWritable;
  if (!open)
    return result;
  Connection::Rows totals = (*open)->read("SELECT u.entries,p.page_count-f.freelist_count FROM pragma_page_count p,"
                                          "pragma_freelist_count f,(SELECT count(*) AS entries FROM usage) u");
  const int code = totals.next();
  result.isReadable = code == SQLITE_ROW;
  if (!result.isReadable)
    judge(code, **open);
  result.entries = uint64_t(totals.integer(0));
  result.bytes = uint64_t(totals.integer(1)) * PageBytes;
  return result;
}

Result<std::shared_ptr<SqliteStore>> SqliteStore::open(PartStoreOptions options, StoreWriter writer) {
  // A smaller database would have no room for the log next to it.
  options.maxBytes = std::max<uint64_t>(options.maxBytes, uint64_t(1) << 20);
  if (!mayOpen())
    return makeError(ErrorCode::Io,
                     "part store: {}: this process was forked off by one that had a store open; it can open one after "
                     "exec",
                     options.path);
  const auto close = [](SqliteStore *store) {
    if (!store->isForked()) // otherwise the parent must close it
      delete store;
  };
  const std::shared_ptr<SqliteStore> store(new SqliteStore(std::move(options), writer), close);
  DOVETAIL_CHECK(store->begin());
  return store;
}

} // namespace store

Result<std::shared_ptr<PartStore>> PartStore::open(PartStoreOptions options) {
  return DOVETAIL_TRY(store::SqliteStore::open(std::move(options), store::StoreWriter::Thread));
}

Result<std::shared_ptr<EntryStore>> EntryStore::open(PartStoreOptions options) {
  return DOVETAIL_TRY(store::SqliteStore::open(std::move(options), store::StoreWriter::Caller));
}

} // namespace dovetail
