// SPDX-License-Identifier: MIT
//
// Joins what the files of parts/store do: the environment reads and commits, the writer writes behind the callers'
// backs, entries are checked and decoded here.
#include "parts/store/part_store.h"
#include "parts/store/environment.h"
#include "parts/store/registry.h"
#include "parts/store/structure_check.h"
#include "parts/store/writer.h"
#include <unistd.h>

namespace dovetail {

using namespace store;

class PartStore::Implementation {
public:
  Implementation(PartStoreOptions options, std::unique_ptr<Environment> environment)
      : m_options(std::move(options)), m_environment(std::move(environment)),
        m_writer(*m_environment, m_options.maxBytes, m_counters, m_options.onWarning) {}

  // What opening has to say, once others may open the folder, too: a callback may do so.
  void warn() {
    if (m_environment->isFrozen() && !m_options.readOnly && m_options.onWarning)
      m_options.onWarning("part store: the store is write-protected; nothing is written");
    if (!m_writer.hasThread())
      m_writer.warn();
  }

  // This is a copy of the process that opened the store. The writer's thread is not in it, and LMDB does not work here.
  bool isForked() const { return getpid() != m_process; }

  void leaveToParent() { m_environment->leaveToParent(); }

  // Nothing if the store cannot be read.
  std::optional<Environment::Reading> read() {
    if (isForked() || !m_writer.isReadable())
      return std::nullopt;
    Environment::ReadFailure failure;
    std::optional<Environment::Reading> reading = m_environment->read(failure);
    if (failure == Environment::ReadFailure::Broken)
      m_writer.reportBroken();
    return reading;
  }

  PartRef find(const PartKey &key) {
    PartRef part = readPart(key);
    ++(part ? m_hits : m_misses);
    if (part)
      m_writer.noteHit(key);
    return part;
  }

  void put(const PartRef &part, std::string_view gpuName) {
    if (!isForked())
      m_writer.put(part, gpuName);
  }
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
    if (!isForked())
      m_writer.noteVariant(variant, parts);
  }
  void flush() {
    if (!isForked())
      m_writer.flush();
  }

  Result<Verification> verify();
  Result<uint64_t> prune(uint64_t maxBytes);
  Result<void> forEach(const std::function<void(const PartStoreEntry &)> &visit);
  PartStoreStatistics statistics();
  const PartStoreOptions &options() const { return m_options; }

private:
  PartRef readPart(const PartKey &key) {
    std::optional<Environment::Reading> reading = read();
    Bytes value;
    Lookup lookup = reading ? reading->find(makeKey(Table::Parts, key), value) : Lookup::Absent;
    if (lookup == Lookup::Broken)
      m_writer.reportBroken();
    if (lookup != Lookup::Found)
      return nullptr;
    Result<Part> part = decodeEntry(key, value);
    if (!part) {
      m_writer.removeDamaged(key);
      return nullptr;
    }
    return std::make_shared<const Part>(std::move(*part));
  }

  PartStoreOptions m_options;
  const pid_t m_process = getpid();
  std::unique_ptr<Environment> m_environment;
  Writer::Counters m_counters;
  std::atomic<uint64_t> m_hits = 0, m_misses = 0;
  Writer m_writer; // ends before the environment
};

Result<PartStore::Verification> PartStore::Implementation::verify() {
  Verification result;
  std::vector<PartKey> damaged;
  flush(); // what is being salvaged is checked, too
  {
    std::optional<Environment::Reading> reading = read();
    if (!reading)
      return makeError(ErrorCode::Io, "part store: {} cannot be read", m_options.path);
    const Snapshot &snapshot = reading->snapshot();
    result.defects = checkStructure(reading->file(), snapshot).defects;
    if (!result.defects.empty())
      m_writer.reportBroken();
    SeenPages seen(snapshot.lastPage + 1);
    walk(reading->file(), snapshot, snapshot.data, KeyOrder::Bytes, {}, seen,
         {.entry =
              [&](Bytes bytes, Bytes value) {
                if (std::optional<PartKey> key = readKey(Table::Parts, bytes)) {
                  ++result.entries;
                  if (Result<Part> part = decodeEntry(*key, value); !part) {
                    damaged.push_back(*key);
                    result.defects.push_back(part.error().text);
                  }
                } else if (!readKey(Table::Usage, bytes) || !decodeUsage(value)) {
                  result.defects.push_back("there is a record that is none of the store's");
                }
                return true;
              },
          .defect = {}});
  }
  result.damaged = damaged.size();
  for (const PartKey &key : damaged)
    m_writer.removeDamaged(key);
  m_writer.flush();
  return result;
}

Result<uint64_t> PartStore::Implementation::prune(uint64_t maxBytes) {
  Result<uint64_t> result = makeError(ErrorCode::Io, "part store: {} cannot be written to", m_options.path);
  if (!isForked())
    m_writer.run([&] { result = m_writer.prune(maxBytes); });
  return result;
}

Result<void> PartStore::Implementation::forEach(const std::function<void(const PartStoreEntry &)> &visit) {
  // What is visited is copied first: a visitor may take its time, and an old state must not be held for long.
  std::vector<PartStoreEntry> entries;
  {
    std::optional<Environment::Reading> reading = read();
    if (!reading)
      return makeError(ErrorCode::Io, "part store: {} cannot be read", m_options.path);
    const Snapshot &snapshot = reading->snapshot();
    SeenPages seen(snapshot.lastPage + 1);
    uint8_t first = uint8_t(Table::Usage);
    walk(reading->file(), snapshot, snapshot.data, KeyOrder::Bytes, Bytes(&first, 1), seen,
         {.entry =
              [&](Bytes bytes, Bytes value) {
                std::optional<PartKey> key = readKey(Table::Usage, bytes);
                std::optional<UsageRecord> usage = decodeUsage(value);
                if (key && usage)
                  entries.push_back({*key, usage->bytes, usage->hits, usage->created / 1'000'000,
                                     usage->lastUsed / 1'000'000, std::string(usage->getGpuName()),
                                     usage->variants.estimate()});
                return true;
              },
          .defect = [&](std::string) { m_writer.reportBroken(); }});
  }
  for (const PartStoreEntry &entry : entries)
    visit(entry);
  return {};
}

PartStoreStatistics PartStore::Implementation::statistics() {
  PartStoreStatistics result;
  result.hits = m_hits;
  result.misses = m_misses;
  result.written = m_counters.written;
  result.damaged = m_counters.damaged + m_environment->timesPutAside();
  result.salvaged = m_counters.salvaged;
  result.lost = m_counters.lost;
  result.evicted = m_counters.evicted;
  result.dropped = m_counters.dropped;
  result.isWritable = m_writer.isWritable();
  if (std::optional<Environment::Reading> reading = read()) {
    const Snapshot &snapshot = reading->snapshot();
    result.isReadable = true;
    result.entries = snapshot.data.entries / 2; // one of each table
    result.bytes =
        (snapshot.lastPage + 1 - std::min(countFreePages(reading->file(), snapshot).all, snapshot.lastPage + 1)) *
        snapshot.pageSize;
  }
  return result;
}

Result<std::shared_ptr<PartStore>> PartStore::open(PartStoreOptions options) {
  // Below this, a commit's copies of pages would not fit beside the entries.
  options.maxBytes = std::max<uint64_t>(options.maxBytes, uint64_t(1) << 20);
  PartStore *opened = nullptr;
  Result<std::shared_ptr<PartStore>> store =
      openOnce(options.path, !options.readOnly, [&]() -> Result<std::shared_ptr<PartStore>> {
        std::unique_ptr<Environment> environment =
            DOVETAIL_TRY(Environment::open({options.path, options.maxBytes, options.readOnly}));
        opened = new PartStore(std::make_unique<Implementation>(std::move(options), std::move(environment)));
        return std::shared_ptr<PartStore>(opened);
      });
  if (store && opened)
    opened->m_implementation->warn();
  return store;
}

PartStore::PartStore(std::unique_ptr<Implementation> implementation) : m_implementation(std::move(implementation)) {}

PartStore::~PartStore() {
  if (m_implementation->isForked())
    m_implementation.release()->leaveToParent();
  m_implementation.reset();
  // Beyond this point, the files are closed or the other process's to close, and the folder may be opened again.
  closedOnce(this);
}

PartRef PartStore::find(const PartKey &key) {
  return m_implementation->find(key);
}

void PartStore::put(const PartRef &part, std::string_view gpuName) {
  m_implementation->put(part, gpuName);
}

void PartStore::noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
  m_implementation->noteVariant(variant, parts);
}

void PartStore::flush() {
  m_implementation->flush();
}

Result<PartStore::Verification> PartStore::verify() {
  return m_implementation->verify();
}

Result<uint64_t> PartStore::prune(uint64_t maxBytes) {
  return m_implementation->prune(maxBytes);
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
