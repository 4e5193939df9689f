// SPDX-License-Identifier: MIT
#include "variants/assemble/program.h"
#include "variants/assemble/program_plan.h"
#include "variants/user_pointer.h"

namespace dovetail {

Program::Program(ShaderSet shaders, const Hash128 &shadersHash, void *programUser)
    : set(std::move(shaders)), hash(shadersHash), user(programUser), bindHash(withUser(shadersHash, programUser)) {}

Program::~Program() {
  for (const ProgramPlan *plan = plans(); plan;) {
    const std::unique_ptr<const ProgramPlan> gone(plan);
    plan = gone->next();
  }
}

// If two threads add the same plan, both plans stay; the second one is never used.
void Program::addPlan(std::unique_ptr<ProgramPlan> plan) const {
  const ProgramPlan *first = plans();
  do
    plan->setNext(first);
  while (!m_plans.compare_exchange_weak(first, plan.get(), std::memory_order_acq_rel));
  plan.release();
}

ProgramRef makeProgram(ShaderSet set, const Hash128 &hash, void *user) {
  return std::make_shared<const Program>(std::move(set), hash, user);
}

} // namespace dovetail
