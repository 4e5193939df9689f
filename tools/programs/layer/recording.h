// SPDX-License-Identifier: MIT
//
// Recording: a command buffer that is being recorded, and the program and state that a draw in it would bind. Pool: the
// command pool of command buffers. Vulkan lets only one thread at a time record a pool's command buffers. So a pool is
// what a driver calls a context, and has the binder.
#pragma once

#include "tools/programs/layer/device.h"
#include "tools/programs/layer/execute/command_tracker.h"
#include "tools/programs/layer/known_states.h"
#include <unordered_set>

namespace dovetail::layer {

class Recording;

class alignas(64) Pool {
public:
  explicit Pool(Device &device);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  Device &device() { return m_device; }
  Session &session() { return m_session; }
  dovetail_binder *binder() { return m_binder; } // nullptr: nothing is followed
  bool measuresCpuOfAll() const { return m_measuresCpuOfAll; }

  // The times of binds that happen now, by kind. Prefetches the two most frequent kinds, which reach the cache during
  // the bind.
  std::array<Histogram, BindKindCount> &costsAt(uint64_t nanoseconds) {
    auto &costs = nanoseconds > m_steady ? counts.costs.steadyKinds : counts.costs.earlyKinds;
    __builtin_prefetch(&costs[DOVETAIL_BIND_UNCHANGED], 1);
    __builtin_prefetch(&costs[DOVETAIL_BIND_KNOWN], 1);
    return costs;
  }

  // Adds and removes command buffers of the pool.
  void add(VkCommandBuffer handle, bool isSecondary = false);
  void remove(VkCommandBuffer handle);

private:
  // The members that each draw reads come first.
  Device &m_device;
  Session &m_session;
  const uint64_t m_steady;
  const bool m_measuresCpuOfAll;
  dovetail_binder *m_binder = nullptr;

public:
  WorkCounts counts;
  KnownStates knownStates;

private:
  std::mutex m_mutex;
  std::unordered_set<VkCommandBuffer> m_commandBuffers;
};

// To be used by one thread at a time.
class alignas(64) Recording {
public:
  Recording(Pool &pool, bool isSecondary) : m_pool(pool), m_isSecondary(isSecondary) {}

  Device &device() { return m_pool.device(); }
  Session &session() { return m_pool.session(); }
  bool isFollowed() { return m_pool.binder(); }
  Pool &pool() { return m_pool; }
  bool isSecondary() const { return m_isSecondary; }
  // nullptr: no draws are executed.
  CommandTracker *tracker() { return m_tracker.get(); }
  // What the last draw() or dispatch() bound.
  BoundPipeline boundForDraw() const;
  BoundPipeline boundForDispatch() const { return {m_compute, m_variant, {}}; }

  // Forgets everything that was bound or set.
  void begin();
  void bindPipeline(VkPipelineBindPoint point, std::shared_ptr<Pipeline> pipeline);
  void setDynamic(DynamicState state, uint32_t value) {
    uint64_t &there = m_dynamic.digests[static_cast<size_t>(state)];
    if (there != value)
      m_changed |= bitOf(state);
    there = value;
    m_pool.counts.stateChanges.add(1);
  }
  // Callers change states of several values here, and then call noteChange().
  DynamicValues &dynamic() { return m_dynamic; }
  void noteChange(DynamicState state) {
    m_dynamic.sumUp(state);
    m_changed |= bitOf(state);
    m_pool.counts.stateChanges.add(1);
  }

  // Binds program and state of the coming draw or dispatch.
  [[gnu::hot]] void draw() noexcept;
  [[gnu::hot]] void dispatch() noexcept;
  void noteUnfollowed(const char *command) { session().problems().noteUnfollowed(command); }

private:
  [[gnu::hot]] bool updateState();
  [[gnu::hot]] void findState(Pipeline &pipeline);
  void makeState(Pipeline &pipeline, uint64_t key);
  [[gnu::hot]] void bind(Pipeline &pipeline, const dovetail_state *state, bool isNew);
  [[gnu::hot]] void getLastBind(dovetail_bind_info &info);
  void noteEmptyInterval();
  void noteFailure(Pipeline &pipeline, const dovetail_state *state, dovetail_status status);
  void noteFirstBind(const Pipeline &pipeline, const dovetail_state *state, const dovetail_variant *variant,
                     uint64_t start);
  void noteUnknown(const Pipeline *pipeline);
  template <typename Work> void sampled(uint64_t number, const Work &work);

  // The members that each draw reads come first.
  Pool &m_pool;
  std::shared_ptr<Pipeline> m_graphics;
  const dovetail_state *m_state = nullptr; // of the next draw, unless m_changed has bits
  Problem *m_stateProblem = nullptr;       // why m_state is nullptr
  uint64_t m_dovetailNanoseconds = 0;      // of this draw's calls to Dovetail, if the draw is measured
  DynamicStates m_changed = 0;
  bool m_isMeasured = false;
  bool m_isStateNew = false; // no earlier bind of the pipeline with it is remembered
  const bool m_isSecondary;
  std::unique_ptr<CommandTracker> m_tracker;
  const dovetail_variant *m_variant = nullptr; // of the last draw or dispatch, if draws are executed
  std::shared_ptr<Pipeline> m_compute;
  DynamicValues m_dynamic;
  // Scratch space.
  StateFields m_fields;
  std::vector<uint32_t> m_words;
  dovetail_message m_message;
};

// The recording of a command buffer.
[[gnu::hot]] Recording &recordingOf(VkCommandBuffer handle);

// Calls a follower. Notes any exception, and the application goes on.
template <typename Layer, typename Follow>
void guarded(Layer &layer, const char *command, const Follow &follow) noexcept {
  try {
    if (layer.isFollowed())
      follow();
  } catch (const std::exception &exception) {
    try {
      layer.session().problems().noteUnfollowed(std::string(command) + ": " + exception.what());
    } catch (...) {
    }
  } catch (...) {
  }
}

} // namespace dovetail::layer
