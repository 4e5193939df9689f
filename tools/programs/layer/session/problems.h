// SPDX-License-Identifier: MIT
//
// Collects errors with their shaders and state. Each error is reported once, however often it happens.
#pragma once

#include "tools/programs/layer/session/objects.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dovetail::layer {

struct Problem {
  size_t number = 0;
  std::string status, text, shaders;
  std::vector<StageSource> stages;
  StateFields fields;
  bool hasFields = false;
  std::atomic<uint64_t> draws = 0; // draws that could not be bound because of it
};

// Thread-safe.
class Problems {
public:
  // Returns the problem with this text, new or known. `fields` may be nullptr.
  Problem &note(dovetail_status status, const std::string &text, const std::string &shaders,
                const std::vector<StageSource> &stages, const StateFields *fields);
  // All problems, in the order in which they came. They live as long as this object.
  std::vector<const Problem *> all() const;

  // Notes something that the layer does not follow.
  void noteUnfollowed(const std::string &what);
  std::map<std::string, uint64_t> unfollowed() const;

private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::unique_ptr<Problem>> m_byText;
  std::vector<const Problem *> m_inOrder;
  std::map<std::string, uint64_t> m_unfollowed;
};

} // namespace dovetail::layer
