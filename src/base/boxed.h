// SPDX-License-Identifier: MIT
//
// An std::optional is as large as its value even when it is empty. An empty Boxed is as large as a pointer: use it for
// large values that few objects have. A copy of a Boxed holds a copy of the value.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace dovetail {

template <typename T> class Boxed {
public:
  Boxed() = default;
  Boxed(T value) : m_value(std::make_unique<T>(std::move(value))) {}
  Boxed(std::optional<T> value) : m_value(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
  Boxed(const Boxed &other) : m_value(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed &&) noexcept = default;
  Boxed &operator=(Boxed other) noexcept {
    m_value = std::move(other.m_value);
    return *this;
  }

  T &emplace() { return *(m_value = std::make_unique<T>()); }
  void reset() { m_value.reset(); }

  bool has_value() const { return m_value != nullptr; }
  explicit operator bool() const { return has_value(); }
  T &operator*() { return *m_value; }
  const T &operator*() const { return *m_value; }
  T *operator->() { return m_value.get(); }
  const T *operator->() const { return m_value.get(); }

  bool operator==(const Boxed &other) const {
    return has_value() && other ? **this == *other : has_value() == other.has_value();
  }

private:
  std::unique_ptr<T> m_value;
};

} // namespace dovetail
