// SPDX-License-Identifier: MIT
#include "tests/project/facts.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>

namespace dovetail::project {

namespace {

constexpr std::string_view Beliefs = "docs/hardware-facts.md";

// Folders whose files state facts.
constexpr std::array<std::string_view, 13> FactFolders = {"src/abi/",
                                                          "src/isa/",
                                                          "merge/registers/",
                                                          "tools/proof/emulator/alu/",
                                                          "tools/proof/emulator/numerics/",
                                                          "tools/proof/emulator/memory/",
                                                          "tools/proof/emulator/run/",
                                                          "tools/proof/emulator/isa/",
                                                          "tools/proof/emulator/wave/",
                                                          "tools/proof/emulator/access/",
                                                          "tools/proof/emulator/image/",
                                                          "tools/proof/emulator/draw/",
                                                          "tools/proof/emulator/driver/"};

// Files that describe our own design rather than the hardware, or only apply facts of other files (the rows of
// vop1.def, …). A path stands for a file and its header.
constexpr auto NoFacts = std::to_array<std::string_view>({
    "src/abi/interface/interface_fields",
    "src/abi/interface/interface_slots",
    "src/abi/interface/link_constant",
    "src/abi/interface/merged_entry",
    "src/abi/registers/register_fields",
    "src/abi/interface/shader_interface",
    "src/abi/value",
    "tools/proof/emulator/alu/fused_execute",
    "tools/proof/emulator/numerics/host_vectors",
    "tools/proof/emulator/isa/instruction_uses",
    "tools/proof/emulator/alu/vary_results",
    "tools/proof/emulator/alu/vector_execute",
    "tools/proof/emulator/alu/vop1",
    "tools/proof/emulator/alu/vop2",
    "tools/proof/emulator/alu/vop3",
    "tools/proof/emulator/draw/draw",
    "tools/proof/emulator/draw/command/draw_command",
    "tools/proof/emulator/draw/command/front_end",
    "tools/proof/emulator/isa/print_memory",
    "tools/proof/emulator/isa/print_parts",
    "tools/proof/emulator/isa/print_scalar",
    "tools/proof/emulator/isa/print_vector",
    "tools/proof/emulator/memory/memory",
    "tools/proof/emulator/memory/texel_cache",
    "tools/proof/emulator/run/variation",
});

bool startsWithAny(const std::string &path, const auto &prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return path.starts_with(prefix); });
}

std::string withoutEnding(const std::string &path) {
  return path.substr(0, path.rfind('.'));
}

// Whether a comment has one of the words that name a source (docs/hardware-facts.md, "How the sources are named").
bool namesSource(const std::string &text) {
  static const std::regex Source("Mesa|RADV|radeonsi|LLVM|LLPC|PAL\\b|ISA manual|register headers|Vulkan|"
                                 "CLRadeonExtender|Direct3D|OpenGL specification|hardware-facts\\.md|\\.def\\b");
  static const std::regex Comment("//[^\\n]*");
  for (std::sregex_iterator comment(text.begin(), text.end(), Comment), end; comment != end; ++comment)
    if (std::regex_search(comment->str(), Source))
      return true;
  return false;
}

// Rows of a table whose last column is a text.
void checkRows(const SourceTree &tree, const std::string &path, const std::regex &row,
               std::vector<std::string> &violations) {
  static const std::regex SourceColumn(", \"[^\"]*\\w[^\"]*\"\\)\\s*(//.*)?");
  auto file = tree.find(path);
  if (file == tree.end())
    return;
  for (std::sregex_iterator match(file->second.begin(), file->second.end(), row), end; match != end; ++match) {
    const std::string rest = (*match)[2];
    if (!std::regex_search(rest, SourceColumn))
      violations.push_back(path + ": " + (*match)[1].str() + " has no source");
  }
}

} // namespace

std::vector<std::string> findFactViolations(const SourceTree &tree) {
  std::vector<std::string> violations;
  checkRows(tree, "src/abi/registers/registers.def", std::regex("(?:^|\\n)REGISTER\\((\\w+)([^\\n]*)"), violations);
  checkRows(tree, "src/abi/driver_contract.def", std::regex("(?:^|\\n)(?:GLOBAL_TABLE|USER_DATA)\\((\\w+)([^\\n]*)"),
            violations);

  // A source in the header counts for the .cpp file too, and the other way round.
  std::set<std::string> sourced, unsourced;
  for (const auto &[path, text] : tree)
    if (startsWithAny(path, FactFolders) && (isCpp(path) || path.ends_with(".def")))
      (namesSource(text) ? sourced : unsourced).insert(withoutEnding(path));
  for (const std::string &stem : unsourced)
    if (!sourced.contains(stem) && std::ranges::find(NoFacts, stem) == NoFacts.end())
      violations.push_back(stem + " names no source of its facts");

  std::set<std::string> believed;
  if (auto document = tree.find(std::string(Beliefs)); document != tree.end()) {
    static const std::regex File("`([\\w/.-]+\\.(?:h|cpp|def))`");
    const size_t begin = document->second.find("\n## Beliefs\n");
    const std::string list = begin == std::string::npos ? "" : document->second.substr(begin);
    for (std::sregex_iterator file(list.begin(), list.end(), File), end; file != end; ++file)
      believed.insert((*file)[1]);
  }
  for (const auto &[path, text] : tree) {
    const bool says = (isCpp(path) || path.ends_with(".def")) && !path.starts_with("tests/") &&
                      text.find(Beliefs) != std::string::npos;
    if (says && !believed.contains(path))
      violations.push_back(path + " refers to " + std::string(Beliefs) + ", which does not list it");
    if (!says && believed.contains(path))
      violations.push_back(path + " does not refer to " + std::string(Beliefs) + ", which lists it");
  }
  for (const std::string &path : believed)
    if (!tree.contains(path))
      violations.push_back(std::string(Beliefs) + " lists " + path + ", which is not there");
  return violations;
}

} // namespace dovetail::project
