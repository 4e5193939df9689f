// SPDX-License-Identifier: MIT
//
// Session: Dovetail's side of the layer, for all Vulkan devices of the process: the device, its shaders and states, and
// all counts. It begins with the first Vulkan device and ends with the last instance, or with the process.
#pragma once

#include "tools/programs/layer/session/advice.h"
#include "tools/programs/layer/session/captures.h"
#include "tools/programs/layer/session/execution_log.h"
#include "tools/programs/layer/session/objects.h"
#include "tools/programs/layer/session/options.h"
#include "tools/programs/layer/session/problems.h"
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <unordered_map>

namespace dovetail::layer {

inline uint64_t nowNanoseconds() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

struct BindTime {
  uint64_t nanoseconds = 0;
  // The time that the thread ran; the rest of the time it was interrupted, or waited. 0: not measured. Binds of a pair
  // that was bound before are only measured if the options ask for it.
  uint64_t cpuNanoseconds = 0;
};

// In nanoseconds; shorter binds are no stalls.
constexpr uint64_t ShortestStall = 5000;

// CPU time of this thread; 0 if the system does not tell.
uint64_t threadCpuNanoseconds();

// A name for this process's report: executable, process id and start time.
std::string nameOfRun(uint64_t start);
std::string nameOfProgram();

// What the application says of itself (VkApplicationInfo); empty: nothing.
struct Application {
  std::string name, engine;
};

// A bind that took long.
struct Stall {
  BindTime time;
  double seconds = 0; // since the session began
  bool isDraw = true; // false: while the pipeline was made
  dovetail_bind_info bind = {};
  std::shared_ptr<const PipelineFacts> pipeline;
};

// The counts at one moment, for charts over time.
struct Sample {
  double seconds = 0;
  uint64_t draws = 0, frames = 0, variants = 0, published = 0, bytes = 0;
  uint64_t longestFrame = 0; // nanoseconds; of those that ended since the last sample; 0: none did
};

// All pipelines of one description.
struct PipelineSummary {
  std::string name; // PipelineFacts::describe()
  std::string shaders, entryPoints, label;
  uint64_t draws = 0;
};

struct ShaderRequest {
  const StageSource &source;
  const std::vector<dovetail_layout_node> &layout;
  dovetail_shader_stage next = DOVETAIL_STAGE_FRAGMENT;
  dovetail_compile_time compile = DOVETAIL_COMPILE_AT_FIRST_USE;
};

// Thread-safe.
class Session {
public:
  Session(Options options, Application application);
  // Everything that was made from the session must be destroyed before.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Options &options() const { return m_options; }
  const Application &application() const { return m_application; }
  // nullptr: Dovetail refused the options, so nothing is followed.
  dovetail_device *device() const { return m_device; }
  Problems &problems() { return m_problems; }
  const Problems &problems() const { return m_problems; }
  // nullptr: nothing is captured.
  Captures *captures() const { return m_captures.get(); }
  // nullptr: no draws are executed.
  ExecutionLog *executionLog() const { return m_executionLog.get(); }
  // Work that the last report waits for. `finish` may be called until it is removed by its key.
  void addUnfinished(const void *key, std::function<void()> finish);
  void removeUnfinished(const void *key);
  void finishAll();
  // Sentences about the options, the store and the background.
  std::vector<std::string> warnings() const;
  void warn(std::string text);

  uint64_t startNanoseconds() const { return m_start; }
  uint64_t steadyNanoseconds() const { return m_steady; } // the end of the warm-up time
  double seconds() const { return static_cast<double>(nowNanoseconds() - m_start) * 1e-9; }

  // nullptr and a message if Dovetail refuses the shader.
  std::shared_ptr<Shader> getShader(const ShaderRequest &request, dovetail_status &status, dovetail_message &message);
  // The state of these fields; it lives as long as the session. nullptr and a message if Dovetail refuses it. `words`
  // is scratch space.
  dovetail_state *getState(const StateFields &fields, std::vector<uint32_t> &words, dovetail_status &status,
                           dovetail_message &message);

  // Calls `use` with a binder that belongs to no command pool.
  void withBinder(const std::function<void(dovetail_binder *)> &use);

  void addWork(const WorkCounts *counts);
  void removeWork(const WorkCounts *counts);
  // Notes the bind of a draw or dispatch. `start`: when it began.
  void noteBind(const BindTime &time, uint64_t start, const dovetail_bind_info &bind, const Pipeline &pipeline) {
    if (time.nanoseconds > ShortestStall || bind.kind > DOVETAIL_BIND_KNOWN) [[unlikely]]
      addBind(time, start, bind, pipeline);
  }
  // Notes the bind of a pipeline's first variant, while the pipeline was made.
  void noteFirstVariant(const BindTime &time, const dovetail_bind_info &bind, const Pipeline &pipeline) {
    addStall(time, false, bind, pipeline);
  }
  void noteFrameEnd(FrameEnd end) { m_frames.end(end, nowNanoseconds()); }
  // Notes a pipeline that was made; notePipelineGone() must come before it is destroyed. `nanoseconds`: the time of
  // Dovetail's calls for it, until now. `bind`: the bind of its first variant, if there was one.
  void notePipeline(const Pipeline &pipeline, uint64_t nanoseconds, const dovetail_bind_info *bind);
  void notePipelineGone(const Pipeline &pipeline);
  // Takes a sample for charts. To be called by one thread at a time.
  void sample();

  // The content of a report.
  struct Totals {
    WorkCounts work;
    Histogram pipelineTimes;
    std::array<uint64_t, BindKindCount> pipelineBinds = {};
    uint64_t pipelines = 0, libraries = 0, shaders = 0, states = 0, frames = 0;
    std::optional<FrameTimes> frameTimes;
    Measured measured;
    CompileSum pipelineCompiles, drawCompiles; // that these waited for
    std::array<CompileSum, CompilePurposeCount> compiles;
    dovetail_device_statistics statistics = {};
    std::vector<Stall> stalls; // longest first
    std::vector<Sample> samples;
    std::vector<PipelineSummary> pipelinesByDraws;
    ExecutionTotals execution;
    double seconds = 0;
  };
  void collect(Totals &totals) const;

private:
  void addBind(const BindTime &time, uint64_t start, const dovetail_bind_info &bind, const Pipeline &pipeline);
  void addStall(const BindTime &time, bool isDraw, const dovetail_bind_info &bind, const Pipeline &pipeline);

  const Options m_options;
  const Application m_application;
  const uint64_t m_start = nowNanoseconds();
  const uint64_t m_steady = m_start + static_cast<uint64_t>(std::min(m_options.warmUpSeconds, 1e9) * 1e9);
  dovetail_device *m_device = nullptr;
  Problems m_problems;
  std::unique_ptr<Captures> m_captures;
  std::unique_ptr<ExecutionLog> m_executionLog;

  std::mutex m_unfinishedMutex;
  std::map<const void *, std::function<void()>> m_unfinished;

  std::mutex m_shadersMutex;
  std::unordered_map<Hash, std::weak_ptr<Shader>, HashOfHash> m_shaders;

  mutable std::shared_mutex m_statesMutex;
  std::unordered_map<Hash, dovetail_state *, HashOfHash> m_states;

  std::mutex m_bindersMutex;
  std::vector<dovetail_binder *> m_idleBinders;

  std::atomic<uint64_t> m_stallFloor = ShortestStall;
  Compiles m_compiles;
  FrameLog m_frames;

  mutable std::mutex m_mutex; // guards what follows
  std::set<const WorkCounts *> m_work;
  WorkCounts m_goneWork;
  Histogram m_pipelineTimes;
  std::array<uint64_t, BindKindCount> m_pipelineBinds = {};
  uint64_t m_pipelines = 0, m_libraries = 0, m_shaderCount = 0;
  std::vector<Stall> m_stalls; // a heap, the shortest on top
  std::vector<Sample> m_samples;
  std::set<const Pipeline *> m_living;
  std::map<std::string, PipelineSummary> m_drawsByName; // of destroyed pipelines
  CompileSum m_pipelineCompiles, m_drawCompiles;
  Histogram m_reads; // of parts from the store or an archive, by binds that compiled nothing
  std::vector<std::string> m_warnings;
};

} // namespace dovetail::layer
