// SPDX-License-Identifier: MIT
//
// A folder that is removed with everything in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace dovetail {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "dovetail.XXXXXX").string();
    m_path = ::mkdtemp(path.data());
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }

  const std::filesystem::path &path() const { return m_path; }
  std::string operator/(const std::string &name) const { return (m_path / name).string(); }

  // Makes a file and returns its path.
  std::string write(const std::string &name, const std::string &content) const {
    std::filesystem::create_directories((m_path / name).parent_path());
    std::ofstream(m_path / name, std::ios::binary) << content;
    return *this / name;
  }

  // The number of files and folders in it and in its folders.
  size_t size() const {
    return std::distance(std::filesystem::recursive_directory_iterator(m_path),
                         std::filesystem::recursive_directory_iterator());
  }

private:
  std::filesystem::path m_path;
};

} // namespace dovetail
