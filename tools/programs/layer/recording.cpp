// SPDX-License-Identifier: MIT
//
// A draw's work delays the application's draw, so it does no more than a driver's draw: a compare if nothing changed; a
// hash and a look-up if dynamic state changed; then the bind.
//
// Every command must find the recording of its command buffer, so each thread remembers the last one. When a command
// buffer is freed, all threads forget.
#include "tools/programs/layer/recording.h"

namespace dovetail::layer {

namespace {

struct Recordings {
  std::shared_mutex mutex;
  std::unordered_map<VkCommandBuffer, std::unique_ptr<Recording>> byHandle;
};

constinit std::atomic<uint64_t> recordingsEpoch = 1; // counts changes of byHandle

Recordings &recordings() {
  static Recordings *const all = new Recordings; // never destroyed: threads of the application may still run at the end
  return *all;
}

struct Remembered {
  VkCommandBuffer handle;
  Recording *recording;
  uint64_t epoch;
};
thread_local Remembered remembered = {};

Recording &findRecording(VkCommandBuffer handle) {
  Recordings &all = recordings();
  const uint64_t epoch = recordingsEpoch.load(std::memory_order_acquire);
  Recording *recording = nullptr;
  {
    std::shared_lock lock(all.mutex);
    if (const auto found = all.byHandle.find(handle); found != all.byHandle.end())
      recording = found->second.get();
  }
  if (!recording) {
    deviceOf(handle).strayPool()->add(handle);
    std::shared_lock lock(all.mutex);
    recording = all.byHandle.at(handle).get();
  }
  remembered = {handle, recording, epoch};
  return *recording;
}

// Of so many draws, one is measured for the layer's own time.
constexpr uint64_t SampleEvery = 32;

bool isKnown(uint32_t kind) {
  return kind == DOVETAIL_BIND_UNCHANGED || kind == DOVETAIL_BIND_KNOWN;
}

} // namespace

Recording &recordingOf(VkCommandBuffer handle) {
  const Remembered &last = remembered;
  if (last.handle == handle && last.epoch == recordingsEpoch.load(std::memory_order_acquire))
    return *last.recording;
  return findRecording(handle);
}

Pool::Pool(Device &device)
    : m_device(device), m_session(device.session()), m_steady(device.session().steadyNanoseconds()),
      m_measuresCpuOfAll(device.session().options().measuresCpuOfAll) {
  if (device.session().device())
    (void)dovetail_binder_create(device.session().device(), &m_binder, nullptr);
  device.session().addWork(&counts);
}

Pool::~Pool() {
  {
    Recordings &all = recordings();
    std::scoped_lock lock(all.mutex);
    for (VkCommandBuffer handle : m_commandBuffers)
      all.byHandle.erase(handle);
    recordingsEpoch.fetch_add(1, std::memory_order_release);
  }
  m_device.session().removeWork(&counts);
  dovetail_binder_destroy(m_binder);
}

void Pool::add(VkCommandBuffer handle, bool isSecondary) {
  {
    std::scoped_lock lock(m_mutex);
    m_commandBuffers.insert(handle);
  }
  Recordings &all = recordings();
  std::scoped_lock lock(all.mutex);
  all.byHandle[handle] = std::make_unique<Recording>(*this, isSecondary);
  recordingsEpoch.fetch_add(1, std::memory_order_release);
}

void Pool::remove(VkCommandBuffer handle) {
  {
    std::scoped_lock lock(m_mutex);
    m_commandBuffers.erase(handle);
  }
  Recordings &all = recordings();
  std::scoped_lock lock(all.mutex);
  all.byHandle.erase(handle);
  recordingsEpoch.fetch_add(1, std::memory_order_release);
}

void Recording::begin() {
  m_graphics = nullptr;
  m_compute = nullptr;
  m_dynamic.clear();
  m_changed = 0;
  m_state = nullptr;
  m_stateProblem = nullptr;
  if (Execution *execution = device().execution())
    m_tracker = std::make_unique<CommandTracker>(*execution);
}

BoundPipeline Recording::boundForDraw() const {
  BoundPipeline bound = {m_graphics, m_variant, {}};
  if (m_graphics) {
    bound.fields = m_graphics->fields;
    m_dynamic.apply(m_graphics->dynamic, bound.fields);
  }
  return bound;
}

void Recording::bindPipeline(VkPipelineBindPoint point, std::shared_ptr<Pipeline> pipeline) {
  m_pool.counts.pipelineBinds.add(1);
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    m_compute = std::move(pipeline);
  } else if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) {
    if (pipeline == m_graphics)
      return;
    m_graphics = std::move(pipeline);
    m_state = nullptr;
    m_stateProblem = nullptr;
  }
}

// Finds the state of the next draw. False: no state, and `m_stateProblem` says why.
bool Recording::updateState() {
  Pipeline &pipeline = *m_graphics;
  const DynamicStates changed = std::exchange(m_changed, 0) & pipeline.dynamic;
  if ((m_state || m_stateProblem) && changed == 0)
    return m_state;
  m_stateProblem = nullptr;
  if (pipeline.state) {
    m_state = pipeline.state;
    m_isStateNew = !pipeline.rememberBind();
  } else {
    findState(pipeline);
  }
  return m_state;
}

// Finds the state of a pipeline with dynamic states.
void Recording::findState(Pipeline &pipeline) {
  const uint64_t key = scatter(m_dynamic.digestOf(pipeline.dynamic) ^ scatter(pipeline.number));
  m_state = m_pool.knownStates.find(key);
  m_isStateNew = !m_state;
  if (!m_state) [[unlikely]]
    makeState(pipeline, key);
}

void Recording::makeState(Pipeline &pipeline, uint64_t key) {
  m_fields = pipeline.fields;
  m_dynamic.apply(pipeline.dynamic, m_fields);
  dovetail_status status = DOVETAIL_OK;
  m_state = session().getState(m_fields, m_words, status, m_message);
  if (m_state)
    m_pool.knownStates.add(key, m_state);
  else
    m_stateProblem =
        &session().problems().note(status, m_message.text, pipeline.facts->shaders, pipeline.stages, &m_fields);
}

// Notes that this bind failed, with its shaders and state.
void Recording::noteFailure(Pipeline &pipeline, const dovetail_state *state, dovetail_status status) {
  StateFields fields = pipeline.fields;
  m_dynamic.apply(pipeline.dynamic, fields);
  Problem &problem = session().problems().note(status, m_message.text, pipeline.facts->shaders, pipeline.stages,
                                               state ? &fields : nullptr);
  problem.draws.fetch_add(1, std::memory_order_relaxed);
  pipeline.noteFailure(state, problem);
}

void Recording::bind(Pipeline &pipeline, const dovetail_state *state, bool isNew) {
  pipeline.draws.fetch_add(1, std::memory_order_relaxed);
  if (Problem *problem = pipeline.findFailure(state)) [[unlikely]] {
    problem->draws.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  dovetail_binder *const binder = m_pool.binder();
  const dovetail_variant *variant = nullptr;
  const bool hasCpuTime = isNew || m_pool.measuresCpuOfAll();
  const uint64_t cpuStart = hasCpuTime ? threadCpuNanoseconds() : 0;
  const uint64_t start = nowNanoseconds();
  auto &costs = m_pool.costsAt(start);
  const dovetail_status status = dovetail_bind(binder, pipeline.program, state, nullptr, nullptr, &variant, &m_message);
  const uint64_t took = nowNanoseconds() - start;
  m_variant = status == DOVETAIL_OK ? variant : nullptr;
  const BindTime time = {took, hasCpuTime ? threadCpuNanoseconds() - cpuStart : 0};

  dovetail_bind_info info = {};
  info.size = sizeof info;
  m_dovetailNanoseconds = took;
  getLastBind(info);
  costs[info.kind].add(took);
  if (m_pool.measuresCpuOfAll() && isKnown(info.kind)) {
    m_pool.counts.knownBindCpuTimes.add(time.cpuNanoseconds);
    noteEmptyInterval();
  }
  session().noteBind(time, start, info, pipeline);
  if (isNew) [[unlikely]]
    noteFirstBind(pipeline, state, variant, start);
  if (status != DOVETAIL_OK)
    noteFailure(pipeline, state, status);
}

// Reads the clocks in the same order as bind().
void Recording::noteEmptyInterval() {
  const uint64_t cpuStart = threadCpuNanoseconds();
  (void)nowNanoseconds();
  (void)nowNanoseconds();
  m_pool.counts.emptyCpuTimes.add(threadCpuNanoseconds() - cpuStart);
}

void Recording::getLastBind(dovetail_bind_info &info) {
  const uint64_t start = m_isMeasured ? nowNanoseconds() : 0;
  (void)dovetail_binder_get_last_bind(m_pool.binder(), &info, nullptr);
  if (m_isMeasured)
    m_dovetailNanoseconds += nowNanoseconds() - start;
}

// Notes the first bind of a pipeline with a state.
void Recording::noteFirstBind(const Pipeline &pipeline, const dovetail_state *state, const dovetail_variant *variant,
                              uint64_t start) {
  uint64_t none = 0;
  pipeline.facts->firstBind.compare_exchange_strong(none, start, std::memory_order_relaxed);
  if (!session().captures())
    return;
  StateFields fields = pipeline.fields;
  m_dynamic.apply(pipeline.dynamic, fields);
  if (std::string wrong = session().captures()->add(pipeline, state ? &fields : nullptr, variant); !wrong.empty())
    session().warn("a pipeline is not captured: " + wrong);
}

void Recording::noteUnknown(const Pipeline *pipeline) {
  if (pipeline && pipeline->problem)
    pipeline->problem->draws.fetch_add(1, std::memory_order_relaxed);
  else
    session().problems().noteUnfollowed("a draw or dispatch without a pipeline that was followed");
}

template <typename Work> void Recording::sampled(uint64_t number, const Work &work) {
  if (number % SampleEvery != 0)
    return work();
  m_isMeasured = true;
  m_dovetailNanoseconds = 0;
  const uint64_t start = nowNanoseconds();
  work();
  m_pool.counts.ownTimes.add(nowNanoseconds() - start - m_dovetailNanoseconds);
  m_isMeasured = false;
}

void Recording::draw() noexcept {
  guarded(*this, "draw", [&] {
    m_pool.counts.draws.add(1);
    m_variant = nullptr;
    sampled(m_pool.counts.draws.get(), [&] {
      if (!m_graphics || !m_graphics->program)
        return noteUnknown(m_graphics.get());
      if (updateState())
        return bind(*m_graphics, m_state, std::exchange(m_isStateNew, false));
      m_graphics->draws.fetch_add(1, std::memory_order_relaxed);
      m_stateProblem->draws.fetch_add(1, std::memory_order_relaxed);
    });
  });
}

void Recording::dispatch() noexcept {
  guarded(*this, "dispatch", [&] {
    m_pool.counts.dispatches.add(1);
    m_variant = nullptr;
    if (!m_compute || !m_compute->program)
      return noteUnknown(m_compute.get());
    bind(*m_compute, nullptr, !m_compute->rememberBind());
  });
}

} // namespace dovetail::layer
