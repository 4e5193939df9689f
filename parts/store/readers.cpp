// SPDX-License-Identifier: MIT
#include "parts/store/readers.h"
#include <thread>

namespace dovetail::store {

namespace {

// Of a thread that draws, for somebody who is making files just then, or repairs SQLite's shared memory.
constexpr Database::Patience Patience(20);
constexpr size_t MaxHits = 8192; // that a reader notes

} // namespace

void Readers::Reader::noteHit(const PartKey &key) {
  if (hits.size() < MaxHits)
    hits.emplace_back(key, microsecondsSince1970());
}

Readers::Readers(Database &database, OpenDatabase first) : m_database(database) {
  first.connection->setPatience(Patience);
  m_readers[ownIndex()].open = std::move(first);
}

// Threads begin at different ones, and find there again which pages they read last.
size_t Readers::ownIndex() const {
  return std::hash<std::thread::id>()(std::this_thread::get_id()) % m_readers.size();
}

Readers::Lease Readers::take(std::optional<FileId> &damaged) {
  Lease reader;
  for (size_t index = ownIndex(); !reader; ++index) {
    Reader &next = m_readers[index % m_readers.size()];
    if (!next.isTaken.exchange(true, std::memory_order_acquire))
      reader.reset(&next);
    else if (index % m_readers.size() == 0)
      std::this_thread::yield();
  }

  const Database::Place place = reader->open ? m_database.look(*reader->open) : Database::Place::Taken;
  if (place == Database::Place::Kept)
    return reader;
  if (place == Database::Place::Damaged) {
    damaged = reader->open->id;
    return nullptr;
  }
  reader->open.reset();
  tl::expected<OpenDatabase, Failure> opened = m_database.connect(Patience);
  if (opened) {
    reader->open = std::move(*opened);
    return reader;
  }
  // A missing one is the writer's to find.
  if (opened.error().health == Health::Damaged)
    damaged = FileId();
  return nullptr;
}

void Readers::collectUses(std::map<PartKey, Use> &uses) {
  for (Reader &reader : m_readers) {
    while (reader.isTaken.exchange(true, std::memory_order_acquire))
      std::this_thread::yield();
    const Lease lease(&reader);
    for (const auto &[key, time] : std::exchange(reader.hits, {})) {
      Use &use = uses[key];
      ++use.hits;
      use.lastUsed = std::max(use.lastUsed, time);
    }
  }
}

} // namespace dovetail::store
