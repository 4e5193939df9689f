// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/source_text.h"
#include "tools/common/command/write_file.h"
#include <filesystem>
#include <sstream>

namespace dovetail {

namespace {

std::string trimmed(const std::string &line) {
  constexpr const char *Blank = " \t\r";
  const size_t begin = std::min(line.find_first_not_of(Blank), line.size());
  return line.substr(begin, line.find_last_not_of(Blank) + 1 - begin);
}

} // namespace

std::string SourceText::describe(const CodeLine &line) {
  const std::vector<std::string> &lines = linesOf(line.file);
  const std::string place = fmt::format("{}:{}", line.file, line.line);
  const std::string text = line.line <= lines.size() ? lines[line.line - 1] : "";
  return text.empty() ? place : fmt::format("{}  {}", place, text);
}

const std::vector<std::string> &SourceText::linesOf(const std::string &file) {
  auto [found, isNew] = m_files.try_emplace(file);
  std::error_code failure;
  // The name comes from the module: it may name a pipe, or no file at all.
  if (isNew && std::filesystem::is_regular_file(file, failure)) {
    std::istringstream text(readWholeFile(file).value_or(""));
    for (std::string line; std::getline(text, line);)
      found->second.push_back(trimmed(line));
  }
  return found->second;
}

} // namespace dovetail
