// SPDX-License-Identifier: MIT
//
// Compiles the stages of a program at the same time when it is drawn with for the first time. The calling thread makes
// the last stage. Each other stage gets a thread of its own, with the caller's priority. If the system refuses a
// thread, the caller makes the stage in its turn.
#pragma once

#include "parts/cache/part_maker.h"
#include "parts/cache/part_tally.h"
#include "parts/kinds/main_part.h"
#include "src/lgc/state/shader_modes.h"
#include <array>
#include <optional>
#include <thread>

namespace dovetail {

class EarlyMainParts {
public:
  explicit EarlyMainParts(PartMaker &maker) : m_maker(maker) {}

  // Begins to make a main part, unless it exists. The source must outlive this object.
  void start(lgc::ShaderStage stage, const ShaderSource &source);
  // Waits for the main part. Returns nothing if it was not started, or memory ran out. Its compile counts as this
  // thread's (PartTally).
  std::optional<Result<MadePart>> take(lgc::ShaderStage stage);

private:
  PartMaker &m_maker;
  std::array<std::optional<Result<MadePart>>, lgc::ShaderStageCount> m_made;
  std::array<PartTally, lgc::ShaderStageCount> m_tallies;
  std::array<std::jthread, lgc::ShaderStageCount> m_threads; // they write into the members above, so they end first
};

} // namespace dovetail
