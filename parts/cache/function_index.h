// SPDX-License-Identifier: MIT
//
// Finds the part that has the code of a function (ShaderInterface::functionHash) when the part's own key contains more
// than the function uses. The index may forget a part; the function is then compiled again.
#pragma once

#include "parts/part.h"
#include <mutex>
#include <optional>
#include <unordered_map>

namespace dovetail {

// Thread-safe.
class FunctionIndex {
public:
  std::optional<PartKey> find(const Hash128 &function) const {
    std::scoped_lock lock(m_mutex);
    auto found = m_parts.find(function);
    return found == m_parts.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const Hash128 &function, const PartKey &part) {
    std::scoped_lock lock(m_mutex);
    constexpr size_t MaxFunctions = 1 << 16;
    if (m_parts.size() == MaxFunctions)
      m_parts.clear();
    m_parts.insert_or_assign(function, part);
  }

private:
  mutable std::mutex m_mutex;
  std::unordered_map<Hash128, PartKey> m_parts;
};

} // namespace dovetail
