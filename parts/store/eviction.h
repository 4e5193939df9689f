// SPDX-License-Identifier: MIT
//
// Keeps the database below its limit. LMDB's file never shrinks, and its pages are copied when they are written, also
// to remove something; so entries are evicted while there is still room to do it, in small commits whose freed pages
// the commits behind them use. What was not used for longest goes first.
#pragma once

#include "parts/store/environment.h"
#include <functional>

namespace dovetail::store {

class Eviction {
public:
  Eviction(Environment &environment, uint64_t maxBytes) : m_environment(environment), m_maxBytes(maxBytes) {}

  // Commits some changes, without looking for room. Returns false to stop.
  using CommitChanges = std::function<bool(std::vector<Change> &changes)>;

  // Evicts a tenth of the limit if what is to be written would not fit, more if that was `tries` times not enough:
  // large values need pages in a row. Returns how many entries went.
  uint64_t makeRoom(uint64_t bytes, size_t changes, unsigned tries, const CommitChanges &commit);
  // Evicts until all entries together take no more than so many bytes.
  uint64_t prune(uint64_t maxBytes, const CommitChanges &commit);
  // Of a part that is worth storing.
  uint64_t maxEntryBytes() const { return m_maxBytes / 16; }
  // What one commit should write at most.
  size_t maxCommitEntries() const { return std::clamp<uint64_t>(m_maxBytes / (64 * 1024), 8, 1024); }
  uint64_t maxCommitBytes() const { return std::min<uint64_t>(m_maxBytes / 32, uint64_t(4) << 20); }

private:
  struct Candidate {
    int64_t lastUsed;
    uint32_t bytes;
    KeyRecord key; // in Table::Usage
  };

  std::vector<Candidate> candidates();
  uint64_t evict(std::vector<Candidate> candidates, const std::function<bool()> &isEnough, const CommitChanges &commit);
  bool hasRoom(uint64_t bytes);

  Environment &m_environment;
  uint64_t m_maxBytes;
};

} // namespace dovetail::store
