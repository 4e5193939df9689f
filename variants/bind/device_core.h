// SPDX-License-Identifier: MIT
//
// DeviceCore: the pieces of a device, and the functions that use several of them. A bind looks into the tables itself
// (binder.cpp). A bind that finds nothing comes here (bind_missing.cpp): the variant is looked up by its canonical key,
// or built, or left to the background.
//
//   PartMaker         the parts, their compilers and their store
//   VariantTables     variants, and the slots by which binds find them
//   PlanMemory        what the plans of programs know about states
//   MemoryBudget      the limit on the memory of parts and variants together
//   CompileDumps      files of builds that fail or take long
//   BackgroundBuilds  builds that no draw waits for: optimised variants and others
//
// No lock is held during a compile or a join, nor during a call of the caller's functions.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/assemble/program_plan.h"
#include "variants/bind/background_builds.h"
#include "variants/bind/device.h"
#include "variants/bind/memory_budget.h"
#include "variants/bind/variant_tables.h"
#include "variants/dump/compile_dumps.h"
#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dovetail {

// A Binder's counters. Only its thread writes them; statistics() reads them.
struct BindCounters {
  std::atomic<uint64_t> unchanged = 0, known = 0, waited = 0, fallbacks = 0, notReady = 0, others = 0;

  static void increment(std::atomic<uint64_t> &counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

struct BindOptions;

// The request of a bind; refers to its arguments.
struct BindRequest {
  const ProgramRef &program;
  const GivenState state;
  const UniformValuesRef &uniforms;
  const Hash128 slotKey; // makeSlotKey() of the hashes of all three
  const SlotUsers users;
  const BindOptions &options;
};

// The result for a bind that did not find its variant.
struct FoundVariant {
  VariantRef variant;
  bool isFallback = false;
  bool made = false;   // by this call
  bool waited = false; // for another thread's build
};

// Thread-safe.
class DeviceCore {
public:
  static Result<std::unique_ptr<DeviceCore>> create(DeviceOptions options);
  ~DeviceCore();

  const DeviceOptions &options() const { return m_options; }
  PartMaker &partMaker() { return *m_partMaker; }
  VariantTables &tables() { return m_tables; }
  MemoryBudget &budget() { return m_budget; }
  CompileDumps &dumps() { return m_dumps; }
  BackgroundBuilds &background() { return m_background; }

  void addBinder(VariantTables::Reader &reader, const BindCounters &counters);
  void removeBinder(VariantTables::Reader &reader, const BindCounters &counters);

  // Returns the variant for a bind whose slot has none, and puts it into the slot unless it is a fallback. Errors:
  // those of buildVariant(), and NotReady.
  Result<FoundVariant> findOrBuild(const BindRequest &request);

  // Returns a variant from the table, or builds it now. `key`: makeVariantKey(). The state must be canonical. Errors:
  // those of buildVariant().
  Result<VariantTables::Lookup> getVariant(const VariantKey &key, const ShaderSet &shaders,
                                           const PipelineState &canonicalState, const BuildOptions &options);

  // Lets a program make further variants quickly, after this one was built for it under a state.
  void notePlan(const Program &program, const Variant &variant, const PipelineState &canonicalState);

  // Replaces the variant in slots (VariantTables::replace), and announces that once to each of their users. Slots that
  // were evicted are left alone.
  void publish(const std::unordered_map<Hash128, SlotUsers> &slots, const VariantRef &variant,
               Replaced replaced = Replaced::Any);
  // Tells the driver that slots have this variant now in place of the other. `replaced` nullptr: there was none.
  // `variant` nullptr: there is none, and a bind says why, or asks again.
  void announce(const VariantRef &variant, const VariantRef &replaced, const SlotUsers &users);
  // The number of announcements so far.
  uint64_t generation() const { return m_generation.load(std::memory_order_acquire); }

  // The tier of main parts that binds make: the option, but LLVM's if there is no background that would replace first
  // code.
  CodeTier firstTier() const;

  // The countdown of a slot whose variant could be optimised.
  uint32_t bindsUntilOptimized() const;
  DeviceStatistics statistics() const;
  void log(LogLevel level, std::string_view text) const { m_log(level, text); }
  bool isLogged(LogLevel level) const { return m_options.onLog && isTold(level, m_options.logLevel); }

private:
  DeviceCore(DeviceOptions options, std::unique_ptr<PartMaker> partMaker);

  Result<FoundVariant> findOrLeave(const BindRequest &request, const VariantKey &key,
                                   const PipelineState &canonicalState);
  struct BuildSubject; // the subject of a build, for dumps
  template <typename Build>
  Result<VariantTables::Lookup> getOrBuild(const VariantKey &key, bool isJoined, const BuildSubject &subject,
                                           const Build &build);
  FoundVariant fillSlot(const BindRequest &request, const VariantKey &key, VariantTables::Lookup lookup);

  const uint64_t m_number; // unique among the devices of the process
  const DeviceOptions m_options;
  const Log m_log; // drops messages that are not asked for; never empty
  const std::unique_ptr<PartMaker> m_partMaker;
  VariantTables m_tables;
  PlanMemory m_planMemory;
  MemoryBudget m_budget;
  CompileDumps m_dumps;
  std::atomic<uint64_t> m_generation = 0;

  struct BuildCounters {
    std::atomic<uint64_t> joined = 0, monolithic = 0, failed = 0;
  };
  BuildCounters m_built;

  mutable std::mutex m_bindersMutex; // guards the members below
  std::vector<const BindCounters *> m_binders;
  BindCounters m_goneBinders; // their sums

  BackgroundBuilds m_background; // destroyed first: its jobs use all other members
};

} // namespace dovetail
