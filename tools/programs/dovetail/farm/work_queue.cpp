// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/work_queue.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <zlib.h>

namespace dovetail::farm {

namespace {

constexpr const char *Group = "workers";

// KEYS: known, items, counts. ARGV: the time, then name and item by turns. Returns how many were new.
constexpr const char *SubmitScript = R"(#!lua
local new = 0
for i = 2, #ARGV, 2 do
  if redis.call('SADD', KEYS[1], ARGV[i]) == 1 then
    redis.call('XADD', KEYS[2], '*', 'i', ARGV[i + 1])
    new = new + 1
  end
end
if new > 0 then
  redis.call('HINCRBY', KEYS[3], 'submitted', new)
  redis.call('HSETNX', KEYS[3], 'first', ARGV[1])
end
return new)";

// The first to acknowledge an item counts. A full server must not keep it from that: done items make room. All items
// are acknowledged, and deleted, at once. If others were the first for some of them, only the number says how many, so
// these items' share of the sums is left out. KEYS: items, counts, failures, slowest. ARGV: the time, the number of
// items, the parts that were made for them, their microseconds, all ids, all items, then microseconds and name by turns
// of those that may be among the slowest. Returns the time of the last of the slowest.
constexpr const char *DoneScript = R"(#!lua flags=allow-oom
local count = tonumber(ARGV[2])
local done = redis.call('XACK', KEYS[1], 'workers', unpack(ARGV, 5, 4 + count))
if done > 0 then
  redis.call('XDEL', KEYS[1], unpack(ARGV, 5, 4 + count))
  if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('HDEL', KEYS[3], unpack(ARGV, 5 + count, 4 + 2 * count)) end
  redis.call('HINCRBY', KEYS[2], 'done', done)
  redis.call('HINCRBY', KEYS[2], 'made', math.floor(ARGV[3] * done / count))
  redis.call('HINCRBY', KEYS[2], 'microseconds', math.floor(ARGV[4] * done / count))
  redis.call('HSET', KEYS[2], 'last', ARGV[1])
  if #ARGV > 4 + 2 * count then
    redis.call('ZADD', KEYS[4], 'GT', unpack(ARGV, 5 + 2 * count))
    redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -21)
  end
end
return redis.call('ZRANGE', KEYS[4], -20, -20, 'WITHSCORES')[2] or '0')";
constexpr size_t MostDone = 1000; // in one call; Lua unpacks 8,000 values at most

// KEYS: items, counts, failures, dead, reasons. ARGV: id, item, error, name, reason, most failures.
constexpr const char *FailScript = R"(#!lua flags=allow-oom
if redis.call('XACK', KEYS[1], 'workers', ARGV[1]) == 0 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[1])
redis.call('HINCRBY', KEYS[2], 'failures', 1)
redis.call('HINCRBY', KEYS[5], ARGV[5], 1)
if redis.call('HINCRBY', KEYS[3], ARGV[2], 1) < tonumber(ARGV[6]) then
  redis.call('XADD', KEYS[1], '*', 'i', ARGV[2])
  return 1
end
redis.call('HDEL', KEYS[3], ARGV[2])
redis.call('XADD', KEYS[4], '*', 'i', ARGV[2], 'n', ARGV[4], 'e', ARGV[3])
return 2)";

// A consumer that is deleted takes its pending items with it, and nobody could claim them any more; so it stays if the
// server knows of some, whatever the worker believes.
// KEYS: items. ARGV: the worker.
constexpr const char *LeaveScript = R"(#!lua flags=allow-oom
if #redis.call('XPENDING', KEYS[1], 'workers', '-', '+', 1, ARGV[1]) > 0 then return 0 end
return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], 'workers', ARGV[1]))";

// Deletes consumers of workers that ended without a word, once others have all of their items. Of the workers that are
// still there, none is silent for so long, because those that wait ask for items again and again; and if one should be,
// the server makes its consumer anew.
// KEYS: items. ARGV: the silence in milliseconds.
constexpr const char *ForgetScript = R"(#!lua flags=allow-oom
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], 'workers')) do
  local fields = {}
  for i = 1, #consumer, 2 do fields[consumer[i]] = consumer[i + 1] end
  if fields['pending'] == 0 and fields['idle'] > tonumber(ARGV[1]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], 'workers', fields['name'])
  end
end)";

// KEYS: dead, items. Returns how many were put back.
constexpr const char *RetryScript = R"(#!lua
local dead = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1000)
for _, entry in ipairs(dead) do
  redis.call('XADD', KEYS[2], '*', 'i', entry[2][2])
  redis.call('XDEL', KEYS[1], entry[1])
end
return #dead)";

std::string secondsSince1970() {
  return std::to_string(std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1));
}

void append(std::string &text, const Hash128 &hash) {
  text.append(reinterpret_cast<const char *>(&hash), sizeof(hash));
}

std::string nameOf(const Item &item, const std::string &build) {
  std::string name;
  append(name, Hasher().add(item.pipeline).add(item.gpu).add(item.tier).add(build).finish());
  return name;
}

// The name's length and the name, the text's length, the compressed text.
std::string pack(const QueuedPipeline &pipeline) {
  uLongf size = compressBound(pipeline.text.size());
  std::string packed(size, '\0');
  const auto *text = reinterpret_cast<const Bytef *>(pipeline.text.data());
  if (compress2(reinterpret_cast<Bytef *>(packed.data()), &size, text, pipeline.text.size(), 1) != Z_OK)
    return {};
  packed.resize(size);
  return fmt::format("{}\n{}\n{}{}", pipeline.name.size(), pipeline.text.size(), pipeline.name, packed);
}

std::optional<QueuedPipeline> unpack(const Hash128 &hash, const std::string &value) {
  constexpr size_t MaxTextBytes = size_t(256) << 20;
  unsigned long long nameSize = 0, textSize = 0;
  int header = 0;
  if (std::sscanf(value.c_str(), "%10llu\n%10llu%n", &nameSize, &textSize, &header) != 2 || textSize > MaxTextBytes ||
      value.size() < size_t(header) + 1 || value.size() - size_t(header) - 1 < nameSize)
    return std::nullopt;
  const size_t start = size_t(header) + 1;
  QueuedPipeline pipeline{hash, value.substr(start, nameSize), std::string(textSize, '\0')};
  uLongf size = textSize;
  const std::string_view packed = std::string_view(value).substr(start + nameSize);
  const bool isGood = uncompress(reinterpret_cast<Bytef *>(pipeline.text.data()), &size,
                                 reinterpret_cast<const Bytef *>(packed.data()), packed.size()) == Z_OK &&
                      size == textSize;
  if (!isGood || hashBytes(std::as_bytes(std::span(pipeline.text))) != hash)
    return std::nullopt;
  return pipeline;
}

// Of a list of entries: id, then a list of fields and values.
std::vector<TakenItem> toItems(const Reply &entries) {
  std::vector<TakenItem> items;
  for (const Reply &entry : entries.list)
    if (entry.list.size() == 2 && entry.list[1].list.size() >= 2) {
      const std::optional<Item> item = Item::decode(entry.list[1].list[1].text);
      items.push_back({entry.list[0].text, item.value_or(Item())});
    }
  return items;
}

std::map<std::string, int64_t> toMap(const Reply &reply) {
  std::map<std::string, int64_t> map;
  for (size_t index = 0; index + 1 < reply.list.size(); index += 2)
    map[reply.list[index].text] = std::strtoll(reply.list[index + 1].text.c_str(), nullptr, 10);
  return map;
}

// Without numbers, which tell items apart, not reasons.
std::string groupOfReason(const std::string &reason) {
  std::string group;
  for (char letter : reason.substr(0, 200))
    if (letter < '0' || letter > '9')
      group += letter;
    else if (group.empty() || group.back() != 'N')
      group += 'N';
  return group;
}

} // namespace

std::string pipelineKey(const Hash128 &hash) {
  return "dovetail:pipeline:" + hash.toHex();
}

std::string_view toString(ItemTier tier) {
  return tier == ItemTier::Joined ? "joined" : "optimized";
}

std::string Item::target() const {
  return tier == ItemTier::Joined ? gpu : fmt::format("{}, {}", gpu, toString(tier));
}

std::string Item::encode() const {
  std::string text;
  append(text, pipeline);
  text += toString(tier).front();
  return text + gpu;
}

std::optional<Item> Item::decode(const std::string &text) {
  Item item;
  if (text.size() <= sizeof(item.pipeline) + 1)
    return std::nullopt;
  std::memcpy(static_cast<void *>(&item.pipeline), text.data(), sizeof(item.pipeline));
  // Items are not sealed, and the name of the GPU gets into the names of files (status --dumps).
  item.gpu = text.substr(sizeof(item.pipeline) + 1);
  const bool isName = std::ranges::all_of(
      item.gpu, [](char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'); });
  for (ItemTier tier : {ItemTier::Joined, ItemTier::Optimized})
    if (isName && text[sizeof(item.pipeline)] == toString(tier).front()) {
      item.tier = tier;
      return item;
    }
  return std::nullopt;
}

std::string WorkQueue::Outcome::target() const {
  return fmt::format("{} ({})", name, item.target());
}

Result<std::unique_ptr<WorkQueue>> WorkQueue::open(const RedisOptions &options, const std::string &keyFile,
                                                   const std::string &build) {
  auto queue = std::make_unique<WorkQueue>();
  queue->m_sealer = DOVETAIL_TRY(Sealer::create(keyFile));
  queue->m_redis = DOVETAIL_TRY(Redis::connect(options));
  queue->m_givesUp = options.givesUp;
  queue->m_build = build;
  return queue;
}

std::string WorkQueue::key(std::string_view name) const {
  return fmt::format("dovetail:{}:{}", m_build, name);
}

Result<uint64_t> WorkQueue::submit(std::vector<QueuedPipeline> pipelines, const std::vector<std::string> &gpus,
                                   ItemTier tier) {
  std::vector<RedisCommand> commands = {{"SADD", "dovetail:builds", m_build},
                                        {"XGROUP", "CREATE", key("items"), Group, "0", "MKSTREAM"}};
  RedisCommand script = {"EVAL", SubmitScript, "3", key("known"), key("items"), key("counts"), secondsSince1970()};
  // In the order of hashes, because neighbours in a capture share shaders: workers that take them at the same time
  // would make the same parts. The items of a pipeline are neighbours, because a worker reads the pipeline once.
  std::ranges::sort(pipelines, {}, &QueuedPipeline::hash);
  for (const QueuedPipeline &pipeline : pipelines) {
    const std::string name = pipelineKey(pipeline.hash);
    commands.push_back({"SET", name, m_sealer.seal(name, pack(pipeline)), "NX"});
    for (const std::string &gpu : gpus) {
      const Item item{pipeline.hash, gpu, tier};
      script.push_back(nameOf(item, m_build));
      script.push_back(item.encode());
    }
  }
  commands.push_back(std::move(script));
  // A server without memory may get some, when workers finish items.
  for (unsigned attempt = 0;; ++attempt) {
    const std::vector<Reply> replies = DOVETAIL_TRY(m_redis->runAll(commands));
    const auto isBad = [](const Reply &reply) { return reply.isError() && !reply.text.starts_with("BUSYGROUP"); };
    const auto bad = std::ranges::find_if(replies, isBad);
    if (bad == replies.end())
      return uint64_t(replies.back().integer);
    if (!bad->text.starts_with("OOM") || attempt == 30 || m_givesUp())
      return makeError(ErrorCode::Io, "the server takes no items: {}", bad->text);
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

Result<std::vector<TakenItem>> WorkQueue::take(const std::string &worker, size_t count,
                                               std::chrono::milliseconds wait) {
  RedisCommand command = {"XREADGROUP", "GROUP", Group, worker, "COUNT", std::to_string(count)};
  if (wait.count() > 0)
    command.insert(command.end(), {"BLOCK", std::to_string(wait.count())});
  command.insert(command.end(), {"STREAMS", key("items"), ">"});
  std::vector<Reply> replies = DOVETAIL_TRY(m_redis->runAll({command}));
  if (replies.front().isError() && replies.front().text.starts_with("NOGROUP")) {
    DOVETAIL_TRY(
        m_redis->runAll(std::vector<RedisCommand>{{"XGROUP", "CREATE", key("items"), Group, "0", "MKSTREAM"}}));
    return std::vector<TakenItem>();
  }
  if (replies.front().isError())
    return makeError(ErrorCode::Io, "the server gives no items: {}", replies.front().text);
  const std::vector<Reply> &streams = replies.front().list;
  return streams.empty() || streams[0].list.size() < 2 ? std::vector<TakenItem>() : toItems(streams[0].list[1]);
}

Result<std::vector<TakenItem>> WorkQueue::takeOwn(const std::string &worker) {
  const Reply reply = DOVETAIL_TRY(
      m_redis->run(RedisCommand{"XREADGROUP", "GROUP", Group, worker, "COUNT", "10000", "STREAMS", key("items"), "0"}));
  return reply.list.empty() || reply.list[0].list.size() < 2 ? std::vector<TakenItem>()
                                                             : toItems(reply.list[0].list[1]);
}

Result<std::vector<TakenItem>> WorkQueue::takeOver(const std::string &worker, size_t count,
                                                   std::chrono::milliseconds silence) {
  const std::vector<Reply> replies = DOVETAIL_TRY(m_redis->runAll(
      std::vector<RedisCommand>{{"XAUTOCLAIM", key("items"), Group, worker, std::to_string(silence.count()), "0-0",
                                 "COUNT", std::to_string(count)}}));
  if (replies.front().isError() || replies.front().list.size() < 2)
    return std::vector<TakenItem>(); // there is no stream yet
  DOVETAIL_TRY(m_redis->runAll(
      std::vector<RedisCommand>{{"EVAL", ForgetScript, "1", key("items"), std::to_string(silence.count())}}));
  std::vector<TakenItem> items = toItems(replies.front().list[1]);
  std::vector<RedisCommand> commands;
  for (const TakenItem &item : items)
    commands.push_back({"XPENDING", key("items"), Group, item.id, item.id, "1"});
  if (commands.empty())
    return items;
  const std::vector<Reply> pending = DOVETAIL_TRY(m_redis->runAll(commands));
  for (size_t index = 0; index < items.size(); ++index)
    if (pending[index].list.size() == 1 && pending[index].list[0].list.size() == 4)
      items[index].deliveries = uint64_t(pending[index].list[0].list[3].integer);
  return items;
}

Result<void> WorkQueue::touch(const std::string &worker, const std::vector<std::string> &ids) {
  RedisCommand command = {"XCLAIM", key("items"), Group, worker, "0"};
  command.insert(command.end(), ids.begin(), ids.end());
  command.push_back("JUSTID");
  if (!ids.empty())
    DOVETAIL_TRY(m_redis->runAll({command}));
  return {};
}

Result<void> WorkQueue::giveUp(const std::string &worker, const std::vector<std::string> &ids) {
  RedisCommand command = {"XCLAIM", key("items"), Group, worker, "0"};
  command.insert(command.end(), ids.begin(), ids.end());
  command.insert(command.end(), {"IDLE", "864000000", "JUSTID"});
  if (!ids.empty())
    DOVETAIL_TRY(m_redis->runAll({command}));
  else
    DOVETAIL_TRY(m_redis->runAll(std::vector<RedisCommand>{{"EVAL", LeaveScript, "1", key("items"), worker}}));
  return {};
}

Result<std::vector<std::optional<QueuedPipeline>>> WorkQueue::pipelines(const std::vector<Hash128> &hashes) {
  std::vector<RedisCommand> commands;
  for (const Hash128 &hash : hashes)
    commands.push_back({"GET", pipelineKey(hash)});
  std::vector<std::optional<QueuedPipeline>> result(hashes.size());
  if (commands.empty())
    return result;
  const std::vector<Reply> replies = DOVETAIL_TRY(m_redis->runAll(commands));
  for (size_t index = 0; index < hashes.size(); ++index)
    if (const Result<std::string> value = m_sealer.open(pipelineKey(hashes[index]), replies[index].text))
      result[index] = unpack(hashes[index], *value);
  return result;
}

RedisCommand WorkQueue::doneCommand(std::span<const Outcome *const> outcomes) const {
  uint64_t made = 0, microseconds = 0;
  for (const Outcome *outcome : outcomes) {
    made += outcome->made;
    microseconds += outcome->microseconds;
  }
  RedisCommand command = {"EVAL",
                          DoneScript,
                          "4",
                          key("items"),
                          key("counts"),
                          key("failures"),
                          key("slowest"),
                          secondsSince1970(),
                          std::to_string(outcomes.size()),
                          std::to_string(made),
                          std::to_string(microseconds)};
  for (const Outcome *outcome : outcomes)
    command.push_back(outcome->id);
  for (const Outcome *outcome : outcomes)
    command.push_back(outcome->item.encode());
  for (const Outcome *outcome : outcomes)
    if (outcome->microseconds >= m_slow)
      command.insert(command.end(), {std::to_string(outcome->microseconds), outcome->target()});
  return command;
}

Result<void> WorkQueue::finish(const std::vector<Outcome> &outcomes) {
  std::vector<RedisCommand> commands;
  std::vector<const Outcome *> done;
  for (const Outcome &outcome : outcomes)
    if (outcome.error.empty())
      done.push_back(&outcome);
    else
      commands.push_back({"EVAL", FailScript, "5", key("items"), key("counts"), key("failures"), key("dead"),
                          key("reasons"), outcome.id, outcome.item.encode(), outcome.error, outcome.target(),
                          groupOfReason(outcome.error), outcome.isHopeless ? "0" : std::to_string(MaxFailures)});
  for (std::span<const Outcome *const> rest(done); !rest.empty(); rest = rest.subspan(std::min(rest.size(), MostDone)))
    commands.push_back(doneCommand(rest.first(std::min(rest.size(), MostDone))));
  if (commands.empty())
    return {};
  for (const Reply &reply : DOVETAIL_TRY(m_redis->runAll(commands)))
    if (reply.isError())
      return makeError(ErrorCode::Io, "the server takes no outcomes: {}", reply.text);
    else if (reply.kind == Reply::Kind::Text)
      m_slow = std::strtoull(reply.text.c_str(), nullptr, 10);
  return {};
}

Result<uint64_t> WorkQueue::left() {
  return uint64_t(DOVETAIL_TRY(m_redis->run(RedisCommand{"XLEN", key("items")})).integer);
}

Result<std::vector<WorkQueue::Status>> WorkQueue::status(size_t deadCount) {
  std::vector<Status> all;
  const Reply builds = DOVETAIL_TRY(m_redis->run(RedisCommand{"SMEMBERS", "dovetail:builds"}));
  for (const Reply &build : builds.list) {
    const auto keyOf = [&](std::string_view name) { return fmt::format("dovetail:{}:{}", build.text, name); };
    const std::vector<Reply> replies =
        DOVETAIL_TRY(m_redis->runAll({{"HGETALL", keyOf("counts")},
                                      {"XLEN", keyOf("items")},
                                      {"XPENDING", keyOf("items"), Group},
                                      {"XLEN", keyOf("dead")},
                                      {"HGETALL", keyOf("reasons")},
                                      {"ZREVRANGE", keyOf("slowest"), "0", "-1", "WITHSCORES"},
                                      {"XRANGE", keyOf("dead"), "-", "+", "COUNT", std::to_string(deadCount)}}));
    Status &status = all.emplace_back();
    status.build = build.text;
    status.counts = toMap(replies[0]);
    if (replies[2].list.size() == 4) {
      status.inWork = uint64_t(replies[2].list[0].integer);
      for (const Reply &worker : replies[2].list[3].list)
        if (worker.list.size() == 2)
          status.workers[worker.list[0].text] = std::strtoll(worker.list[1].text.c_str(), nullptr, 10);
    }
    status.waiting = uint64_t(std::max<int64_t>(replies[1].integer - int64_t(status.inWork), 0));
    status.dead = uint64_t(replies[3].integer);
    status.reasons = toMap(replies[4]);
    for (size_t index = 0; index + 1 < replies[5].list.size(); index += 2)
      status.slowest.emplace_back(replies[5].list[index].text,
                                  std::strtod(replies[5].list[index + 1].text.c_str(), nullptr));
    for (const Reply &entry : replies[6].list)
      if (entry.list.size() == 2 && entry.list[1].list.size() == 6)
        status.deadItems.push_back({entry.list[0].text, Item::decode(entry.list[1].list[1].text).value_or(Item()),
                                    entry.list[1].list[3].text, entry.list[1].list[5].text});
  }
  std::ranges::sort(all, {}, &Status::build);
  return all;
}

Result<uint64_t> WorkQueue::retry() {
  uint64_t count = 0;
  while (true) {
    const Reply some = DOVETAIL_TRY(m_redis->run(RedisCommand{"EVAL", RetryScript, "2", key("dead"), key("items")}));
    if (some.integer == 0)
      return count;
    count += uint64_t(some.integer);
  }
}

Result<uint64_t> WorkQueue::drop(bool all) {
  const auto count = [&](std::string_view name) -> Result<uint64_t> {
    return uint64_t(DOVETAIL_TRY(m_redis->run(RedisCommand{"XLEN", key(name)})).integer);
  };
  uint64_t dropped = DOVETAIL_TRY(count("dead"));
  RedisCommand command = {"UNLINK", key("dead"), key("reasons")};
  if (all) {
    dropped += DOVETAIL_TRY(count("items"));
    for (const char *name : {"items", "known", "failures", "counts", "slowest"})
      command.push_back(key(name));
    DOVETAIL_TRY(m_redis->run(RedisCommand{"SREM", "dovetail:builds", m_build}));
  }
  DOVETAIL_TRY(m_redis->run(command));
  // Other builds may have items of the same pipelines.
  const Reply others = DOVETAIL_TRY(m_redis->run(RedisCommand{"SCARD", "dovetail:builds"}));
  if (all && others.integer == 0)
    DOVETAIL_CHECK(
        forEachKey(*m_redis, "dovetail:pipeline:", [&](const std::vector<std::string> &keys) -> Result<void> {
          RedisCommand unlink = {"UNLINK"};
          unlink.insert(unlink.end(), keys.begin(), keys.end());
          DOVETAIL_TRY(m_redis->run(unlink));
          return {};
        }));
  return dropped;
}

Result<void> forEachKey(Redis &redis, const std::string &prefix,
                        const std::function<Result<void>(const std::vector<std::string> &)> &visit) {
  std::string cursor = "0";
  do {
    const Reply reply = DOVETAIL_TRY(redis.run(RedisCommand{"SCAN", cursor, "MATCH", prefix + "*", "COUNT", "1000"}));
    if (reply.list.size() != 2)
      return makeError(ErrorCode::Io, "the server's list of keys is not understood");
    cursor = reply.list[0].text;
    std::vector<std::string> keys;
    for (const Reply &key : reply.list[1].list)
      keys.push_back(key.text);
    if (!keys.empty())
      DOVETAIL_CHECK(visit(keys));
  } while (cursor != "0");
  return {};
}

} // namespace dovetail::farm
