// SPDX-License-Identifier: MIT
#include "tools/part_dump/terminal.h"
#include <algorithm>
#include <cstdio>
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

// Characters of UTF-8 text; those that parts are described with are all one column wide.
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

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string printColumns(const std::vector<std::vector<std::string>> &rows, const std::vector<Align> &alignments,
                         unsigned width) {
  const size_t last = alignments.size() - 1;
  std::vector<size_t> widths(alignments.size());
  for (const auto &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], columnsOf(row[column]));
  size_t used = 0;
  for (size_t column = 0; column < last; ++column)
    used += widths[column] + 2;
  widths[last] = std::min(widths[last], std::max<size_t>(width - std::min<size_t>(used, width), MinLastColumn));

  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column)
      line += (column == 0 ? "" : "  ") + pad(cut(row[column], widths[column]), widths[column], alignments[column]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
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
  seconds = std::max<int64_t>(seconds, 0); // clocks of several machines
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
