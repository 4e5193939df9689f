// SPDX-License-Identifier: MIT
//
// Gets what is whole out of a database that was put aside because of damage. Its trees are not believed: all pages are
// read one after the other, and each record that lies in a leaf is looked at on its own. An entry is taken if its
// checksum, version and key hold, and its part can be decoded. Copies on pages that were freed are as right as those
// in use, because a part is a pure function of its key; so what was evicted may come back, and is evicted again if
// there is no room for it.
//
// The file is read twice: first the usage of entries, which lies on other leaves than they do, then the entries. It is
// read with read calls and not mapped, so that a sector that the disk cannot read, or a file that is cut off meanwhile,
// is an error and not a signal.
#pragma once

#include "parts/store/entry.h"
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace dovetail::store {

struct SalvagedEntry {
  PartKey key;
  std::vector<uint8_t> entry; // a record of Table::Parts
  UsageRecord usage;
};

class Salvage {
public:
  // `file` stays the caller's. No more than so many bytes of entries are taken, and none that is larger than
  // `maxEntryBytes`.
  Salvage(int file, uint64_t maxBytes, uint64_t maxEntryBytes);

  // Whether the store that is written to has an entry already.
  using IsThere = std::function<bool(const PartKey &key)>;

  // Reads on for a few milliseconds, or until it has found so many entries, and a few more. Nothing may have been
  // found. false: the end was reached before.
  bool advance(const IsThere &isThere, size_t maxEntries, uint64_t maxEntriesBytes, std::vector<SalvagedEntry> &found);

  // That are read.
  uint64_t fileBytes() const { return m_fileBytes; }
  // Whether anything of ours was in the file.
  bool isOurs() const { return m_isOurs; }
  // At the end: of how many entries only the usage was found. They need not have been in use: they may have been
  // evicted.
  uint64_t countLost(const IsThere &isThere) const;

private:
  enum class Pass : uint8_t { Usage, Entries, End };
  struct Known {
    PartKey key;
    UsageRecord usage;
    bool isFound = false;
  };

  Bytes chunkAt(uint64_t page);
  void noteUsage(const LeafRecord &record);
  void sortKnown();
  Known *knownOf(const PartKey &key);
  void take(const LeafRecord &record, const IsThere &isThere, std::vector<SalvagedEntry> &found);
  std::optional<Bytes> valueOf(const LeafRecord &record);

  int m_file;
  uint64_t m_fileBytes = 0;
  uint64_t m_maxBytes, m_maxEntryBytes;
  uint32_t m_pageSize;
  int64_t m_now;

  Pass m_pass = Pass::Usage;
  uint64_t m_page = 0;          // the next one
  std::vector<uint8_t> m_chunk; // some pages from m_chunkPage on
  uint64_t m_chunkPage = 0;
  std::vector<uint8_t> m_run; // the value that was read last from pages of its own
  uint64_t m_runBytes = 0;    // that were read for such values
  uint64_t m_takenBytes = 0;
  bool m_isOurs = false;
  std::vector<Known> m_known; // in the second pass: sorted by key
  bool m_isKnownFull = false;
  std::set<PartKey> m_taken; // by the last call of advance
};

} // namespace dovetail::store
