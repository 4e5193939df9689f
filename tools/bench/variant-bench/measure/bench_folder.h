// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

namespace dovetail {

// A folder of this process, which the destructor removes with everything in it. It exists once somebody makes it.
class BenchFolder {
public:
  BenchFolder() : path(std::filesystem::temp_directory_path() / ("variant-bench-" + std::to_string(getpid()))) {}
  BenchFolder(const BenchFolder &) = delete;
  ~BenchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  const std::filesystem::path path;
};

} // namespace dovetail
