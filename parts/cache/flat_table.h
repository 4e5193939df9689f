// SPDX-License-Identifier: MIT
//
// FlatTable: a hash table with open addressing, whose cells lie side by side. A look-up touches a cache line or two
// where std::unordered_map follows a list. An insertion allocates only if the table grows. Growing goes through memory
// from start to end, so it takes tens of microseconds for thousands of entries.
#pragma once

#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace dovetail {

// Not thread-safe. Key has a std::hash, whose low bits differ, and ==. Pointers to values stay valid until the next
// insertion or removal.
template <typename Key, typename Value> class FlatTable {
public:
  FlatTable() = default;
  // The table that was moved from is empty.
  FlatTable(FlatTable &&other) noexcept { *this = std::move(other); }
  FlatTable &operator=(FlatTable &&other) noexcept {
    m_cells = std::move(other.m_cells);
    m_count = std::exchange(other.m_count, 0);
    m_size = std::exchange(other.m_size, 0);
    return *this;
  }

  // nullptr if there is none.
  Value *find(const Key &key) const {
    if (m_size == 0)
      return nullptr;
    for (size_t index = homeOf(key); m_cells[index].isTaken; index = next(index))
      if (m_cells[index].key == key)
        return &m_cells[index].value;
    return nullptr;
  }

  // The key must be absent. If memory runs out, the table is unchanged.
  Value &insert(const Key &key) {
    if ((m_size + 1) * 5 > m_count * 4)
      grow();
    ++m_size;
    return put(key);
  }

  // `value`: from find().
  void erase(Value *value) {
    size_t hole = indexOf(value);
    // The cells behind the hole move up, but no cell may come in front of the place where its search begins.
    for (size_t index = next(hole); m_cells[index].isTaken; index = next(index))
      if (distance(homeOf(m_cells[index].key), index) >= distance(hole, index))
        m_cells[std::exchange(hole, index)] = std::move(m_cells[index]);
    m_cells[hole] = {};
    --m_size;
  }

  size_t size() const { return m_size; }
  size_t cellCount() const { return m_count; }
  // Calls visit(key, value) for the entries in the cells [begin, end).
  template <typename Visit> void forEachIn(size_t begin, size_t end, const Visit &visit) const {
    for (size_t index = begin; index < end; ++index)
      if (m_cells[index].isTaken)
        visit(m_cells[index].key, m_cells[index].value);
  }

private:
  static constexpr size_t MinCells = 4;
  struct Cell {
    Key key = {};
    Value value = {};
    bool isTaken = false;
  };

  size_t homeOf(const Key &key) const { return std::hash<Key>()(key) & (m_count - 1); }
  size_t next(size_t index) const { return (index + 1) & (m_count - 1); }
  size_t distance(size_t from, size_t to) const { return (to - from) & (m_count - 1); }
  size_t indexOf(const Value *value) const {
    return size_t(reinterpret_cast<const std::byte *>(value) - reinterpret_cast<const std::byte *>(m_cells.get())) /
           sizeof(Cell);
  }

  Value &put(const Key &key) {
    size_t index = homeOf(key);
    while (m_cells[index].isTaken)
      index = next(index);
    m_cells[index].key = key;
    m_cells[index].isTaken = true;
    return m_cells[index].value;
  }

  void grow() {
    const size_t oldCount = m_count;
    auto cells = std::make_unique<Cell[]>(oldCount ? oldCount * 2 : MinCells);
    // Beyond this point, nothing is allocated.
    m_count = oldCount ? oldCount * 2 : MinCells;
    const std::unique_ptr<Cell[]> old = std::exchange(m_cells, std::move(cells));
    for (size_t index = 0; index < oldCount; ++index)
      if (old[index].isTaken)
        put(old[index].key) = std::move(old[index].value);
  }

  std::unique_ptr<Cell[]> m_cells;
  size_t m_count = 0; // 0 or a power of two
  size_t m_size = 0;
};

} // namespace dovetail
