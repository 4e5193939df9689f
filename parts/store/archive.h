// SPDX-License-Identifier: MIT
//
// An archive: parts in one read-only SQLite file, which a game or a distribution ships. A device looks into its
// archives before it looks into its own store (archived_store.h). A part is in an archive as in a store (entry.h); so
// any damage is a miss. docs/part-store.md says who is trusted.
//
//   about        format, counts, the digest of all parts, and the checksum of this table and the next two
//   build, gpu   the builds and GPUs that the archive has parts for, numbered
//   part         a row for each part; found as in a store
//   valid        the modules that the validator of a build has accepted, as in a store
//
// Equal parts make equal archives, byte for byte: parts are in the order of their rows, without the time that making
// them took and without the names of the shaders that they were made for.
#pragma once

#include "parts/store/connection.h"
#include "parts/store/part_store.h"
#include "src/base/hash.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <unistd.h>

namespace dovetail {

struct ArchiveAbout {
  std::vector<std::string> builds, gpus; // builds as dovetail_build_id() prints them; sorted
  uint64_t parts = 0, validModules = 0;
  std::string digest; // of all parts and modules
};

struct ArchiveEntry {
  PartKey key;
  std::string build, gpu;
  uint64_t bytes = 0; // of the entry
};

// Thread-safe. A process that was forked off finds nothing.
class Archive {
public:
  // Reads what the archive is about. Errors: Io for a file that cannot be read or that others may write to (its owner
  // must be this user or root); InvalidInput for a file that is no archive, of another format, or damaged in `about`.
  static Result<std::shared_ptr<Archive>> open(const std::string &path);

  const std::string &path() const { return m_path; }
  const ArchiveAbout &about() const { return m_about; }

  // nullptr: a miss. A part that is damaged is a miss, and counted.
  PartRef find(const PartKey &key);
  // Whether the validator of this build has accepted the module.
  bool hasValidModule(const spirv::ModuleDigest &digest);
  uint64_t damaged() const { return m_damaged; }

  // In the order of the rows. Errors: Io.
  Result<std::vector<ArchiveEntry>> entries();
  // The bytes of an entry, unchecked. Errors: Io.
  Result<std::vector<uint8_t>> value(const PartKey &key);
  // The rows of valid modules (store::rowOf). Errors: Io.
  Result<std::vector<spirv::ModuleDigest>> validRows();

  // Reads everything. The defects, a sentence each; at most 20. Errors: Io.
  Result<std::vector<std::string>> verify();

private:
  explicit Archive(std::string path) : m_path(std::move(path)) {}
  struct GiveBack {
    void operator()(store::Connection *connection) const;
    Archive *archive;
  };
  using Lease = std::unique_ptr<store::Connection, GiveBack>;
  Lease lease();
  tl::unexpected<Error> failure(store::Connection &connection, ErrorCode code = ErrorCode::Io) const;
  Result<void> readAbout();

  const std::string m_path;
  const pid_t m_process = getpid();
  ArchiveAbout m_about;
  std::atomic<uint64_t> m_damaged = 0;
  std::mutex m_mutex; // guards the connections that nobody uses
  std::vector<std::unique_ptr<store::Connection>> m_idle;
};

// Writes an archive to a temporary file beside `path`, which finish() renames.
class ArchiveWriter {
public:
  // Errors: Io.
  static Result<std::unique_ptr<ArchiveWriter>> create(const std::string &path);
  // Without finish(), the temporary file is removed.
  ~ArchiveWriter();

  // Entries come in the order of their rows (store::rowOf). Of entries with the same row, the first one counts. Errors:
  // Io.
  Result<void> add(const ArchiveEntry &entry, std::span<const uint8_t> value);
  // `row`: store::rowOf(). Errors: Io.
  Result<void> addValid(const spirv::ModuleDigest &row);
  // Syncs and renames. Errors: Io.
  Result<ArchiveAbout> finish();

private:
  explicit ArchiveWriter(const std::string &path);
  Result<void> check(int code);

  const std::string m_path, m_temporary;
  std::unique_ptr<store::Connection> m_connection;
  std::vector<std::string> m_builds, m_gpus; // by number
  ArchiveAbout m_about;
  Hasher m_digest;
};

// Makes an archive of the store's parts of this build: nobody needs those of others, and only their own build can check
// them. `gpus`: those that are wanted; empty: all. `leftOut`: gets the number of parts of other builds and damaged
// ones. Errors: Io.
Result<ArchiveAbout> makeArchive(PartStore &store, const std::string &path, std::span<const std::string> gpus = {},
                                 uint64_t *leftOut = nullptr);

// The part as archives have it: the same for everyone who makes it.
Part archivedPart(const Part &part);

// Whether the part's key is one of this build of Dovetail and LLVM. The key tells it, so nobody can be wrong about it.
bool isOfThisBuild(const Part &part);

} // namespace dovetail
