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

void print(std::string_view text); // to the standard output

enum class Align : uint8_t { Left, Right };

// One line for each row, the first being the header. Columns are as wide as their widest cell, except the last, which
// is cut with an ellipsis where the line would be wider than `width` (but keeps MinLastColumn columns).
constexpr unsigned MinLastColumn = 8;
std::string printColumns(const std::vector<std::vector<std::string>> &rows, const std::vector<Align> &alignments,
                         unsigned width);

// The items with ", " between them, each line indented and at most `width` wide if its items are.
std::string printItems(const std::vector<std::string> &items, unsigned indent, unsigned width);

// "12s", "5m", "3h", "20d": a duration in its largest unit.
std::string printAge(int64_t seconds);

// "3 parts", "1 part".
std::string count(uint64_t number, std::string_view noun);

} // namespace dovetail::part_dump
