// SPDX-License-Identifier: MIT
//
// Recording: a command buffer that is being recorded, and what a draw in it would bind. Pool: the command pool that it
// is from. Vulkan has the recording of a pool's command buffers done by one thread at a time, so a pool is what a
// driver calls a context, and has the binder.
#pragma once

#include "tools/layer/device.h"
#include <unordered_set>

namespace dovetail::layer {

class Recording;

class Pool {
public:
  explicit Pool(Device &device);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  Device &device() { return m_device; }
  dovetail_binder *binder() { return m_binder; }

  WorkCounts counts;

  // The states that were found last, by pipeline and values of its dynamic states.
  struct KnownState {
    Hash key;
    const dovetail_state *state = nullptr;
  };
  // Whether this was bound before by this pool, as far as that is remembered. From now on it was.
  bool rememberBind(const Pipeline &pipeline, const dovetail_state *state) {
    const uint64_t key = pipeline.number ^ (reinterpret_cast<uintptr_t>(state) * 0x9e3779b97f4a7c15u);
    return std::exchange(m_rememberedBinds[(key ^ key >> 32) % m_rememberedBinds.size()], key) == key;
  }
  KnownState &knownState(const Hash &key) { return m_knownStates[key.low % m_knownStates.size()]; }

  // Command buffers of it.
  void add(VkCommandBuffer handle);
  void remove(VkCommandBuffer handle);

private:
  Device &m_device;
  dovetail_binder *m_binder = nullptr;
  std::array<KnownState, 256> m_knownStates;
  std::array<uint64_t, 512> m_rememberedBinds = {};
  std::mutex m_mutex;
  std::unordered_set<VkCommandBuffer> m_commandBuffers;
};

// Used by one thread at a time.
class alignas(64) Recording {
public:
  explicit Recording(Pool &pool) : m_pool(pool) {}

  Device &device() { return m_pool.device(); }
  Session &session() { return device().session(); }
  Pool &pool() { return m_pool; }

  // Nothing is bound or set any more.
  void begin();
  void bindPipeline(VkPipelineBindPoint point, std::shared_ptr<Pipeline> pipeline);
  void setDynamic(DynamicState state, uint32_t value) {
    uint32_t &there = m_dynamic.simple[static_cast<size_t>(state)];
    if (there != value)
      m_changed |= bitOf(state);
    there = value;
    m_pool.counts.stateChanges.add(1);
  }
  // Those that are not of one value are changed here; noteChange() says so.
  DynamicValues &dynamic() { return m_dynamic; }
  void noteChange(DynamicStates states) {
    m_changed |= states;
    m_pool.counts.stateChanges.add(1);
  }

  // Binds what the draw or dispatch that comes now is done with.
  void draw() noexcept;
  void dispatch() noexcept;
  void noteUnfollowed(const char *command) { session().problems().noteUnfollowed(command); }

private:
  bool updateState();
  void findState(Pipeline &pipeline);
  void bind(Pipeline &pipeline, const dovetail_state *state);
  void noteFailure(Pipeline &pipeline, const dovetail_state *state, dovetail_status status);
  void capture(const Pipeline &pipeline, const dovetail_state *state, const dovetail_variant *variant);
  void noteUnknown(const Pipeline *pipeline);
  template <typename Work> void sampled(uint64_t number, const Work &work);

  // What each draw looks at comes first.
  Pool &m_pool;
  std::shared_ptr<Pipeline> m_graphics;
  const dovetail_state *m_state = nullptr; // of the next draw, unless m_changed says otherwise
  Problem *m_stateProblem = nullptr;       // why there is none
  uint64_t m_bindNanoseconds = 0;          // of the last bind
  DynamicStates m_changed = 0;
  std::shared_ptr<Pipeline> m_compute;
  DynamicValues m_dynamic;
  // Room to work in.
  StateFields m_fields;
  std::vector<uint32_t> m_words;
  dovetail_message m_message;
};

// The recording of a command buffer.
Recording &recordingOf(VkCommandBuffer handle);

// Calls a follower. Whatever goes wrong in it is noted, and the application goes on.
template <typename Layer, typename Follow>
void guarded(Layer &layer, const char *command, const Follow &follow) noexcept {
  try {
    if (layer.session().device())
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
