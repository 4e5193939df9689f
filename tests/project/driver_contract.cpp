// SPDX-License-Identifier: MIT
#include "tests/project/driver_contract.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

namespace dovetail::project {

namespace {

using Cells = std::vector<std::string>;

std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(" `"), end = text.find_last_not_of(" `");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

// The rows of the table below a heading, without the table's own head.
std::vector<Cells> tableBelow(const std::string &document, const std::string &heading) {
  std::vector<Cells> rows;
  const size_t start = document.find("\n## " + heading + "\n");
  if (start == std::string::npos)
    return rows;
  const size_t begin = start + 1, end = document.find("\n## ", begin);
  static const std::regex Line("\\n\\|([^\\n]*)\\|(?=\\n)"), Cell("[^|]+");
  const std::string section = document.substr(begin, end == std::string::npos ? end : end + 1 - begin);
  for (std::sregex_iterator line(section.begin(), section.end(), Line), none; line != none; ++line) {
    const std::string text = (*line)[1];
    Cells cells;
    for (std::sregex_iterator cell(text.begin(), text.end(), Cell); cell != none; ++cell)
      cells.push_back(trimmed(cell->str()));
    rows.push_back(cells);
  }
  constexpr ptrdiff_t HeadLines = 2;
  rows.erase(rows.begin(), rows.begin() + std::min(HeadLines, ptrdiff_t(rows.size())));
  return rows;
}

std::optional<uint32_t> numberOf(const std::string &text) {
  static const std::regex Number("0x[0-9a-f]+|[0-9]+");
  if (!std::regex_match(text, Number))
    return std::nullopt;
  return uint32_t(std::stoul(text, nullptr, 0));
}

std::string inHexadecimal(uint32_t number) {
  std::ostringstream text;
  text << "0x" << std::hex << number;
  return text.str();
}

std::string_view wordOf(TableDescriptor descriptor) {
  switch (descriptor) {
  case TableDescriptor::Raw:
    return "raw";
  case TableDescriptor::Swizzled:
    return "swizzled";
  case TableDescriptor::AddressOnly:
    return "address only";
  case TableDescriptor::Records:
    return "records";
  }
  return {};
}

std::string_view wordOf(RegisterGenerations generations) {
  return generations == RegisterGenerations::Gfx8 ? "GFX8" : generations == RegisterGenerations::Gfx9 ? "GFX9" : "all";
}

Cells expectedCells(const GlobalTableContract &row) {
  return {std::to_string(unsigned(row.entry)), std::string(row.apiName), std::string(wordOf(row.generations)),
          std::string(wordOf(row.descriptor))};
}

// A row of a document's table without a number in front says nothing about the contract's numbers.
template <typename Expected>
void compareTable(const std::string &document, const std::string &heading, const Expected &expected,
                  std::vector<std::string> &violations) {
  const std::vector<Cells> rows = tableBelow(document, heading);
  std::set<uint32_t> told;
  for (const Cells &cells : rows) {
    const std::optional<uint32_t> number = cells.empty() ? std::nullopt : numberOf(cells[0]);
    if (!number)
      continue;
    told.insert(*number);
    const auto wanted = expected.find(*number);
    if (wanted == expected.end())
      violations.push_back("docs/driver-contract.md, " + heading + ": there is no " + cells[0]);
    else
      for (size_t i = 1; i < wanted->second.size(); ++i)
        if (i >= cells.size() || cells[i] != wanted->second[i])
          violations.push_back("docs/driver-contract.md, " + heading + ": " + cells[0] + " should say " +
                               wanted->second[i]);
  }
  for (const auto &[number, cells] : expected)
    if (!told.contains(number))
      violations.push_back("docs/driver-contract.md, " + heading + ": " + cells[0] + " is missing");
}

// Compares the enumerators and macros of the header that begin with `prefix` with those of the contract.
void compareHeader(const std::string &header, const std::string &prefix, const std::map<uint32_t, Cells> &expected,
                   std::vector<std::string> &violations) {
  std::map<std::string, uint32_t> known;
  for (const auto &[number, cells] : expected)
    known[cells[1]] = number;
  const std::regex Name("\\b" + prefix + "(\\w+)(?: = | )(0x[0-9a-f]+|[0-9]+)u?\\b");
  for (std::sregex_iterator match(header.begin(), header.end(), Name), end; match != end; ++match) {
    const auto row = known.find((*match)[1]);
    if (row == known.end())
      violations.push_back("dovetail_variant.h: the contract has no " + prefix + (*match)[1].str());
    else if (row->second != numberOf((*match)[2]))
      violations.push_back("dovetail_variant.h: " + prefix + (*match)[1].str() + " is " + (*match)[2].str());
    else
      known.erase(row);
  }
  for (const auto &[name, number] : known)
    violations.push_back("dovetail_variant.h: there is no " + prefix + name);
}

std::string textOf(const SourceTree &tree, const std::string &path) {
  auto file = tree.find(path);
  return file == tree.end() ? std::string() : file->second;
}

} // namespace

std::vector<std::string> findDriverContractViolations(const SourceTree &tree) {
  std::map<uint32_t, Cells> entries, userData;
  for (const GlobalTableContract &row : GlobalTable)
    entries[unsigned(row.entry)] = expectedCells(row);
  for (const UserDataContract &row : UserData)
    userData[row.number] = {inHexadecimal(row.number), std::string(row.apiName)};
  userData[PalUserDataUnmapped] = {inHexadecimal(PalUserDataUnmapped), "UNMAPPED"};

  std::vector<std::string> violations;
  const std::string document = textOf(tree, "docs/driver-contract.md");
  compareTable(document, "The global table", entries, violations);
  compareTable(document, "User data", userData, violations);
  const std::string header = textOf(tree, "variants/c_api/include/dovetail_variant.h");
  compareHeader(header, "DOVETAIL_GLOBAL_TABLE_", entries, violations);
  compareHeader(header, "DOVETAIL_USER_DATA_", userData, violations);
  return violations;
}

} // namespace dovetail::project
