// SPDX-License-Identifier: MIT
#include "tests/project/layering.h"
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace dovetail::project {

namespace {

// A folder includes only itself and the folders above it here. The longest matching prefix counts.
struct Folder {
  std::string_view prefix;
  int level;
};
constexpr std::array Folders = {
    Folder{"src/base/", 0}, Folder{"src/abi/", 1}, Folder{"src/isa/", 2},      Folder{"src/state/", 3},
    Folder{"src/mc/", 4},   Folder{"src/lgc/", 5}, Folder{"src/spirv/", 6},    Folder{"src/pch/", 7},
    Folder{"parts/", 8},    Folder{"merge/", 9},   Folder{"gfx9-merged/", 10}, Folder{"variants/", 11},
    Folder{"tools/", 12},   Folder{"tests/", 13},  Folder{"fuzz/", 13},        Folder{"benchmarks/", 13},
};

const Folder *folderOf(std::string_view path) {
  auto found = std::ranges::find_if(Folders, [&](const Folder &folder) { return path.starts_with(folder.prefix); });
  return found == Folders.end() ? nullptr : &*found;
}

// "src/base/error.h" from "\"src/base/error.h\""; nothing for a system header, or for a table that the build makes
// beside its user.
std::optional<std::string> projectHeader(const std::string &include) {
  if (include.front() != '"')
    return std::nullopt;
  std::string header = include.substr(1, include.size() - 2);
  if (header.ends_with(".inc") && header.find('/') == std::string::npos)
    return std::nullopt;
  return header;
}

// The LLVM header that a file reaches through project headers, if it does.
std::optional<std::string> reachesLlvm(const SourceTree &tree, const std::string &path, std::set<std::string> &seen) {
  auto file = tree.find(path);
  if (file == tree.end() || !seen.insert(path).second)
    return std::nullopt;
  for (const std::string &include : includesOf(file->second)) {
    if (include.starts_with("<llvm") || include.starts_with("\"llvm"))
      return path + " includes " + include;
    if (std::optional<std::string> header = projectHeader(include))
      if (std::optional<std::string> found = reachesLlvm(tree, *header, seen))
        return found;
  }
  return std::nullopt;
}

} // namespace

std::vector<std::string> findLayeringViolations(const SourceTree &tree) {
  std::vector<std::string> violations;
  for (const auto &[path, text] : tree) {
    const Folder *from = folderOf(path);
    if (!isCpp(path) || !from)
      continue;
    for (const std::string &include : includesOf(text)) {
      std::optional<std::string> header = projectHeader(include);
      if (!header)
        continue;
      const Folder *to = folderOf(*header);
      if (!to)
        violations.push_back(path + " includes " + include + ", which is not named from the root of the project");
      else if (to->level > from->level)
        violations.push_back(path + " includes " + include + ", which is to the right of it");
    }
    std::set<std::string> seen;
    if (path.starts_with("merge/"))
      if (std::optional<std::string> found = reachesLlvm(tree, path, seen))
        violations.push_back(path + " sees LLVM: " + *found);
  }
  return violations;
}

} // namespace dovetail::project
