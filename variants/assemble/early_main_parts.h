// SPDX-License-Identifier: MIT
//
// The stages of a program that is drawn with for the first time are compiled at the same time: the thread that asks
// makes the last stage, and for each of the others a thread is started, with the priority of the one that asks. If the
// system refuses a thread, the stage is made when its turn comes.
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

  // Begins to make a main part, unless it is there. The source must outlive this object.
  void start(lgc::ShaderStage stage, const ShaderSource &source);
  // Waits for it. Nothing if it was not started, or memory ran out. What it took counts as this thread's (PartTally).
  std::optional<Result<MadePart>> take(lgc::ShaderStage stage);

private:
  PartMaker &m_maker;
  std::array<std::optional<Result<MadePart>>, lgc::ShaderStageCount> m_made;
  std::array<PartTally, lgc::ShaderStageCount> m_tallies;
  std::array<std::jthread, lgc::ShaderStageCount> m_threads; // write into the others, so they end first
};

} // namespace dovetail
