// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/file/database.h"
#include "tools/common/fossilize/file/database_format.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace dovetail::fossilize {

namespace {

std::string_view systemReason() {
  return std::strerror(errno);
}

// Returns whether the file had all bytes.
Result<bool> readAt(int file, uint64_t offset, std::span<uint8_t> bytes, const std::string &path) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pread(file, bytes.data() + done, bytes.size() - done, off_t(offset + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeError(ErrorCode::Io, "cannot read {}: {}", path, systemReason());
    if (count == 0)
      return false;
    done += size_t(count);
  }
  return true;
}

std::optional<uint64_t> parseHex(std::span<const uint8_t> digits) {
  uint64_t value = 0;
  for (uint8_t c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0 || value >> 60)
      return std::nullopt;
    value = value << 4 | unsigned(digit);
  }
  return value;
}

uint32_t readNumber(const uint8_t *bytes) {
  return uint32_t(bytes[0]) | uint32_t(bytes[1]) << 8 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[3]) << 24;
}

void appendNumber(std::vector<uint8_t> &bytes, uint32_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes.push_back(uint8_t(number >> shift));
}

auto placeOf(const Entry &entry) {
  return std::pair(entry.kind, entry.hash);
}

} // namespace

std::string_view toString(Kind kind) {
  switch (kind) {
  case Kind::ApplicationInfo:
    return "application";
  case Kind::Sampler:
    return "sampler";
  case Kind::DescriptorSetLayout:
    return "descriptor set layout";
  case Kind::PipelineLayout:
    return "pipeline layout";
  case Kind::ShaderModule:
    return "shader module";
  case Kind::RenderPass:
    return "render pass";
  case Kind::GraphicsPipeline:
    return "graphics pipeline";
  case Kind::ComputePipeline:
    return "compute pipeline";
  case Kind::ApplicationBlobLink:
    return "application link";
  case Kind::RaytracingPipeline:
    return "ray tracing pipeline";
  case Kind::BucketInfo:
    return "bucket";
  }
  return "?";
}

std::string ObjectHash::toHex() const {
  return fmt::format("{:016x}", value);
}

Result<std::shared_ptr<const Database>> Database::open(const std::string &path) {
  std::shared_ptr<Database> database(new Database);
  database->m_path = path;
  database->m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (database->m_file < 0 || fstat(database->m_file, &status) != 0)
    return makeError(ErrorCode::Io, "cannot read {}: {}", path, systemReason());
  if (!S_ISREG(status.st_mode))
    return makeError(ErrorCode::InvalidInput,
                     "{}: a Fossilize database is read here and there, which takes a regular file", path);
  database->m_fileBytes = uint64_t(status.st_size);
  DOVETAIL_CHECK(database->readHeaders());
  return std::shared_ptr<const Database>(std::move(database));
}

Database::~Database() {
  if (m_file >= 0)
    close(m_file);
}

Result<void> Database::readHeaders() {
  std::array<uint8_t, FileHeaderBytes> head = {};
  const bool isWhole = DOVETAIL_TRY(readAt(m_file, 0, head, m_path));
  if (!isWhole ||
      !std::equal(Magic.begin(), Magic.end(), head.begin(), [](char c, uint8_t byte) { return uint8_t(c) == byte; }))
    return makeError(ErrorCode::InvalidInput, "{}: offset 0: not a Fossilize database", m_path);
  m_version = head.back();
  if (m_version < OldestVersion || m_version > NewestVersion)
    return makeError(ErrorCode::InvalidInput, "{}: offset 15: version {} of Fossilize databases; {} to {} are known",
                     m_path, m_version, OldestVersion, NewestVersion);

  std::array<uint8_t, EntryHeaderBytes> header = {};
  for (m_end = FileHeaderBytes; m_end + EntryHeaderBytes <= m_fileBytes;) {
    if (!DOVETAIL_TRY(readAt(m_file, m_end, header, m_path)))
      break;
    const std::optional<uint64_t> kind = parseHex(std::span(header).first(KindDigits));
    const std::optional<uint64_t> hash = parseHex(std::span(header).subspan(KindDigits, HashDigits));
    if (!kind || !hash)
      return makeError(ErrorCode::InvalidInput, "{}: offset {}: an entry's name has 40 hexadecimal digits", m_path,
                       m_end);
    const uint8_t *numbers = header.data() + KindDigits + HashDigits;
    const uint32_t compression = readNumber(numbers + 4);
    Entry entry = {.hash = *hash,
                   .offset = m_end + EntryHeaderBytes,
                   .storedBytes = readNumber(numbers),
                   .payloadBytes = readNumber(numbers + 12),
                   .checksum = readNumber(numbers + 8),
                   .kind = uint8_t(*kind),
                   .isDeflated = compression == Deflated};
    if (compression != Stored && compression != Deflated)
      return makeError(ErrorCode::InvalidInput, "{}: offset {}: an entry's compression is 1 or 2, found {}", m_path,
                       m_end, compression);
    if (entry.offset + entry.storedBytes > m_fileBytes)
      break;
    m_end = entry.offset + entry.storedBytes;
    // Skip kinds that later versions may add.
    if (*kind < KindCount)
      m_entries.push_back(entry);
  }

  if (m_entries.size() > UINT32_MAX)
    return makeError(ErrorCode::InvalidInput, "{}: has more than 2^32 entries", m_path);
  m_byHash.resize(m_entries.size());
  for (size_t index = 0; index < m_entries.size(); ++index)
    m_byHash[index] = uint32_t(index);
  // Of equal entries, the first in the file is sorted first and kept.
  auto comesBefore = [&](uint32_t a, uint32_t b) {
    return std::pair(placeOf(m_entries[a]), a) < std::pair(placeOf(m_entries[b]), b);
  };
  std::ranges::sort(m_byHash, comesBefore);
  auto isSame = [&](uint32_t a, uint32_t b) { return placeOf(m_entries[a]) == placeOf(m_entries[b]); };
  m_byHash.erase(std::ranges::unique(m_byHash, isSame).begin(), m_byHash.end());
  for (uint32_t index : m_byHash)
    if (Kind kind = Kind(m_entries[index].kind); kind == Kind::GraphicsPipeline || kind == Kind::ComputePipeline)
      m_pipelines.push_back(index);
  std::ranges::sort(m_pipelines);
  return {};
}

const Entry *Database::find(Kind kind, ObjectHash hash) const {
  const std::pair wanted(uint8_t(kind), hash.value);
  auto found =
      std::ranges::lower_bound(m_byHash, wanted, {}, [&](uint32_t index) { return placeOf(m_entries[index]); });
  return found != m_byHash.end() && placeOf(m_entries[*found]) == wanted ? &m_entries[*found] : nullptr;
}

Result<std::vector<uint8_t>> Database::read(const Entry &entry) const {
  auto damaged = [&](std::string_view what) {
    return makeError(ErrorCode::InvalidInput, "{}: offset {}: {} {}: {}", m_path, entry.offset - EntryHeaderBytes,
                     toString(Kind(entry.kind)), ObjectHash{entry.hash}.toHex(), what);
  };
  if (entry.payloadBytes > MaxPayloadBytes || entry.storedBytes > MaxPayloadBytes)
    return damaged("larger than 256 MiB");
  if (!entry.isDeflated && entry.storedBytes != entry.payloadBytes)
    return damaged("two sizes of a payload that is not compressed");
  if (entry.isDeflated && entry.payloadBytes > entry.storedBytes * MaxInflation)
    return damaged("more bytes than can have been deflated to so few");
  std::vector<uint8_t> stored(entry.storedBytes);
  if (!DOVETAIL_TRY(readAt(m_file, entry.offset, stored, m_path)))
    return damaged("the file has become shorter");
  if (entry.checksum && crc32(0, stored.data(), entry.storedBytes) != entry.checksum)
    return damaged("the checksum is another");
  if (!entry.isDeflated)
    return stored;
  std::vector<uint8_t> payload(entry.payloadBytes);
  uLongf bytes = entry.payloadBytes;
  uint8_t nothing = 0;
  if (uncompress(payload.empty() ? &nothing : payload.data(), &bytes, stored.data(), entry.storedBytes) != Z_OK ||
      bytes != entry.payloadBytes)
    return damaged("cannot be inflated");
  return payload;
}

Result<std::unique_ptr<DatabaseWriter>> DatabaseWriter::open(const std::string &path, Mode mode) {
  std::unique_ptr<DatabaseWriter> writer(new DatabaseWriter);
  writer->m_path = path;
  struct stat status = {};
  const bool appends = mode == Mode::Append && stat(path.c_str(), &status) == 0 && status.st_size > 0;
  uint64_t end = 0;
  if (appends) {
    std::shared_ptr<const Database> known = DOVETAIL_TRY(Database::open(path));
    if (known->version() != NewestVersion)
      return makeError(ErrorCode::InvalidInput, "{}: of version {}; only version {} is written", path, known->version(),
                       NewestVersion);
    for (const Entry &entry : known->entries())
      writer->m_written[entry.kind].insert(entry.hash);
    end = known->end();
  }
  writer->m_file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? 0 : O_TRUNC), 0666);
  // A cut-off entry is overwritten.
  if (writer->m_file < 0 || (appends && ftruncate(writer->m_file, off_t(end)) != 0) ||
      lseek(writer->m_file, 0, SEEK_END) < 0)
    return makeError(ErrorCode::Io, "cannot write {}: {}", path, systemReason());
  if (appends)
    return writer;
  std::array<uint8_t, FileHeaderBytes> head = {};
  std::ranges::copy(Magic, head.begin());
  head.back() = NewestVersion;
  if (::write(writer->m_file, head.data(), head.size()) != ssize_t(head.size()))
    return makeError(ErrorCode::Io, "cannot write {}: {}", path, systemReason());
  return writer;
}

DatabaseWriter::~DatabaseWriter() {
  if (m_file >= 0)
    close(m_file);
}

bool DatabaseWriter::has(Kind kind, ObjectHash hash) const {
  std::lock_guard lock(m_mutex);
  return m_written[size_t(kind)].contains(hash.value);
}

Result<void> DatabaseWriter::write(Kind kind, ObjectHash hash, std::span<const uint8_t> payload) {
  if (payload.size() > MaxPayloadBytes)
    return makeError(ErrorCode::InvalidInput, "{}: {} {} is larger than 256 MiB", m_path, toString(kind), hash.toHex());
  if (has(kind, hash))
    return {};
  // Deflate outside of the lock. Fossilize's deflate means zlib streams.
  std::vector<uint8_t> deflated(compressBound(payload.size()));
  uLongf deflatedBytes = deflated.size();
  const bool isDeflated =
      compress2(deflated.data(), &deflatedBytes, payload.data(), payload.size(), Z_BEST_SPEED) == Z_OK &&
      deflatedBytes < payload.size();
  const std::span<const uint8_t> stored =
      isDeflated ? std::span<const uint8_t>(deflated).first(deflatedBytes) : payload;

  const std::string name = fmt::format("{:024x}{:016x}", uint32_t(kind), hash.value);
  std::vector<uint8_t> entry(name.begin(), name.end());
  appendNumber(entry, uint32_t(stored.size()));
  appendNumber(entry, isDeflated ? Deflated : Stored);
  appendNumber(entry, uint32_t(crc32(0, stored.data(), uInt(stored.size()))));
  appendNumber(entry, uint32_t(payload.size()));
  entry.insert(entry.end(), stored.begin(), stored.end());

  std::lock_guard lock(m_mutex);
  if (!m_written[size_t(kind)].insert(hash.value).second)
    return {}; // another thread has written it
  for (size_t done = 0; done < entry.size();) {
    const ssize_t count = ::write(m_file, entry.data() + done, entry.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return makeError(ErrorCode::Io, "cannot write {}: {}", m_path, systemReason());
    done += size_t(count);
  }
  return {};
}

} // namespace dovetail::fossilize
