// SPDX-License-Identifier: MIT
//
// Program: shaders that are drawn with together, and the layout of the root table that they share. Its hash is computed
// once, so the cost of binding it does not depend on its size.
#pragma once

#include "variants/shader.h"
#include <atomic>

namespace dovetail {

class ProgramPlan;

// Immutable except for its plans, and safe to share between threads.
struct Program {
  Program(ShaderSet set, const Hash128 &hash, void *user);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  // Plans make further variants cheap (assemble/program_plan.h). There is one for each device and each set of main
  // parts that the program was drawn with, the latest first, so that LLVM's parts come before first code;
  // ProgramPlan::next() goes on. nullptr: there is none yet. Plans live as long as the program.
  const ProgramPlan *plans() const { return m_plans.load(std::memory_order_acquire); }
  void addPlan(std::unique_ptr<ProgramPlan> plan) const;

  ShaderSet set;
  Hash128 hash;         // of the shaders and the layout
  void *user = nullptr; // the caller's; publications hand it back
  Hash128
      bindHash; // of `hash` and `user`: programs that differ only in `user` are bound apart, and share their variants

private:
  mutable std::atomic<const ProgramPlan *> m_plans = nullptr;
};

// When the last reference goes, queued builds for the program are cancelled. Its variants stay until they are evicted,
// because applications make the same programs again.
using ProgramRef = std::shared_ptr<const Program>;

// `hash`: hashShaders() of the set.
ProgramRef makeProgram(ShaderSet set, const Hash128 &hash, void *user = nullptr);

} // namespace dovetail
