// SPDX-License-Identifier: MIT
//
// Execution: executes the draws of one device in the emulator, beside the driver.
//
// The layer puts commands of its own around each draw that it records. In front of the draw, the GPU waits for all
// earlier work, copies targets and images to memory, writes the draw's number into a mailbox, and waits for an event. A
// thread of the layer sees the number, makes the draw's scene from memory, and sets the event. The same happens behind
// the draw, where the thread reads the driver's result. Then other threads run the scene in the emulator and compare.
//
// Vulkan allows neither copies nor waits for the host within a render pass. lavapipe executes the commands of a buffer
// one by one on the CPU, and does both. So an execution needs lavapipe; it also needs all of its memory to be mapped.
// In return, nothing is recorded twice: render passes, secondary command buffers and queries stay as the application
// has them.
#pragma once

#include "tools/programs/layer/execute/draw_judge.h"
#include "tools/programs/layer/execute/live_scene.h"
#include "tools/programs/layer/session/options.h"
#include <atomic>
#include <optional>
#include <set>

namespace dovetail::layer {

// Thread-safe.
class Execution {
  const DriverCommands m_commands; // outlives the objects

public:
  TrackedObjects objects;

  // Throws if the driver refuses the buffer or the events.
  Execution(const Options &options, ExecutionLog &log, const DriverCommands &commands);
  // To be destroyed while the device exists and is idle.
  ~Execution();
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  const DriverCommands &commands() const { return m_commands; }
  ExecutionLog &log() { return m_log; }
  DrawnVariants &variants() { return m_variants; }

  // Whether the options choose a draw. `isNew`: the first with its variant.
  bool choose(uint64_t pixels, bool isNew);
  // Gives the record its number, under which the mailbox names it while the record lives.
  void add(const std::shared_ptr<DrawRecord> &record);
  // Record the commands around the draw.
  void recordBefore(VkCommandBuffer commands, const DrawRecord &record);
  void recordAfter(VkCommandBuffer commands, const DrawRecord &record);

  // Waits until every draw that the GPU has done is judged.
  void drain() { m_judges.drain(); }

private:
  void serve();
  void answer(uint32_t letter);
  void finish(const DrawRecord &record);
  void recordCopies(VkCommandBuffer commands, const DrawRecord &record, bool isAfter);
  void recordLetter(VkCommandBuffer commands, uint32_t letter);

  const Options &m_options;
  ExecutionLog &m_log;
  DrawnVariants m_variants;
  StagingBuffer m_mailbox; // one word: 0, or a letter, which is a record's number and a bit
  VkEvent m_event = VK_NULL_HANDLE;
  const uint64_t m_start;
  DrawJudges m_judges;

  std::mutex m_mutex; // guards what follows
  uint32_t m_lastNumber = 0;
  std::map<uint32_t, std::weak_ptr<DrawRecord>> m_records;
  uint64_t m_candidates = 0;

  // Of the serving thread.
  std::shared_ptr<DrawRecord> m_current;
  std::optional<LiveScene> m_live;
  uint64_t m_executed = 0;

  std::atomic<bool> m_isEnding = false;
  std::thread m_thread;
};

} // namespace dovetail::layer
