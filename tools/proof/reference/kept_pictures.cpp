// SPDX-License-Identifier: MIT
//
// A file begins with the hash of the rest and a ReplyKind byte; the result or the reason follows.
#include "tools/proof/reference/kept_pictures.h"
#include "src/base/hash.h"
#include "tools/proof/reference/protocol.h"
#include "tools/proof/scene/scene_file.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <unistd.h>

namespace dovetail::reference {

namespace {

using Bytes = std::vector<uint8_t>;

Hash128 hashOf(std::span<const uint8_t> bytes) {
  return hashBytes(std::as_bytes(bytes));
}

// Nothing if the file is missing or damaged.
std::optional<Bytes> read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  Hash128 hash;
  if (!file.read(reinterpret_cast<char *>(&hash), sizeof(hash)))
    return std::nullopt;
  Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty() || hashOf(bytes) != hash)
    return std::nullopt;
  return bytes;
}

// Writes the file atomically, so nobody sees half of it. A failed write counts as a missing file.
void write(const std::filesystem::path &path, const Bytes &bytes) {
  const std::filesystem::path unfinished = fmt::format("{}.{}", path.string(), ::getpid());
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  const Hash128 hash = hashOf(bytes);
  file.write(reinterpret_cast<const char *>(&hash), sizeof(hash));
  file.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
  file.close();
  std::error_code error;
  if (file)
    std::filesystem::rename(unfinished, path, error);
  if (!file || error)
    std::filesystem::remove(unfinished, error);
}

std::optional<Result<SceneResult>> decode(std::span<const uint8_t> bytes) {
  const std::span<const uint8_t> rest = bytes.subspan(1);
  switch (static_cast<ReplyKind>(bytes[0])) {
  case ReplyKind::Result:
    if (Result<SceneResult> result = readSceneResult(rest))
      return result;
    return std::nullopt;
  case ReplyKind::Refused:
    return makeError(ErrorCode::Unsupported, std::string(rest.begin(), rest.end()));
  default:
    return std::nullopt;
  }
}

Bytes encode(ReplyKind kind, Bytes rest) {
  rest.insert(rest.begin(), static_cast<uint8_t>(kind));
  return rest;
}

// Empty if the user has no home.
std::filesystem::path usersCache() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return cache;
  const char *home = std::getenv("HOME");
  return home && *home ? std::filesystem::path(home) / ".cache" : std::filesystem::path();
}

// Other processes may remove files at the same time; removed files are skipped.
void removeOldest(const std::filesystem::path &folder, uint64_t mostBytes) {
  struct File {
    std::filesystem::file_time_type written;
    uint64_t size;
    std::filesystem::path path;
  };
  std::vector<File> files;
  uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const File file = {entry->last_write_time(gone), entry->file_size(gone), entry->path()};
    if (gone)
      continue;
    files.push_back(file);
    bytes += file.size;
  }
  std::ranges::sort(files, {}, &File::written);
  for (const File &file : files) {
    if (bytes <= mostBytes)
      return;
    std::filesystem::remove(file.path, error);
    bytes -= file.size;
  }
}

} // namespace

Result<KeptPictures> KeptPictures::open(const std::filesystem::path &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || ::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
    return makeError(ErrorCode::Io, "pictures cannot be kept in {}: {}", folder.string(),
                     error ? error.message() : std::strerror(errno));
  return KeptPictures(folder);
}

Result<SceneResult> KeptPictures::get(const Scene &scene, std::string_view drawer,
                                      const std::function<Result<SceneResult>(const Scene &)> &draw) const {
  Hasher hasher;
  const Hash128 key = hasher.add(drawer).add(hashOf(writeScene(scene))).finish();
  const std::filesystem::path path = m_folder / (key.toHex() + ".picture");
  if (const std::optional<Bytes> bytes = read(path))
    if (std::optional<Result<SceneResult>> kept = decode(*bytes))
      return *std::move(kept);

  Result<SceneResult> drawn = draw(scene);
  if (drawn)
    write(path, encode(ReplyKind::Result, writeSceneResult(*drawn)));
  else if (const Error &error = drawn.error(); error.code == ErrorCode::Unsupported)
    write(path, encode(ReplyKind::Refused, {error.text.begin(), error.text.end()}));
  return drawn;
}

void keepPicturesInUsersCache(uint64_t mostBytes) {
  const std::filesystem::path cache = usersCache();
  if (std::getenv(PicturesVariable) || cache.empty())
    return;
  const std::filesystem::path folder = cache / "dovetail" / "pictures";
  if (!KeptPictures::open(folder))
    return;
  removeOldest(folder, mostBytes);
  ::setenv(PicturesVariable, folder.c_str(), 0);
}

} // namespace dovetail::reference
