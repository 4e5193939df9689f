// SPDX-License-Identifier: MIT
#include "src/base/compile_phases.h"
#include <doctest/doctest.h>
#include <vector>

using namespace dovetail;

namespace {

std::vector<std::optional<CompilePhase>> ended;

} // namespace

TEST_CASE("an observer sees each phase that ends, and the time between phases") {
  setPhaseObserver([](std::optional<CompilePhase> phase) { ended.push_back(phase); });
  {
    const PhaseScope outer(CompilePhase::Replay);
    PhaseScope::change(CompilePhase::Optimize);
    const PhaseScope inner(CompilePhase::Read);
  }
  setPhaseObserver(nullptr);
  { const PhaseScope unseen(CompilePhase::Emit); }
  CHECK(ended == std::vector<std::optional<CompilePhase>>{std::nullopt, CompilePhase::Replay, CompilePhase::Optimize,
                                                          CompilePhase::Read, CompilePhase::Optimize});
}
