// SPDX-License-Identifier: MIT
//
// What a device leaves to the background, and what becomes of it: optimised variants, builds that have a fallback, main
// parts of new shaders. A job refers to slots by key: a slot may have been evicted when the job is done, and then there
// is nothing to publish to. It refers to its program weakly, so that it is cancelled when the program goes, and has
// copies of the rest.
#pragma once

#include "parts/kinds/main_part.h"
#include "src/state/pipeline_state.h"
#include "variants/assemble/program.h"
#include "variants/bind/variant_table.h"
#include "variants/optimize/optimization_queue.h"
#include "variants/shader.h"
#include "variants/user_pointer.h"
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace dovetail {

class DeviceCore;
struct BindRequest;

// Thread-safe. The destructor is the queue's.
class BackgroundBuilds {
public:
  // After how many binds a slot asks again if the background had no room.
  static constexpr uint32_t BindsUntilRetry = 64;

  // Must go before what else the device has.
  explicit BackgroundBuilds(DeviceCore &device);

  // Has the optimised variant of a slot that the joined one is bound to: the slot gets it at once if it is in the
  // tables, else from the background. If that has no room, the slot asks again after a number of binds.
  void requestOptimized(const BindRequest &request, const VariantRef &joined);
  struct FirstAnswer {
    VariantRef variant; // was made meanwhile
    bool isAsked = false;
  };
  // Has the first variant of a slot that has none meanwhile, or a fallback. Asks once; another request may raise the
  // priority. Who was told that it is asked for is told when there is a variant; that there will be none, by whoever
  // has no fallback; or to ask again. Errors: why it could not be built the last time, to whoever has no fallback.
  Result<FirstAnswer> requestFirst(const BindRequest &request, const VariantKey &key,
                                   const PipelineState &canonicalState);
  // Cancels what waits for a program.
  void cancel(const ProgramRef &program);
  // Has the main part of a shader. If there is no room, the first use makes it. `alone`: a set of that shader.
  void requestMainPart(const ShaderRef &shader, const ShaderSet &alone, ShaderSource source);

  // Has the memory budget enforced, if that is due, on behalf of a bind that must not take the time.
  void requestEviction();

  OptimizationQueue &queue() { return m_queue; }
  const OptimizationQueue &queue() const { return m_queue; }

  // Optimised variants that took the place of joined ones, or were no better, and builds of any kind that failed.
  struct Counts {
    uint64_t optimized = 0, rejected = 0, failed = 0;
  };
  Counts counts() const { return {m_optimized, m_rejected, m_failed}; }

private:
  // Builds of optimised variants that were asked for. States that come to the same for a program have slots of their
  // own, and one build.
  struct PendingOptimization {
    std::unordered_map<Hash128, SlotUsers> slots; // that are going to have the variant
    std::weak_ptr<const Variant> joined;          // what they have now
  };
  struct SlotJob;
  // A first variant that waits in the queue or is being built, for all slots that come to it.
  struct FirstBuild {
    struct Waiting {
      SlotUsers users;
      VariantRef shown;       // a fallback
      bool isAwaited = false; // by somebody who has none
    };
    std::vector<std::weak_ptr<const Program>> programs; // which asked: one, or equal ones
    std::unordered_map<Hash128, Waiting> slots;
    JobPriority priority = JobPriority::Optional;
    bool isShared = false; // more than one request was told that it is asked for
  };
  // The job's subject. The table has one as long as requests can join it; its job holds none while it waits. What is in
  // it is under the mutex until it was taken out of the table.
  using FirstBuildRef = std::shared_ptr<FirstBuild>;

  void requestOptimized(const BindRequest &request, const PipelineState &canonicalState, const VariantKey &key,
                        const VariantRef &joined);
  // False if the slot is waiting with others now, or has its variant already.
  bool isFirstToWait(const VariantKey &key, const BindRequest &request, const VariantRef &joined);
  PendingOptimization takePending(const VariantKey &key);
  Result<void> optimize(const SlotJob &job, const VariantKey &key, const std::function<bool()> &isCancelled);
  void askAgain(const PendingOptimization &pending);
  static void join(FirstBuild &build, const BindRequest &request);
  OptimizationQueue::Job firstJob(const FirstBuildRef &build, const VariantKey &key,
                                  const PipelineState &canonicalState, JobPriority priority);
  Result<void> buildFirst(const FirstBuildRef &build, const VariantKey &key, const PipelineState &canonicalState);
  // Out of the table, so that nobody joins it any more.
  void takeFirst(const FirstBuildRef &build, const VariantKey &key);
  void tellToAskAgain(const FirstBuild &build);
  // Whether its programs have gone.
  static bool isGone(const FirstBuild &build);
  // Forgets such builds, so that the queue finds no subject of theirs any more. Returns whether there were any.
  bool forgetGone();
  void failFirst(const FirstBuildRef &build, const VariantKey &key, const Error &error);

  DeviceCore &m_device;
  std::mutex m_pendingMutex;
  std::unordered_map<VariantKey, PendingOptimization> m_pending; // under the mutex
  std::unordered_map<VariantKey, FirstBuildRef> m_firstBuilds;   // under the mutex
  std::unordered_map<VariantKey, Error> m_failures;              // of first variants; under the mutex
  std::atomic<uint64_t> m_optimized = 0, m_rejected = 0, m_failed = 0;
  std::atomic<bool> m_isEvictionAsked = false;
  OptimizationQueue m_queue; // the last, because its jobs use the others
};

} // namespace dovetail
