// SPDX-License-Identifier: MIT
#include "parts/compile/key_bytes.h"
#include "parts/compile/toolchain_version.h"
#include "parts/elf/part_elf.h"
#include "parts/kinds/monolithic.h"
#include "parts/store/archive_format.h"
#include "parts/store/database.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dovetail {

namespace {

constexpr const char *ArchiveTables =
    "PRAGMA page_size={};PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;"
    "PRAGMA application_id={};"
    "CREATE TABLE about(name TEXT PRIMARY KEY,value) WITHOUT ROWID;"
    "CREATE TABLE build(number INTEGER PRIMARY KEY,id TEXT);"
    "CREATE TABLE gpu(number INTEGER PRIMARY KEY,name TEXT);"
    "CREATE TABLE part(id INTEGER PRIMARY KEY,kind INT,high INT,build INT,gpu INT,value BLOB);"
    "CREATE TABLE valid(digest BLOB PRIMARY KEY) WITHOUT ROWID;"
    "BEGIN";

} // namespace

ArchiveWriter::ArchiveWriter(const std::string &path)
    : m_path(path), m_temporary(fmt::format("{}.{}", path, getpid())) {}

ArchiveWriter::~ArchiveWriter() {
  if (!m_connection)
    return;
  m_connection.reset();
  unlink(m_temporary.c_str());
}

Result<void> ArchiveWriter::check(int code) {
  if (code == SQLITE_OK)
    return {};
  return makeError(ErrorCode::Io, "archive {}: {}", m_path, m_connection->message());
}

Result<std::unique_ptr<ArchiveWriter>> ArchiveWriter::create(const std::string &path) {
  std::unique_ptr<ArchiveWriter> writer(new ArchiveWriter(path));
  const int file = ::open(writer->m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  char resolved[PATH_MAX];
  if (file < 0 || ::fchmod(file, 0644) != 0 || ::close(file) != 0 || !realpath(writer->m_temporary.c_str(), resolved))
    return makeError(ErrorCode::Io, "archive {}: {}", path, std::strerror(errno));
  writer->m_connection = std::make_unique<store::Connection>(resolved, store::Access::Write);
  DOVETAIL_CHECK(writer->check(writer->m_connection->code()));
  DOVETAIL_CHECK(
      writer->check(writer->m_connection->runAll(fmt::format(ArchiveTables, store::PageBytes, ArchiveApplicationId))));
  return writer;
}

Result<void> ArchiveWriter::add(const ArchiveEntry &entry, std::span<const uint8_t> value) {
  const auto numberOf = [](std::vector<std::string> &list, const std::string &word) {
    const auto found = std::ranges::find(list, word);
    const int64_t number = found - list.begin();
    if (found == list.end())
      list.push_back(word);
    return number;
  };
  const int code = m_connection->run("INSERT OR IGNORE INTO part VALUES(?,?,?,?,?,?)", store::rowOf(entry.key),
                                     int64_t(entry.key.kind), int64_t(entry.key.hash.high),
                                     numberOf(m_builds, entry.build), numberOf(m_gpus, entry.gpu), value);
  DOVETAIL_CHECK(check(code));
  if (m_connection->changes() == 0)
    return {};
  ++m_about.parts;
  addToArchiveDigest(m_digest, entry.key, entry.build, entry.gpu, value);
  return {};
}

Result<void> ArchiveWriter::addValid(const spirv::ModuleDigest &row) {
  DOVETAIL_CHECK(check(m_connection->run("INSERT OR IGNORE INTO valid VALUES(?)", store::Bytes(row))));
  if (m_connection->changes() == 0)
    return {};
  ++m_about.validModules;
  m_digest.addBytes(std::as_bytes(std::span(row)));
  return {};
}

Result<ArchiveAbout> ArchiveWriter::finish() {
  m_about.digest = m_digest.finish().toHex();
  m_about.builds = m_builds;
  m_about.gpus = m_gpus;
  std::ranges::sort(m_about.builds);
  std::ranges::sort(m_about.gpus);
  for (size_t number = 0; number < m_builds.size(); ++number)
    DOVETAIL_CHECK(check(m_connection->run("INSERT INTO build VALUES(?,?)", int64_t(number), m_builds[number])));
  for (size_t number = 0; number < m_gpus.size(); ++number)
    DOVETAIL_CHECK(check(m_connection->run("INSERT INTO gpu VALUES(?,?)", int64_t(number), m_gpus[number])));
  constexpr const char *SetNumber = "INSERT INTO about VALUES(?,?)", *SetText = "INSERT INTO about VALUES (?,?)";
  DOVETAIL_CHECK(check(m_connection->run(SetNumber, std::string_view("format"), ArchiveFormatVersion)));
  DOVETAIL_CHECK(check(m_connection->run(SetNumber, std::string_view("parts"), int64_t(m_about.parts))));
  DOVETAIL_CHECK(check(m_connection->run(SetNumber, std::string_view("valid"), int64_t(m_about.validModules))));
  DOVETAIL_CHECK(check(m_connection->run(SetText, std::string_view("digest"), m_about.digest)));
  const std::string checksum = archiveChecksum(m_about);
  DOVETAIL_CHECK(check(m_connection->run(SetText, std::string_view("checksum"), checksum)));
  DOVETAIL_CHECK(check(m_connection->runAll("COMMIT")));
  const int file = ::open(m_temporary.c_str(), O_RDONLY | O_CLOEXEC);
  const bool isSynced = file >= 0 && ::fsync(file) == 0;
  const int failure = errno;
  ::close(file);
  errno = failure;
  if (!isSynced || ::rename(m_temporary.c_str(), m_path.c_str()) != 0)
    return makeError(ErrorCode::Io, "archive {}: {}", m_path, std::strerror(errno));
  m_connection.reset();
  return m_about;
}

Result<ArchiveAbout> makeArchive(PartStore &store, const std::string &path, std::span<const std::string> gpus,
                                 uint64_t *leftOut) {
  std::vector<PartStoreEntry> entries = DOVETAIL_TRY(store.entries());
  std::ranges::sort(entries, {}, [](const PartStoreEntry &entry) { return store::rowOf(entry.key); });
  const std::unique_ptr<ArchiveWriter> writer = DOVETAIL_TRY(ArchiveWriter::create(path));
  const std::string build = toolchainVersion().toHex();
  for (const PartStoreEntry &entry : entries) {
    if (!gpus.empty() && std::ranges::count(gpus, entry.gpuName) == 0)
      continue;
    const PartRef part = store.find(entry.key);
    if (!part || !isOfThisBuild(*part)) {
      if (leftOut)
        ++*leftOut;
      continue;
    }
    const std::vector<uint8_t> value = store::encodeEntry(archivedPart(*part));
    DOVETAIL_CHECK(writer->add({entry.key, build, entry.gpuName, value.size()}, value));
  }
  for (const spirv::ModuleDigest &row : DOVETAIL_TRY(store.validRows()))
    DOVETAIL_CHECK(writer->addValid(row));
  return writer->finish();
}

Part archivedPart(const Part &part) {
  Part archived = part;
  archived.description.clear();
  archived.buildMicroseconds = 0;
  return archived;
}

bool isOfThisBuild(const Part &part) {
  if (part.key.kind != PartKind::Monolithic)
    return hashOfKeyFields(part.keyFields) == part.key.hash;
  // These keys leave out what a function's hash covers.
  if (const std::optional<MonolithicKey> key = decodeKey<MonolithicKey>(part.keyFields))
    return key->partKey() == part.key;
  const std::optional<MonolithicMergedKey> key = decodeKey<MonolithicMergedKey>(part.keyFields);
  return key && key->partKey() == part.key;
}

} // namespace dovetail
