// SPDX-License-Identifier: MIT
#include "tests/storm/storm.h"
#include "tools/proof/scene/maker/random.h"
#include "variants/bind/device_core.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_map>

namespace dovetail::storm {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t KeptErrors = 10;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

uint64_t bytesOf(const Variant &variant) {
  uint64_t bytes = variant.image->code.size();
  for (const PartUse &use : variant.partUses())
    bytes += memoryBytes(*use.part);
  return bytes;
}

// A state of one of the programs, ready to be bound.
struct Bindable {
  ProgramRef program;
  StateRef state;
  std::mutex mutex; // guards record
  StateRecord record;
};

class Storm {
public:
  Storm(const std::vector<ProgramOfStates> &programs, const StormOptions &options)
      : m_programs(programs), m_options(options) {}

  Result<StormReport> run();

private:
  Result<void> prepare();
  void draw(unsigned thread);
  void bindAndRecord(Binder &binder, Bindable &bindable);
  void record(const Variant &variant, Bindable &bindable);
  void watch();
  void announce(const Publication &publication);

  const std::vector<ProgramOfStates> &m_programs;
  const StormOptions &m_options;
  std::vector<std::unique_ptr<Bindable>> m_bindables; // program after program
  Clock::time_point m_start;
  std::atomic<bool> m_isOver = false;
  std::atomic<uint64_t> m_largest = 0;
  std::mutex m_mutex; // guards the members below
  StormReport m_report;
  std::vector<bool> m_generations; // that were announced
  std::unordered_map<Hash128, Bindable *> m_byOptimizedKey;
  std::unique_ptr<Device> m_device;
};

Result<void> Storm::prepare() {
  DeviceOptions options;
  options.gpuName = m_options.gpuName;
  options.policy = OptimizationPolicy::Always;
  options.background = m_options.background;
  options.memoryBudget = m_options.memoryBudget;
  options.onPublication = [this](const Publication &publication) { announce(publication); };
  options.onLog = [this](LogLevel, std::string_view text) {
    std::lock_guard lock(m_mutex);
    m_report.warnings.emplace_back(text);
  };
  m_device = DOVETAIL_TRY(Device::create(std::move(options)));
  for (const ProgramOfStates &program : m_programs) {
    std::vector<ShaderRef> shaders;
    for (const ShaderRef &shader : program.shaders.shaders)
      if (shader)
        shaders.push_back(shader);
    ProgramRef made = DOVETAIL_TRY(m_device->createProgram(shaders));
    for (const PipelineState &state : program.states) {
      m_bindables.push_back(std::make_unique<Bindable>());
      m_bindables.back()->program = made;
      m_bindables.back()->state = makeState(state);
      PipelineState canonical = canonicalize(state, program.shaders);
      m_byOptimizedKey[makeOptimizedKey(program.shaders, canonical, nullptr).hash] = m_bindables.back().get();
    }
  }
  return {};
}

void Storm::announce(const Publication &publication) {
  if (auto place = m_byOptimizedKey.find(publication.variant->key.hash); place != m_byOptimizedKey.end())
    record(*publication.variant, *place->second);
  std::lock_guard lock(m_mutex);
  ++m_report.publications;
  m_generations.resize(std::max<size_t>(m_generations.size(), publication.generation + 1));
  if (publication.generation == 0 || m_generations[publication.generation])
    ++m_report.misnumbered;
  m_generations[publication.generation] = true;
}

void Storm::record(const Variant &variant, Bindable &bindable) {
  Hash128 hash = hashImage(*variant.image);
  uint64_t bytes = bytesOf(variant);
  for (uint64_t seen = m_largest; seen < bytes && !m_largest.compare_exchange_weak(seen, bytes);) {
  }
  std::lock_guard lock(bindable.mutex);
  if (hasFirstCode(variant)) {
    ++bindable.record.firstCodeSightings;
    return;
  }
  std::optional<Hash128> &known = variant.optimized ? bindable.record.optimized : bindable.record.joined;
  if (!known)
    known = hash;
  ++bindable.record.sightings;
  bindable.record.differences += *known != hash;
}

struct Times {
  std::array<std::vector<float>, TimedBindCount> microseconds;
};

TimedBind kindOf(const BinderStatistics &before, const BinderStatistics &after, const Variant &variant) {
  if (after.unchanged > before.unchanged)
    return TimedBind::Unchanged;
  if (after.known > before.known)
    return TimedBind::Known;
  if (after.waited > before.waited)
    return TimedBind::Waited;
  bool compiled = std::ranges::any_of(variant.partUses(), [](const PartUse &use) { return use.made; });
  return compiled ? TimedBind::Compiled : TimedBind::Joined;
}

thread_local Times *timesOfThisThread = nullptr;

void Storm::bindAndRecord(Binder &binder, Bindable &bindable) {
  BinderStatistics before = binder.statistics();
  Clock::time_point start = Clock::now();
  Result<const Variant *> variant = binder.bind(bindable.program, bindable.state);
  double seconds = since(start);
  if (!variant) {
    std::lock_guard lock(m_mutex);
    if (m_report.errorCount++ < KeptErrors)
      m_report.errors.push_back(variant.error().text);
    return;
  }
  TimedBind kind = kindOf(before, binder.statistics(), **variant);
  timesOfThisThread->microseconds[size_t(kind)].push_back(float(seconds * 1e6));
  if (kind != TimedBind::Unchanged)
    record(**variant, bindable);
}

void Storm::draw(unsigned thread) {
  constexpr unsigned MaxDraws = 3; // with one state, one after the other
  Times times;
  timesOfThisThread = &times;
  Random random(m_options.seed, "thread", {thread});
  std::vector<size_t> order(m_bindables.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(uint32_t(i))]);

  Binder binder(*m_device);
  auto drawWith = [&](size_t index) {
    for (unsigned draws = random.between(1, MaxDraws); draws > 0; --draws)
      bindAndRecord(binder, *m_bindables[index]);
  };
  for (size_t index : order)
    drawWith(index);
  // Applications draw with a few states again and again, and with others now and then.
  constexpr unsigned Favourites = 64;
  while (since(m_start) < m_options.seconds)
    drawWith(random.chance(70) ? order[random.below(Favourites)] : random.below(uint32_t(order.size())));

  std::lock_guard lock(m_mutex);
  for (size_t kind = 0; kind < TimedBindCount; ++kind)
    m_report.microseconds[kind].insert(m_report.microseconds[kind].end(), times.microseconds[kind].begin(),
                                       times.microseconds[kind].end());
}

// Samples the device's memory until the storm is over.
void Storm::watch() {
  double last = 0;
  while (!m_isOver) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    DeviceStatistics now = m_device->statistics();
    double seconds = since(m_start);
    uint64_t bytes = now.variantBytes + now.parts.memoryBytes;
    std::lock_guard lock(m_mutex);
    m_report.memory.push_back({seconds, bytes});
    m_report.peakBytes = std::max(m_report.peakBytes, bytes);
    if (now.background.running > 0)
      m_report.optimizingSeconds += seconds - last;
    last = seconds;
  }
}

Result<StormReport> Storm::run() {
  DOVETAIL_CHECK(prepare());
  m_start = Clock::now();
  std::thread watcher([this] { watch(); });
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < m_options.threads; ++thread)
      threads.emplace_back([this, thread] { draw(thread); });
  }
  m_report.seconds = since(m_start);
  m_isOver = true;
  watcher.join();
  m_device->drain();

  // From here on, only this thread runs.
  m_report.statistics = m_device->statistics();
  m_report.largestVariantBytes = m_largest;
  auto bindable = m_bindables.begin();
  for (const ProgramOfStates &program : m_programs) {
    m_report.states.emplace_back();
    for (size_t i = 0; i < program.states.size(); ++i, ++bindable)
      m_report.states.back().push_back((*bindable)->record);
  }
  m_device.reset();
  return std::move(m_report);
}

} // namespace

const char *describe(TimedBind kind) {
  constexpr const char *Names[TimedBindCount] = {"unchanged", "known", "joined", "compiled", "waited for a draw"};
  return Names[size_t(kind)];
}

Hash128 hashImage(const Image &image) {
  Hasher hasher;
  hasher.addBytes(std::as_bytes(std::span(image.code)));
  hasher.add(image.textSize).add(image.constantsStart).add(image.constantsEnd);
  for (const LoadRelocation &relocation : image.loadRelocations)
    hasher.add(relocation.offset).add(relocation.kind).add(relocation.target);
  for (const ImageStage &stage : image.stages) {
    hasher.add(stage.stage).add(stage.entry).add(stage.size).add(stage.userSgprCount);
    for (uint32_t source : stage.userDataMap)
      hasher.add(source);
  }
  for (const RegisterValue &value : image.registers)
    hasher.add(value.address).add(value.value);
  return hasher.finish();
}

Result<StormReport> runStorm(const std::vector<ProgramOfStates> &programs, const StormOptions &options) {
  return Storm(programs, options).run();
}

} // namespace dovetail::storm
