// SPDX-License-Identifier: MIT
//
// Files of what could not be built, or took too long: shaders, layout and state, as `dovetail compile` reads them. So a
// failure at a user's can be looked at elsewhere, without the application.
//
// A file is written under another name and renamed, so nobody finds half of one. Each subject is written once for each
// device. A folder that cannot be written to is a warning, and ends the dumps of the device.
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

// A build whose file is to be written later: where others wait for the build, nobody is called meanwhile who may wait
// for it, too.
class BuildWatch {
public:
  explicit BuildWatch(CompileDumps &dumps) : m_dumps(dumps) {}

  // What `build` returns, a Result.
  template <typename Build> auto run(const Build &build);
  // Dumps what was run, if that is an Error or took too long.
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

  // What `build` returns, a Result; dumps the shaders, with the state if there is one, if that is an Error or took too
  // long.
  template <typename Build>
  auto watch(DumpedBuild kind, const ShaderSet &shaders, const PipelineState *state, const Build &build) {
    BuildWatch watch(*this);
    auto result = watch.run(build);
    watch.report(kind, shaders, state);
    return result;
  }

  // A shader that could not even be made.
  void noteRefused(const ShaderDescription &shader, const Error &error);

private:
  friend BuildWatch;

  // `error`: nullptr: it was slow.
  void dump(DumpedBuild kind, const PipelineContent &content, const Error *error, double milliseconds);
  // Whether there is to be a file of this one.
  bool isNew(const Hash128 &hash);
  void warn(const std::string &text) const;

  const DumpOptions m_options;
  const std::string m_gpuName;
  const Log m_log;
  std::atomic<bool> m_isTurnedOff = false;
  std::mutex m_mutex;
  std::set<Hash128> m_known; // under the mutex
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
