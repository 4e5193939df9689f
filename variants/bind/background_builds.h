// SPDX-License-Identifier: MIT
//
// A device leaves some builds to the background: LLVM's code in place of first code, optimised variants, builds that
// have a fallback, main parts of new shaders. This class queues them and publishes the results. A job refers to slots
// by key: if a slot was evicted meanwhile, there is nothing to publish to it. A job refers to its program weakly, so
// that it is cancelled when the program goes. It has copies of everything else.
#pragma once

#include "parts/kinds/main_part.h"
#include "src/state/pipeline_state.h"
#include "variants/assemble/program.h"
#include "variants/bind/variant_table.h"
#include "variants/optimize/optimization_queue.h"
#include "variants/shader.h"
#include "variants/user_pointer.h"
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dovetail {

class DeviceCore;
struct BindRequest;

// Thread-safe. The destructor is that of the queue.
class BackgroundBuilds {
public:
  // The number of binds after which a slot asks again if the background had no room.
  static constexpr uint32_t BindsUntilRetry = 64;
  // The most variants that wait for a change-over. Slots of others ask again.
  static constexpr size_t MaxChangeOvers = 4096;

  // Must be destroyed before the device's other members.
  explicit BackgroundBuilds(DeviceCore &device);

  // Requests LLVM's code for a slot whose variant has first code; does nothing for others. All variants of a program
  // are changed over by one job, which first compiles the main parts. It then joins each variant again, and publishes
  // it to the slots that have first code still. Only one such job waits in the queue at a time, so a full queue delays
  // it, and no variant is forgotten. If LLVM fails, the program keeps first code, and LLVM is not asked again.
  void requestChangeOver(const BindRequest &request, const Variant &variant);
  // Requests the optimised variant for a slot that has the joined one, and the change-over, if that is due. The slot
  // gets it at once if it is in the tables; otherwise from the background. If the background has no room, the slot asks
  // again after a number of binds.
  void requestOptimized(const BindRequest &request, const VariantRef &joined);
  struct FirstAnswer {
    VariantRef variant; // that was made meanwhile
    bool isAsked = false;
  };
  // Requests the first variant for a slot that has none, or only a fallback. It is built once; another request may
  // raise the priority. A caller that was told isAsked gets an announcement when there is a variant. It also gets one
  // if it must ask again, and, without a fallback, if the build failed. Errors, only without a fallback: why the last
  // build failed.
  Result<FirstAnswer> requestFirst(const BindRequest &request, const VariantKey &key,
                                   const PipelineState &canonicalState);
  // Cancels the queued builds of a program.
  void cancel(const ProgramRef &program);
  // Requests the main part of a shader. If there is no room, the first use makes it. `alone`: a set of that shader.
  void requestMainPart(const ShaderRef &shader, const ShaderSet &alone, ShaderSource source);

  // Lets the background enforce the memory budget, if that is due, for a bind that must not take the time.
  void requestEviction();

  OptimizationQueue &queue() { return m_queue; }
  const OptimizationQueue &queue() const { return m_queue; }

  // Variants in which LLVM's code took the place of first code; optimised variants that took the place of joined ones;
  // those that were no better; builds of any kind that failed; and programs among these that keep first code.
  struct Counts {
    uint64_t changedOver = 0, optimized = 0, rejected = 0, failed = 0, failedChangeOvers = 0;
  };
  Counts counts() const;

private:
  using Slots = std::unordered_map<Hash128, SlotUsers>; // by their keys
  // A requested build of an optimised variant. States that lead to the same variant of a program have slots of their
  // own, and share one build.
  struct PendingOptimization {
    Slots slots;                         // that wait for the variant
    std::weak_ptr<const Variant> joined; // their current variant
  };
  struct SlotJob;
  // A first variant that is queued or being built, for all slots that need it.
  struct FirstBuild {
    struct Waiting {
      SlotUsers users;
      VariantRef shown;       // the fallback
      bool isAwaited = false; // by a bind without fallback
    };
    std::vector<std::weak_ptr<const Program>> programs; // that asked: one, or equal ones
    std::unordered_map<Hash128, Waiting> slots;
    JobPriority priority = JobPriority::Optional;
    bool isShared = false; // more than one request was told isAsked
  };
  // The subject of the job. The table keeps it as long as requests can join it; the waiting job does not keep it. Its
  // contents are guarded by the mutex until it is taken out of the table.
  using FirstBuildRef = std::shared_ptr<FirstBuild>;

  // The variants of a program, or of equal ones, that have first code.
  struct ProgramChangeOver {
    struct Waiting {
      PipelineState canonicalState;
      Slots slots;
    };
    std::weak_ptr<const Program> program; // the last one that asked
    std::unordered_map<VariantKey, Waiting> variants;
  };

  // `makeState`: returns the canonical state; called if the variant does not wait yet.
  void requestChangeOver(const ProgramRef &program, const VariantKey &key, const Hash128 &slotKey,
                         const SlotUsers &users, const std::function<PipelineState()> &makeState);
  // Sees to it that a job waits in the queue if programs wait for a change-over. Where the queue has no room, binds of
  // their slots ask again.
  void resumeChangeOvers();
  Result<void> changeOverNext(const std::function<bool()> &isCancelled);
  // `program`: its hash.
  Result<VariantRef> changeOver(const Hash128 &program, const VariantKey &key, const ShaderSet &shaders,
                                const PipelineState &canonicalState);
  bool hasFailedChangeOver(const Hash128 &program);
  // Returns whether it is the program's first failure, which is told.
  bool noteFailedChangeOver(const Hash128 &program);
  void askAgain(const ProgramChangeOver &waiting);

  void requestOptimized(const BindRequest &request, const PipelineState &canonicalState, const VariantKey &key,
                        const VariantRef &joined);
  // False if the slot now waits together with others, or has its variant already.
  bool isFirstToWait(const VariantKey &key, const BindRequest &request, const VariantRef &joined);
  PendingOptimization takePending(const VariantKey &key);
  Result<void> optimize(const SlotJob &job, const VariantKey &key, const std::function<bool()> &isCancelled);
  void askAgain(const Slots &slots);
  static void join(FirstBuild &build, const BindRequest &request);
  OptimizationQueue::Job firstJob(const FirstBuildRef &build, const VariantKey &key,
                                  const PipelineState &canonicalState, JobPriority priority);
  Result<void> buildFirst(const FirstBuildRef &build, const VariantKey &key, const PipelineState &canonicalState);
  // Takes the build out of the table, so that no request joins it any more.
  void takeFirst(const FirstBuildRef &build, const VariantKey &key);
  void tellToAskAgain(const FirstBuild &build);
  // Whether all of its programs have gone.
  static bool isGone(const FirstBuild &build);
  // Forgets such builds, so that their subjects go and the queue can cancel them. Returns whether there were any.
  bool forgetGone();
  void failFirst(const FirstBuildRef &build, const VariantKey &key, const Error &error);

  DeviceCore &m_device;
  std::mutex m_pendingMutex;
  std::unordered_map<VariantKey, PendingOptimization> m_pending; // guarded by the mutex
  std::unordered_map<VariantKey, FirstBuildRef> m_firstBuilds;   // guarded by the mutex
  std::unordered_map<VariantKey, Error> m_failures;              // of first variants; guarded by the mutex
  std::unordered_map<Hash128, ProgramChangeOver> m_changeOvers;  // by Program::hash; guarded by the mutex
  std::deque<Hash128> m_changeOverOrder;                         // the programs that wait; guarded by the mutex
  size_t m_changeOverCount = 0;                                  // of variants that wait; guarded by the mutex
  std::unordered_set<Hash128> m_failedChangeOvers;               // Program::hash; guarded by the mutex
  bool m_isChangeOverQueued = false;                             // guarded by the mutex
  std::atomic<uint64_t> m_changedOver = 0, m_optimized = 0, m_rejected = 0, m_failed = 0, m_failedChangeOverCount = 0;
  std::atomic<bool> m_isEvictionAsked = false;
  OptimizationQueue m_queue; // the last member, because its jobs use the others
};

} // namespace dovetail
