// SPDX-License-Identifier: MIT
//
// Text that fits a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::part_dump {

// Columns of the terminal: COLUMNS if it says so, else what the terminal behind the standard output says, else 80.
unsigned terminalWidth();

enum class Align : uint8_t { Left, Right };

// A line for each row, the first being the header. Columns are as wide as their widest cell, except the last: if its
// cells are words (Align::Left), they are cut with an ellipsis where the line would be wider than `width`. Where not
// all columns but MinLastColumn of the last fit, the row goes on in indented lines, so that nothing is left out.
constexpr unsigned MinLastColumn = 8;
std::string printColumns(const std::vector<std::vector<std::string>> &rows, const std::vector<Align> &alignments,
                         unsigned width);

// The items with ", " between them, each line indented and at most `width` wide if its items are.
std::string printItems(const std::vector<std::string> &items, unsigned indent, unsigned width);

// Words, broken between them where a line would be wider than `width`. The first line is indented by `indent`, those
// that continue it by four more.
std::string printWords(std::string_view words, unsigned indent, unsigned width);

// The same text with "?" for each control character. Names of shaders are any bytes, and must not move the cursor.
std::string printable(std::string text);

// "12s", "5m", "3h", "20d": a duration in its largest unit.
std::string printAge(int64_t seconds);

// "3 parts", "1 part".
std::string count(uint64_t number, std::string_view noun);

} // namespace dovetail::part_dump
