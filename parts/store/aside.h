// SPDX-License-Identifier: MIT
//
// Databases that were found damaged and put aside. They stay in the folder until somebody has read all of them
// (salvage.h), so that a crash meanwhile loses nothing: whoever writes to the store next goes on.
//
//   data.mdb.salvage    waits to be salvaged, or is being salvaged
//   data.mdb.salvage2   likewise: the database was damaged again meanwhile. If there is one, the newer one replaces it.
//   data.mdb.damaged    nothing was found in it, so it may be somebody else's file. The last such file stays until
//                       somebody removes it; nothing reads it.
//
// A file that something was salvaged from is removed.
#pragma once

#include "parts/store/folder_lock.h"
#include <optional>
#include <string>
#include <utility>

namespace dovetail::store {

// Renames data.mdb. The lock for writing and that against opening must be held. An errno, or 0.
int putAside(const std::string &folder);

// A file that was put aside, and that nobody else salvages as long as this lives.
class AsideFile {
public:
  // Nothing: there is none, or somebody else salvages it. One process salvages at a time.
  static std::optional<AsideFile> take(const std::string &folder, const FolderLock &lock);
  ~AsideFile();
  AsideFile(AsideFile &&other) noexcept
      : m_folder(std::move(other.m_folder)), m_path(std::move(other.m_path)), m_lock(other.m_lock),
        m_file(std::exchange(other.m_file, -1)) {}
  AsideFile &operator=(AsideFile &&) = delete;

  int file() const { return m_file; }

  // All of it was read. The lock for writing must be held. false: it is still there.
  bool finish(bool isOurs);

private:
  AsideFile(std::string folder, std::string path, const FolderLock &lock, int file)
      : m_folder(std::move(folder)), m_path(std::move(path)), m_lock(&lock), m_file(file) {}

  std::string m_folder, m_path;
  const FolderLock *m_lock;
  int m_file = -1;
};

} // namespace dovetail::store
