// SPDX-License-Identifier: MIT
#include "parts/store/writer.h"
#include "parts/store/clock.h"
#include "parts/store/structure_check.h"
#include <algorithm>
#include <cstring>
#include <system_error>

namespace dovetail::store {

namespace {

// Parts come in bursts; a commit of many costs as much as one of one.
constexpr std::chrono::milliseconds GatherTime(20);
constexpr size_t FullBatch = 1024;
// More than wait are dropped: they will be made again some day.
constexpr size_t MostWaiting = 32768;
constexpr std::chrono::seconds UsesTime(60);
constexpr size_t MostUses = 65536;
// So many batches that find no room although entries were evicted: somebody holds an old state.
constexpr unsigned MostFullBatches = 3;
// To commit a batch, evicting more each time.
constexpr unsigned MostTries = 8;
// Between two commits, so that others who want to write get their turn.
constexpr std::chrono::milliseconds Courtesy(2);
// To begin a commit while others put the database aside again and again.
constexpr unsigned MostBeginnings = 4;
// While others open the files, or all places for readers are taken.
constexpr std::chrono::milliseconds BusyTime(20);
constexpr unsigned BusyAttempts = 100;
// What salvaging leaves free on the disk, unless the database is small.
constexpr uint64_t MinFreeDisk = uint64_t(64) << 20;

std::string describe(int code) {
  return code > 0 ? std::strerror(code) : mdb_strerror(code);
}

// How many entries the changes made.
uint64_t countParts(const std::vector<Change> &changes) {
  return uint64_t(std::ranges::count_if(
      changes, [](const Change &change) { return change.done && change.key[0] == uint8_t(Table::Parts); }));
}

} // namespace

Writer::Writer(Environment &environment, uint64_t maxBytes, Counters &counters,
               std::function<void(std::string_view)> onWarning)
    : m_environment(environment), m_counters(counters), m_onWarning(std::move(onWarning)), m_maxBytes(maxBytes),
      m_eviction(environment, maxBytes) {
  if (environment.isReadOnly()) {
    m_isWritable = false;
    return;
  }
  try {
    m_thread = std::thread([this] { threadMain(); });
  } catch (const std::system_error &error) {
    turnOff(error.what()); // said by whoever opened the store, once it is open
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
  UsageRecord usage;
  usage.setGpuName(gpuName);
  size_t waiting;
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    waiting = m_next.parts.size();
    if (waiting < MostWaiting)
      m_next.parts.push_back({part, usage.gpuName});
  }
  if (waiting >= MostWaiting)
    ++m_counters.dropped;
  else if (waiting == 0 || waiting + 1 == FullBatch)
    m_wake.notify_all();
}

// m_mutex must be held. nullptr: too much waits to be written down.
Writer::Use *Writer::useOf(const PartKey &key) {
  auto place = m_next.uses.find(key);
  if (place != m_next.uses.end())
    return &place->second;
  return m_next.uses.size() < MostUses ? &m_next.uses[key] : nullptr;
}

void Writer::noteHit(const PartKey &key) {
  if (!m_isWritable)
    return;
  int64_t now = microsecondsSince1970();
  std::lock_guard<std::mutex> lock(m_mutex);
  if (Use *use = useOf(key)) {
    ++use->hits;
    use->lastUsed = now;
  }
}

void Writer::noteVariant(const Hash128 &variant, std::span<const PartKey> parts) {
  if (!m_isWritable)
    return;
  std::lock_guard<std::mutex> lock(m_mutex);
  for (const PartKey &key : parts)
    if (Use *use = useOf(key))
      use->variants.add(variant);
}

void Writer::removeDamaged(const PartKey &key) {
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_damaged.insert(key).second)
      return;
    m_next.damaged.insert(key);
  }
  ++m_counters.damaged;
  m_wake.notify_all();
}

void Writer::reportBroken() {
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (std::exchange(m_next.isBroken, true))
      return;
  }
  m_wake.notify_all();
}

void Writer::flush() {
  std::unique_lock<std::mutex> lock(m_mutex);
  if (!m_thread.joinable() || m_hasEnded || isOwnThread())
    return;
  m_next.wantsSync = true;
  uint64_t mine = m_started + 1; // the batch that is being gathered
  m_wake.notify_all();
  m_done.wait(lock, [&] { return m_finished >= mine || m_hasEnded; });
}

bool Writer::run(const std::function<void()> &task) {
  std::unique_lock<std::mutex> lock(m_mutex);
  if (!m_isWritable || m_hasEnded)
    return false;
  if (isOwnThread()) {
    lock.unlock();
    task();
    return true;
  }
  m_next.tasks.push_back(&task);
  uint64_t mine = m_started + 1;
  m_wake.notify_all();
  m_done.wait(lock, [&] { return m_finished >= mine || m_hasEnded; });
  return true;
}

// Nobody could catch what is thrown out of a thread; there is little but memory that runs out.
void Writer::threadMain() {
  try {
    loop();
    return;
  } catch (const std::exception &exception) {
    m_salvaging.reset();
    end();
    try {
      turnOff(exception.what());
      warn();
    } catch (const std::exception &) {
      // There is not even memory to say so.
    }
  }
  std::lock_guard<std::mutex> lock(m_mutex);
  m_hasEnded = true;
  m_done.notify_all();
}

void Writer::loop() {
  std::unique_lock<std::mutex> lock(m_mutex);
  std::chrono::steady_clock::time_point usesDue = std::chrono::steady_clock::now();
  for (bool isFirst = true;; isFirst = false) {
    if (!isFirst && !m_salvaging) {
      m_wake.wait_until(lock, usesDue, [&] { return m_isStopping || !m_next.isEmpty(); });
      bool isUrgent = m_isStopping || m_next.wantsSync || !m_next.tasks.empty();
      if (!isUrgent)
        m_wake.wait_for(lock, GatherTime, [&] {
          return m_isStopping || m_next.wantsSync || !m_next.tasks.empty() || m_next.parts.size() >= FullBatch;
        });
    }

    bool isLast = m_isStopping;
    bool isUsesTime = isLast || m_next.wantsSync || std::chrono::steady_clock::now() >= usesDue;
    Batch batch = std::exchange(m_next, Batch());
    if (isUsesTime)
      usesDue = std::chrono::steady_clock::now() + UsesTime;
    else
      m_next.uses = std::exchange(batch.uses, {});
    batch.wantsSync = batch.wantsSync || isLast;
    batch.isUsesTime = isUsesTime;
    ++m_started;
    lock.unlock();
    process(batch, isLast);
    lock.lock();
    ++m_finished;
    // A thread that ends gives up LMDB's lock, which an assertion left behind; other processes wait for it.
    m_hasEnded = isLast || m_hasAsserted;
    m_done.notify_all();
    if (m_hasEnded)
      return;
  }
}

void Writer::process(Batch &batch, bool isLast) {
  if (batch.isBroken) {
    // What a reader met is looked for again before the whole database is put aside.
    m_isStructureChecked = false;
    if (begin())
      end();
  }
  bool hasWork = !batch.parts.empty() || !batch.damaged.empty() || !batch.uses.empty();
  if (hasWork && m_isWritable) {
    removeEntries(batch.damaged);
    writeParts(batch.parts);
    writeUses(batch.uses);
  }

  if (batch.isUsesTime && !isLast)
    beginSalvage();
  // Who waits for this batch wants what is salvaged, too. Closing does not wait: whoever opens the store next goes on.
  bool isAwaited = !isLast && (batch.wantsSync || !batch.tasks.empty());
  if (m_salvaging && isLast)
    endSalvage(SalvageEnd::Interrupted);
  else if (m_salvaging)
    do
      salvageSome();
    while (m_salvaging && isAwaited);

  if (hasWork && batch.wantsSync && m_isWritable) {
    if (int code = m_environment.sync())
      turnOff(describe(code));
  }
  for (const std::function<void()> *task : batch.tasks)
    (*task)();
  // Beyond this point, no lock is held.
  warn();
}

// Beyond this point, until end(), nobody else writes and the database is known to be whole.
bool Writer::begin() {
  for (unsigned attempt = 0; attempt < MostBeginnings && m_isWritable; ++attempt) {
    // Others may write while the structure is checked, which takes long if there is much. They, too, have checked it.
    bool isWhole = checkStructureOnce();
    if (!m_isWritable)
      return false;
    if (!m_environment.lockForWriting()) {
      turnOff("another process has held the lock for writing for too long");
      return false;
    }
    if (m_environment.isReplaced()) {
      settle(m_environment.follow());
    } else if (isWhole || checkStructureOnce()) {
      return true;
    } else if (m_isWritable) {
      settle(m_environment.replaceDamaged());
    }
    end();
  }
  turnOff("the database is damaged again and again");
  return false;
}

void Writer::end() {
  m_environment.unlockForWriting();
}

// false: it is damaged, or writing is off.
bool Writer::checkStructureOnce() {
  if (m_isStructureChecked)
    return true;
  Environment::ReadFailure failure = Environment::ReadFailure::Busy;
  for (unsigned attempt = 0; failure == Environment::ReadFailure::Busy && attempt < BusyAttempts; ++attempt) {
    if (attempt > 0)
      std::this_thread::sleep_for(BusyTime);
    if (std::optional<Environment::Reading> reading = m_environment.read(failure))
      m_isStructureChecked = checkStructure(reading->file(), reading->snapshot()).defects.empty();
  }
  if (failure != Environment::ReadFailure::None && failure != Environment::ReadFailure::Broken)
    turnOff("LMDB gives no transactions");
  return m_isStructureChecked;
}

// Other files are open now, or none.
void Writer::settle(const Result<void> &opened) {
  m_isStructureChecked = false;
  if (opened) {
    beginSalvage();
    return;
  }
  m_isReadable = false;
  turnOff(opened.error().text);
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

void Writer::beginSalvage() {
  if (m_salvaging || !m_maySalvage || !m_isWritable)
    return;
  if (std::optional<AsideFile> aside = AsideFile::take(m_environment.folder(), m_environment.lock())) {
    Salvage salvage(aside->file(), m_maxBytes, m_eviction.maxEntryBytes());
    m_salvaging.emplace(Salvaging{std::move(*aside), std::move(salvage)});
  }
}

bool Writer::isThere(const PartKey &key) {
  Environment::ReadFailure failure;
  std::optional<Environment::Reading> reading = m_environment.read(failure);
  Bytes value;
  return reading && reading->find(makeKey(Table::Parts, key), value) == Lookup::Found;
}

// A few milliseconds of salvaging, or a commit.
void Writer::salvageSome() {
  // Others may have put aside the files that are open here. What is there in those is not there in the store.
  if (m_environment.isReplaced()) {
    if (!begin())
      return endSalvage(SalvageEnd::Interrupted);
    end();
  }
  // Beyond this point, what was put aside before is not what is read. What is put aside from now on is salvaged next.

  std::vector<SalvagedEntry> found;
  bool isAtEnd = !m_salvaging->salvage.advance([this](const PartKey &key) { return isThere(key); },
                                               m_eviction.maxCommitEntries(), m_eviction.maxCommitBytes(), found);
  if (isAtEnd)
    return endSalvage(SalvageEnd::Complete);
  m_salvaging->unwritten += found.size();
  if (m_environment.freeDiskBytes() < std::min(MinFreeDisk, 2 * m_salvaging->salvage.fileBytes()))
    return endSalvage(SalvageEnd::NoRoom);
  std::vector<std::array<uint8_t, UsageBytes>> usages;
  usages.reserve(found.size());
  std::vector<Change> changes;
  uint64_t bytes = 0;
  for (const SalvagedEntry &one : found) {
    bytes += one.entry.size();
    usages.push_back(encodeUsage(one.usage));
    changes.push_back({Change::Kind::PutIfAbsent, makeKey(Table::Parts, one.key), one.entry});
    changes.push_back({Change::Kind::PutIfAbsent, makeKey(Table::Usage, one.key), usages.back()});
  }
  if (changes.empty())
    return;
  if (!begin())
    return endSalvage(SalvageEnd::Interrupted);
  bool isCommitted = commit(changes, bytes);
  end();
  if (isCommitted) {
    uint64_t written = countParts(changes);
    m_salvaging->unwritten -= found.size();
    m_salvaging->written += written;
    m_counters.salvaged += written;
    std::this_thread::sleep_for(Courtesy);
  } else if (!m_isWritable) {
    endSalvage(SalvageEnd::NoRoom); // it would fail again next time
  }
}

// Gives the file up; for good unless it was interrupted.
void Writer::endSalvage(SalvageEnd how) {
  Salvaging &salvaging = *m_salvaging;
  std::string rest = "whoever uses the store next goes on";
  if (how != SalvageEnd::Interrupted) {
    uint64_t lost =
        salvaging.unwritten + salvaging.salvage.countLost([this](const PartKey &key) { return isThere(key); });
    m_counters.lost += lost;
    rest = fmt::format("{} were lost", lost);
    // What was salvaged is on disk before the only other copy of it goes.
    m_maySalvage = (how == SalvageEnd::NoRoom || m_environment.sync() == 0) && m_environment.lockForWriting() &&
                   salvaging.aside.finish(salvaging.salvage.isOurs());
    end();
  }
  bool isForeign = how != SalvageEnd::Interrupted && !salvaging.salvage.isOurs();
  m_warnings.push_back(
      isForeign ? "part store: the database was none; it was renamed to data.mdb.damaged and a new one begun"
                : fmt::format("part store: the database was damaged; it was put aside and a new one begun. {} entries "
                              "were salvaged; {}",
                              salvaging.written, rest));
  m_salvaging.reset();
  if (how != SalvageEnd::Interrupted)
    beginSalvage(); // there may be another one
}

// What was found damaged may have been written anew since.
void Writer::removeEntries(const std::set<PartKey> &keys) {
  if (keys.empty() || !begin())
    return;
  std::vector<Change> changes;
  {
    Environment::ReadFailure failure;
    std::optional<Environment::Reading> reading = m_environment.read(failure);
    for (const PartKey &key : keys) {
      Bytes value;
      if (!reading || reading->find(makeKey(Table::Parts, key), value) != Lookup::Found || decodeEntry(key, value))
        continue;
      changes.push_back({Change::Kind::Remove, makeKey(Table::Parts, key), {}});
      changes.push_back({Change::Kind::Remove, makeKey(Table::Usage, key), {}});
    }
  }
  if (changes.empty() || commit(changes, 0)) {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (const PartKey &key : keys)
      m_damaged.erase(key);
  }
  end();
}

void Writer::writeUses(const std::map<PartKey, Use> &uses) {
  auto at = uses.begin();
  while (at != uses.end() && begin()) {
    std::vector<std::array<uint8_t, UsageBytes>> values;
    values.reserve(FullBatch);
    std::vector<Change> changes;
    {
      Environment::ReadFailure failure;
      std::optional<Environment::Reading> reading = m_environment.read(failure);
      for (; at != uses.end() && values.size() < m_eviction.maxCommitEntries(); ++at) {
        Bytes value;
        if (!reading || reading->find(makeKey(Table::Usage, at->first), value) != Lookup::Found)
          continue;
        UsageRecord record = decodeUsage(value).value_or(UsageRecord());
        record.hits += at->second.hits;
        record.lastUsed = std::max(record.lastUsed, at->second.lastUsed);
        DistinctCount variants = record.variants;
        record.variants.merge(at->second.variants);
        if (at->second.hits == 0 && record.variants == variants)
          continue; // nothing new
        values.push_back(encodeUsage(record));
        changes.push_back({Change::Kind::Put, makeKey(Table::Usage, at->first), values.back()});
      }
    }
    if (!changes.empty())
      commit(changes, changes.size() * UsageBytes);
    end();
    if (at != uses.end())
      std::this_thread::sleep_for(Courtesy);
  }
}

void Writer::writeParts(std::deque<NewPart> &parts) {
  while (!parts.empty() && begin()) {
    m_counters.written += writeSome(parts);
    end();
    if (!parts.empty())
      std::this_thread::sleep_for(Courtesy);
  }
}

// As many as one commit should take. Returns how many were not there yet.
uint64_t Writer::writeSome(std::deque<NewPart> &parts) {
  int64_t now = microsecondsSince1970();
  std::vector<std::vector<uint8_t>> entries;
  std::vector<std::array<uint8_t, UsageBytes>> usages;
  entries.reserve(FullBatch);
  usages.reserve(FullBatch);
  std::vector<Change> changes;
  uint64_t bytes = 0;
  while (!parts.empty() && entries.size() < m_eviction.maxCommitEntries() && bytes < m_eviction.maxCommitBytes()) {
    auto [part, gpuName] = std::move(parts.front());
    parts.pop_front();
    std::vector<uint8_t> entry;
    encodeEntry(*part, now, entry);
    if (entry.size() > m_eviction.maxEntryBytes()) {
      ++m_counters.dropped;
      continue;
    }
    bytes += entry.size();
    usages.push_back(encodeUsage({uint32_t(entry.size()), 0, now, now, gpuName, {}}));
    entries.push_back(std::move(entry));
    changes.push_back({Change::Kind::PutIfAbsent, makeKey(Table::Parts, part->key), entries.back()});
    changes.push_back({Change::Kind::PutIfAbsent, makeKey(Table::Usage, part->key), usages.back()});
  }
  if (changes.empty() || !commit(changes, bytes)) {
    m_counters.dropped += changes.size() / 2;
    return 0;
  }
  return countParts(changes);
}

// Commits, if need be after evicting something.
bool Writer::commit(std::vector<Change> &changes, uint64_t bytes) {
  int code = 0;
  Commit result = Commit::Done;
  auto withoutRoom = [&](std::vector<Change> &some) {
    result = m_environment.commit(some, code);
    return result == Commit::Done;
  };
  for (unsigned tries = 0; tries < MostTries; ++tries) {
    result = Commit::Done;
    if (bytes != 0)
      m_counters.evicted += m_eviction.makeRoom(bytes, changes.size(), tries, withoutRoom);
    if (result == Commit::Done)
      withoutRoom(changes);
    if (result != Commit::Full)
      break;
  }
  switch (result) {
  case Commit::Done:
    m_fullBatches = 0;
    return true;
  case Commit::Full:
    if (++m_fullBatches >= MostFullBatches)
      turnOff("there is no room, though entries were evicted");
    return false;
  case Commit::Failed:
    turnOff(describe(code));
    return false;
  case Commit::Asserted:
    m_hasAsserted = true;
    turnOff("LMDB found its database inconsistent");
    return false;
  }
  return false;
}

Result<uint64_t> Writer::prune(uint64_t maxBytes) {
  if (!begin())
    return makeError(ErrorCode::Io, "part store: nothing is written any more");
  int code = 0;
  Commit result = Commit::Done;
  uint64_t evicted = m_eviction.prune(maxBytes, [&](std::vector<Change> &changes) {
    result = m_environment.commit(changes, code);
    return result == Commit::Done;
  });
  end();
  m_counters.evicted += evicted;
  if (result != Commit::Done)
    return makeError(ErrorCode::Io, "part store: pruning failed: {}", describe(code));
  return evicted;
}

} // namespace dovetail::store
