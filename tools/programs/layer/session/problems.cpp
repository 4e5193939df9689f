// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/problems.h"

namespace dovetail::layer {

Problem &Problems::note(dovetail_status status, const std::string &text, const std::string &shaders,
                        const std::vector<StageSource> &stages, const StateFields *fields) {
  std::scoped_lock lock(m_mutex);
  std::unique_ptr<Problem> &problem = m_byText[text];
  if (!problem) {
    problem = std::make_unique<Problem>();
    problem->number = m_inOrder.size();
    problem->status = dovetail_status_text(status);
    problem->text = text;
    problem->shaders = shaders;
    problem->stages = stages;
    if (fields) {
      problem->fields = *fields;
      problem->hasFields = true;
    }
    m_inOrder.push_back(problem.get());
  }
  return *problem;
}

std::vector<const Problem *> Problems::all() const {
  std::scoped_lock lock(m_mutex);
  return m_inOrder;
}

void Problems::noteUnfollowed(const std::string &what) {
  std::scoped_lock lock(m_mutex);
  ++m_unfollowed[what];
}

std::map<std::string, uint64_t> Problems::unfollowed() const {
  std::scoped_lock lock(m_mutex);
  return m_unfollowed;
}

} // namespace dovetail::layer
