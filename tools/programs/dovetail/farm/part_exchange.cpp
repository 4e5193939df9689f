// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/part_exchange.h"
#include "parts/part_bytes.h"
#include "parts/store/archive.h"
#include "parts/store/entry.h"
#include "tools/programs/dovetail/farm/work_queue.h"
#include <algorithm>
#include <span>

namespace dovetail::farm {

namespace {

constexpr size_t BatchParts = 256;
constexpr size_t MaxMade = 4096; // that wait for a server; the store has them all
constexpr const char *LifeSeconds = "2592000";
constexpr std::chrono::seconds TryAgain(5);

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

std::string_view textOf(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

std::string PartExchange::prefixOf(const std::string &gpu) const {
  return fmt::format("dovetail:part:{}:{}:", m_build, gpu);
}

std::string PartExchange::keyOf(const std::string &gpu, const DriverCacheKey &key) const {
  constexpr const char *Digits = "0123456789abcdef";
  std::string text = prefixOf(gpu);
  for (uint8_t byte : key)
    text.append({Digits[byte >> 4], Digits[byte & 15]});
  return text;
}

PartRef PartExchange::openValue(const std::string &key, const std::string &gpu, const std::string &value) {
  const Result<std::string> entry = m_sealer.open(key, value);
  // The part names itself; then the entry is checked as one that was asked for by this name.
  Result<Part> part = makeError(ErrorCode::InvalidInput, "{}: the value is cut off", key);
  if (entry && entry->size() > sizeof(Hash128))
    part = decodePart(bytesOf(*entry).subspan(sizeof(Hash128)));
  if (part && keyOf(gpu, driverCacheKey(part->key)) == key && store::hasGoodChecksum(part->key, bytesOf(*entry)) &&
      isOfThisBuild(*part))
    return std::make_shared<const Part>(std::move(*part));
  ++m_refused;
  m_bad.insert(key);
  return nullptr;
}

Result<std::vector<bool>> PartExchange::set(const std::vector<Value> &values) {
  std::vector<RedisCommand> commands;
  for (const auto &[key, entry] : values)
    commands.push_back({"SET", key, m_sealer.seal(key, textOf(entry)), "EX", LifeSeconds, "GET"});
  std::vector<bool> known;
  if (commands.empty())
    return known;
  for (const Reply &before : DOVETAIL_TRY(m_redis.runAll(commands)))
    if (before.isError())
      return makeError(ErrorCode::Io, "the server takes no parts: {}", before.text);
    else
      known.push_back(before.text == commands[known.size()][2]);
  for (const Value &value : values)
    m_bad.erase(value.key);
  return known;
}

Result<SyncCounts> PartExchange::push(PartStore &store, const std::vector<std::string> &gpus, bool verifies) {
  SyncCounts counts;
  const uint64_t refusedBefore = m_refused;
  std::vector<PartStoreEntry> entries = DOVETAIL_TRY(store.entries());
  std::erase_if(entries, [&](const PartStoreEntry &entry) { return std::ranges::count(gpus, entry.gpuName) == 0; });
  for (std::span<const PartStoreEntry> rest(entries); !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), BatchParts));
    rest = rest.subspan(batch.size());
    std::vector<RedisCommand> commands;
    for (const PartStoreEntry &entry : batch)
      commands.push_back({verifies ? "GET" : "EXISTS", keyOf(entry.gpuName, driverCacheKey(entry.key))});
    const std::vector<Reply> known = DOVETAIL_TRY(m_redis.runAll(commands));
    std::vector<std::vector<uint8_t>> entries;
    entries.reserve(batch.size()); // values refer to them
    std::vector<Value> values;
    for (size_t index = 0; index < batch.size(); ++index) {
      const std::string &key = commands[index].back();
      const bool isThere =
          verifies ? known[index].kind == Reply::Kind::Text && openValue(key, batch[index].gpuName, known[index].text)
                   : known[index].integer == 1;
      const bool isKnown = isThere && !m_bad.contains(key);
      const PartRef part = isKnown ? nullptr : store.find(batch[index].key);
      counts.known += isKnown;
      if (part && isOfThisBuild(*part))
        values.push_back({key, entries.emplace_back(store::encodeEntry(archivedPart(*part)))});
    }
    for (const bool isKnown : DOVETAIL_TRY(set(values)))
      ++(isKnown ? counts.known : counts.pushed);
  }
  counts.refused = m_refused - refusedBefore;
  return counts;
}

Result<SyncCounts> PartExchange::pull(PartStore &store, const std::vector<std::string> &gpus) {
  SyncCounts counts;
  const uint64_t refusedBefore = m_refused;
  std::set<std::string> known;
  for (const PartStoreEntry &entry : DOVETAIL_TRY(store.entries()))
    known.insert(keyOf(entry.gpuName, driverCacheKey(entry.key)));
  size_t waiting = 0;
  const auto take = [&](const std::string &gpu, const std::vector<std::string> &keys) -> Result<void> {
    std::vector<RedisCommand> commands;
    for (const std::string &key : keys)
      if (known.insert(key).second)
        commands.push_back({"GET", key});
      else
        ++counts.known;
    if (commands.empty())
      return {};
    const std::vector<Reply> values = DOVETAIL_TRY(m_redis.runAll(commands));
    for (size_t index = 0; index < values.size(); ++index) {
      if (values[index].kind != Reply::Kind::Text)
        continue; // it was evicted
      if (const PartRef part = openValue(commands[index].back(), gpu, values[index].text)) {
        store.put(part, gpu);
        ++counts.pulled;
      }
    }
    constexpr size_t FlushParts = 8192; // the store drops parts if too many wait
    if ((waiting += values.size()) > FlushParts) {
      store.flush();
      waiting = 0;
    }
    return {};
  };
  for (const std::string &gpu : gpus)
    DOVETAIL_CHECK(forEachKey(m_redis, prefixOf(gpu), [&](const auto &keys) { return take(gpu, keys); }));
  store.flush();
  counts.refused = m_refused - refusedBefore;
  return counts;
}

// A server that is lost is not asked for each part.
bool PartExchange::isReachable() {
  return std::chrono::steady_clock::now() >= m_nextTry;
}

std::vector<PartRef> PartExchange::find(std::span<const PartName> names) {
  std::vector<PartRef> found(names.size());
  if (names.empty() || !isReachable())
    return found;
  RedisCommand command = {"MGET"};
  for (const PartName &name : names)
    command.push_back(keyOf(name.gpu, driverCacheKey(name.key)));
  const Result<Reply> reply = m_redis.run(command);
  if (!reply)
    m_nextTry = std::chrono::steady_clock::now() + TryAgain;
  for (size_t index = 0; reply && index < std::min(names.size(), reply->list.size()); ++index)
    if (const Reply &value = reply->list[index]; value.kind == Reply::Kind::Text)
      found[index] = openValue(command[index + 1], names[index].gpu, value.text);
  return found;
}

void PartExchange::put(MadeEntry made) {
  if (m_made.size() < MaxMade)
    m_made.insert_or_assign(std::move(made.name), std::move(made.entry));
  else
    m_hasLeftOut = true;
}

const std::vector<uint8_t> *PartExchange::waiting(const PartName &name) const {
  const auto found = m_made.find(name);
  return found == m_made.end() ? nullptr : &found->second;
}

PartExchange::Pushed PartExchange::pushMade() {
  const bool hasLeftOut = std::exchange(m_hasLeftOut, false);
  Pushed pushed;
  if (!m_made.empty() && isReachable()) {
    std::vector<Value> values;
    for (const auto &[name, entry] : m_made)
      values.push_back({keyOf(name.gpu, driverCacheKey(name.key)), entry});
    if (const Result<std::vector<bool>> known = set(values)) {
      size_t index = 0;
      for (const auto &[name, entry] : m_made)
        pushed.known += (*known)[index++] && makingOf(name.key.kind) == PartMaking::Encoded;
      m_made.clear();
    } else {
      m_nextTry = std::chrono::steady_clock::now() + TryAgain;
    }
  }
  pushed.isAll = m_made.empty() && !hasLeftOut;
  return pushed;
}

} // namespace dovetail::farm
