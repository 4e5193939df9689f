// SPDX-License-Identifier: MIT
//
// `dovetail farm work` takes items off the queue and compiles them into a local store, in worker processes as
// `dovetail warm` does. The parent process alone speaks to the queue; each worker process has a connection of its own
// for parts. Only worker processes have the store open while there are any, because a forked process cannot use its
// parent's.
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "parts/compile/toolchain_version.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "tools/programs/dovetail/corpus/warmed.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include "tools/programs/dovetail/farm/part_exchange.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <unistd.h>

namespace dovetail::farm {

namespace {

using Clock = std::chrono::steady_clock;

struct WorkOptions {
  FarmChoice farm;
  StoreChoice store;
  WorkerPoolOptions pool = {.timeout = std::chrono::minutes(5), .maxMemory = uint64_t(4) << 30};
  unsigned silence = 0; // seconds; 0: as long as an item may take
  size_t batch = 0;     // 0: four for each job
  bool untilEmpty = false;
};

// What a worker process gets, and takes apart again.
std::string toUnit(const TakenItem &taken, const QueuedPipeline &pipeline) {
  return fmt::format("{}\n{}", taken.item.gpu, pipeline.text);
}

// Lives in a worker process.
class ItemCompiler {
public:
  explicit ItemCompiler(const WorkOptions &options) : m_options(options) {
    if (Result<Sealer> sealer = Sealer::create(options.farm.keyFile))
      m_sealer = std::move(*sealer);
    // A draw of items does not wait long for a server: the parts are in the store, too.
    RedisOptions redis = options.farm.redis;
    redis.patience = std::chrono::seconds(1);
    if (Result<std::unique_ptr<Redis>> connected = Redis::connect(redis)) {
      m_redis = std::move(*connected);
      m_exchange.emplace(*m_redis, m_sealer, toolchainVersion().toHex());
    }
  }

  std::string compile(const std::string &unit) {
    const size_t line = unit.find('\n');
    const std::string gpu = unit.substr(0, line);
    const Result<Device *> device = deviceFor(gpu);
    if (!device)
      return toReply(Warmed{.reason = device.error().text});
    const auto compile = [&]() -> std::string {
      const Result<void> made = make(**device, std::string_view(unit).substr(line + 1));
      return made ? "" : made.error().text;
    };
    Warmed warmed = warm(**device, compile, WarmFlush::Later);
    // An item that is done has its parts on the server or on disk. Waiting for the disk takes longer.
    const bool isShared = m_exchange && m_exchange->pushMade();
    if (warmed.made != 0 && !isShared)
      if (Result<void> flushed = (*device)->flushStore(); !flushed && warmed.reason.empty())
        warmed.reason = flushed.error().text;
    return toReply(warmed);
  }

  // Errors have been told by items; what is not on disk is on the server.
  void flush() {
    for (const auto &[gpu, device] : m_devices)
      if (device)
        (void)device->flushStore();
  }

private:
  static Result<void> make(Device &device, std::string_view text) {
    PipeFile file = DOVETAIL_TRY(PipeFile::parse("item", text));
    const PipelineInput pipeline = DOVETAIL_TRY(readPipeFile(file, "item"));
    storeValidModules(device, shadersOf(pipeline));
    const VariantRef variant = DOVETAIL_TRY(device.bind(pipeline.shaders, pipeline.state));
    return checkImage(*variant->image);
  }

  Result<Device *> deviceFor(const std::string &gpu) {
    std::unique_ptr<Device> &device = m_devices[gpu];
    if (device)
      return device.get();
    DriverCache cache;
    if (m_exchange)
      cache = m_exchange->cacheFor(gpu, [&device] { return device->partMaker().cache().store().get(); });
    device = DOVETAIL_TRY(openDevice(gpu, m_options.store, std::move(cache)));
    return device.get();
  }

  const WorkOptions &m_options;
  Sealer m_sealer;
  std::unique_ptr<Redis> m_redis;
  std::optional<PartExchange> m_exchange;
  std::map<std::string, std::unique_ptr<Device>> m_devices;
};

// The queue as the pool of worker processes sees it.
class QueueSource final : public WorkSource {
public:
  QueueSource(WorkQueue &queue, const WorkOptions &options)
      : m_queue(queue), m_options(options), m_batch(options.batch ? options.batch : 4 * options.pool.jobs),
        m_silence(options.silence ? std::chrono::seconds(options.silence) : options.pool.timeout) {
    char host[256] = "?";
    gethostname(host, sizeof(host) - 1);
    m_name = fmt::format("{}-{}-{:08x}", host, getpid(), std::random_device()());
  }

  std::optional<std::string> take(bool mayWait) override {
    if (m_ready.empty())
      note(fetch(mayWait));
    if (m_ready.empty())
      return std::nullopt;
    auto [taken, pipeline] = std::move(m_ready.front());
    m_ready.pop_front();
    std::string unit = toUnit(taken, pipeline);
    m_gpus.insert(taken.item.gpu);
    m_running.emplace(m_taken++, Running{std::move(taken), std::move(pipeline.name)});
    return unit;
  }

  bool isOver() override {
    if (m_error)
      return true;
    if (!m_options.untilEmpty || !m_ready.empty() || !m_running.empty())
      return false;
    note(m_queue.finish(std::exchange(m_outcomes, {})));
    const Result<uint64_t> left = m_queue.left();
    note(left);
    return m_error || *left == 0;
  }

  bool done(uint64_t unit, const WorkerReply &reply) override {
    const auto running = m_running.find(unit);
    const Warmed warmed = parseWarmed(reply);
    m_sum.add(warmed);
    ++m_done;
    const Running &item = running->second;
    if (!warmed.reason.empty())
      std::fprintf(stderr, "%s (%s): %s\n", item.name.c_str(), item.taken.item.gpu.c_str(), warmed.reason.c_str());
    m_outcomes.push_back(
        {item.taken.id, item.taken.item, item.name, warmed.reason, warmed.made, uint64_t(warmed.microseconds), false});
    m_running.erase(running);
    return !m_error;
  }

  void tick() override {
    note(m_queue.finish(std::exchange(m_outcomes, {})));
    const Clock::time_point now = Clock::now();
    if (now >= m_nextTouch) {
      m_nextTouch = now + m_silence / 4;
      note(m_queue.touch(m_name, idsInHand()));
    }
    if (now >= m_nextPrint && m_done != m_printed) {
      m_nextPrint = now + std::chrono::seconds(1);
      const double seconds = std::chrono::duration<double>(now - m_begin).count();
      std::fprintf(stderr, "%s; %.1f a second\n", print().c_str(), double(m_done) / seconds);
      m_printed = m_done;
    }
  }

  // After the pool has ended.
  Result<void> finish() {
    DOVETAIL_CHECK(m_queue.finish(std::exchange(m_outcomes, {})));
    DOVETAIL_CHECK(m_queue.giveUp(m_name, idsInHand()));
    if (m_error)
      return tl::unexpected(*m_error);
    return {};
  }

  std::string print() const { return fmt::format("{} items: {}", m_done, m_sum.print()); }
  size_t failed() const { return m_sum.failed; }
  std::vector<std::string> gpus() const { return {m_gpus.begin(), m_gpus.end()}; }

private:
  struct Running {
    TakenItem taken;
    std::string name;
  };

  template <typename Value> void note(const Result<Value> &result) {
    if (!result && !m_error)
      m_error = result.error();
  }

  std::vector<std::string> idsInHand() const {
    std::vector<std::string> ids;
    for (const auto &[taken, pipeline] : m_ready)
      ids.push_back(taken.id);
    for (const auto &[unit, running] : m_running)
      ids.push_back(running.taken.id);
    return ids;
  }

  Result<void> fetch(bool mayWait) {
    std::vector<TakenItem> items;
    if (const uint64_t reconnects = m_queue.redis().reconnects(); reconnects != m_reconnects) {
      m_reconnects = reconnects;
      const std::vector<std::string> known = idsInHand();
      for (TakenItem &item : DOVETAIL_TRY(m_queue.takeOwn(m_name)))
        if (std::ranges::find(known, item.id) == known.end())
          items.push_back(std::move(item));
    }
    if (items.empty() && Clock::now() >= m_nextTakeOver) {
      m_nextTakeOver = Clock::now() + m_silence / 4;
      items = DOVETAIL_TRY(m_queue.takeOver(m_name, m_batch, m_silence));
      if (!items.empty())
        m_nextTakeOver = {}; // there may be more
    }
    if (items.empty())
      items = DOVETAIL_TRY(m_queue.take(m_name, m_batch, std::chrono::milliseconds(mayWait ? 500 : 0)));
    std::vector<Hash128> hashes;
    for (const TakenItem &item : items)
      hashes.push_back(item.item.pipeline);
    std::vector<std::optional<QueuedPipeline>> pipelines = DOVETAIL_TRY(m_queue.pipelines(hashes));
    for (size_t index = 0; index < items.size(); ++index) {
      TakenItem &item = items[index];
      const std::string name = pipelines[index] ? pipelines[index]->name : item.item.pipeline.toHex();
      if (item.deliveries > MaxDeliveries)
        m_outcomes.push_back(
            {item.id, item.item, name, fmt::format("{} workers were lost with it", MaxDeliveries), 0, 0, true});
      else if (!pipelines[index])
        m_outcomes.push_back(
            {item.id, item.item, name, "the pipeline is missing on the server, or was tampered with", 0, 0, false});
      else
        m_ready.emplace_back(std::move(item), std::move(*pipelines[index]));
    }
    return {};
  }

  WorkQueue &m_queue;
  const WorkOptions &m_options;
  const size_t m_batch;
  const std::chrono::milliseconds m_silence;
  std::string m_name;
  std::deque<std::pair<TakenItem, QueuedPipeline>> m_ready;
  std::map<uint64_t, Running> m_running; // by unit of the pool
  std::vector<WorkQueue::Outcome> m_outcomes;
  uint64_t m_taken = 0, m_done = 0, m_printed = 0, m_reconnects = 0;
  Clock::time_point m_nextTouch, m_nextTakeOver, m_nextPrint;
  const Clock::time_point m_begin = Clock::now();
  WarmedSum m_sum;
  std::set<std::string> m_gpus;
  std::optional<Error> m_error;
};

Result<int> runWork(const WorkOptions &options) {
  { // A store that cannot be written to becomes one Error here, not one for each item.
    PartStoreOptions store = {.path = options.store.folder};
    store.trustFolder = options.store.isTrusted;
    DOVETAIL_TRY(PartStore::open(std::move(store)));
  }
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  QueueSource source(*queue, options);
  std::optional<ItemCompiler> compiler; // each worker process's own
  const auto work = [&](const std::string &unit) {
    if (!compiler)
      compiler.emplace(options);
    return compiler->compile(unit);
  };
  const auto atEnd = [&] {
    if (compiler)
      compiler->flush();
  };
  const int signal = runInWorkers(source, options.pool, work, atEnd);
  const Result<void> finished = source.finish();
  print(source.print() + "\n");
  DOVETAIL_CHECK(finished);
  if (signal == 0) { // parts that did not reach the server in time
    PartStoreOptions store = {.path = options.store.folder, .readOnly = true};
    store.trustFolder = options.store.isTrusted;
    const std::shared_ptr<PartStore> opened = DOVETAIL_TRY(PartStore::open(std::move(store)));
    PartExchange exchange(queue->redis(), queue->sealer(), queue->build());
    if (const Result<SyncCounts> pushed = exchange.push(*opened, source.gpus()); !pushed)
      std::fprintf(stderr, "dovetail: warning: %s\n", pushed.error().text.c_str());
  }
  return corpusStatus(signal, source.failed() > 0);
}

} // namespace

void addWorkCommand(CLI::App &farm, Command &chosen) {
  auto options = std::make_shared<WorkOptions>();
  options->farm.redis.patience = std::chrono::minutes(10); // a worker outlives restarts of its server
  CLI::App *command = farm.add_subcommand("work", "Compile what is on the queue into a part store");
  addFarmOptions(*command, options->farm);
  addFilledStoreOptions(*command, options->store);
  addPoolOptions(*command, options->pool, "item");
  addMemoryOption(*command, options->pool);
  command
      ->add_option("--silence", options->silence,
                   "seconds after which a worker that says nothing is lost, and its items are taken over; by default "
                   "the time of one item")
      ->check(CLI::Range(1u, 86400u));
  command->add_option("--batch", options->batch, "items that are taken at once; by default four for each process")
      ->check(CLI::Range(1u, 10000u));
  command->add_flag("--until-empty", options->untilEmpty, "end when no item is left");
  command->callback([&chosen, options] { chosen = [options] { return runWork(*options); }; });
}

} // namespace dovetail::farm
