// SPDX-License-Identifier: MIT
#include "variants/assemble/early_main_parts.h"
#include "variants/background_thread.h"
#include <new>
#include <system_error>
#include <utility>

namespace dovetail {

void EarlyMainParts::start(lgc::ShaderStage stage, const ShaderSource &source) {
  if (m_maker.findMainPart(source.key))
    return;
  std::optional<Result<MadePart>> &made = m_made[size_t(stage)];
  PartTally &tally = m_tallies[size_t(stage)];
  try {
    m_threads[size_t(stage)] = startThread([this, &made, &tally, &source, purpose = compilePurpose] {
      const PurposeScope scope(purpose);
      try {
        made = m_maker.getMainPart(source);
        tally = partTally;
      } catch (const std::bad_alloc &) { // the taker tries again, and may throw
        made.reset();
      }
    });
  } catch (const std::system_error &) {
  }
}

std::optional<Result<MadePart>> EarlyMainParts::take(lgc::ShaderStage stage) {
  if (std::jthread &thread = m_threads[size_t(stage)]; thread.joinable())
    thread.join();
  partTally += std::exchange(m_tallies[size_t(stage)], {});
  return std::move(m_made[size_t(stage)]);
}

} // namespace dovetail
