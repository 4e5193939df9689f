// SPDX-License-Identifier: MIT
//
// ObjectTable: the layer's objects by the application's handles.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace dovetail::layer {

// Thread-safe.
template <typename Handle, typename Object> class ObjectTable {
public:
  void add(Handle handle, std::shared_ptr<Object> object) {
    std::scoped_lock lock(m_mutex);
    m_objects[handle] = std::move(object);
  }
  // nullptr: unknown handle.
  std::shared_ptr<Object> find(Handle handle) const {
    std::shared_lock lock(m_mutex);
    const auto found = m_objects.find(handle);
    return found == m_objects.end() ? nullptr : found->second;
  }
  // Returns the removed object.
  std::shared_ptr<Object> remove(Handle handle) {
    std::scoped_lock lock(m_mutex);
    const auto found = m_objects.find(handle);
    if (found == m_objects.end())
      return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    m_objects.erase(found);
    return object;
  }
  template <typename Use> void forEach(const Use &use) const {
    std::shared_lock lock(m_mutex);
    for (const auto &[handle, object] : m_objects)
      use(*object);
  }

private:
  mutable std::shared_mutex m_mutex;
  std::unordered_map<Handle, std::shared_ptr<Object>> m_objects;
};

} // namespace dovetail::layer
