// SPDX-License-Identifier: MIT
//
// The part store: parts on disk, in one SQLite database that any number of processes use at once. It holds what may be
// forgotten: whatever is wrong with it, a look-up is a miss, and nothing else happens.
//
// docs/part-store.md says what is in it, who is trusted, and what happens on each kind of damage. An entry is a part,
// the version of the format and a checksum of key and part. Keys name everything that changes code (toolchain_version.h
// among it), so entries of other versions of Dovetail or LLVM are never found; they age until they are evicted.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// The database in the folder of a store. The number is that of the format: versions of Dovetail with different ones do
// not get in each other's way.
constexpr const char *PartStoreFile = "parts-3.sqlite";

struct PartStoreOptions {
  std::string path = {};                 // a folder; it is made, with its parents, if it is missing
  uint64_t maxBytes = uint64_t(1) << 30; // of the files. What was not used for longest is evicted to stay below it.
  bool readOnly = false;
  // Use the folder even if it is a link, belongs to somebody else, or others may write to it: whoever may write to it
  // chooses the machine code that runs.
  bool trustFolder = false;
  // Called at most once for each reason for which the store turns itself off, and once for each damaged database that
  // was put aside; on any thread. It may use the store, but must not let go of the last reference to it; flush() in it
  // returns at once.
  std::function<void(std::string_view)> onWarning = {};
};

struct PartStoreStatistics {
  uint64_t hits = 0, misses = 0;
  uint64_t written = 0;
  // Entries that were found damaged or foreign, and removed; each damaged database that was put aside counts as one.
  uint64_t damaged = 0;
  uint64_t evicted = 0;
  uint64_t dropped = 0; // not written: too much was waiting already, there was no room, or the part is too large
  uint64_t entries = 0; // that are in the store now
  uint64_t bytes = 0;   // of the database that are in use
  bool isReadable = false, isWritable = false;
};

// What is known of an entry without reading its part.
struct PartStoreEntry {
  PartKey key;
  uint64_t bytes = 0; // of the entry
  uint64_t hits = 0;  // as far as they were written down: hits are counted in memory and added now and then
  int64_t created = 0, lastUsed = 0; // seconds since 1970
  std::string gpuName;               // as put() was told
  uint64_t variants = 0;             // about how many different ones noteVariant() was told of
};

// Thread-safe. In a process that was forked off since it was opened, it finds nothing and writes nothing; as long as
// such a process has one, it cannot open others.
class PartStore {
public:
  // A damaged database is renamed and a new one begun. On a file system that is mounted read-only, or with a database
  // that nobody may write to, the store is read-only. Errors: InvalidInput for an empty path; Io, naming the path and
  // the reason (no permission, no space, not to be trusted, damaged and read-only). Callers go on without.
  static Result<std::shared_ptr<PartStore>> open(PartStoreOptions options);
  // Writes what waits to be written.
  virtual ~PartStore() = default;

  // nullptr: a miss. The entry is checked, decoded, and found to have all that its kind needs.
  virtual PartRef find(const PartKey &key) = 0;

  // Has the part written by the store's own thread, soon; never waits for the disk. Parts that are there already are
  // not written again.
  // gpuName: for which GPU it was made, for tools that look into the store.
  virtual void put(const PartRef &part, std::string_view gpuName = {}) = 0;

  // Counts for each of these parts that this variant uses it, once however often the variant is built. For tools that
  // say how well parts are shared; never waits for the disk.
  virtual void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) = 0;

  // Waits until what was put before is on disk, or the store is turned off. Hits are written down, too.
  virtual void flush() = 0;

  // Checks every entry, and the trees that hold them; damaged entries are removed, and a database with a damaged tree
  // is begun anew (not with readOnly, where they are only counted). Errors: Io.
  struct Verification {
    uint64_t entries = 0, damaged = 0;
    std::vector<std::string> defects; // a sentence each
  };
  virtual Result<Verification> verify() = 0;

  // Evicts what was not used for longest until the entries take no more than this. Returns how many went. Errors: Io.
  virtual Result<uint64_t> prune(uint64_t maxBytes) = 0;

  // In the order of the keys, all from one moment. Errors: Io.
  virtual Result<std::vector<PartStoreEntry>> entries() = 0;

  virtual PartStoreStatistics statistics() = 0;
  virtual const PartStoreOptions &options() const = 0;
};

} // namespace dovetail
