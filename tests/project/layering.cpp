// SPDX-License-Identifier: MIT
#include "tests/project/layering.h"
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace dovetail::project {

namespace {

// The folders with C++, in order: a folder includes only itself and those above it. Tests, which are not named, include
// what they like.
constexpr auto Folders = std::to_array<std::string_view>({
    "src/base",
    "src/abi/registers",
    "src/abi",
    "src/abi/interface",
    "src/abi/metadata",
    "src/isa",
    "src/state",
    // The emulator knows registers and formats, but nothing that makes code; the reference knows formats and scenes.
    "tools/proof/spirv",
    "tools/proof/scene",
    "tools/proof/reference/adapt",
    "tools/proof/reference",
    "tools/proof/emulator/isa/opcodes",
    "tools/proof/emulator/isa",
    "tools/proof/emulator/numerics",
    "tools/proof/emulator/memory",
    "tools/proof/emulator/wave",
    "tools/proof/emulator/alu",
    "tools/proof/emulator/access",
    "tools/proof/emulator/image",
    "tools/proof/emulator/run",
    "tools/proof/emulator/draw/command",
    "tools/proof/emulator/draw/raster",
    "tools/proof/emulator/draw/output",
    "tools/proof/emulator/draw/primitives",
    "tools/proof/emulator/draw/waves",
    "tools/proof/emulator/draw",
    "src/first/form",
    "src/first/read",
    "src/first/select",
    "src/first/emit",
    "src/first",
    "src/mc",
    "src/lgc/ops",
    "src/lgc/codegen/defects",
    "src/lgc/codegen/defects/machine",
    "src/lgc/codegen/defects/hide",
    "src/lgc/codegen/defects/ir",
    "src/lgc/codegen/defects/folding",
    "src/lgc/codegen/defects/memory",
    "src/lgc/codegen/defects/quads",
    "src/lgc/codegen/slow",
    "src/lgc/codegen/registers",
    "src/lgc/codegen/schedule",
    "src/lgc/codegen/constants",
    "src/lgc/codegen",
    "src/lgc/state",
    "src/lgc/builder",
    "src/lgc/builder/image",
    "src/lgc/builder/interface",
    "src/lgc/builder/subgroups",
    "src/lgc/optimize",
    "src/lgc/lowering",
    "src/lgc/lowering/tessellation",
    "src/lgc",
    "src/spirv/module",
    "src/spirv/validate",
    "src/spirv/reflect",
    "src/spirv/translate/context",
    "src/spirv/translate/variables",
    "src/spirv/translate/interface",
    "src/spirv/translate/memory",
    "src/spirv/translate/ops",
    "src/spirv/translate",
    "src/pch",
    "parts",
    "parts/compile",
    "parts/listing",
    "parts/elf",
    "parts/kinds/around",
    "parts/kinds",
    "parts/store",
    "parts/cache",
    "merge",
    "merge/check",
    "merge/check/exports",
    "merge/registers",
    "merge/elf",
    "gfx9-merged",
    "variants",
    "variants/state",
    "variants/assemble",
    "variants/inspect",
    "variants/dump",
    "variants/optimize",
    "variants/bind",
    "variants/link",
    "variants/c_api/include",
    "variants/c_api/convert",
    "variants/c_api",
    "tools/proof/scene/maker",
    "tools/proof/emulator/driver",
    "tools/proof/emulator/c_api",
    "tools/common/command",
    "tools/common/report",
    "tools/common/fossilize/file",
    "tools/common/fossilize",
    "tools/common/inputs/spirv",
    "tools/common/inputs",
    "tools/common/pipe-file",
    "tools/common/pipelines",
    "tools/common/pch",
    "tools/proof/radv/commands",
    "tools/proof/radv",
    "tools/proof/radv-reference",
    "tools/programs/dovetail",
    "tools/programs/dovetail/inspect",
    "tools/programs/dovetail/corpus",
    "tools/programs/dovetail/archive",
    "tools/programs/dovetail/farm",
    "tools/programs/lgc",
    "tools/programs/part-dump",
    "tools/programs/layer/session",
    "tools/programs/layer/execute",
    "tools/programs/layer/report",
    "tools/programs/layer",
    "tools/programs/random-programs/program",
    "tools/programs/random-programs/interpret",
    "tools/programs/random-programs/spirv",
    "tools/programs/random-programs/glsl",
    "tools/programs/random-programs/generate",
    "tools/programs/random-programs",
    "tools/bench",
    "tools/bench/compile-growth",
    "tools/bench/variant-bench/measure",
    "tools/bench/variant-bench/ways",
    "tools/bench/variant-bench/instructions",
    "tools/bench/variant-bench",
});

// The most files that a folder holds: it is read like a page.
constexpr size_t MaxFiles = 25;
// Folders of data, which somebody looks up a file in rather than reads.
constexpr auto DataFolders =
    std::to_array<std::string_view>({"tests/shaders", "tests/driver/shaders", "tests/lgc-tool/cases"});

std::string_view folderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

bool isTest(std::string_view path) {
  return path.starts_with("tests/");
}

// Where a file's folder is in the order; nothing if it has no place there. Tests are below all others.
std::optional<size_t> levelOf(std::string_view path) {
  if (isTest(path))
    return Folders.size();
  const auto *found = std::ranges::find(Folders, folderOf(path));
  return found == Folders.end() ? std::nullopt : std::optional<size_t>(found - Folders.begin());
}

// A program of its own, which is copied away from here before it is built against the installed library.
bool isOwnProject(std::string_view path) {
  return path.starts_with("tools/programs/mini-tracker/") || path.starts_with("docs/examples/");
}

// What is installed, as opposed to what tries it out.
bool isProduct(std::string_view path) {
  return !isTest(path) && !path.starts_with("tools/");
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
    if (!isCpp(path) || isOwnProject(path))
      continue;
    const std::optional<size_t> from = levelOf(path);
    if (!from) {
      violations.push_back(path + " is in a folder that has no place in the order");
      continue;
    }
    for (const std::string &include : includesOf(text)) {
      std::optional<std::string> header = projectHeader(include);
      if (!header)
        continue;
      const std::optional<size_t> to = levelOf(*header);
      if (!to)
        violations.push_back(path + " includes " + include + ", which is in no folder of the order");
      else if (isProduct(path) && !isProduct(*header))
        violations.push_back(path + " includes " + include + ", which the library must do without");
      else if (*to > *from)
        violations.push_back(path + " includes " + include + ", which is below it in the order");
    }
    std::set<std::string> seen;
    if (path.starts_with("merge/"))
      if (std::optional<std::string> found = reachesLlvm(tree, path, seen))
        violations.push_back(path + " sees LLVM: " + *found);
  }
  return violations;
}

std::vector<std::string> findFullFolders(const SourceTree &tree) {
  std::map<std::string_view, size_t> files;
  for (const auto &[path, text] : tree)
    ++files[folderOf(path)];
  std::vector<std::string> full;
  for (const auto &[folder, count] : files)
    if (count > MaxFiles && std::ranges::find(DataFolders, folder) == DataFolders.end())
      full.push_back(std::string(folder) + " has " + std::to_string(count) + " files; " + std::to_string(MaxFiles) +
                     " are the most");
  return full;
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
