// SPDX-License-Identifier: MIT
#include "tests/project/source_tree.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace dovetail::project {

namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Folders that do not belong to the project: build folders at the top, git's own, and those that editors and python
// leave.
bool isForeign(const fs::path &folder, bool isAtTop) {
  std::string name = folder.filename().string();
  return (isAtTop && name.starts_with("build")) || name == ".git" || name == "__pycache__" || name == ".cache";
}

} // namespace

SourceTree readProject() {
  return readFolder(DOVETAIL_SOURCE_ROOT);
}

SourceTree readFolder(const fs::path &root) {
  SourceTree tree;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory()) {
      if (isForeign(entry->path(), entry.depth() == 0))
        entry.disable_recursion_pending();
      continue;
    }
    if (entry->is_regular_file() && !entry->is_symlink())
      tree[fs::relative(entry->path(), root).generic_string()] = readFile(entry->path());
  }
  return tree;
}

bool isCpp(const std::string &path) {
  static constexpr std::array<const char *, 4> Endings = {".h", ".cpp", ".def", ".inc"};
  return std::ranges::any_of(Endings, [&](const char *ending) { return path.ends_with(ending); });
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

size_t countLines(const std::string &text) {
  return std::ranges::count(text, '\n');
}

std::vector<std::string> includesOf(const std::string &text) {
  static const std::regex Include(R"re(^[ \t]*#[ \t]*include[ \t]*(["<][^">]*[">]))re", std::regex::multiline);
  std::vector<std::string> includes;
  for (std::sregex_iterator it(text.begin(), text.end(), Include), end; it != end; ++it)
    includes.push_back((*it)[1]);
  return includes;
}

} // namespace dovetail::project
