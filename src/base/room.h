// SPDX-License-Identifier: MIT
//
// An object and its arrays would take an allocation each. makeWithRoom() makes one for all: the reference count first,
// then the object, then room for the arrays. The caller says how large that room is; arrays that do not fit come from
// the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dovetail {

// Gives out memory from its start on and takes none back. Does not own the memory.
class Room {
public:
  Room() = default;
  Room(std::byte *begin, size_t bytes) : m_begin(begin), m_next(begin), m_end(begin + bytes) {}

  // Returns nullptr if the bytes do not fit.
  void *take(size_t bytes, size_t alignment) {
    const size_t padding = -reinterpret_cast<uintptr_t>(m_next) & (alignment - 1);
    if (size_t(m_end - m_next) < bytes + padding)
      return nullptr;
    std::byte *const taken = m_next + padding;
    m_next = taken + bytes;
    return taken;
  }
  bool has(const void *memory) const { return memory >= m_begin && memory < m_end; }

private:
  std::byte *m_begin = nullptr, *m_next = nullptr, *m_end = nullptr;
};

// The allocator of a std::vector in a room. A copy of the vector is on the heap. resize() does not clear plain data.
template <typename T> class RoomAllocator {
public:
  using value_type = T;

  RoomAllocator() = default;
  explicit RoomAllocator(Room *room) : m_room(room) {}
  template <typename Other> RoomAllocator(const RoomAllocator<Other> &other) : m_room(other.room()) {}
  RoomAllocator select_on_container_copy_construction() const { return RoomAllocator(); }

  T *allocate(size_t count) {
    if (m_room)
      if (void *memory = m_room->take(count * sizeof(T), alignof(T)))
        return static_cast<T *>(memory);
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T *memory, size_t count) {
    if (!m_room || !m_room->has(memory))
      std::allocator<T>().deallocate(memory, count);
  }
  template <typename Other, typename... Args> void construct(Other *place, Args &&...args) {
    if constexpr (sizeof...(args) == 0)
      ::new (static_cast<void *>(place)) Other;
    else
      std::construct_at(place, std::forward<Args>(args)...);
  }
  template <typename Other> bool operator==(const RoomAllocator<Other> &other) const { return m_room == other.room(); }

  Room *room() const { return m_room; }

private:
  Room *m_room = nullptr; // nullptr: the heap
};

template <typename T> using RoomVector = std::vector<T, RoomAllocator<T>>;

// The allocator for std::allocate_shared: an object with room behind it.
template <typename T> class ObjectWithRoom {
public:
  using value_type = T;

  ObjectWithRoom(size_t bytes, Room &room) : m_bytes(bytes), m_room(&room) {}
  template <typename Other>
  ObjectWithRoom(const ObjectWithRoom<Other> &other) : m_bytes(other.m_bytes), m_room(other.m_room) {}

  T *allocate(size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    auto *memory = static_cast<std::byte *>(::operator new(count * sizeof(T) + m_bytes));
    *m_room = Room(memory + count * sizeof(T), m_bytes);
    return reinterpret_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t) { ::operator delete(memory); }
  template <typename Other> bool operator==(const ObjectWithRoom<Other> &) const { return true; }

private:
  template <typename Other> friend class ObjectWithRoom;

  size_t m_bytes;
  Room *m_room; // allocate() sets it; unused once the object is made
};

// T has a constructor that takes `const Room &`.
template <typename T> std::shared_ptr<T> makeWithRoom(size_t bytes) {
  Room room;
  return std::allocate_shared<T>(ObjectWithRoom<T>(bytes, room), std::as_const(room));
}

} // namespace dovetail
