// SPDX-License-Identifier: MIT
//
// Formats text for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::part_dump {

// The terminal's width in columns: COLUMNS if it is set, else the width of the terminal behind the standard output,
// else 80.
unsigned terminalWidth();

enum class Align : uint8_t { Left, Right };

// Prints a line for each row; the first row is the header. Columns are as wide as their widest cell, except the last:
// if its cells are words (Align::Left), an ellipsis cuts them where the line would be wider than `width`. If even
// MinLastColumn columns of the last cell do not fit, the row goes on in indented lines, so nothing is lost.
constexpr unsigned MinLastColumn = 8;
std::string printColumns(const std::vector<std::vector<std::string>> &rows, const std::vector<Align> &alignments,
                         unsigned width);

// The items with ", " between them. Each line is indented and at most `width` wide, if its items are.
std::string printItems(const std::vector<std::string> &items, unsigned indent, unsigned width);

// Breaks lines between words where a line would be wider than `width`. Indents the first line by `indent`, continued
// lines by four more.
std::string printWords(std::string_view words, unsigned indent, unsigned width);

// The same text with "?" for each control character. Shader names may be any bytes, and must not move the cursor.
std::string printable(std::string text);

// "12s", "5m", "3h", "20d": a duration in its largest unit.
std::string printAge(int64_t seconds);

// "3 parts", "1 part".
std::string count(uint64_t number, std::string_view noun);

} // namespace dovetail::part_dump
