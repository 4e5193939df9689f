// SPDX-License-Identifier: MIT
//
// A farm's items on a Redis server: a stream that a consumer group of workers reads. An item is a pipeline for a GPU
// and a build of Dovetail and LLVM, named by its contents: submitting it again adds nothing, and an acknowledgement
// that is lost repeats work and nothing else. Every step that belongs together is one script of the server, so that a
// crash on either side is before or after it. All keys are below "dovetail:":
//
//   pipeline:HASH     a pipeline, sealed (sealed_value.h)
//   builds            the builds that have items
//   BUILD:items       the stream: items that wait or are in work
//   BUILD:known       the names of all items that were submitted
//   BUILD:failures    how often items have failed so far
//   BUILD:dead        a stream of items that failed three times, with their errors
//   BUILD:counts      numbers for `status`; :reasons and :slowest as well
//   part:BUILD:…      parts (part_exchange.h)
#pragma once

#include "src/base/hash.h"
#include "tools/programs/dovetail/farm/redis.h"
#include "tools/programs/dovetail/farm/sealed_value.h"
#include <functional>
#include <map>
#include <optional>
#include <span>

namespace dovetail::farm {

constexpr unsigned MaxFailures = 3;
// An item that so many workers were lost with counts as failed for good.
constexpr unsigned MaxDeliveries = 20;

// A pipeline as items refer to it.
struct QueuedPipeline {
  Hash128 hash;     // of the text
  std::string name; // for people
  std::string text; // a pipeline file (.pipe)
};

// What is made of a pipeline.
enum class ItemTier : uint8_t {
  Joined,    // main parts, prologs and epilogs: what binds join
  Optimized, // also the parts of the optimised variant, which a device's background would make
};
std::string_view toString(ItemTier tier);

struct Item {
  Hash128 pipeline;
  std::string gpu;
  ItemTier tier = ItemTier::Joined;

  // "gfx900", or "gfx900, optimized"
  std::string target() const;
  std::string encode() const;
  static std::optional<Item> decode(const std::string &text);
};

struct TakenItem {
  std::string id; // of the stream's entry
  Item item;
  uint64_t deliveries = 1;
};

struct DeadItem {
  std::string id;
  Item item;
  std::string name, error;
};

// Not thread-safe. Errors of all functions: those of Redis::run().
class WorkQueue {
public:
  // `build`: as dovetail_build_id() prints it.
  static Result<std::unique_ptr<WorkQueue>> open(const RedisOptions &options, const std::string &keyFile,
                                                 const std::string &build);

  Redis &redis() { return *m_redis; }
  const Sealer &sealer() const { return m_sealer; }
  const std::string &build() const { return m_build; }

  // Returns how many of the items are new. If the server has no memory for them, waits half a minute for some.
  Result<uint64_t> submit(std::vector<QueuedPipeline> pipelines, const std::vector<std::string> &gpus,
                          ItemTier tier = ItemTier::Joined);

  // Items that nobody works at; waits so long for the first.
  Result<std::vector<TakenItem>> take(const std::string &worker, size_t count, std::chrono::milliseconds wait);
  // Items that were given to this worker, although it may not know of them: the connection was lost before they came.
  Result<std::vector<TakenItem>> takeOwn(const std::string &worker);
  // Items of workers that have been silent for so long.
  Result<std::vector<TakenItem>> takeOver(const std::string &worker, size_t count, std::chrono::milliseconds silence);
  // Says that this worker still works at the items.
  Result<void> touch(const std::string &worker, const std::vector<std::string> &ids);
  // Lets others take over the items at once. Without items the worker leaves, unless the server knows of some.
  Result<void> giveUp(const std::string &worker, const std::vector<std::string> &ids);
  // The pipelines of these hashes; nothing for one that is missing or was tampered with.
  Result<std::vector<std::optional<QueuedPipeline>>> pipelines(const std::vector<Hash128> &hashes);

  struct Outcome {
    std::string id;
    Item item;
    std::string name, error; // error "": it is done
    uint64_t made = 0, microseconds = 0;
    bool isHopeless = false; // it is not tried again

    // "a.frag (gfx900)"
    std::string target() const;
  };
  // Acknowledges the items. May be called again with outcomes that may have been acknowledged: each counts once.
  Result<void> finish(const std::vector<Outcome> &outcomes);

  // Waiting and in work.
  Result<uint64_t> left();

  struct Status {
    std::string build;
    std::map<std::string, int64_t> counts; // submitted, done, made, failures, microseconds, first, last
    uint64_t waiting = 0, inWork = 0, dead = 0;
    std::map<std::string, int64_t> workers; // name -> items in work
    std::map<std::string, int64_t> reasons;
    std::vector<std::pair<std::string, double>> slowest; // name, µs
    std::vector<DeadItem> deadItems;                     // at most `deadCount`
  };
  Result<std::vector<Status>> status(size_t deadCount);
  // Puts dead items back. Returns how many.
  Result<uint64_t> retry();
  // Forgets dead items; with `all`, all items and pipelines of this build, too.
  Result<uint64_t> drop(bool all);

private:
  std::string key(std::string_view name) const;
  RedisCommand doneCommand(std::span<const Outcome *const> outcomes) const;

  std::unique_ptr<Redis> m_redis;
  std::function<bool()> m_givesUp;
  Sealer m_sealer;
  std::string m_build;
  uint64_t m_slow = 0; // microseconds of the last of the slowest items, as far as is known
};

std::string pipelineKey(const Hash128 &hash);

// Calls `visit` with all keys of the server that begin with `prefix`, some at a time. Errors: as above.
Result<void> forEachKey(Redis &redis, const std::string &prefix,
                        const std::function<Result<void>(const std::vector<std::string> &)> &visit);

} // namespace dovetail::farm
