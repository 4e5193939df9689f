// SPDX-License-Identifier: MIT
//
// `dovetail farm submit` reads the pipelines of captures, in worker processes because reading a shader may crash, and
// puts an item for each pipeline and GPU on the queue.
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/state_file.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include "variants/bind/device.h"
#include "variants/dump/pipeline_text.h"
#include "variants/state/default_state.h"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <set>

namespace dovetail::farm {

namespace {

struct SubmitOptions {
  std::vector<std::string> captures;
  ReadOptions read;
  std::vector<std::string> gpus = {"gfx900"};
  std::string tier{toString(ItemTier::Joined)};
  FarmChoice farm;
  WorkerPoolOptions pool = {.maxMemory = uint64_t(4) << 30};
};

constexpr size_t BatchPipelines = 200;

// The pipeline without the names of its shaders, which are in comments: what has equal contents has equal text.
std::string textOf(const ShaderSet &shaders, const PipelineState &state) {
  const std::string text = writePipelineText(contentOf(shaders, &state, {}), {});
  return text.substr(text.find(fmt::format("[{}]", DumpSection)));
}

Result<std::string> textOfShaders(const CorpusUnit &unit, std::vector<ShaderRef> shaders) {
  DOVETAIL_CHECK(addEarlierStages(shaders));
  const ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  const PipelineState state = defaultState(set);
  return textOf(set, unit.stateFile.empty() ? state : DOVETAIL_TRY(readStateFile(unit.stateFile, state)));
}

Result<std::vector<std::string>> textsOf(const CorpusUnit &unit, const ReadOptions &read) {
  if (namesPipeline(unit.files.front())) {
    const PipelineInput pipeline = DOVETAIL_TRY(readPipeline(unit.files.front(), read));
    return std::vector{textOf(pipeline.shaders, pipeline.state)};
  }
  const std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(unit.files, read));
  const Result<std::string> together = textOfShaders(unit, shaders);
  if (together)
    return std::vector{*together};
  if (shaders.size() == 1 || makeShaderSet(shaders))
    return tl::unexpected(together.error());
  // A module with shaders for several pipelines: each counts alone.
  std::vector<std::string> texts;
  for (const ShaderRef &shader : shaders)
    texts.push_back(DOVETAIL_TRY(textOfShaders(unit, {shader})));
  return texts;
}

std::string reply(const CorpusUnit &unit, const ReadOptions &read) {
  const Result<std::vector<std::string>> texts = textsOf(unit, read);
  const nlohmann::json json = texts ? nlohmann::json{{"texts", *texts}} : nlohmann::json{{"error", texts.error().text}};
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

class Submission {
public:
  Submission(WorkQueue &queue, const SubmitOptions &options) : m_queue(queue), m_options(options) {}

  // Returns whether to go on.
  bool add(const std::string &name, const WorkerReply &reply) {
    const nlohmann::json json = reply.status == WorkerReply::Status::Finished
                                    ? nlohmann::json::parse(reply.text, nullptr, false)
                                    : nlohmann::json{{"error", reply.text}};
    if (!json.contains("texts")) {
      ++m_failed;
      std::fprintf(stderr, "%s: %s\n", name.c_str(), json.value("error", std::string("no reply")).c_str());
      return true;
    }
    for (const std::string text : json["texts"]) {
      const Hash128 hash = hashBytes(std::as_bytes(std::span(text)));
      if (m_seen.insert(hash).second)
        m_batch.push_back({hash, name, text});
      else
        m_known += m_options.gpus.size();
    }
    return m_batch.size() < BatchPipelines || flush();
  }

  bool flush() {
    const ItemTier tier = m_options.tier == toString(ItemTier::Optimized) ? ItemTier::Optimized : ItemTier::Joined;
    const uint64_t items = m_batch.size() * m_options.gpus.size();
    const Result<uint64_t> added = m_queue.submit(std::exchange(m_batch, {}), m_options.gpus, tier);
    if (!added) {
      m_error = added.error();
      return false;
    }
    m_new += *added;
    m_known += items - *added;
    return true;
  }

  std::string print() const { return fmt::format("{} items submitted, {} known, {} failed", m_new, m_known, m_failed); }
  size_t failed() const { return m_failed; }
  const std::optional<Error> &error() const { return m_error; }

private:
  WorkQueue &m_queue;
  const SubmitOptions &m_options;
  std::vector<QueuedPipeline> m_batch;
  std::set<Hash128> m_seen;
  uint64_t m_new = 0, m_known = 0; // items
  size_t m_failed = 0;
  std::optional<Error> m_error;
};

Result<int> runSubmit(const SubmitOptions &options) {
  const std::vector<CorpusUnit> units = withStateFiles(DOVETAIL_TRY(findCorpusUnits(options.captures)));
  for (const std::string &gpu : options.gpus)
    DOVETAIL_TRY(Device::create(gpu)); // an unknown GPU is one Error here
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  Submission submission(*queue, options);
  Progress progress(units.size(), "pipelines");
  const int signal = runInWorkers(
      units.size(), options.pool, [&](size_t index) { return reply(units[index], options.read); },
      [&](size_t index, const WorkerReply &reply) {
        const bool goesOn = submission.add(units[index].name, reply);
        progress.add([&] { return submission.print(); });
        return goesOn;
      });
  if (!submission.error())
    submission.flush();
  if (submission.error())
    return tl::unexpected(*submission.error());
  print(fmt::format("{} of {} pipelines: {}\n", progress.done(), units.size(), submission.print()));
  return corpusStatus(signal, submission.failed() > 0);
}

} // namespace

void addSubmitCommand(CLI::App &farm, Command &chosen) {
  auto options = std::make_shared<SubmitOptions>();
  CLI::App *command = farm.add_subcommand("submit", "Put the pipelines of captures on the queue");
  command->add_option("CAPTURE", options->captures, "Fossilize databases, pipeline files, or folders as for warm")
      ->required()
      ->check(notEmpty());
  addSourceOptions(*command, options->read);
  addGpuOption(*command, options->gpus, "GPUs, separated by commas")->capture_default_str();
  command
      ->add_option(
          "--tier", options->tier,
          "what is made of each pipeline: the parts that its draws join, or those of its optimised variant, too")
      ->check(oneOf({std::string(toString(ItemTier::Joined)), std::string(toString(ItemTier::Optimized))}))
      ->capture_default_str();
  addFarmOptions(*command, options->farm);
  addPoolOptions(*command, options->pool, "pipeline to be read");
  command->callback([&chosen, options] { chosen = [options] { return runSubmit(*options); }; });
}

} // namespace dovetail::farm
