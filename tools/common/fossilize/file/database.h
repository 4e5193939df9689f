// SPDX-License-Identifier: MIT
//
// Reads and writes Fossilize databases (.foz): streams of entries that keep captures of Vulkan pipelines, as
// github.com/ValveSoftware/Fossilize describes them (fossilize_db.cpp). An entry holds a Vulkan object under its kind
// and a hash of 64 bits: JSON, and for shader modules SPIR-V behind it.
//
// A database may have more pipelines than fit into memory. So opening one reads only the entries' headers; read() loads
// an entry's content. Writers are often killed. So an entry that is cut off at the end of the file is ignored, as
// Fossilize does.
#pragma once

#include "src/base/error.h"
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace dovetail::fossilize {

// The kinds of entries, by Fossilize's numbers.
enum class Kind : uint32_t {
  ApplicationInfo = 0,
  Sampler = 1,
  DescriptorSetLayout = 2,
  PipelineLayout = 3,
  ShaderModule = 4,
  RenderPass = 5, // also for vkCreateRenderPass2
  GraphicsPipeline = 6,
  ComputePipeline = 7,
  ApplicationBlobLink = 8,
  RaytracingPipeline = 9,
  BucketInfo = 10,
};
constexpr unsigned KindCount = 11;

std::string_view toString(Kind kind);

// The name of an object in databases; 0 is VK_NULL_HANDLE.
struct ObjectHash {
  uint64_t value = 0;

  auto operator<=>(const ObjectHash &) const = default;
  explicit operator bool() const { return value != 0; }
  // 16 lower-case hexadecimal digits.
  std::string toHex() const;
};

// The versions of the file and of its JSON that can be read; the newest is written.
constexpr unsigned OldestVersion = 5, NewestVersion = 6;

// Entries with larger payloads are refused.
constexpr uint64_t MaxPayloadBytes = uint64_t(256) << 20;

struct Entry {
  uint64_t hash = 0;
  uint64_t offset = 0; // of the payload
  uint32_t storedBytes = 0, payloadBytes = 0;
  uint32_t checksum = 0; // 0: none
  uint8_t kind = 0;
  bool isDeflated = false;
};

// Immutable, and safe to share between threads and with forked processes.
class Database {
public:
  // Reads the entries' headers: about 40 bytes of memory for each entry. Errors: Io; InvalidInput, with the offset, for
  // a file that is no Fossilize database, for another version, and for damaged headers.
  static Result<std::shared_ptr<const Database>> open(const std::string &path);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  const std::string &path() const { return m_path; }
  unsigned version() const { return m_version; }
  // In the order of the file. Of entries with the same kind and hash, only the first counts.
  std::span<const Entry> entries() const { return m_entries; }
  // Graphics and compute pipelines, in the order of the file, as indices into entries().
  std::span<const uint32_t> pipelines() const { return m_pipelines; }
  // nullptr: no such entry.
  const Entry *find(Kind kind, ObjectHash hash) const;
  // The offset of an entry that is cut off; otherwise the file's size.
  uint64_t end() const { return m_end; }
  uint64_t fileBytes() const { return m_fileBytes; }

  // The payload, inflated and checked. Errors: Io; InvalidInput, with the entry's offset, if it is damaged.
  Result<std::vector<uint8_t>> read(const Entry &entry) const;

private:
  Database() = default;
  Result<void> readHeaders();

  std::string m_path;
  int m_file = -1;
  uint64_t m_fileBytes = 0, m_end = 0;
  unsigned m_version = 0;
  std::vector<Entry> m_entries;
  std::vector<uint32_t> m_byHash; // indices into m_entries, sorted by kind and hash
  std::vector<uint32_t> m_pipelines;
};

// Thread-safe. When a call returns, its entry is in the file. Each entry is one write, so a killed process leaves a
// readable database.
class DatabaseWriter {
public:
  enum class Mode { Replace, Append };

  // Append: writes behind the last whole entry of an existing database. Errors: Io; those of Database::open().
  static Result<std::unique_ptr<DatabaseWriter>> open(const std::string &path, Mode mode);
  ~DatabaseWriter();
  DatabaseWriter(const DatabaseWriter &) = delete;
  DatabaseWriter &operator=(const DatabaseWriter &) = delete;

  // Does nothing if the database has the entry. Errors: Io; InvalidInput for a payload that is too large.
  Result<void> write(Kind kind, ObjectHash hash, std::span<const uint8_t> payload);
  bool has(Kind kind, ObjectHash hash) const;

private:
  DatabaseWriter() = default;

  std::string m_path;
  int m_file = -1;
  mutable std::mutex m_mutex;
  std::array<std::unordered_set<uint64_t>, KindCount> m_written;
};

} // namespace dovetail::fossilize
