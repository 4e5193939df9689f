// SPDX-License-Identifier: MIT
//
// Puts LLVM's code in the place of first code (background_builds.h). A program waits with all of its variants that have
// first code. The job takes the waiting slots of one program, makes LLVM's variants, puts them into the table, and then
// publishes them. Slots that come meanwhile wait for the next job, which finds everything made.
//
// If LLVM fails, it would fail again, so the program keeps first code from then on.
#include "src/base/asking_thread.h"
#include "variants/assemble/build_variant.h"
#include "variants/bind/background_builds.h"
#include "variants/bind/device_core.h"
#include "variants/state/canonicalize.h"
#include <new>

namespace dovetail {

void BackgroundBuilds::requestChangeOver(const BindRequest &request, const Variant &variant) {
  if (m_device.options().firstTier == CodeTier::FirstCode && hasFirstCode(variant))
    requestChangeOver(request.program, variant.key, request.slotKey, request.users,
                      [&] { return canonicalize(request.state.fields, request.program->set); });
}

void BackgroundBuilds::requestChangeOver(const ProgramRef &program, const VariantKey &key, const Hash128 &slotKey,
                                         const SlotUsers &users, const std::function<PipelineState()> &makeState) {
  VariantTables &tables = m_device.tables();
  auto retry = [&] { tables.withExistingSlot(slotKey, [](VariantSlot &slot) { slot.setCountdown(BindsUntilRetry); }); };
  try {
    std::unique_lock lock(m_pendingMutex);
    // A job takes the waiting slots, then puts its variant into the table, then publishes it to these slots. So either
    // the table has the variant, or the slot waits for the next job.
    if (VariantRef known = tables.findVariant(key); known && !hasFirstCode(*known)) {
      lock.unlock();
      tables.withExistingSlot(slotKey, [&](VariantSlot &slot) { // it was announced already
        if (slot.current() && hasFirstCode(*slot.current()))
          tables.setCurrent(slot, known);
      });
      return;
    }
    if (m_failedChangeOvers.contains(program->hash))
      return;
    if (!m_changeOvers.contains(program->hash))
      m_changeOverOrder.push_back(program->hash);
    ProgramChangeOver &waiting = m_changeOvers[program->hash];
    waiting.program = program;
    auto variant = waiting.variants.find(key);
    if (variant == waiting.variants.end()) {
      if (m_changeOverCount >= MaxChangeOvers) {
        lock.unlock();
        return retry();
      }
      variant = waiting.variants.emplace(key, ProgramChangeOver::Waiting{makeState(), {}}).first;
      ++m_changeOverCount;
    }
    variant->second.slots.insert_or_assign(slotKey, users);
    lock.unlock();
    resumeChangeOvers();
  } catch (const std::bad_alloc &) { // first code is right nevertheless
    retry();
  }
}

void BackgroundBuilds::resumeChangeOvers() {
  {
    std::scoped_lock lock(m_pendingMutex);
    if (m_isChangeOverQueued || m_changeOverOrder.empty())
      return;
    m_isChangeOverQueued = true;
  }
  auto forget = [this] {
    std::scoped_lock lock(m_pendingMutex);
    m_isChangeOverQueued = false;
  };
  try {
    OptimizationQueue::Job job;
    job.mayBeDropped = true;
    job.run = [this, forget](const std::function<bool()> &isCancelled) -> Result<void> {
      forget();
      Result<void> outcome = changeOverNext(isCancelled);
      resumeChangeOvers();
      return outcome;
    };
    job.onCancelled = forget;
    job.onDropped = [this, forget] { // no bind asks for what waits
      forget();
      resumeChangeOvers();
    };
    job.onFailed = [this](const Error &error) {
      m_failed.fetch_add(1, std::memory_order_relaxed);
      m_device.log(LogLevel::Warning, fmt::format("LLVM's code could not be made, first code stays: {}", error.text));
    };
    if (m_queue.enqueue(std::move(job)))
      return;
  } catch (const std::bad_alloc &) {
  }
  // Binds ask again, also for slots that others have put there since.
  decltype(m_changeOvers) untold;
  {
    std::scoped_lock lock(m_pendingMutex);
    m_isChangeOverQueued = false;
    m_changeOvers.swap(untold);
    m_changeOverOrder.clear();
    m_changeOverCount = 0;
  }
  for (const auto &[program, waiting] : untold)
    askAgain(waiting);
}

// Runs in the background.
Result<void> BackgroundBuilds::changeOverNext(const std::function<bool()> &isCancelled) {
  OptimizingScope scope;
  const PurposeScope purpose(CompilePurpose::Background);
  ProgramChangeOver taken;
  {
    std::scoped_lock lock(m_pendingMutex);
    auto place = m_changeOvers.end();
    while (place == m_changeOvers.end() && !m_changeOverOrder.empty()) {
      place = m_changeOvers.find(m_changeOverOrder.front()); // there is none if memory ran out
      m_changeOverOrder.pop_front();
    }
    if (place == m_changeOvers.end())
      return {};
    taken = std::move(place->second);
    m_changeOvers.erase(place);
    m_changeOverCount -= taken.variants.size();
  }
  ProgramRef program = taken.program.lock();
  if (!program || isCancelled()) {
    askAgain(taken); // an equal program may have the same slots
    return makeError(ErrorCode::Cancelled, "the program has gone");
  }
  const ShaderSet shaders = program->set;
  const Hash128 hash = program->hash;
  program.reset();               // so that it can go meanwhile
  if (hasFailedChangeOver(hash)) // it was told then
    return {};
  try {
    for (const auto &[key, waiting] : taken.variants) {
      if (isCancelled())
        return makeError(ErrorCode::Cancelled, "the background ends");
      const VariantRef variant = DOVETAIL_TRY(changeOver(hash, key, shaders, waiting.canonicalState));
      if (!variant) { // it was evicted, so it is built again when it is needed
        askAgain(waiting.slots);
        continue;
      }
      if (ProgramRef alive = taken.program.lock())
        m_device.notePlan(*alive, *variant, waiting.canonicalState);
      m_device.publish(waiting.slots, variant, Replaced::FirstCode);
    }
  } catch (const std::bad_alloc &) { // there may be memory later
    askAgain(taken);
    throw;
  }
  m_device.budget().enforce();
  return {};
}

// Joins the variant of this key in the table from LLVM's main parts, if it has first code; to be asked for a program
// whose change-over has not failed. Returns the table's variant;
// nullptr: it has none.
Result<VariantRef> BackgroundBuilds::changeOver(const Hash128 &program, const VariantKey &key, const ShaderSet &shaders,
                                                const PipelineState &canonicalState) {
  const VariantRef before = m_device.tables().findVariant(key);
  if (!before || !hasFirstCode(*before))
    return before;
  BuildWatch watch(m_device.dumps());
  Result<VariantRef> built =
      watch.run([&] { return buildVariant(m_device.partMaker(), key, shaders, canonicalState, {}); });
  watch.report(DumpedBuild::Variant, shaders, &canonicalState);
  if (!built && built.error().code != ErrorCode::Cancelled && !noteFailedChangeOver(program))
    return makeError(ErrorCode::Cancelled, "another job has told that LLVM's code cannot be made");
  const VariantRef variant = DOVETAIL_TRY(std::move(built));
  {
    std::scoped_lock lock(m_pendingMutex);
    if (VariantRef now = m_device.tables().findVariant(key); now != before)
      return now; // another job was first; nullptr: it was evicted
    for (auto &[optimizedKey, pending] : m_pending)
      if (pending.joined.lock() == before)
        pending.joined = variant;
    m_device.tables().exchange(key, variant);
  }
  m_changedOver.fetch_add(1, std::memory_order_relaxed);
  noteParts(m_device.partMaker(), *variant);
  return variant;
}

bool BackgroundBuilds::hasFailedChangeOver(const Hash128 &program) {
  std::scoped_lock lock(m_pendingMutex);
  return m_failedChangeOvers.contains(program);
}

bool BackgroundBuilds::noteFailedChangeOver(const Hash128 &program) {
  std::scoped_lock lock(m_pendingMutex);
  if (!m_failedChangeOvers.insert(program).second)
    return false;
  m_failedChangeOverCount.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void BackgroundBuilds::askAgain(const ProgramChangeOver &waiting) {
  for (const auto &[key, variant] : waiting.variants)
    askAgain(variant.slots);
}

} // namespace dovetail
