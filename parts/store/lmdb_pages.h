// SPDX-License-Identifier: MIT
//
// Reads LMDB's data file without LMDB. LMDB trusts its pages: one flipped bit in a tree and it may read or write
// anywhere, or abort. So all reading of the part store is done here, where every page number, offset and length is
// checked before it is followed; LMDB itself is used for transactions and writing, and only after the whole structure
// was checked (structure_check.h).
//
// Facts of the format, version 1, as 64-bit little-endian builds of LMDB 0.9 lay it out (lmdb.h; mdb.c: MDB_page,
// MDB_node, MDB_db, MDB_meta):
//   page     u64 own number, u16 pad, u16 flags (1 branch, 2 leaf, 4 overflow, 8 meta), then for trees u16 lower, u16
//            upper and from byte 16 to `lower` u16 offsets of nodes; for overflow u32 the number of pages in the run.
//            Nodes lie between `upper` and the page's end, sorted by key through the offsets.
//   node     u16 low, u16 high, u16 flags, u16 key size, the key, then the data. Branch: low, high and flags are the
//            child's page number, and the first node's key counts as lower than all. Leaf: low and high are the data's
//            size; flag 1 says that the data is the number of an overflow page, where it begins at byte 16.
//   db       u32 pad, u16 flags, u16 depth, u64 branch, leaf and overflow pages, u64 entries, u64 root page (all ones:
//            empty).
//   meta     pages 0 and 1: after the page header u32 magic, u32 version, u64 address, u64 map size, db of the free
//            list (its pad is the page size, its flags those of the file), db of the data, u64 last page, u64
//            transaction. Transaction n writes page n mod 2, so the state before it stays whole.
//   free list  keys: u64 transaction that freed; data: u64 count, then so many page numbers, descending.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dovetail::store {

using Bytes = std::span<const uint8_t>;

// The mapped file.
struct FileView {
  const uint8_t *data = nullptr;
  uint64_t bytes = 0; // that may be read: within the file and within the mapping
};

struct Tree {
  uint16_t flags = 0;
  uint16_t depth = 0;
  uint64_t branchPages = 0, leafPages = 0, overflowPages = 0;
  uint64_t entries = 0;
  uint64_t root = 0;

  bool isEmpty() const { return root == ~uint64_t(0); }
};

// One state of the database, and where everything is in it.
struct Snapshot {
  uint32_t pageSize = 0;
  uint64_t mapSize = 0;
  Tree freeList, data;
  uint64_t lastPage = 0;
  uint64_t transaction = 0;
};

// Reads one of the two meta pages. Nothing if it is none of LMDB's, or not of the kind that the part store makes.
std::optional<Snapshot> readMeta(FileView file, unsigned which);
// The newer state. Nothing unless both meta pages are valid, as LMDB wants.
std::optional<Snapshot> newestSnapshot(FileView file);

enum class Lookup : uint8_t {
  Found,
  Absent,
  Broken, // a page on the way is damaged
};

// Looks a key up. The value is where it lies in the file.
Lookup find(FileView file, const Snapshot &snapshot, Bytes key, Bytes &value);

// What a walk meets. All may be left empty.
struct Walk {
  // In the order of the keys. false: stop.
  std::function<bool(Bytes key, Bytes value)> entry;
  // A subtree or a value that cannot be read and is left out. A sentence.
  std::function<void(std::string defect)> defect;
};

// The pages that a walk met; a page is met only once, so walks end whatever the pages say.
struct SeenPages {
  explicit SeenPages(uint64_t pages) : seen(pages) {}
  // false: it was there already, or does not exist.
  bool add(uint64_t page);

  std::vector<bool> seen;
  uint64_t branch = 0, leaf = 0, overflow = 0;
  uint64_t entries = 0;
};

// Keys of the free list are numbers, those of the data bytes.
enum class KeyOrder : uint8_t { Bytes, Number };

// Walks over the keys that are not below `from`.
void walk(FileView file, const Snapshot &snapshot, const Tree &tree, KeyOrder order, Bytes from, SeenPages &seen,
          const Walk &callbacks);

// A record of a leaf that is looked at on its own, whichever tree it belongs or belonged to.
struct LeafRecord {
  Bytes key;
  uint32_t valueBytes = 0;
  Bytes value;                      // if it lies in the leaf
  std::optional<uint64_t> overflow; // otherwise: the first of its own pages
};

// Visits the records of a page that lie within it, if it is a leaf and has this number.
void forEachRecord(Bytes page, uint64_t number, const std::function<void(const LeafRecord &)> &visit);

// How many pages a value of its own pages takes.
uint64_t overflowPages(uint32_t valueBytes, uint32_t pageSize);
// The value that these pages hold, of which the first has this number. Nothing if they are none of this length.
std::optional<Bytes> overflowValue(Bytes run, uint64_t first, uint32_t valueBytes, uint32_t pageSize);

} // namespace dovetail::store
