// SPDX-License-Identifier: MIT
#include "variants/reader_epochs.h"
#include <algorithm>
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

void ReaderEpochs::retire(std::shared_ptr<const void> object, const void *address) {
  // Whoever reads a later time than this one sees the removal, too.
  uint64_t time = m_clock.fetch_add(1, std::memory_order_seq_cst);
  std::scoped_lock lock(m_mutex);
  m_retired.push_back({std::move(object), address, time});
}

uint64_t ReaderEpochs::oldestReader() const {
  uint64_t oldest = std::numeric_limits<uint64_t>::max();
  for (const Reader *reader : m_readers)
    if (uint64_t epoch = reader->m_epoch.load(std::memory_order_seq_cst))
      oldest = std::min(oldest, epoch);
  return oldest;
}

void ReaderEpochs::collect() {
  std::vector<Retired> gone; // destroyed after the lock is released
  {
    std::scoped_lock lock(m_mutex);
    if (m_retired.empty())
      return;
    // The pins come second: those of a reader that is not seen reading were made before.
    uint64_t oldest = oldestReader();
    std::unordered_set<const void *> pins;
    for (const Reader *reader : m_readers)
      for (const auto &pin : reader->m_pins)
        pins.insert(pin.load(std::memory_order_acquire));
    auto stays = [&](const Retired &retired) { return retired.time >= oldest || pins.contains(retired.address); };
    auto firstGone = std::partition(m_retired.begin(), m_retired.end(), stays);
    gone.assign(std::make_move_iterator(firstGone), std::make_move_iterator(m_retired.end()));
    m_retired.erase(firstGone, m_retired.end());
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
