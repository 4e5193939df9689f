// SPDX-License-Identifier: MIT
//
// Writes files of builds that fail or take too long: shaders, layout and state, as `dovetail compile` reads them. So a
// user's failure can be examined elsewhere, without the application.
//
// A file is written under a temporary name and renamed, so nobody finds half of one. Each device writes each build
// once. A folder that cannot be written to gives a warning, and ends the dumps of the device.
#pragma once

#include "src/base/error.h"
#include "variants/dump/dump_options.h"
#include "variants/dump/pipeline_text.h"
#include "variants/log.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace dovetail {

enum class DumpedBuild : uint8_t { Shader, Variant, Monolithic, Optimized };

class CompileDumps;

// A build whose file is written later. While other threads wait for the build, no function may be called that may wait
// for it, too.
class BuildWatch {
public:
  explicit BuildWatch(CompileDumps &dumps) : m_dumps(dumps) {}

  // Runs `build` and returns its Result.
  template <typename Build> auto run(const Build &build);
  // Writes a file if the build was an Error or took too long.
  void report(DumpedBuild kind, const ShaderSet &shaders, const PipelineState *state) const;

private:
  CompileDumps &m_dumps;
  std::optional<Error> m_error;
  double m_milliseconds = 0;
};

// Thread-safe.
class CompileDumps {
public:
  // `log` gets warnings, on the threads that build.
  CompileDumps(DumpOptions options, std::string gpuName, Log log);

  bool isOn() const { return !m_options.folder.empty() && !m_isTurnedOff.load(std::memory_order_relaxed); }

  // Runs `build` and returns its Result. If that is an Error or took too long, writes a file with the shaders, and with
  // the state if there is one.
  template <typename Build>
  auto watch(DumpedBuild kind, const ShaderSet &shaders, const PipelineState *state, const Build &build) {
    BuildWatch watch(*this);
    auto result = watch.run(build);
    watch.report(kind, shaders, state);
    return result;
  }

  // For a shader that could not even be made.
  void noteRefused(const ShaderDescription &shader, const Error &error);

private:
  friend BuildWatch;

  // `error` nullptr: the build was slow.
  void dump(DumpedBuild kind, const PipelineContent &content, const Error *error, double milliseconds);
  // Whether this build should get a file.
  bool isNew(const Hash128 &hash);
  void warn(const std::string &text) const;

  const DumpOptions m_options;
  const std::string m_gpuName;
  const Log m_log;
  std::atomic<bool> m_isTurnedOff = false;
  std::mutex m_mutex;
  std::set<Hash128> m_known; // guarded by the mutex
};

template <typename Build> auto BuildWatch::run(const Build &build) {
  if (!m_dumps.isOn())
    return build();
  const auto begin = std::chrono::steady_clock::now();
  auto result = build();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  m_milliseconds = took.count();
  if (!result)
    m_error = result.error();
  return result;
}

} // namespace dovetail
