// SPDX-License-Identifier: MIT
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

namespace dovetail::farm {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct StatusOptions {
  FarmChoice farm;
  bool json = false;
  std::string dumps;
  unsigned watch = 0; // seconds
};

constexpr size_t MostDead = 1000;

// Names and reasons are not sealed, and a terminal obeys control characters.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return (letter >= 0 && letter < ' ') || letter == 127; }, ' ');
  return text;
}

int64_t countOf(const WorkQueue::Status &status, const std::string &name) {
  const auto found = status.counts.find(name);
  return found == status.counts.end() ? 0 : found->second;
}

// Since the last look, or since the first item came.
double rateOf(const WorkQueue::Status &status, const WorkQueue::Status *before, double seconds) {
  const double done = double(countOf(status, "done"));
  if (before)
    return seconds > 0 ? (done - double(countOf(*before, "done"))) / seconds : 0;
  const double took = double(countOf(status, "last") - countOf(status, "first"));
  return took > 0 ? done / took : 0;
}

Json toJson(const WorkQueue::Status &status, double rate) {
  Json dead = Json::array(), slowest = Json::array();
  for (const DeadItem &item : status.deadItems)
    dead.push_back({{"id", item.id},
                    {"name", item.name},
                    {"gpu", item.item.gpu},
                    {"tier", toString(item.item.tier)},
                    {"pipeline", item.item.pipeline.toHex()},
                    {"error", item.error}});
  for (const auto &[name, microseconds] : status.slowest)
    slowest.push_back({{"name", name}, {"microseconds", microseconds}});
  return {{"build", status.build},
          {"submitted", countOf(status, "submitted")},
          {"waiting", status.waiting},
          {"inWork", status.inWork},
          {"done", countOf(status, "done")},
          {"dead", status.dead},
          {"failures", countOf(status, "failures")},
          {"partsMade", countOf(status, "made")},
          {"compileMicroseconds", countOf(status, "microseconds")},
          {"itemsPerSecond", rate},
          {"workers", status.workers},
          {"failuresByReason", status.reasons},
          {"slowest", std::move(slowest)},
          {"deadItems", std::move(dead)}};
}

std::string printStatus(const WorkQueue::Status &status, double rate) {
  const uint64_t left = status.waiting + status.inWork;
  std::string text = fmt::format("build {}\n{:10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}\n{:10} {:>10} {:>10} "
                                 "{:>10} {:>10} {:>10} {:>8.1f} {:>8}\n",
                                 status.build, "", "submitted", "waiting", "in work", "done", "dead", "a second",
                                 "left", "items", countOf(status, "submitted"), status.waiting, status.inWork,
                                 countOf(status, "done"), status.dead, rate,
                                 left == 0  ? "-"
                                 : rate > 0 ? fmt::format("{:.0f} s", double(left) / rate)
                                            : "?");
  for (const auto &[worker, items] : status.workers)
    text += fmt::format("  worker {} has {}\n", printable(worker), items);
  for (size_t index = 0; index < std::min<size_t>(status.slowest.size(), 5); ++index)
    text += fmt::format("  slow: {:8.1f} ms  {}\n", status.slowest[index].second / 1000,
                        printable(status.slowest[index].first));
  for (const auto &[reason, count] : status.reasons)
    text += fmt::format("  failed {:6} times: {}\n", count, printable(reason));
  for (const DeadItem &item : status.deadItems)
    text += fmt::format("  dead: {}: {}\n", printable(item.name), printable(item.error));
  return text;
}

// The command that compiles the item's pipeline again, without the name of its file.
std::string replayOf(const Item &item) {
  return item.tier == ItemTier::Joined ? "dovetail compile --gpu " + item.gpu
                                       : "dovetail inspect --code optimized --gpu " + item.gpu;
}

// Writes the pipelines of dead items, as `dovetail compile` reads them.
Result<void> writeDumps(WorkQueue &queue, const WorkQueue::Status &status, const std::string &folder) {
  DOVETAIL_CHECK(makeFolder(folder));
  std::vector<Hash128> hashes;
  for (const DeadItem &item : status.deadItems)
    hashes.push_back(item.item.pipeline);
  const auto pipelines = DOVETAIL_TRY(queue.pipelines(hashes));
  for (size_t index = 0; index < hashes.size(); ++index) {
    const DeadItem &dead = status.deadItems[index];
    if (!pipelines[index])
      continue;
    if (dead.item.gpu.empty()) // not ours
      continue;
    const std::string path =
        fmt::format("{}/{}-{}-{}.pipe", folder, hashes[index].toHex(), dead.item.gpu, toString(dead.item.tier));
    DOVETAIL_CHECK(
        writeFileAtomically(path, fmt::format("; {}\n; {} {}\n\n{}", printable(dead.name + ": " + dead.error),
                                              replayOf(dead.item), path, pipelines[index]->text)));
  }
  return {};
}

Result<int> runStatus(const StatusOptions &options) {
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  std::map<std::string, WorkQueue::Status> before;
  for (Clock::time_point last = Clock::now();;) {
    const std::vector<WorkQueue::Status> all = DOVETAIL_TRY(queue->status(MostDead));
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    Json json = Json::array();
    std::string text = all.empty() ? "there are no items\n" : "";
    for (const WorkQueue::Status &status : all) {
      const auto known = before.find(status.build);
      const double rate = rateOf(status, known == before.end() ? nullptr : &known->second, seconds);
      json.push_back(toJson(status, rate));
      text += printStatus(status, rate);
      if (!options.dumps.empty())
        DOVETAIL_CHECK(writeDumps(*queue, status, options.dumps));
      before[status.build] = status;
    }
    print(options.json ? json.dump(options.watch ? -1 : 1, ' ', true, Json::error_handler_t::replace) + "\n" : text);
    if (options.watch == 0)
      return 0;
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::seconds(options.watch));
  }
}

} // namespace

void addStatusCommand(CLI::App &farm, Command &chosen) {
  auto options = std::make_shared<StatusOptions>();
  CLI::App *command = farm.add_subcommand("status", "Say how far a farm is, and what failed");
  addFarmOptions(*command, options->farm);
  command->add_flag("--json", options->json, "as JSON");
  command->add_option("--watch", options->watch, "say it again every so many seconds")->check(CLI::Range(1u, 86400u));
  command->add_option("--dumps", options->dumps, "a folder for the pipelines of dead items, to compile them elsewhere")
      ->check(notEmpty());
  command->callback([&chosen, options] { chosen = [options] { return runStatus(*options); }; });
}

} // namespace dovetail::farm
