// SPDX-License-Identifier: MIT
#include "variants/optimize/background_builds.h"
#include "src/base/optimizing_thread.h"
#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include "variants/build/canonicalize.h"
#include "variants/optimize/optimized_variant.h"
#include <algorithm>
#include <new>

namespace dovetail {

namespace {

tl::unexpected<Error> programIsGone() {
  return makeError(ErrorCode::Cancelled, "the program has gone");
}

} // namespace

BackgroundBuilds::BackgroundBuilds(DeviceCore &device) : m_device(device), m_queue(device.options().background) {}

struct BackgroundBuilds::SlotJob {
  std::weak_ptr<const Program> program;
  PipelineState canonicalState;
  UniformValuesRef uniforms;
};

void BackgroundBuilds::requestOptimized(const BindRequest &request, const VariantRef &joined) {
  const ShaderSet &shaders = request.program->set;
  try {
    PipelineState canonical = canonicalize(request.state.fields, shaders);
    VariantKey key = makeOptimizedKey(shaders, canonical, request.uniforms.get());
    requestOptimized(request, canonical, key, joined);
  } catch (const std::bad_alloc &) { // the joined variant is good all the same
    m_device.tables().withExistingSlot(request.slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); });
  }
}

void BackgroundBuilds::requestOptimized(const BindRequest &request, const PipelineState &canonicalState,
                                        const VariantKey &key, const VariantRef &joined) {
  if (!isFirstToWait(key, request, joined))
    return;
  auto giveUp = [this, key] { askAgain(takePending(key)); };
  try {
    OptimizationQueue::Job job;
    job.mayBeDropped = true;
    job.subject = request.program;
    auto slotJob = std::make_shared<const SlotJob>(SlotJob{request.program, canonicalState, request.uniforms});
    job.run = [this, slotJob, key, giveUp](const std::function<bool()> &isCancelled) -> Result<void> {
      Result<void> outcome = optimize(*slotJob, key, isCancelled);
      if (!outcome && outcome.error().code == ErrorCode::Cancelled)
        giveUp(); // an equal program may have the same slots
      return outcome;
    };
    job.onCancelled = giveUp;
    job.onFailed = [this, key](const Error &error) {
      takePending(key);
      m_failed.fetch_add(1, std::memory_order_relaxed);
      m_device.warn(fmt::format("an optimised build failed, the joined variant stays: {}", error.text));
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
  // A job puts its variant into the table before it takes those who wait, so one of the two has it.
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
  place->second.joined = joined; // the latest: an earlier one may have been evicted
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

void BackgroundBuilds::askAgain(const PendingOptimization &pending) {
  for (const auto &[slotKey, users] : pending.slots)
    m_device.tables().withExistingSlot(slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); });
}

// In the background.
Result<void> BackgroundBuilds::optimize(const SlotJob &job, const VariantKey &key,
                                        const std::function<bool()> &isCancelled) {
  OptimizingScope scope;
  // What waits holds no memory: a variant that was evicted meanwhile is not in use, and need not be better.
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
  program.reset(); // so that it can go meanwhile
  VariantTables::Lookup lookup = DOVETAIL_TRY(m_device.tables().getOrMake(key, [&]() -> Result<VariantRef> {
    OptimizedBuild build = DOVETAIL_TRY(buildOptimizedVariant(m_device.partMaker(), key, shaders, job.canonicalState,
                                                              job.uniforms.get(), *joined, isCancelled));
    (build.variant ? m_optimized : m_rejected).fetch_add(1, std::memory_order_relaxed);
    if (build.variant)
      noteParts(m_device.partMaker(), *build.variant);
    return build.variant;
  }));
  if (isCancelled())
    return programIsGone();
  PendingOptimization pending = takePending(key);
  if (lookup.value)
    m_device.publish(pending.slots, lookup.value);
  if (lookup.made)
    m_device.budget().enforce();
  return {};
}

Result<bool> BackgroundBuilds::requestFirst(const BindRequest &request, const PipelineState &canonicalState) {
  const BindOptions &options = request.options;
  bool isFirst = false, isMoreUrgent = false;
  {
    std::scoped_lock lock(m_pendingMutex);
    if (auto failure = m_failures.find(request.slotKey); failure != m_failures.end()) {
      if (options.fallback)
        return true;
      Error error = failure->second;
      if (error.code == ErrorCode::Internal) // which may not come again
        m_failures.erase(failure);
      return tl::unexpected<Error>(std::move(error));
    }
    auto [place, isNew] = m_firstBuilds.try_emplace(request.slotKey);
    FirstBuild &build = place->second;
    isFirst = isNew;
    isMoreUrgent = !isNew && options.priority > build.priority;
    if (isFirst || isMoreUrgent)
      build.priority = options.priority;
    if (std::ranges::none_of(build.programs, [&](const auto &each) { return each.lock() == request.program; }))
      build.programs.push_back(request.program);
    build.users = request.users;
    if (options.fallback)
      build.shown = options.fallback;
    else
      build.isAwaited = true;
  }
  if (isMoreUrgent)
    m_queue.raise(request.slotKey, options.priority);
  if (!isFirst)
    return true;
  bool isQueued = false;
  try {
    isQueued = m_queue.enqueue(firstJob(request, canonicalState));
  } catch (...) {
    takeFirst(request.slotKey);
    throw;
  }
  JobPriority raised = options.priority;
  {
    std::scoped_lock lock(m_pendingMutex);
    if (!isQueued)
      m_firstBuilds.erase(request.slotKey);
    else if (auto place = m_firstBuilds.find(request.slotKey); place != m_firstBuilds.end())
      raised = place->second.priority; // before the job was there to be raised
  }
  if (raised != options.priority)
    m_queue.raise(request.slotKey, raised);
  return isQueued;
}

OptimizationQueue::Job BackgroundBuilds::firstJob(const BindRequest &request, const PipelineState &canonicalState) {
  // It has no subject: an equal program may have asked after this one.
  OptimizationQueue::Job job;
  job.priority = request.options.priority;
  job.key = request.slotKey;
  job.run = [this, slotKey = request.slotKey, state = std::make_shared<const PipelineState>(canonicalState)](
                const std::function<bool()> &) { return buildFirst(slotKey, *state); };
  job.onCancelled = [this, slotKey = request.slotKey] { takeFirst(slotKey); };
  job.onFailed = [this, slotKey = request.slotKey](const Error &error) { failFirst(slotKey, error); };
  return job;
}

ProgramRef BackgroundBuilds::FirstBuild::program() const {
  for (const std::weak_ptr<const Program> &each : programs)
    if (ProgramRef alive = each.lock())
      return alive;
  return nullptr;
}

// In the background.
Result<void> BackgroundBuilds::buildFirst(const Hash128 &slotKey, const PipelineState &canonicalState) {
  ProgramRef program;
  {
    std::scoped_lock lock(m_pendingMutex);
    if (auto place = m_firstBuilds.find(slotKey); place != m_firstBuilds.end())
      program = place->second.program();
  }
  if (!program) {
    takeFirst(slotKey);
    return programIsGone();
  }
  const ShaderSet shaders = program->set;
  const VariantKey key = makeVariantKey(program->hash, canonicalState, {});
  const std::weak_ptr<const Program> weak = program;
  program.reset(); // so that it can go meanwhile
  const VariantTables::Lookup lookup = DOVETAIL_TRY(m_device.getVariant(key, shaders, canonicalState, {}));
  if (ProgramRef alive = weak.lock())
    m_device.notePlan(*alive, *lookup.value, canonicalState);
  // Of an evicted slot it is news, too: whoever waits binds again, and finds the variant.
  bool isNews = true;
  m_device.tables().withExistingSlot(slotKey, [&](VariantSlot &slot) {
    isNews = !slot.current(); // else a bind that compiles was faster
    if (!isNews)
      return;
    m_device.tables().setCurrent(slot, lookup.value);
    slot.setCountdown(m_device.bindsUntilOptimized());
  });
  const FirstBuild build = takeFirst(slotKey);
  if (isNews || build.isAwaited)
    m_device.announce(lookup.value, build.shown, build.users);
  return {};
}

BackgroundBuilds::FirstBuild BackgroundBuilds::takeFirst(const Hash128 &slotKey) {
  std::scoped_lock lock(m_pendingMutex);
  const auto place = m_firstBuilds.find(slotKey);
  if (place == m_firstBuilds.end())
    return {};
  FirstBuild build = std::move(place->second);
  m_firstBuilds.erase(place);
  return build;
}

// In the background. What needs memory comes last, or may fail.
void BackgroundBuilds::failFirst(const Hash128 &slotKey, const Error &error) {
  constexpr size_t MaxFailures = 256;
  try {
    std::scoped_lock lock(m_pendingMutex);
    if (m_failures.size() >= MaxFailures)
      m_failures.clear();
    m_failures.insert_or_assign(slotKey, error);
  } catch (const std::bad_alloc &) { // the next bind tries again
  }
  const FirstBuild build = takeFirst(slotKey);
  if (build.isAwaited)
    m_device.announce(nullptr, build.shown, build.users);
  m_device.warn(
      fmt::format("a build in the background failed{}: {}", build.shown ? ", its fallback stays" : "", error.text));
}

void BackgroundBuilds::cancel(const ProgramRef &program) {
  m_queue.cancel(program);
  std::vector<Hash128> keys;
  {
    std::scoped_lock lock(m_pendingMutex);
    for (const auto &[slotKey, build] : m_firstBuilds)
      if (build.program() && build.program()->bindHash == program->bindHash)
        keys.push_back(slotKey);
  }
  for (const Hash128 &key : keys)
    m_queue.cancel(key);
}

void BackgroundBuilds::requestMainPart(const ShaderRef &shader, ShaderSource source) {
  OptimizationQueue::Job job;
  job.mayBeDropped = true;
  job.subject = shader;
  // The source's words are the shader's, which may go before the job runs.
  job.run = [this, weak = std::weak_ptr(shader),
             source = std::move(source)](const std::function<bool()> &) -> Result<void> {
    ShaderRef alive = weak.lock();
    if (!alive)
      return makeError(ErrorCode::Cancelled, "the shader has gone");
    DOVETAIL_CHECK(m_device.partMaker().getMainPart(source));
    alive.reset();
    m_device.budget().enforce();
    return {};
  };
  job.onFailed = [this](const Error &error) {
    m_device.warn(fmt::format("a shader could not be compiled in the background: {}", error.text));
  };
  m_queue.enqueue(std::move(job));
}

} // namespace dovetail
