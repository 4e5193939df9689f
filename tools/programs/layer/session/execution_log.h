// SPDX-License-Identifier: MIT
//
// ExecutionLog: collects the outcomes of executed draws in a session, and keeps misses as files. Thread-safe.
#pragma once

#include "tools/programs/layer/session/execution_counts.h"
#include "tools/proof/scene/scene.h"
#include <mutex>

namespace dovetail::layer {

enum class Outcome : uint8_t { Matched, Explained, Differed, Trapped };

class ExecutionLog {
public:
  // folder: of the report; "": misses are counted only. name: begins the names of their files.
  ExecutionLog(std::string folder, std::string name) : m_folder(std::move(folder)), m_name(std::move(name)) {}

  void noteRefused(const std::string &pipeline, const std::string &reason);
  void noteNotChosen(const std::string &pipeline);
  void note(const std::string &pipeline, Outcome outcome);
  void noteWork(uint64_t waves, uint64_t instructions, double seconds);
  // Writes the scene and, where there are pictures, both and their difference. At most MostMisses are written, and few
  // of one pipeline.
  void noteMiss(const Scene &scene, const std::string &text, const SceneResult *ours, const SceneResult &theirs);

  ExecutionTotals totals() const;

  static constexpr size_t MostMisses = 100, MostMissesOfPipeline = 4;

private:
  const std::string m_folder, m_name;
  mutable std::mutex m_mutex;
  ExecutionTotals m_totals;
  std::map<std::string, size_t> m_missesOfPipelines;
};

} // namespace dovetail::layer
