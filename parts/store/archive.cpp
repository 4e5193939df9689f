// SPDX-License-Identifier: MIT
#include "parts/store/archive.h"
#include "parts/compile/toolchain_version.h"
#include "parts/store/archive_format.h"
#include "parts/store/entry.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>

namespace dovetail {

using store::Bytes;
using store::Connection;

namespace {

constexpr size_t MaxIdleConnections = 8, MaxDefects = 20;

// Archives are shipped, so root may own them, too.
Result<std::string> resolve(const std::string &path) {
  char resolved[PATH_MAX];
  struct stat status;
  const auto refuse = [&](std::string_view reason) { return makeError(ErrorCode::Io, "archive {}: {}", path, reason); };
  if (!realpath(path.c_str(), resolved) || stat(resolved, &status) != 0)
    return refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return refuse("it is no file");
  if (status.st_uid != geteuid() && status.st_uid != 0)
    return refuse("it belongs to another user");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return refuse("others may write to it");
  return std::string(resolved);
}

} // namespace

void Archive::GiveBack::operator()(Connection *connection) const {
  std::unique_ptr<Connection> owned(connection);
  std::lock_guard<std::mutex> lock(archive->m_mutex);
  if (archive->m_idle.size() < MaxIdleConnections)
    archive->m_idle.push_back(std::move(owned));
}

Archive::Lease Archive::lease() {
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_idle.empty()) {
      std::unique_ptr<Connection> idle = std::move(m_idle.back());
      m_idle.pop_back();
      return Lease(idle.release(), GiveBack{this});
    }
  }
  return Lease(new Connection(m_path, store::Access::Frozen), GiveBack{this});
}

tl::unexpected<Error> Archive::failure(Connection &connection, ErrorCode code) const {
  return makeError(code, "archive {}: {}", m_path, connection.message());
}

Result<std::shared_ptr<Archive>> Archive::open(const std::string &path) {
  std::string resolved = DOVETAIL_TRY(resolve(path));
  const std::shared_ptr<Archive> archive(new Archive(std::move(resolved)));
  DOVETAIL_CHECK(archive->readAbout());
  return archive;
}

Result<void> Archive::readAbout() {
  const Lease open = lease();
  const auto refuse = [&](std::string_view reason) {
    return makeError(ErrorCode::InvalidInput, "archive {}: {}", m_path, reason);
  };
  if (open->number("PRAGMA application_id") != uint64_t(ArchiveApplicationId))
    return refuse("it is no archive of parts");
  std::string checksum;
  int64_t format = 0;
  {
    Connection::Rows rows = open->read("SELECT name,value FROM about");
    int code;
    while ((code = rows.next()) == SQLITE_ROW) {
      const std::string name = rows.text(0);
      if (name == "format")
        format = rows.integer(1);
      else if (name == "parts")
        m_about.parts = uint64_t(rows.integer(1));
      else if (name == "valid")
        m_about.validModules = uint64_t(rows.integer(1));
      else if (name == "digest")
        m_about.digest = rows.text(1);
      else if (name == "checksum")
        checksum = rows.text(1);
    }
    if (code != SQLITE_DONE)
      return failure(*open, ErrorCode::InvalidInput);
  }
  if (format != ArchiveFormatVersion)
    return refuse(fmt::format("it has format {}, and {} is read", format, ArchiveFormatVersion));
  const auto readList = [&](const char *sql, std::vector<std::string> &list) {
    Connection::Rows rows = open->read(sql);
    int code;
    while ((code = rows.next()) == SQLITE_ROW)
      list.push_back(rows.text(0));
    return code == SQLITE_DONE;
  };
  if (!readList("SELECT id FROM build ORDER BY id", m_about.builds) ||
      !readList("SELECT name FROM gpu ORDER BY name", m_about.gpus))
    return failure(*open, ErrorCode::InvalidInput);
  return checksum == archiveChecksum(m_about) ? Result<void>() : refuse("its description is damaged");
}

PartRef Archive::find(const PartKey &key) {
  if (getpid() != m_process)
    return nullptr;
  const Lease open = lease();
  Connection::Rows row = open->read("SELECT value FROM part WHERE id=?", store::rowOf(key));
  const int code = row.next();
  if (code == SQLITE_DONE)
    return nullptr;
  Result<Part> part = code == SQLITE_ROW ? store::decodeEntry(key, row.bytes(0)) : failure(*open);
  if (part)
    return std::make_shared<const Part>(std::move(*part));
  ++m_damaged;
  return nullptr;
}

bool Archive::hasValidModule(const spirv::ModuleDigest &digest) {
  if (getpid() != m_process)
    return false;
  const Lease open = lease();
  const spirv::ModuleDigest row = store::rowOf(digest);
  Connection::Rows found = open->read("SELECT 1 FROM valid WHERE digest=?", Bytes(row));
  return found.next() == SQLITE_ROW;
}

Result<std::vector<ArchiveEntry>> Archive::entries() {
  std::vector<ArchiveEntry> entries;
  const Lease open = lease();
  Connection::Rows rows = open->read("SELECT part.id,kind,high,build.id,gpu.name,length(value) FROM part "
                                     "LEFT JOIN build ON build.number=part.build "
                                     "LEFT JOIN gpu ON gpu.number=part.gpu ORDER BY part.id");
  int code;
  while ((code = rows.next()) == SQLITE_ROW)
    if (rows.integer(1) >= 0 && rows.integer(1) < PartKindCount)
      entries.push_back({store::keyOf(rows.integer(0), PartKind(rows.integer(1)), uint64_t(rows.integer(2))),
                         rows.text(3), rows.text(4), uint64_t(rows.integer(5))});
  if (code != SQLITE_DONE)
    return failure(*open);
  return entries;
}

Result<std::vector<uint8_t>> Archive::value(const PartKey &key) {
  const Lease open = lease();
  Connection::Rows row = open->read("SELECT value FROM part WHERE id=?", store::rowOf(key));
  if (row.next() != SQLITE_ROW)
    return failure(*open);
  const Bytes bytes = row.bytes(0);
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

Result<std::vector<spirv::ModuleDigest>> Archive::validRows() {
  std::vector<spirv::ModuleDigest> list;
  const Lease open = lease();
  Connection::Rows rows = open->read("SELECT digest FROM valid ORDER BY digest");
  int code;
  while ((code = rows.next()) == SQLITE_ROW)
    if (const Bytes bytes = rows.bytes(0); bytes.size() == sizeof(spirv::ModuleDigest))
      std::ranges::copy(bytes, list.emplace_back().begin());
  if (code != SQLITE_DONE)
    return failure(*open);
  return list;
}

Result<std::vector<std::string>> Archive::verify() {
  std::vector<std::string> defects;
  const auto add = [&](std::string text) {
    if (defects.size() < MaxDefects)
      defects.push_back(std::move(text));
  };
  {
    const Lease open = lease();
    Connection::Rows check = open->read("PRAGMA quick_check");
    int code;
    while ((code = check.next()) == SQLITE_ROW && check.text(0) != "ok")
      add(check.text(0));
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      add(open->message());
  }
  if (!defects.empty())
    return defects;
  Hasher digest;
  const std::vector<ArchiveEntry> all = DOVETAIL_TRY(entries());
  const std::string thisBuild = toolchainVersion().toHex();
  for (const ArchiveEntry &entry : all) {
    const std::vector<uint8_t> bytes = DOVETAIL_TRY(value(entry.key));
    addToArchiveDigest(digest, entry.key, entry.build, entry.gpu, bytes);
    const std::string name = fmt::format("{} {}", toString(entry.key.kind), entry.key.hash.toHex());
    if (!store::hasGoodChecksum(entry.key, bytes))
      add(name + ": the checksum of the entry is wrong");
    if (entry.build != thisBuild) // whose parts may have other fields
      continue;
    if (const Result<Part> part = store::decodeEntry(entry.key, bytes); !part)
      add(part.error().text);
    else if (!isOfThisBuild(*part))
      add(name + ": the part is of another build than the archive says");
  }
  const std::vector<spirv::ModuleDigest> valid = DOVETAIL_TRY(validRows());
  for (const spirv::ModuleDigest &row : valid)
    digest.addBytes(std::as_bytes(std::span(row)));
  if (all.size() != m_about.parts || valid.size() != m_about.validModules)
    add(fmt::format("it has {} parts and {} modules, and says {} and {}", all.size(), valid.size(), m_about.parts,
                    m_about.validModules));
  if (digest.finish().toHex() != m_about.digest)
    add("the digest of all parts is wrong");
  return defects;
}

} // namespace dovetail
