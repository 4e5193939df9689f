// SPDX-License-Identifier: MIT
//
// The part store: parts on disk, in one SQLite database that any number of processes use at once. The store holds only
// data that may be lost: whatever is wrong with it, a look-up is a miss, and nothing else happens.
//
// docs/part-store.md says what the store contains, who is trusted, and what happens on each kind of damage. An entry is
// a part, the version of the format and a checksum of key and part. Keys name everything that changes code, including
// toolchain_version.h, so entries of other versions of Dovetail or LLVM are never found; they age until they are
// evicted.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include "src/spirv/validate/valid_modules.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// The database in the folder of a store. The number is that of the format, so versions of Dovetail with different
// formats do not disturb each other.
constexpr const char *PartStoreFile = "parts-4.sqlite";

struct PartStoreOptions {
  std::string path = {};                 // a folder; it is made, with its parents, if it is missing
  uint64_t maxBytes = uint64_t(1) << 30; // of the files; entries unused for longest are evicted to stay below
  bool readOnly = false;
  // Use the folder even if it is a link, belongs to somebody else, or others may write to it. Everyone who may write to
  // it then chooses the machine code that runs.
  bool trustFolder = false;
  // Parts come in bursts, and a commit of many parts costs as much as a commit of one. So the store's thread commits
  // only so long after the first part of a burst, unless somebody waits for it.
  std::chrono::milliseconds gatherTime{20};
  // Whether hits and variants are counted and written down. A store that is only filled needs no such figures.
  bool countsUses = true;
  // Called at most once for each reason for which the store turns itself off, and once for each damaged database that
  // was put aside; on any thread. It may use the store, but must not let go of the last reference to it. A flush()
  // inside it returns at once.
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
  // Of a device's archives (archived_store.h): how many are used, parts that were found in them, damaged ones.
  uint64_t archives = 0, archiveHits = 0, archiveDamaged = 0;
};

// The facts of an entry that are known without reading its part.
struct PartStoreEntry {
  PartKey key;
  uint64_t bytes = 0; // of the entry
  uint64_t hits = 0;  // as far as they are written down: hits are counted in memory and added now and then
  int64_t created = 0, lastUsed = 0; // seconds since 1970
  std::string gpuName;               // as given to put()
  uint64_t variants = 0;             // about how many different ones were given to noteVariant()
};

// Thread-safe. A process that was forked off after the store was opened finds nothing in it and writes nothing. As long
// as such a process has an open store, it cannot open others.
class PartStore : public spirv::ValidModuleStore {
public:
  // A damaged database is renamed and a new one begun. On a file system that is mounted read-only, or with a database
  // that nobody may write to, the store is read-only. Errors: InvalidInput for an empty path; Io, naming the path and
  // the reason (no permission, no space, not to be trusted, damaged and read-only). Callers go on without a store.
  static Result<std::shared_ptr<PartStore>> open(PartStoreOptions options);
  // Writes everything that still waits to be written.
  ~PartStore() override = default;

  // nullptr: a miss. The entry is checked, decoded, and known to have everything that its kind needs.
  virtual PartRef find(const PartKey &key) = 0;

  // The store's own thread writes the part soon; this call never waits for the disk. Parts that are there already are
  // not written again. gpuName: the GPU that the part was made for, for tools that look into the store.
  virtual void put(const PartRef &part, std::string_view gpuName = {}) = 0;

  // Whether this build's validator has accepted the module. Always false with `trustFolder`, because a wrong answer
  // would harm the process.
  bool hasValidModule(const spirv::ModuleDigest &digest) override = 0;
  // The store's own thread writes the digest soon. A store has room for 256 digests for each MiB of `maxBytes`; beyond
  // that, the oldest ones go.
  void putValidModule(const spirv::ModuleDigest &digest) override = 0;

  // Counts this variant as a user of each of these parts, once, however often the variant is built. For tools that show
  // how well parts are shared; never waits for the disk.
  virtual void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) = 0;

  // Waits until everything that was put before is on disk, or the store is turned off. Hits are written down, too.
  virtual void flush() = 0;

  // Checks every entry, and the trees that hold them. Damaged entries are removed, and a database with a damaged tree
  // is begun anew; with readOnly, damage is only counted. Errors: Io.
  struct Verification {
    uint64_t entries = 0, damaged = 0;
    std::vector<std::string> defects; // a sentence each
  };
  virtual Result<Verification> verify() = 0;

  // Evicts the entries that were not used for longest until the rest takes no more than this. Returns how many went.
  // Errors: Io.
  virtual Result<uint64_t> prune(uint64_t maxBytes) = 0;

  // All entries in the order of their keys, from one moment. Errors: Io.
  virtual Result<std::vector<PartStoreEntry>> entries() = 0;

  // The rows of the modules that validators have accepted (store::rowOf), in their order; none with `trustFolder`.
  // Errors: Io.
  virtual Result<std::vector<spirv::ModuleDigest>> validRows() = 0;

  virtual PartStoreStatistics statistics() = 0;
  virtual const PartStoreOptions &options() const = 0;
};

} // namespace dovetail
