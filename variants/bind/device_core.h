// SPDX-License-Identifier: MIT
//
// DeviceCore: the tables of a device and what happens to them. A bind looks into the bind table itself (binder.cpp);
// what it does not find comes here:
//
//   bind_missing.cpp  the variant is looked up by its canonical key, or built, or left to the background
//   background.cpp    optimised variants and builds that have a fallback; publication
//   evict.cpp         the budget
//
// No lock is held while anything is compiled or joined, nor while the caller's functions are called.
#pragma once

#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "variants/bind/bind_table.h"
#include "variants/bind/device.h"
#include "variants/bind/reader_epochs.h"
#include "variants/bind/variant_table.h"
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dovetail {

// What a Binder counts. Written by its thread only, read by statistics().
struct BindCounters {
  std::atomic<uint64_t> unchanged = 0, known = 0, waited = 0, fallbacks = 0, others = 0;

  static void increment(std::atomic<uint64_t> &counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

// What a bind asks for; refers to its arguments.
struct BindRequest {
  const ProgramRef &program;
  const PipelineState &state;
  const UniformValuesRef &uniforms;
  const Hash128 slotKey; // makeSlotKey() of their hashes
  const VariantRef &fallback;
};

// What a bind gets that did not find its variant.
struct FoundVariant {
  VariantRef variant;
  bool isFallback = false;
  bool waited = false; // for another thread's build
};

// Thread-safe.
class DeviceCore {
public:
  static Result<std::unique_ptr<DeviceCore>> create(DeviceOptions options);
  ~DeviceCore();

  // The variant of a bind whose slot has none; the slot has it then, unless it is a fallback. Errors: those of
  // buildVariant().
  Result<FoundVariant> findOrBuild(const BindRequest &request);

  // From the table of variants, or built now. `shadersHash`: hashShaders(). The state must be canonical. Errors: those
  // of buildVariant().
  Result<VariantTable::Lookup> getVariant(const ShaderSet &shaders, const Hash128 &shadersHash,
                                          const PipelineState &canonicalState, const BuildOptions &options);

  // Has the optimised variant of a slot that the joined one is bound to: the slot gets it at once if it is in the
  // tables, else from the background. If that has no room, the slot asks again after a number of binds.
  void requestOptimized(const BindRequest &request, const VariantRef &joined);
  // Asks the background for the main part of a shader. If it has no room, the first use makes it.
  void requestMainPart(const ShaderRef &shader, ShaderSource source);

  // Makes a variant the one of a slot that has none. `countdown`: see VariantSlot.
  void fillSlot(const Hash128 &slotKey, const VariantRef &variant, uint32_t countdown);
  // Replaces what is bound in slots, and announces that once. Does nothing to slots that were evicted.
  void publish(std::span<const Hash128> slotKeys, const VariantRef &variant);

  // Evicts what is unreferenced and was not used for longest, if variants and parts exceed the budget. To be called by
  // those who built something. Looks at a part of the tables only, so it takes tenths of a millisecond however large
  // they are, unless that does not bring enough.
  void enforceBudget();
  uint64_t heldBytes() const;

  void addBinder(ReaderEpochs::Reader &reader, const BindCounters &counters);
  void removeBinder(ReaderEpochs::Reader &reader, const BindCounters &counters);

  DeviceStatistics statistics() const;
  void warn(std::string_view text) const;

  const DeviceOptions options;
  const std::unique_ptr<PartMaker> partMaker;
  ReaderEpochs epochs;
  VariantTable variants;
  BindTable binds;
  std::atomic<uint64_t> generation = 0;

private:
  DeviceCore(DeviceOptions options, std::unique_ptr<PartMaker> partMaker);

  // Builds of optimised variants that the background was asked for. States that come to the same for a program have
  // slots of their own, and one build.
  struct PendingOptimization {
    std::unordered_set<Hash128> slots;   // that are going to have the variant
    std::weak_ptr<const Variant> joined; // what they have now
  };
  struct SlotJob;

  std::optional<FoundVariant> leaveToBackground(const BindRequest &request, const PipelineState &canonicalState);
  // The countdown of a slot whose variant could be optimised.
  uint32_t bindsUntilOptimized() const;
  void requestUrgent(const BindRequest &request, const PipelineState &canonicalState);
  void requestOptimized(const BindRequest &request, const PipelineState &canonicalState, const VariantKey &key,
                        const VariantRef &joined);
  // False if the slot is waiting with others now, or has its variant already.
  bool isFirstToWait(const VariantKey &key, const Hash128 &slotKey, const VariantRef &joined);
  PendingOptimization takePending(const VariantKey &key);
  Result<void> optimize(const SlotJob &job, const VariantKey &key, const std::function<bool()> &isCancelled);
  void askAgain(const PendingOptimization &pending);
  void announce(const VariantRef &variant, const VariantRef &replaced);
  void evict();
  double evictVariants(double share);

  struct BuildCounters {
    std::atomic<uint64_t> joined = 0, monolithic = 0, optimized = 0, failed = 0, rejected = 0, evictedVariants = 0;
  };
  BuildCounters m_built;

  mutable std::mutex m_bindersMutex;
  std::vector<const BindCounters *> m_binders;
  BindCounters m_goneBinders; // sums; under the mutex

  std::mutex m_pendingMutex;
  std::unordered_map<VariantKey, PendingOptimization> m_pending; // under the mutex

  std::mutex m_evictionMutex; // guards what follows
  size_t m_postponedEvictions = 0;
  EvictionHand m_evictionHand;

public:
  // Goes first: its jobs use all of the others.
  OptimizationQueue background;
};

} // namespace dovetail
