// SPDX-License-Identifier: MIT
#include "variants/optimize/background_builds.h"
#include "src/base/optimizing_thread.h"
#include "variants/bind/device_core.h"
#include "variants/build/canonicalize.h"
#include "variants/optimize/optimized_variant.h"
#include <algorithm>
#include <new>

namespace dovetail {

namespace {

// After how many binds a slot asks again if the background had no room.
constexpr uint32_t BindsUntilRetry = 64;

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

void BackgroundBuilds::requestFirst(const BindRequest &request, const PipelineState &canonicalState) {
  auto slotJob = std::make_shared<const SlotJob>(SlotJob{request.program, canonicalState, request.uniforms});
  auto setBuild = [this, slotKey = request.slotKey](SlotBuild build, uint32_t countdown) {
    m_device.tables().withExistingSlot(slotKey, [=](VariantSlot &slot) {
      slot.build.store(build, std::memory_order_relaxed);
      if (!slot.current())
        slot.setCountdown(countdown);
    });
  };

  OptimizationQueue::Job job;
  job.urgent = true;
  job.subject = request.program;
  job.run = [this, slotJob, setBuild, slotKey = request.slotKey, users = request.users,
             shown = request.fallback](const std::function<bool()> &) -> Result<void> {
    ProgramRef program = slotJob->program.lock();
    if (!program) {
      setBuild(SlotBuild::None, 0);
      return programIsGone();
    }
    ShaderSet shaders = program->set;
    Hash128 hash = program->hash;
    program.reset();
    const VariantKey key = makeVariantKey(hash, slotJob->canonicalState, {});
    VariantTables::Lookup lookup = DOVETAIL_TRY(m_device.getVariant(key, shaders, slotJob->canonicalState, {}));
    bool isNews = false;
    m_device.tables().withExistingSlot(slotKey, [&](VariantSlot &slot) {
      isNews = !slot.current(); // else a bind without a fallback was faster
      if (isNews) {
        m_device.tables().setCurrent(slot, lookup.value);
        slot.setCountdown(m_device.bindsUntilOptimized());
      }
      slot.build.store(SlotBuild::None, std::memory_order_relaxed);
    });
    if (isNews)
      m_device.announce(lookup.value, shown, users);
    return {};
  };
  job.onCancelled = [setBuild] { setBuild(SlotBuild::None, 0); };
  job.onFailed = [this, setBuild](const Error &error) {
    setBuild(SlotBuild::Failed, 0);
    m_device.warn(fmt::format("a build in the background failed, its fallback stays: {}", error.text));
  };
  if (!m_queue.enqueue(std::move(job)))
    setBuild(SlotBuild::None, BindsUntilRetry);
}

void BackgroundBuilds::requestMainPart(const ShaderRef &shader, ShaderSource source) {
  OptimizationQueue::Job job;
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
