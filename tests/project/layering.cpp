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
    Folder{"src/base/", 0},
    Folder{"src/abi/", 1},
    Folder{"src/isa/", 2},
    Folder{"src/state/", 3},
    // The emulator knows registers and formats, but nothing that makes code; the reference knows formats and scenes.
    Folder{"tools/scene/", 4},
    Folder{"tools/reference/", 5},
    Folder{"tools/emulator/", 6},
    Folder{"src/mc/", 7},
    Folder{"src/lgc/ops/", 8},
    Folder{"src/lgc/defects/", 9},
    Folder{"src/lgc/target/", 10},
    Folder{"src/lgc/state/", 11},
    Folder{"src/lgc/builder/", 12},
    Folder{"src/lgc/optimize/", 13},
    Folder{"src/lgc/lowering/", 14},
    Folder{"src/lgc/", 15},
    Folder{"src/spirv/module/", 16},
    Folder{"src/spirv/reflect/", 17},
    Folder{"src/spirv/translate/", 18},
    Folder{"src/pch/", 19},
    Folder{"parts/", 20},
    Folder{"parts/compile/", 21},
    Folder{"parts/listing/", 21},
    Folder{"parts/elf/", 22},
    Folder{"parts/kinds/", 22},
    Folder{"parts/store/", 23},
    Folder{"parts/cache/", 24},
    Folder{"merge/", 25},
    Folder{"gfx9-merged/", 26},
    Folder{"variants/", 27},
    Folder{"tools/scene/maker/", 28},
    Folder{"tools/emulator/driver/", 29},
    Folder{"tools/emulator/c_api/", 30},
    Folder{"tools/", 31},
    Folder{"tests/", 32},
};
static_assert(std::ranges::is_sorted(Folders, {}, &Folder::level));

const Folder *folderOf(std::string_view path) {
  const Folder *longest = nullptr;
  for (const Folder &folder : Folders)
    if (path.starts_with(folder.prefix) && (!longest || folder.prefix.size() > longest->prefix.size()))
      longest = &folder;
  return longest;
}

// A program of its own, which is copied away from here before it is built against the installed library.
bool isOwnProject(std::string_view path) {
  return path.starts_with("tools/mini-tracker/");
}

// What is installed, as opposed to what tries it out.
bool isProduct(std::string_view path) {
  return !path.starts_with("tests/") && !path.starts_with("tools/");
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
    if (!isCpp(path) || !from || isOwnProject(path))
      continue;
    for (const std::string &include : includesOf(text)) {
      std::optional<std::string> header = projectHeader(include);
      if (!header)
        continue;
      const Folder *to = folderOf(*header);
      if (!to)
        violations.push_back(path + " includes " + include + ", which is not named from the root of the project");
      else if (isProduct(path) && !isProduct(to->prefix))
        violations.push_back(path + " includes " + include + ", which the library must do without");
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

std::vector<std::string> findHeaderViolations(const SourceTree &installed) {
  constexpr std::string_view Ours = "<dovetail/";
  std::vector<std::string> violations;
  for (const auto &[path, text] : installed)
    for (const std::string &include : includesOf(text)) {
      const std::string violation = path + " includes " + include;
      if (include.starts_with(Ours)) {
        if (!installed.contains(include.substr(Ours.size(), include.size() - Ours.size() - 1)))
          violations.push_back(violation + ", which is not installed");
      } else if (include.front() != '<')
        violations.push_back(violation + ", which users find only by accident");
      else if (include.starts_with("<llvm") || include.starts_with("<boost/preprocessor"))
        violations.push_back(violation + ", which users need not have");
    }
  return violations;
}

} // namespace dovetail::project
