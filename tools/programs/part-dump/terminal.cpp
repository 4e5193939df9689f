// SPDX-License-Identifier: MIT
#include "tools/programs/part-dump/terminal.h"
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace dovetail::part_dump {

namespace {

constexpr std::string_view Ellipsis = "…"; // one column wide

bool continuesCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// Counts the characters of UTF-8 text. The characters in descriptions of parts are all one column wide.
size_t columnsOf(std::string_view text) {
  return text.size() - std::ranges::count_if(text, continuesCharacter);
}

std::string cut(const std::string &text, size_t columns) {
  if (columnsOf(text) <= columns)
    return text;
  size_t end = 0;
  for (size_t column = 0; column + 1 < columns; ++column) {
    ++end;
    while (end < text.size() && continuesCharacter(text[end]))
      ++end;
  }
  return text.substr(0, end) + std::string(Ellipsis);
}

std::string pad(const std::string &text, size_t columns, Align align) {
  std::string spaces(columns - std::min(columns, columnsOf(text)), ' ');
  return align == Align::Left ? text + spaces : spaces + text;
}

std::string withoutTrailingSpaces(const std::string &line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

} // namespace

unsigned terminalWidth() {
  if (const char *columns = std::getenv("COLUMNS"))
    if (unsigned long width = std::strtoul(columns, nullptr, 10); width > 0 && width < 100000)
      return unsigned(width);
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

std::string printColumns(const std::vector<std::vector<std::string>> &rows, const std::vector<Align> &alignments,
                         unsigned width) {
  constexpr size_t Gap = 2, Indent = 2;
  const size_t last = alignments.size() - 1;
  std::vector<size_t> widths(alignments.size());
  for (const auto &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], columnsOf(row[column]));
  const bool mayCut = alignments[last] == Align::Left;

  // The columns that begin a new line because the line before is full.
  std::vector<bool> beginsLine(alignments.size());
  size_t used = widths[0];
  for (size_t column = 1; column <= last; ++column) {
    const size_t least = column == last && mayCut ? std::min<size_t>(widths[column], MinLastColumn) : widths[column];
    beginsLine[column] = used + Gap + least > width;
    const size_t start = beginsLine[column] ? Indent : used + Gap;
    if (column == last && mayCut)
      widths[column] = std::min(widths[column], std::max<size_t>(width - std::min<size_t>(start, width), least));
    used = start + widths[column];
  }

  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      if (beginsLine[column]) {
        text += withoutTrailingSpaces(line) + "\n";
        line.assign(Indent, ' ');
      } else if (column > 0) {
        line.append(Gap, ' ');
      }
      line += pad(cut(row[column], widths[column]), widths[column], alignments[column]);
    }
    text += withoutTrailingSpaces(line) + "\n";
  }
  return text;
}

std::string printWords(std::string_view words, unsigned indent, unsigned width) {
  std::string text, line(indent, ' ');
  bool isEmpty = true;
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
      text += line + "\n";
      line.assign(indent + 4, ' ');
      isEmpty = true;
    }
    line += (isEmpty ? "" : " ") + std::string(word);
    isEmpty = false;
  }
  return text + line + "\n";
}

std::string printable(std::string text) {
  for (char &letter : text)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7f)
      letter = '?';
  return text;
}

std::string printItems(const std::vector<std::string> &items, unsigned indent, unsigned width) {
  std::string text, line;
  for (size_t index = 0; index < items.size(); ++index) {
    std::string item = items[index] + (index + 1 < items.size() ? "," : "");
    if (!line.empty() && indent + columnsOf(line) + 1 + columnsOf(item) > width) {
      text += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item;
  }
  if (!line.empty())
    text += std::string(indent, ' ') + line + "\n";
  return text;
}

std::string printAge(int64_t seconds) {
  seconds = std::max<int64_t>(seconds, 0); // clocks of several machines may differ
  if (seconds < 60)
    return fmt::format("{}s", seconds);
  if (seconds < 60 * 60)
    return fmt::format("{}m", seconds / 60);
  if (seconds < 24 * 60 * 60)
    return fmt::format("{}h", seconds / (60 * 60));
  return fmt::format("{}d", seconds / (24 * 60 * 60));
}

std::string count(uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

} // namespace dovetail::part_dump
