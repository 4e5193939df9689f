// SPDX-License-Identifier: MIT
//
// A folder for a part store, which is removed with the test, and operations on its files.
#pragma once

#include "parts/part_bytes.h"
#include "parts/store/part_store.h"
#include "tests/tools/temporary_folder.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace dovetail::test {

using FileBytes = std::vector<uint8_t>;

class StoreFolder {
public:
  std::string path() const { return m_folder.path(); }
  std::string file(const char *name) const { return m_folder / name; }
  std::string data() const { return file(PartStoreFile); }

  Result<std::shared_ptr<PartStore>> tryOpen(PartStoreOptions options = {}) {
    if (options.path.empty())
      options.path = path();
    options.onWarning = [this](std::string_view text) {
      std::lock_guard<std::mutex> lock(m_mutex);
      m_warnings.emplace_back(text);
    };
    return PartStore::open(std::move(options));
  }
  std::shared_ptr<PartStore> open(PartStoreOptions options = {}) {
    Result<std::shared_ptr<PartStore>> store = tryOpen(std::move(options));
    if (!store)
      FAIL(store.error().text);
    return *store;
  }

  std::vector<std::string> warnings() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_warnings;
  }

private:
  TemporaryFolder m_folder;
  std::mutex m_mutex;
  std::vector<std::string> m_warnings;
};

inline FileBytes readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return FileBytes(std::istreambuf_iterator<char>(file), {});
}

inline void writeFile(const std::string &path, const FileBytes &bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
}

// When a process closes a file, the kernel drops all of its locks on the file, even if it has the file open elsewhere.
// So another process does the work on a file that a store has open.
inline void inOtherProcess(const std::function<bool()> &work) {
  const pid_t child = fork();
  if (child == 0)
    _exit(work() ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

// All places of the text in the bytes.
inline std::vector<size_t> findAll(const FileBytes &bytes, std::string_view text) {
  std::vector<size_t> places;
  for (auto at = bytes.begin();; ++at) {
    at = std::search(at, bytes.end(), text.begin(), text.end());
    if (at == bytes.end())
      return places;
    places.push_back(size_t(at - bytes.begin()));
  }
}

inline std::vector<uint8_t> bytesOf(const Part &part) {
  std::vector<uint8_t> bytes;
  encodePart(part, bytes);
  return bytes;
}

// Whether the store has the part, unchanged.
inline bool has(PartStore &store, const PartRef &part) {
  PartRef found = store.find(part->key);
  return found && bytesOf(*found) == bytesOf(*part);
}

} // namespace dovetail::test
