// SPDX-License-Identifier: MIT
#include "variants/bind/background_builds.h"
#include "src/base/asking_thread.h"
#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <new>

namespace dovetail {

namespace {

std::string describe(const OptimizedBuild &build, const ShaderSet &shaders) {
  std::string names;
  for (const ShaderRef &shader : shaders.shaders)
    if (shader)
      names += (names.empty() ? "" : ", ") + shader->description.name;
  return build.variant ? fmt::format("an optimised variant of {}", names)
                       : fmt::format("no optimised variant of {}: {}", names, build.rejection);
}

tl::unexpected<Error> programIsGone() {
  return makeError(ErrorCode::Cancelled, "the program has gone");
}

bool isTheSame(const std::weak_ptr<const Program> &weak, const ProgramRef &program) {
  return !weak.owner_before(program) && !program.owner_before(weak);
}

} // namespace

BackgroundBuilds::BackgroundBuilds(DeviceCore &device) : m_device(device), m_queue(device.options().background) {}

BackgroundBuilds::Counts BackgroundBuilds::counts() const {
  return {m_changedOver, m_optimized, m_rejected, m_failed, m_failedChangeOverCount};
}

struct BackgroundBuilds::SlotJob {
  std::weak_ptr<const Program> program;
  PipelineState canonicalState;
  UniformValuesRef uniforms;
};

void BackgroundBuilds::requestOptimized(const BindRequest &request, const VariantRef &joined) {
  requestChangeOver(request, *joined);
  if (m_device.options().policy == OptimizationPolicy::Off ||
      (hasFirstCode(*joined) && hasFailedChangeOver(request.program->hash)))
    return;
  const ShaderSet &shaders = request.program->set;
  try {
    PipelineState canonical = canonicalize(request.state.fields, shaders);
    VariantKey key = makeOptimizedKey(shaders, canonical, request.uniforms.get());
    requestOptimized(request, canonical, key, joined);
  } catch (const std::bad_alloc &) { // the joined variant is good nevertheless
    m_device.tables().withExistingSlot(request.slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); });
  }
}

void BackgroundBuilds::requestOptimized(const BindRequest &request, const PipelineState &canonicalState,
                                        const VariantKey &key, const VariantRef &joined) {
  if (!isFirstToWait(key, request, joined))
    return;
  auto giveUp = [this, key] { askAgain(takePending(key).slots); };
  try {
    OptimizationQueue::Job job;
    job.mayBeDropped = true;
    job.subject = request.program;
    auto slotJob = std::make_shared<const SlotJob>(SlotJob{request.program, canonicalState, request.uniforms});
    job.run = [this, slotJob, key, giveUp](const std::function<bool()> &isCancelled) -> Result<void> {
      Result<void> outcome = optimize(*slotJob, key, isCancelled);
      if (!outcome && outcome.error().code == ErrorCode::Cancelled)
        giveUp(); // an equal program may have the same slots
      resumeChangeOvers();
      return outcome;
    };
    job.onCancelled = giveUp;
    job.onFailed = [this, key](const Error &error) {
      takePending(key);
      m_failed.fetch_add(1, std::memory_order_relaxed);
      m_device.log(LogLevel::Warning,
                   fmt::format("an optimised build failed, the joined variant stays: {}", error.text));
    };
    if (!m_queue.enqueue(std::move(job)))
      giveUp();
  } catch (...) {
    giveUp();
    throw;
  }
}

bool BackgroundBuilds::isFirstToWait(const VariantKey &key, const BindRequest &request, const VariantRef &joined) {
  std::unique_lock lock(m_pendingMutex);
  // A job puts its variant into the table before it takes the waiting slots. So either the table has the variant, or
  // the slot can still wait.
  if (std::optional<VariantRef> known = m_device.tables().findValue(key)) {
    lock.unlock();
    if (*known) // it was announced already
      m_device.tables().withExistingSlot(request.slotKey, [&](VariantSlot &slot) {
        if (slot.current() == joined.get())
          m_device.tables().setCurrent(slot, *known);
      });
    return false;
  }
  auto [place, isFirst] = m_pending.try_emplace(key);
  place->second.joined = joined; // the latest, because an earlier one may have been evicted
  try {
    place->second.slots.insert_or_assign(request.slotKey, request.users);
  } catch (...) {
    if (isFirst)
      m_pending.erase(place);
    throw;
  }
  return isFirst;
}

BackgroundBuilds::PendingOptimization BackgroundBuilds::takePending(const VariantKey &key) {
  std::scoped_lock lock(m_pendingMutex);
  auto place = m_pending.find(key);
  if (place == m_pending.end())
    return {};
  PendingOptimization pending = std::move(place->second);
  m_pending.erase(place);
  return pending;
}

void BackgroundBuilds::askAgain(const Slots &slots) {
  for (const auto &[slotKey, users] : slots)
    m_device.tables().withExistingSlot(slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); });
}

// Runs in the background.
Result<void> BackgroundBuilds::optimize(const SlotJob &job, const VariantKey &key,
                                        const std::function<bool()> &isCancelled) {
  OptimizingScope scope;
  const PurposeScope purpose(CompilePurpose::Optimized);
  // A waiting job keeps no variant alive. If the variant was evicted meanwhile, it is not in use and need not be
  // improved.
  VariantRef joined;
  {
    std::scoped_lock lock(m_pendingMutex);
    if (auto place = m_pending.find(key); place != m_pending.end())
      joined = place->second.joined.lock();
  }
  if (!joined)
    return makeError(ErrorCode::Cancelled, "the variant was evicted");
  ProgramRef program = job.program.lock();
  if (!program)
    return programIsGone();
  ShaderSet shaders = program->set;
  const Hash128 hash = program->hash;
  program.reset(); // so that it can go meanwhile
  // An optimised variant must be better than LLVM's joined code.
  if (hasFirstCode(*joined)) {
    if (hasFailedChangeOver(hash)) { // it was told then
      takePending(key);
      return {};
    }
    joined = DOVETAIL_TRY(changeOver(hash, joined->key, shaders, job.canonicalState));
    if (!joined)
      return makeError(ErrorCode::Cancelled, "the variant was evicted");
  }
  BuildWatch watch(m_device.dumps());
  std::string outcome; // text for the log
  Result<VariantTables::Lookup> made = m_device.tables().getOrMake(key, [&]() -> Result<VariantRef> {
    OptimizedBuild build = DOVETAIL_TRY(watch.run([&] {
      return buildOptimizedVariant(m_device.partMaker(), key, shaders, job.canonicalState, job.uniforms.get(), *joined,
                                   isCancelled);
    }));
    (build.variant ? m_optimized : m_rejected).fetch_add(1, std::memory_order_relaxed);
    if (m_device.isLogged(LogLevel::Info))
      outcome = describe(build, shaders);
    if (build.variant)
      noteParts(m_device.partMaker(), *build.variant);
    return build.variant;
  });
  // Beyond this point, nobody waits for this build.

  watch.report(DumpedBuild::Optimized, shaders, &job.canonicalState);
  if (!outcome.empty())
    m_device.log(LogLevel::Info, outcome);
  const VariantTables::Lookup lookup = DOVETAIL_TRY(std::move(made));
  if (isCancelled())
    return programIsGone();
  PendingOptimization pending = takePending(key);
  if (lookup.value)
    m_device.publish(pending.slots, lookup.value);
  if (lookup.made)
    m_device.budget().enforce();
  return {};
}

Result<BackgroundBuilds::FirstAnswer> BackgroundBuilds::requestFirst(const BindRequest &request, const VariantKey &key,
                                                                     const PipelineState &canonicalState) {
  const BindOptions &options = request.options;
  FirstBuildRef build;
  bool isFirst = false, isMoreUrgent = false;
  {
    std::scoped_lock lock(m_pendingMutex);
    // A job puts its variant into the table before it takes the waiting slots. So either the table has the variant, or
    // the slot can still wait.
    if (VariantRef known = m_device.tables().findVariant(key))
      return FirstAnswer{std::move(known), false};
    if (const auto failure = m_failures.find(key); failure != m_failures.end()) {
      std::optional<Error> error;
      if (!options.fallback)
        error = failure->second;
      const bool mayNotComeAgain = failure->second.code == ErrorCode::Internal;
      if (mayNotComeAgain)
        m_failures.erase(failure);
      if (error)
        return tl::unexpected<Error>(std::move(*error));
      return FirstAnswer{nullptr, !mayNotComeAgain}; // a bind without fallback must get the Error at once
    }
    if (const auto place = m_firstBuilds.find(key); place != m_firstBuilds.end()) {
      build = place->second;
      join(*build, request);
      build->isShared = true;
      isMoreUrgent = options.priority > build->priority;
    } else {
      build = std::make_shared<FirstBuild>();
      join(*build, request);
      m_firstBuilds.emplace(key, build);
      isFirst = true;
    }
    build->priority = std::max(build->priority, options.priority);
  }
  if (isMoreUrgent)
    m_queue.raise(build, options.priority);
  if (!isFirst)
    return FirstAnswer{nullptr, true};
  auto giveUp = [&] {
    takeFirst(build, key);
    if (!build->isShared)
      return;
    try { // other requests rely on it
      m_queue.tell([this, build] { tellToAskAgain(*build); });
    } catch (const std::bad_alloc &) {
      tellToAskAgain(*build);
    }
  };
  auto enqueue = [&] { return m_queue.enqueue(firstJob(build, key, canonicalState, options.priority)); };
  try {
    if (!enqueue() && !(forgetGone() && enqueue())) {
      giveUp();
      return FirstAnswer();
    }
  } catch (...) {
    giveUp();
    throw;
  }
  JobPriority raised;
  {
    std::scoped_lock lock(m_pendingMutex);
    raised = build->priority; // others may have raised it before the queue had the job
  }
  if (raised != options.priority)
    m_queue.raise(build, raised);
  return FirstAnswer{nullptr, true};
}

void BackgroundBuilds::join(FirstBuild &build, const BindRequest &request) {
  if (std::ranges::none_of(build.programs, [&](const auto &each) { return isTheSame(each, request.program); }))
    build.programs.push_back(request.program);
  FirstBuild::Waiting &waiting = build.slots[request.slotKey];
  waiting.users = request.users;
  if (request.options.fallback)
    waiting.shown = request.options.fallback;
  else
    waiting.isAwaited = true;
}

OptimizationQueue::Job BackgroundBuilds::firstJob(const FirstBuildRef &build, const VariantKey &key,
                                                  const PipelineState &canonicalState, JobPriority priority) {
  OptimizationQueue::Job job;
  job.priority = priority;
  job.mayBeDropped = true;
  job.subject = build;
  // Calls with the build, unless it was cancelled, which takes it out of the table.
  auto with = [weak = std::weak_ptr(build)](auto call) {
    return [weak, call](const auto &...args) {
      if (const FirstBuildRef alive = weak.lock())
        call(alive, args...);
    };
  };
  job.run = [this, weak = std::weak_ptr(build), key, state = std::make_shared<const PipelineState>(canonicalState)](
                const std::function<bool()> &) -> Result<void> {
    const FirstBuildRef alive = weak.lock();
    Result<void> outcome = alive ? buildFirst(alive, key, *state) : programIsGone();
    resumeChangeOvers();
    return outcome;
  };
  job.onCancelled = with([this, key](const FirstBuildRef &alive) { takeFirst(alive, key); });
  job.onDropped = with([this, key](const FirstBuildRef &alive) {
    takeFirst(alive, key);
    tellToAskAgain(*alive);
  });
  job.onFailed = with([this, key](const FirstBuildRef &alive, const Error &error) { failFirst(alive, key, error); });
  return job;
}

// Runs in the background.
Result<void> BackgroundBuilds::buildFirst(const FirstBuildRef &build, const VariantKey &key,
                                          const PipelineState &canonicalState) {
  ProgramRef program;
  {
    std::scoped_lock lock(m_pendingMutex);
    for (const std::weak_ptr<const Program> &each : build->programs)
      if (!program)
        program = each.lock();
  }
  if (!program) {
    takeFirst(build, key);
    if (!isGone(*build)) // an equal program has come meanwhile
      tellToAskAgain(*build);
    return programIsGone();
  }
  const PurposeScope purpose(CompilePurpose::Background);
  const ShaderSet shaders = program->set;
  const std::weak_ptr<const Program> weak = program;
  program.reset(); // so that it can go meanwhile
  const VariantTables::Lookup lookup = DOVETAIL_TRY(m_device.getVariant(key, shaders, canonicalState, {}));
  if (ProgramRef alive = weak.lock())
    m_device.notePlan(*alive, *lookup.value, canonicalState);
  takeFirst(build, key);
  // Announced even if the slot was evicted, or a bind that compiles was faster: the waiting bind tries again, and finds
  // the variant.
  for (const auto &[slotKey, waiting] : build->slots) {
    VariantRef current = lookup.value;
    m_device.tables().withExistingSlot(slotKey, [&](VariantSlot &slot) {
      if (slot.current()) {
        current = slot.owner;
        return;
      }
      m_device.tables().setCurrent(slot, current);
      slot.setCountdown(m_device.bindsUntilOptimized());
    });
    m_device.announce(current, waiting.shown, waiting.users);
    // A bind that compiles was faster.
    if (ProgramRef alive = hasFirstCode(*lookup.value) ? weak.lock() : nullptr)
      requestChangeOver(alive, key, slotKey, waiting.users, [&] { return canonicalState; });
  }
  return {};
}

void BackgroundBuilds::takeFirst(const FirstBuildRef &build, const VariantKey &key) {
  std::scoped_lock lock(m_pendingMutex);
  if (const auto place = m_firstBuilds.find(key); place != m_firstBuilds.end() && place->second == build)
    m_firstBuilds.erase(place);
}

void BackgroundBuilds::tellToAskAgain(const FirstBuild &build) {
  for (const auto &[slotKey, waiting] : build.slots)
    m_device.announce(nullptr, waiting.shown, waiting.users);
}

bool BackgroundBuilds::isGone(const FirstBuild &build) {
  return std::ranges::all_of(build.programs, &std::weak_ptr<const Program>::expired);
}

bool BackgroundBuilds::forgetGone() {
  std::vector<FirstBuildRef> gone; // destroyed without the lock
  std::scoped_lock lock(m_pendingMutex);
  std::erase_if(m_firstBuilds, [&](const auto &entry) {
    if (!isGone(*entry.second))
      return false;
    gone.push_back(entry.second);
    return true;
  });
  return !gone.empty();
}

// Runs in the background. Steps that need memory come last, or may fail.
void BackgroundBuilds::failFirst(const FirstBuildRef &build, const VariantKey &key, const Error &error) {
  constexpr size_t MaxFailures = 4096;
  try {
    std::scoped_lock lock(m_pendingMutex);
    if (m_failures.size() >= MaxFailures)
      m_failures.erase(m_failures.begin());
    m_failures.insert_or_assign(key, error);
  } catch (const std::bad_alloc &) { // the next bind tries again
  }
  takeFirst(build, key);
  bool isShown = false, isAwaited = false;
  for (const auto &[slotKey, waiting] : build->slots) {
    isShown |= waiting.shown != nullptr;
    isAwaited |= waiting.isAwaited;
    if (waiting.isAwaited)
      m_device.announce(nullptr, waiting.shown, waiting.users);
  }
  m_device.log(
      isAwaited ? LogLevel::Error : LogLevel::Warning,
      fmt::format("a build in the background failed{}: {}", isShown ? ", its fallback stays" : "", error.text));
}

void BackgroundBuilds::cancel(const ProgramRef &program) {
  m_queue.cancel(program);
  std::vector<FirstBuildRef> cancelled;
  ProgramChangeOver notChanged;
  {
    std::scoped_lock lock(m_pendingMutex);
    for (const auto &[key, build] : m_firstBuilds) {
      std::erase_if(build->programs, [&](const auto &each) { return each.expired() || isTheSame(each, program); });
      if (build->programs.empty()) // otherwise an equal program waits
        cancelled.push_back(build);
    }
    std::erase_if(m_firstBuilds, [](const auto &entry) { return entry.second->programs.empty(); });
    if (const auto place = m_changeOvers.find(program->hash);
        place != m_changeOvers.end() && isTheSame(place->second.program, program)) {
      notChanged = std::move(place->second);
      m_changeOvers.erase(place);
      std::erase(m_changeOverOrder, program->hash);
      m_changeOverCount -= notChanged.variants.size();
    }
  }
  askAgain(notChanged);
  for (const FirstBuildRef &build : cancelled)
    m_queue.cancel(build);
}

void BackgroundBuilds::requestEviction() {
  if (!m_device.budget().isDue() || m_isEvictionAsked.exchange(true))
    return;
  auto forget = [this] { m_isEvictionAsked = false; };
  try {
    OptimizationQueue::Job job;
    job.mayBeDropped = true;
    job.run = [this](const std::function<bool()> &) -> Result<void> {
      m_isEvictionAsked = false;
      m_device.budget().enforce();
      return {};
    };
    job.onCancelled = forget;
    if (!m_queue.enqueue(std::move(job)))
      forget();
  } catch (const std::bad_alloc &) { // the next bind asks again
    forget();
  }
}

void BackgroundBuilds::requestMainPart(const ShaderRef &shader, const ShaderSet &alone, ShaderSource source) {
  OptimizationQueue::Job job;
  job.mayBeDropped = true;
  job.subject = shader;
  // The source's words belong to the shader, which may go before the job runs.
  job.run = [this, weak = std::weak_ptr(shader), layout = alone.layout,
             source = std::move(source)](const std::function<bool()> &) -> Result<void> {
    ShaderSet set;
    ShaderRef &alive = set.shaders[size_t(source.key.stage)] = weak.lock();
    set.layout = layout;
    if (!alive)
      return makeError(ErrorCode::Cancelled, "the shader has gone");
    const PurposeScope purpose(CompilePurpose::Background);
    DOVETAIL_CHECK(m_device.dumps().watch(DumpedBuild::Shader, set, nullptr,
                                          [&] { return m_device.partMaker().getMainPart(source); }));
    alive.reset();
    m_device.budget().enforce();
    resumeChangeOvers();
    return {};
  };
  job.onFailed = [this](const Error &error) {
    m_device.log(LogLevel::Warning, fmt::format("a shader could not be compiled in the background: {}", error.text));
  };
  m_queue.enqueue(std::move(job));
}

} // namespace dovetail
