// SPDX-License-Identifier: MIT
#include "variants/program.h"
#include "variants/build/program_plan.h"
#include "variants/user_pointer.h"

namespace dovetail {

Program::Program(ShaderSet shaders, const Hash128 &shadersHash, void *programUser)
    : set(std::move(shaders)), hash(shadersHash), user(programUser), bindHash(withUser(shadersHash, programUser)) {}

Program::~Program() {
  delete plan();
}

void Program::setPlan(std::unique_ptr<const ProgramPlan> plan) const {
  const ProgramPlan *none = nullptr;
  if (m_plan.compare_exchange_strong(none, plan.get(), std::memory_order_acq_rel))
    plan.release();
}

ProgramRef makeProgram(ShaderSet set, const Hash128 &hash, void *user) {
  return std::make_shared<const Program>(std::move(set), hash, user);
}

} // namespace dovetail
