// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/session.h"
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace dovetail::layer {

namespace {

constexpr size_t MaxStalls = 64;

uint64_t lengthOf(const Stall &stall) {
  return stall.time.nanoseconds;
}

constexpr size_t MaxSamples = 400;

void appendText(std::vector<uint32_t> &words, const std::string &text) {
  words.push_back(static_cast<uint32_t>(text.size()));
  words.insert(words.end(), text.begin(), text.end());
}

dovetail_shader_stage toStage(VkShaderStageFlagBits stage) {
  switch (stage) {
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return DOVETAIL_STAGE_TESS_CONTROL;
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return DOVETAIL_STAGE_TESS_EVALUATION;
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return DOVETAIL_STAGE_GEOMETRY;
  case VK_SHADER_STAGE_FRAGMENT_BIT:
    return DOVETAIL_STAGE_FRAGMENT;
  case VK_SHADER_STAGE_COMPUTE_BIT:
    return DOVETAIL_STAGE_COMPUTE;
  default:
    return DOVETAIL_STAGE_VERTEX;
  }
}

// Whether a part of this kind is read from a store if it is not compiled.
bool isCompiled(uint32_t kind) {
  switch (kind) {
  case DOVETAIL_PART_VERTEX_MAIN:
  case DOVETAIL_PART_TESS_CONTROL_MAIN:
  case DOVETAIL_PART_TESS_EVALUATION_MAIN:
  case DOVETAIL_PART_GEOMETRY_MAIN:
  case DOVETAIL_PART_GEOMETRY_COPY:
  case DOVETAIL_PART_FRAGMENT_MAIN:
  case DOVETAIL_PART_COMPUTE_MAIN:
  case DOVETAIL_PART_MONOLITHIC:
    return true;
  default:
    return false;
  }
}

void appendWords(const ShaderRequest &request, std::vector<uint32_t> &words) {
  const Hash &module = request.source.module->hash;
  for (uint64_t half : {module.high, module.low})
    words.insert(words.end(), {static_cast<uint32_t>(half), static_cast<uint32_t>(half >> 32)});
  words.insert(words.end(), {request.source.stage, request.next, static_cast<uint32_t>(request.layout.size())});
  appendText(words, request.source.entryPoint);
  for (const dovetail_layout_node &node : request.layout)
    words.insert(words.end(), {node.type, node.set, node.binding, node.offset_in_dwords, node.size_in_dwords,
                               node.stride_in_dwords});
  for (const dovetail_spec_constant &constant : request.source.specConstants)
    words.insert(words.end(),
                 {constant.id, static_cast<uint32_t>(constant.value), static_cast<uint32_t>(constant.value >> 32)});
}

} // namespace

uint64_t threadCpuNanoseconds() {
  timespec time = {};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
    return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

std::string nameOfProgram() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "unknown" : path.filename().string();
}

std::string nameOfRun(uint64_t start) {
  return fmt::format("{}-{}-{}", nameOfProgram(), getpid(), start / 1000000);
}

Session::Session(Options options, Application application)
    : m_options(std::move(options)), m_application(std::move(application)), m_frames(m_start),
      m_warnings(m_options.complaints) {
  dovetail_device_options deviceOptions = {};
  deviceOptions.size = sizeof deviceOptions;
  deviceOptions.gpu = m_options.gpu.c_str();
  deviceOptions.policy = m_options.policy;
  deviceOptions.first_tier = m_options.firstTier;
  deviceOptions.hot_binds = m_options.hotBinds;
  deviceOptions.threads = m_options.threads;
  deviceOptions.memory_budget = m_options.memoryBudget;
  deviceOptions.store_path = m_options.store.empty() ? nullptr : m_options.store.c_str();
  deviceOptions.log_user = this;
  deviceOptions.log = [](void *user, dovetail_log_level, const char *text) {
    static_cast<Session *>(user)->warn(text);
  };
  deviceOptions.compile_user = this;
  deviceOptions.on_compile = [](void *user, const dovetail_compile_event *event) {
    static_cast<Session *>(user)->m_compiles.note(*event, nowNanoseconds());
  };
  dovetail_message message;
  if (dovetail_device_create(&deviceOptions, &m_device, &message) != DOVETAIL_OK)
    warn(fmt::format("nothing is followed: {}", message.text));
  if (m_options.execute != ExecuteHow::Off)
    m_executionLog = std::make_unique<ExecutionLog>(m_options.output, nameOfRun(m_start));
  if (m_options.capture.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(m_options.capture, error);
  std::string reason;
  m_captures = Captures::open(m_options.capture + "/" + nameOfRun(m_start) + ".foz", reason);
  if (!m_captures)
    warn(fmt::format("nothing is captured: {}", reason));
}

Session::~Session() {
  for (dovetail_binder *binder : m_idleBinders)
    dovetail_binder_destroy(binder);
  for (const auto &[hash, state] : m_states)
    dovetail_state_destroy(state);
  dovetail_device_destroy(m_device, nullptr);
}

void Session::addUnfinished(const void *key, std::function<void()> finish) {
  std::scoped_lock lock(m_unfinishedMutex);
  m_unfinished[key] = std::move(finish);
}

void Session::removeUnfinished(const void *key) {
  std::scoped_lock lock(m_unfinishedMutex);
  m_unfinished.erase(key);
}

void Session::finishAll() {
  std::scoped_lock lock(m_unfinishedMutex);
  for (const auto &[key, finish] : m_unfinished)
    finish();
}

std::vector<std::string> Session::warnings() const {
  std::scoped_lock lock(m_mutex);
  return m_warnings;
}

void Session::warn(std::string text) {
  std::scoped_lock lock(m_mutex);
  constexpr size_t MaxWarnings = 100;
  if (m_warnings.size() < MaxWarnings && std::ranges::find(m_warnings, text) == m_warnings.end())
    m_warnings.push_back(std::move(text));
}

std::shared_ptr<Shader> Session::getShader(const ShaderRequest &request, dovetail_status &status,
                                           dovetail_message &message) {
  std::vector<uint32_t> words;
  appendWords(request, words);
  const Hash hash = hashOf(words.data(), words.size() * sizeof(uint32_t));
  {
    std::scoped_lock lock(m_shadersMutex);
    if (auto found = m_shaders.find(hash); found != m_shaders.end())
      if (std::shared_ptr<Shader> shader = found->second.lock())
        return shader;
  }
  // Compiles are told by this name, so it tells apart the shaders of one module.
  std::string name = fmt::format("{}.{:08x}", nameOf(request.source), static_cast<uint32_t>(hash.high));
  dovetail_shader_description description = {};
  description.size = sizeof description;
  description.name = name.c_str();
  description.words = request.source.module->words.data();
  description.word_count = request.source.module->words.size();
  description.entry_point = request.source.entryPoint.c_str();
  description.stage = toStage(request.source.stage);
  description.compile = request.compile;
  description.next_stage = request.next;
  description.has_layout = 1;
  description.layout = request.layout.data();
  description.layout_count = request.layout.size();
  description.spec_constants = request.source.specConstants.data();
  description.spec_constant_count = request.source.specConstants.size();
  dovetail_shader *handle = nullptr;
  status = dovetail_shader_create(m_device, &description, &handle, &message);
  if (status != DOVETAIL_OK)
    return nullptr;
  auto shader = std::make_shared<Shader>(handle, std::move(name));
  {
    std::scoped_lock lock(m_shadersMutex);
    m_shaders[hash] = shader;
  }
  std::scoped_lock lock(m_mutex);
  ++m_shaderCount;
  return shader;
}

dovetail_state *Session::getState(const StateFields &fields, std::vector<uint32_t> &words, dovetail_status &status,
                                  dovetail_message &message) {
  words.clear();
  fields.appendWords(words);
  const Hash hash = hashOf(words.data(), words.size() * sizeof(uint32_t));
  {
    std::shared_lock lock(m_statesMutex);
    if (auto found = m_states.find(hash); found != m_states.end())
      return found->second;
  }
  const dovetail_pipeline_state description = fields.description();
  dovetail_state *state = nullptr;
  status = dovetail_state_create(m_device, &description, &state, &message);
  if (status != DOVETAIL_OK)
    return nullptr;
  std::scoped_lock lock(m_statesMutex);
  const auto [place, isNew] = m_states.emplace(hash, state);
  if (!isNew)
    dovetail_state_destroy(state);
  return place->second;
}

void Session::withBinder(const std::function<void(dovetail_binder *)> &use) {
  dovetail_binder *binder = nullptr;
  {
    std::scoped_lock lock(m_bindersMutex);
    if (!m_idleBinders.empty()) {
      binder = m_idleBinders.back();
      m_idleBinders.pop_back();
    }
  }
  if (!binder && dovetail_binder_create(m_device, &binder, nullptr) != DOVETAIL_OK)
    return;
  use(binder);
  std::scoped_lock lock(m_bindersMutex);
  m_idleBinders.push_back(binder);
}

void Session::addWork(const WorkCounts *counts) {
  std::scoped_lock lock(m_mutex);
  m_work.insert(counts);
}

void Session::removeWork(const WorkCounts *counts) {
  std::scoped_lock lock(m_mutex);
  if (m_work.erase(counts) > 0)
    m_goneWork.add(*counts);
}

void Session::addBind(const BindTime &time, uint64_t start, const dovetail_bind_info &bind, const Pipeline &pipeline) {
  addStall(time, true, bind, pipeline);
  std::vector<Compile> compiles = m_compiles.take(start, *pipeline.facts);
  if (bind.kind <= DOVETAIL_BIND_KNOWN && compiles.empty() && !bind.waited)
    return;
  {
    std::scoped_lock lock(m_mutex);
    for (const Compile &compile : compiles)
      m_drawCompiles.add(compile);
    if (bind.parts_stored > 0 && bind.parts_compiled == 0 && isCompiled(bind.longest_part))
      m_reads.add(static_cast<uint64_t>(bind.longest_part_microseconds * 1e3));
  }
  m_frames.add({.pipeline = pipeline.facts,
                .start = start,
                .nanoseconds = time.nanoseconds,
                .bind = bind,
                .compiles = std::move(compiles)});
}

void Session::addStall(const BindTime &time, bool isDraw, const dovetail_bind_info &bind, const Pipeline &pipeline) {
  if (time.nanoseconds <= m_stallFloor.load(std::memory_order_relaxed))
    return;
  std::scoped_lock lock(m_mutex);
  if (m_stalls.size() == MaxStalls) {
    std::ranges::pop_heap(m_stalls, std::greater(), lengthOf);
    m_stalls.pop_back();
  }
  m_stalls.push_back({time, seconds(), isDraw, bind, pipeline.facts});
  std::ranges::push_heap(m_stalls, std::greater(), lengthOf);
  if (m_stalls.size() == MaxStalls)
    m_stallFloor.store(lengthOf(m_stalls.front()), std::memory_order_relaxed);
}

void Session::notePipeline(const Pipeline &pipeline, uint64_t nanoseconds, const dovetail_bind_info *bind) {
  const uint64_t start = nowNanoseconds() - nanoseconds;
  FrameWork work = {.pipeline = pipeline.facts,
                    .start = start,
                    .nanoseconds = nanoseconds,
                    .isDraw = false,
                    .bind = bind ? *bind : dovetail_bind_info(),
                    .compiles = m_compiles.take(start, *pipeline.facts)};
  {
    std::scoped_lock lock(m_mutex);
    m_living.insert(&pipeline);
    ++(pipeline.pieces ? m_libraries : m_pipelines);
    m_pipelineTimes.add(nanoseconds);
    if (bind)
      ++m_pipelineBinds[bind->kind];
    if (bind && bind->parts_stored > 0 && bind->parts_compiled == 0 && isCompiled(bind->longest_part))
      m_reads.add(static_cast<uint64_t>(bind->longest_part_microseconds * 1e3));
    for (const Compile &compile : work.compiles)
      m_pipelineCompiles.add(compile);
  }
  m_frames.add(std::move(work));
}

namespace {

void addDraws(std::map<std::string, PipelineSummary> &drawsByName, const Pipeline &pipeline) {
  constexpr size_t MaxNames = 10000;
  const uint64_t draws = pipeline.draws.load(std::memory_order_relaxed);
  const PipelineFacts &facts = *pipeline.facts;
  std::string name = facts.describe();
  if (draws == 0 || (drawsByName.size() >= MaxNames && !drawsByName.contains(name)))
    return;
  PipelineSummary &summary = drawsByName[name];
  summary.name = std::move(name);
  summary.shaders = facts.shaders;
  summary.entryPoints = facts.entryPoints;
  summary.label = facts.label.get();
  summary.draws += draws;
}

} // namespace

void Session::notePipelineGone(const Pipeline &pipeline) {
  std::scoped_lock lock(m_mutex);
  m_living.erase(&pipeline);
  addDraws(m_drawsByName, pipeline);
}

void Session::sample() {
  dovetail_device_statistics statistics = {};
  statistics.size = sizeof statistics;
  if (!m_device || dovetail_device_get_statistics(m_device, &statistics, nullptr) != DOVETAIL_OK)
    return;
  std::scoped_lock lock(m_mutex);
  uint64_t draws = m_goneWork.draws.get();
  for (const WorkCounts *counts : m_work)
    draws += counts->draws.get();
  m_samples.push_back({seconds(), draws, m_frames.presented(), statistics.variants, statistics.generation,
                       statistics.variant_bytes + statistics.part_memory_bytes, m_frames.takeLongest()});
  if (m_samples.size() < MaxSamples)
    return;
  // Drop every other sample.
  size_t kept = 0;
  for (size_t index = 0; index < m_samples.size(); index += 2) {
    m_samples[kept] = m_samples[index];
    if (index > 0)
      m_samples[kept].longestFrame = std::max(m_samples[index - 1].longestFrame, m_samples[index].longestFrame);
    ++kept;
  }
  m_samples.resize(kept);
}

void Session::collect(Totals &totals) const {
  totals.seconds = seconds();
  totals.statistics.size = sizeof totals.statistics;
  if (m_device)
    (void)dovetail_device_get_statistics(m_device, &totals.statistics, nullptr);
  if (m_executionLog)
    totals.execution = m_executionLog->totals();
  {
    std::shared_lock lock(m_statesMutex);
    totals.states = m_states.size();
  }
  totals.frames = m_frames.presented();
  totals.frameTimes.emplace(m_frames.times());
  totals.compiles = m_compiles.sums();
  totals.measured.compile = m_options.compile;
  totals.measured.firstTier = m_options.firstTier;
  totals.measured.workers = m_options.threads;
  totals.measured.compiles = m_compiles.latest();
  std::scoped_lock lock(m_mutex);
  totals.work.add(m_goneWork);
  for (const WorkCounts *counts : m_work)
    totals.work.add(*counts);
  totals.pipelineTimes.add(m_pipelineTimes);
  totals.pipelineBinds = m_pipelineBinds;
  totals.pipelines = m_pipelines;
  totals.libraries = m_libraries;
  totals.shaders = m_shaderCount;
  totals.pipelineCompiles = m_pipelineCompiles;
  totals.drawCompiles = m_drawCompiles;
  if (m_reads.count() > 0)
    totals.measured.readNanoseconds = m_reads.percentile(0.5);
  totals.stalls = m_stalls;
  std::ranges::sort(totals.stalls, std::greater(), lengthOf);
  totals.samples = m_samples;
  std::map<std::string, PipelineSummary> drawsByName = m_drawsByName;
  for (const Pipeline *pipeline : m_living)
    addDraws(drawsByName, *pipeline);
  for (const auto &[name, summary] : drawsByName)
    totals.pipelinesByDraws.push_back(summary);
  std::ranges::sort(totals.pipelinesByDraws, std::greater(), &PipelineSummary::draws);
}

} // namespace dovetail::layer
