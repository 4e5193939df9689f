// SPDX-License-Identifier: MIT
#include "parts/store/salvage.h"
#include "parts/store/clock.h"
#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace dovetail::store {

namespace {

constexpr size_t ChunkBytes = size_t(1) << 20;
// Beyond this, usage is not remembered: entries then count as unused since they were made. 40 MB of memory.
constexpr size_t MostKnown = size_t(1) << 18;
// Leaves that were freed name the same pages as those that took their place. So many times the file is read for that
// at most.
constexpr uint64_t MostRereading = 4;

// Another process may have had a higher limit, but what is that much larger is no store.
constexpr uint64_t MostLarger = 16;

// Fills the buffer. false: it cannot be read, or the file ends before.
bool readAt(int file, uint64_t offset, std::span<uint8_t> buffer) {
  while (!buffer.empty()) {
    ssize_t length = pread(file, buffer.data(), buffer.size(), off_t(offset));
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    buffer = buffer.subspan(size_t(length));
    offset += uint64_t(length);
  }
  return true;
}

// What the meta pages say, or else what this machine's LMDB would make.
uint32_t findPageSize(int file) {
  std::vector<uint8_t> start(ChunkBytes);
  struct stat status;
  if (fstat(file, &status) == 0 && uint64_t(status.st_size) < start.size())
    start.resize(uint64_t(status.st_size));
  if (readAt(file, 0, start)) {
    for (unsigned which : {0, 1})
      if (std::optional<Snapshot> snapshot = readMeta({start.data(), start.size()}, which))
        return snapshot->pageSize;
  }
  return uint32_t(std::min<long>(sysconf(_SC_PAGESIZE), 32768));
}

} // namespace

Salvage::Salvage(int file, uint64_t maxBytes, uint64_t maxEntryBytes)
    : m_file(file), m_maxBytes(maxBytes), m_maxEntryBytes(maxEntryBytes), m_pageSize(findPageSize(file)),
      m_now(microsecondsSince1970()) {
  struct stat status;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    m_fileBytes = std::min(uint64_t(status.st_size), std::max(maxBytes, maxBytes * MostLarger));
}

bool Salvage::advance(const IsThere &isThere, size_t maxEntries, uint64_t maxEntriesBytes,
                      std::vector<SalvagedEntry> &found) {
  if (m_pass == Pass::End)
    return false;
  m_taken.clear();
  uint64_t before = m_takenBytes, runBytesBefore = m_runBytes;
  uint64_t end = m_page + ChunkBytes / m_pageSize;
  while (m_page < end && found.size() < maxEntries && m_takenBytes - before < maxEntriesBytes &&
         m_runBytes - runBytesBefore < maxEntriesBytes) {
    Bytes page = chunkAt(m_page);
    bool isEnough = m_takenBytes >= m_maxBytes;
    if (page.empty() || isEnough) {
      if (m_pass == Pass::Usage)
        sortKnown();
      m_pass = m_pass == Pass::Usage ? Pass::Entries : Pass::End;
      m_page = 0;
      break;
    }
    forEachRecord(page, m_page, [&](const LeafRecord &record) {
      if (m_pass == Pass::Usage)
        noteUsage(record);
      else
        take(record, isThere, found);
    });
    ++m_page;
  }
  return true;
}

// The bytes of a page. Empty: it is beyond the file's end.
Bytes Salvage::chunkAt(uint64_t page) {
  uint64_t pages = m_fileBytes / m_pageSize;
  if (page >= pages)
    return {};
  if (page < m_chunkPage || page >= m_chunkPage + m_chunk.size() / m_pageSize) {
    m_chunkPage = page;
    m_chunk.resize(size_t(std::min<uint64_t>(ChunkBytes / m_pageSize, pages - page)) * m_pageSize);
    if (!readAt(m_file, page * m_pageSize, m_chunk)) {
      // Those of them that can be read.
      for (size_t at = 0; at < m_chunk.size(); at += m_pageSize) {
        std::span<uint8_t> one(&m_chunk[at], m_pageSize);
        if (!readAt(m_file, page * m_pageSize + at, one))
          std::fill(one.begin(), one.end(), 0);
      }
    }
  }
  return Bytes(m_chunk).subspan((page - m_chunkPage) * m_pageSize, m_pageSize);
}

void Salvage::noteUsage(const LeafRecord &record) {
  std::optional<PartKey> key = readKey(Table::Usage, record.key);
  std::optional<UsageRecord> usage = decodeUsage(record.value);
  if (!key || !usage)
    return;
  m_isOurs = true;
  if (m_known.size() == MostKnown && !m_isKnownFull) {
    sortKnown();
    m_isKnownFull = m_known.size() > MostKnown / 2; // sorting again would not be worth it
  }
  if (m_known.size() < MostKnown)
    m_known.push_back({*key, *usage});
}

// And leaves the newest usage of each.
void Salvage::sortKnown() {
  std::sort(m_known.begin(), m_known.end(), [](const Known &a, const Known &b) {
    return std::tie(a.key, b.usage.created, b.usage.lastUsed) < std::tie(b.key, a.usage.created, a.usage.lastUsed);
  });
  auto isSame = [](const Known &a, const Known &b) { return a.key == b.key; };
  m_known.erase(std::unique(m_known.begin(), m_known.end(), isSame), m_known.end());
}

Salvage::Known *Salvage::knownOf(const PartKey &key) {
  auto place = std::ranges::lower_bound(m_known, key, {}, &Known::key);
  return place != m_known.end() && place->key == key ? &*place : nullptr;
}

void Salvage::take(const LeafRecord &record, const IsThere &isThere, std::vector<SalvagedEntry> &found) {
  std::optional<PartKey> key = readKey(Table::Parts, record.key);
  if (!key)
    return;
  Known *known = knownOf(*key);
  if ((known && known->isFound) || m_taken.contains(*key))
    return;
  if (isThere(*key)) {
    if (known)
      known->isFound = true;
    m_isOurs = true;
    return;
  }
  std::optional<Bytes> value = valueOf(record);
  if (!value || !decodeEntry(*key, *value))
    return;
  // Beyond this point, the entry is right.

  m_isOurs = true;
  UsageRecord usage;
  usage.bytes = uint32_t(value->size());
  usage.created = usage.lastUsed = std::min(createdOf(*value), m_now);
  // Usage has no checksum.
  if (known && known->usage.bytes == usage.bytes && known->usage.created <= known->usage.lastUsed &&
      known->usage.lastUsed <= m_now)
    usage = known->usage;
  if (known)
    known->isFound = true;
  m_taken.insert(*key);
  m_takenBytes += value->size();
  found.push_back({*key, {value->begin(), value->end()}, usage});
}

std::optional<Bytes> Salvage::valueOf(const LeafRecord &record) {
  if (record.valueBytes > m_maxEntryBytes)
    return std::nullopt;
  if (!record.overflow)
    return record.value;
  uint64_t pages = overflowPages(record.valueBytes, m_pageSize), there = m_fileBytes / m_pageSize;
  if (*record.overflow >= there || pages > there - *record.overflow)
    return std::nullopt;
  m_runBytes += pages * m_pageSize;
  if (m_runBytes / MostRereading > m_fileBytes)
    return std::nullopt;
  m_run.resize(pages * m_pageSize);
  if (!readAt(m_file, *record.overflow * m_pageSize, m_run))
    return std::nullopt;
  return overflowValue(m_run, *record.overflow, record.valueBytes, m_pageSize);
}

uint64_t Salvage::countLost(const IsThere &isThere) const {
  return uint64_t(
      std::ranges::count_if(m_known, [&](const Known &known) { return !known.isFound && !isThere(known.key); }));
}

} // namespace dovetail::store
