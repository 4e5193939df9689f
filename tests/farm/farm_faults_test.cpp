// SPDX-License-Identifier: MIT
//
// Workers and servers that are killed or stopped: at the end each item is done, and the parts are those that one
// process makes. Longer runs: DOVETAIL_FARM_SHADERS, DOVETAIL_WORKER_KILLS, DOVETAIL_SERVER_KILLS, DOVETAIL_SERVER_STOP
// (seconds), DOVETAIL_TAMPERINGS, DOVETAIL_FARM_SUBMITTED.
#include "src/base/hash.h"
#include "tests/farm/many_shaders.h"
#include "tests/farm/redis_server.h"
#include "tests/farm/store_contents.h"
#include "tools/programs/dovetail/farm/work_queue.h"
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr std::chrono::milliseconds Moment(1);

class FaultyFarm {
public:
  explicit FaultyFarm(unsigned shaders) : m_count(shaders) {
    writeShaders(m_folder, shaders);
    std::filesystem::permissions(m_folder.write("key", "a secret that only the farm has"),
                                 std::filesystem::perms(0600));
    CHECK(runTool("farm submit --jobs 2 " + (m_folder / "many") + options()).status == 0);
  }

  std::unique_ptr<FarmWorker> worker(unsigned number) {
    return std::make_unique<FarmWorker>(server, store(number),
                                        "--jobs 1 --silence 2 --until-empty --key-file " + (m_folder / "key"));
  }

  // As a server does whose memory is full.
  void evictParts() {
    const std::string script = server.folder().write("evict.lua", R"(
local keys = redis.call('KEYS', 'dovetail:part:*')
for i = 1, #keys do redis.call('DEL', keys[i]) end
return #keys)");
    evicted += std::strtoul(server.ask("--eval " + script).c_str(), nullptr, 10);
  }

  // Whether all items are done; then no worker has anything left to do.
  void finish(bool isTampered = false) {
    const auto last = worker(0);
    CHECK(last->wait(300) == 0);
    const nlohmann::json status =
        nlohmann::json::parse(runTool("farm status --json --queue " + server.url()).output)[0];
    CHECK(status["done"] == m_count);
    CHECK(status["dead"] == 0);
    CHECK(status["failures"] == 0);
    CHECK(status["waiting"] == 0);
    // Everyone's parts together are those that one process makes, byte for byte.
    for (unsigned number : {1, 0}) {
      const Run sync = runTool("farm sync --verify" + options() + " --store " + store(number));
      CHECK(sync.status == 0);
      if (!isTampered)
        CHECK_MESSAGE(sync.output.find(", 0 refused") != std::string::npos, sync.output);
    }
    CHECK(runTool("warm --jobs 1 --store " + (m_folder / "warm") + " " + (m_folder / "many")).status == 0);
    checkSameContents(store(0), m_folder / "warm");
  }

  RedisServer server{{"--appendfsync", "always"}};
  unsigned long evicted = 0;

private:
  std::string options() const { return " --queue " + server.url() + " --key-file " + (m_folder / "key"); }
  std::string store(unsigned number) const { return m_folder / ("store" + std::to_string(number)); }

  TemporaryFolder m_folder;
  const unsigned m_count;
};

unsigned shaderCount() {
  return effortOr("DOVETAIL_FARM_SHADERS", 250);
}

} // namespace

TEST_CASE("workers that are killed cost nothing but time, whether the server evicts parts or not") {
  for (const bool evicts : {false, true}) {
    FaultyFarm farm(shaderCount());
    std::mt19937 random(1);
    std::unique_ptr<FarmWorker> workers[2];
    const auto kill = [&](std::unique_ptr<FarmWorker> &worker) {
      if (worker)
        worker->kill();
      if (evicts)
        farm.evictParts();
    };
    for (unsigned count = 0; count < effortOr("DOVETAIL_WORKER_KILLS", 8); ++count) {
      kill(workers[count % 2]);
      workers[count % 2] = farm.worker(count % 2);
      std::this_thread::sleep_for((100 + random() % 300) * Moment);
    }
    for (auto &worker : workers)
      kill(worker);
    CHECK((farm.evicted > 0) == evicts);
    farm.finish();
  }
}

TEST_CASE("a server that is killed again and again costs nothing but time") {
  FaultyFarm farm(shaderCount());
  std::mt19937 random(2);
  const auto first = farm.worker(0), second = farm.worker(1);
  for (unsigned kill = 0; kill < effortOr("DOVETAIL_SERVER_KILLS", 4); ++kill) {
    std::this_thread::sleep_for((100 + random() % 400) * Moment);
    farm.server.end(SIGKILL);
    std::this_thread::sleep_for(random() % 100 * Moment);
    farm.server.start();
  }
  CHECK(first->wait(300) == 0);
  CHECK(second->wait(300) == 0);
  farm.finish();
}

TEST_CASE("a server that is stopped for a while costs nothing but time") {
  FaultyFarm farm(shaderCount());
  const auto worker = farm.worker(0);
  std::this_thread::sleep_for(300 * Moment);
  farm.server.send(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(effortOr("DOVETAIL_SERVER_STOP", 3)));
  farm.server.send(SIGCONT);
  CHECK(worker->wait(300) == 0);
  farm.finish();
}

TEST_CASE("values that somebody tampers with all the time cost nothing but time") {
  FaultyFarm farm(shaderCount());
  const auto first = farm.worker(0), second = farm.worker(1);
  const std::string script = farm.server.folder().write("tamper.lua", R"(
math.randomseed(tonumber(ARGV[1]))
local keys = redis.call('KEYS', 'dovetail:part:*')
table.sort(keys)
for i = 1, #keys do
  local value, way = redis.call('GET', keys[i]), math.random(5)
  if #value < 100 then way = 3 end
  if way == 1 then value = string.sub(value, 1, math.random(#value) - 1) end
  if way == 2 then
    local at = math.random(#value)
    local byte = bit.bxor(string.byte(value, at), bit.lshift(1, math.random(8) - 1))
    value = string.sub(value, 1, at - 1) .. string.char(byte) .. string.sub(value, at + 1)
  end
  if way == 3 then value = redis.call('GET', keys[math.random(#keys)]) end
  if way == 4 then value = string.sub(value, 1, 20) .. string.rep('x', 32) .. string.sub(value, 53) end
  redis.call('SET', keys[i], value)
end
return #keys)");
  unsigned long touched = 0;
  for (unsigned time = 0; time < effortOr("DOVETAIL_TAMPERINGS", 10); ++time) {
    const std::string reply = farm.server.ask(fmt::format("--eval {} , {}", script, time + 1));
    CHECK_MESSAGE(reply.find("ERR") == std::string::npos, reply);
    touched += std::strtoul(reply.c_str(), nullptr, 10);
    std::this_thread::sleep_for(100 * Moment);
  }
  CHECK(first->wait(300) == 0);
  CHECK(second->wait(300) == 0);
  CHECK(touched > 0);
  farm.finish(true);
}

TEST_CASE("many items take little of the server's memory and time") {
  RedisServer server({"--appendonly", "no"});
  const unsigned count = effortOr("DOVETAIL_FARM_SUBMITTED", 50'000);
  farm::RedisOptions options;
  options.url = server.url();
  const std::unique_ptr<farm::WorkQueue> queue = *farm::WorkQueue::open(options, "", std::string(32, 'b'));
  const std::vector<std::string> gpus = {"gfx801", "gfx802", "gfx803", "gfx805", "gfx810",
                                         "gfx900", "gfx902", "gfx904", "gfx906", "gfx90c"};
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned number = 0; number < count / 10;) {
    std::vector<farm::QueuedPipeline> batch;
    for (unsigned each = 0; each < 200 && number < count / 10; ++each, ++number) {
      std::string text = "[Dovetail]\n" + std::to_string(number);
      std::minstd_rand random(number + 1);
      for (unsigned word = 0; word < 300; ++word)
        text += std::to_string(random()) + (word % 8 == 0 ? "\n" : " ");
      batch.push_back({hashBytes(std::as_bytes(std::span(text))), "pipeline " + std::to_string(number), text});
    }
    const Result<uint64_t> added = queue->submit(batch, gpus);
    REQUIRE(added);
    CHECK(*added == batch.size() * gpus.size());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  CHECK(*queue->left() == count / 10 * 10);
  const std::string memory = server.ask("info memory");
  const size_t at = memory.find("used_memory:");
  REQUIRE(at != std::string::npos);
  const double bytes = std::strtod(memory.c_str() + at + 12, nullptr);
  MESSAGE(count, " items: ", seconds, " s, ", bytes / 1e6, " MB, ", bytes / count, " bytes each");
  CHECK(bytes / count < 1200);
}
