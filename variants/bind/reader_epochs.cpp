// SPDX-License-Identifier: MIT
#include "variants/bind/reader_epochs.h"
#include <algorithm>
#include <iterator>
#include <limits>

namespace dovetail {

void ReaderEpochs::add(Reader &reader) {
  std::scoped_lock lock(m_mutex);
  m_readers.push_back(&reader);
}

void ReaderEpochs::remove(Reader &reader) {
  std::scoped_lock lock(m_mutex);
  reader.pin(nullptr, nullptr);
  std::erase(m_readers, &reader);
}

void ReaderEpochs::retire(Removal removal) noexcept {
  // A reader that reads a later time than this one also sees the removal.
  uint64_t time = m_clock.fetch_add(1, std::memory_order_seq_cst);
  for (Removal::Retired &retired : removal.m_objects)
    retired.time = time;
  std::scoped_lock lock(m_mutex);
  m_retired.splice(m_retired.end(), removal.m_objects);
}

uint64_t ReaderEpochs::oldestReader() const {
  uint64_t oldest = std::numeric_limits<uint64_t>::max();
  for (const Reader *reader : m_readers)
    if (uint64_t epoch = reader->m_epoch.load(std::memory_order_seq_cst))
      oldest = std::min(oldest, epoch);
  return oldest;
}

bool ReaderEpochs::isPinned(const void *address) const {
  for (const Reader *reader : m_readers)
    for (const auto &pin : reader->m_pins)
      if (pin.load(std::memory_order_acquire) == address)
        return true;
  return false;
}

void ReaderEpochs::collect() noexcept {
  std::list<Removal::Retired> gone; // destroyed after the lock is released
  {
    std::scoped_lock lock(m_mutex);
    // Epochs are read before pins: a reader that is seen as not reading has made its pins before. A reader that began
    // after the removal cannot find the object, so it may unpin it, but not pin it.
    uint64_t oldest = m_retired.empty() ? 0 : oldestReader();
    for (auto place = m_retired.begin(); place != m_retired.end();) {
      auto next = std::next(place);
      if (place->time < oldest && !isPinned(place->address))
        gone.splice(gone.end(), m_retired, place);
      place = next;
    }
  }
}

std::unordered_set<const void *> ReaderEpochs::pinned() const {
  std::scoped_lock lock(m_mutex);
  std::unordered_set<const void *> pins;
  for (const Reader *reader : m_readers)
    for (const auto &pin : reader->m_pins)
      if (const void *address = pin.load(std::memory_order_acquire))
        pins.insert(address);
  return pins;
}

size_t ReaderEpochs::retiredCount() const {
  std::scoped_lock lock(m_mutex);
  return m_retired.size();
}

} // namespace dovetail
