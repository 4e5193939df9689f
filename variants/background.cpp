// SPDX-License-Identifier: MIT
//
// What a device leaves to the background, and what becomes of it. A job refers to its slot by key: the slot may have
// been evicted when the job is done, and then there is nothing to publish to. It refers to its program weakly, so that
// it is cancelled when the program goes, and has copies of the rest.
#include "src/base/optimizing_thread.h"
#include "variants/device_core.h"
#include "variants/optimized_variant.h"
#include <algorithm>

namespace dovetail {

namespace {

// After how many binds a slot asks again if the background had no room.
constexpr uint32_t BindsUntilRetry = 64;

struct SlotJob {
  std::weak_ptr<const Program> program;
  PipelineState canonicalState;
  UniformValuesRef uniforms;
  Hash128 slotKey;
  VariantRef shown; // what is drawn with meanwhile, if the caller said what
};

tl::unexpected<Error> programIsGone() {
  return makeError(ErrorCode::Cancelled, "the program has gone");
}

} // namespace

void DeviceCore::publish(const Hash128 &slotKey, const VariantRef &variant, const VariantRef &shown,
                         uint32_t countdown) {
  VariantRef replaced;
  bool isNews = false;
  binds.withExistingSlot(slotKey, [&](VariantSlot &slot) {
    slot.setCountdown(countdown);
    slot.build.store(SlotBuild::None, std::memory_order_relaxed);
    isNews = slot.current.load(std::memory_order_relaxed) != variant.get();
    if (isNews)
      replaced = binds.setCurrent(slot, variant);
  });
  if (!isNews)
    return;
  uint64_t number = generation.fetch_add(1, std::memory_order_acq_rel) + 1;
  epochs.collect();
  if (options.onPublication)
    options.onPublication({variant, replaced ? replaced : shown, number});
}

void DeviceCore::requestOptimized(const BindRequest &request, VariantRef joined) {
  auto slotJob =
      std::make_shared<const SlotJob>(SlotJob{request.program, canonicalizeFor(request.program->set, request.state),
                                              request.uniforms, request.slotKey, nullptr});
  auto askAgain = [this, slotKey = request.slotKey] {
    binds.withExistingSlot(slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); });
  };

  OptimizationQueue::Job job;
  job.subject = request.program;
  // What waits holds no memory: a variant that was evicted meanwhile is not in use, and need not be better.
  job.run = [this, slotJob, askAgain,
             joined = std::weak_ptr(joined)](const std::function<bool()> &isCancelled) -> Result<void> {
    OptimizingScope scope;
    VariantRef shown = joined.lock();
    if (!shown)
      return makeError(ErrorCode::Cancelled, "the variant was evicted");
    ProgramRef program = slotJob->program.lock();
    if (!program) {
      askAgain();
      return programIsGone();
    }
    ShaderSet shaders = program->set;
    program.reset(); // so that it can go meanwhile
    const UniformValues *uniforms = slotJob->uniforms.get();
    VariantKey key = makeOptimizedKey(shaders, slotJob->canonicalState, uniforms);
    auto lookup = variants.getOrMake(key, [&]() -> Result<VariantRef> {
      OptimizedBuild build = DOVETAIL_TRY(
          buildOptimizedVariant(buildContext(), key, shaders, slotJob->canonicalState, uniforms, *shown, isCancelled));
      (build.variant ? m_built.optimized : m_built.rejected).fetch_add(1, std::memory_order_relaxed);
      if (build.variant)
        noteParts(buildContext(), *build.variant);
      return build.variant;
    });
    if (!lookup) {
      if (lookup.error().code == ErrorCode::Cancelled)
        askAgain(); // an equal program may have the same slot
      return tl::unexpected<Error>(std::move(lookup.error()));
    }
    if (isCancelled()) {
      askAgain();
      return programIsGone();
    }
    if (lookup->value)
      publish(slotJob->slotKey, lookup->value, shown, 0);
    if (lookup->made)
      enforceBudget();
    return {};
  };
  job.onCancelled = askAgain;
  job.onFailed = [this](const Error &error) {
    m_built.failed.fetch_add(1, std::memory_order_relaxed);
    warn(fmt::format("an optimised build failed, the joined variant stays: {}", error.text));
  };
  if (!background.enqueue(std::move(job)))
    askAgain();
}

uint32_t DeviceCore::bindsUntilOptimized() const {
  switch (options.policy) {
  case OptimizationPolicy::Off:
    return 0;
  case OptimizationPolicy::Hot:
    return std::max(options.hotBinds, 1u);
  case OptimizationPolicy::Always:
    return 1;
  }
  return 0;
}

void DeviceCore::requestUrgent(const BindRequest &request, const PipelineState &canonicalState) {
  auto slotJob = std::make_shared<const SlotJob>(
      SlotJob{request.program, canonicalState, request.uniforms, request.slotKey, request.fallback});
  auto setBuild = [this, slotKey = request.slotKey](SlotBuild build, uint32_t countdown) {
    binds.withExistingSlot(slotKey, [=](VariantSlot &slot) {
      slot.build.store(build, std::memory_order_relaxed);
      if (!slot.current.load(std::memory_order_relaxed))
        slot.setCountdown(countdown);
    });
  };

  OptimizationQueue::Job job;
  job.urgent = true;
  job.subject = request.program;
  job.run = [this, slotJob, setBuild](const std::function<bool()> &) -> Result<void> {
    ProgramRef program = slotJob->program.lock();
    if (!program) {
      setBuild(SlotBuild::None, 0);
      return programIsGone();
    }
    ShaderSet shaders = program->set;
    Hash128 hash = program->hash;
    program.reset();
    VariantTable::Lookup lookup = DOVETAIL_TRY(getVariant(shaders, hash, slotJob->canonicalState, {}));
    publish(slotJob->slotKey, lookup.value, slotJob->shown, bindsUntilOptimized());
    return {};
  };
  job.onCancelled = [setBuild] { setBuild(SlotBuild::None, 0); };
  job.onFailed = [this, setBuild](const Error &error) {
    setBuild(SlotBuild::Failed, 0);
    warn(fmt::format("a build in the background failed, its fallback stays: {}", error.text));
  };
  if (!background.enqueue(std::move(job)))
    setBuild(SlotBuild::None, BindsUntilRetry);
}

void DeviceCore::requestMainPart(const ShaderRef &shader, ShaderSource source) {
  OptimizationQueue::Job job;
  job.subject = shader;
  // The source's words are the shader's, which may go before the job runs.
  job.run = [this, weak = std::weak_ptr(shader),
             source = std::move(source)](const std::function<bool()> &) -> Result<void> {
    ShaderRef alive = weak.lock();
    if (!alive)
      return makeError(ErrorCode::Cancelled, "the shader has gone");
    DOVETAIL_CHECK(partMaker->getMainPart(source));
    alive.reset();
    enforceBudget();
    return {};
  };
  job.onFailed = [this](const Error &error) {
    warn(fmt::format("a shader could not be compiled in the background: {}", error.text));
  };
  background.enqueue(std::move(job));
}

} // namespace dovetail
