// SPDX-License-Identifier: MIT
//
// Finds the longest common subsequence of the lines by divide and conquer (Hirschberg's algorithm). It cuts one text in
// half, and computes the lengths of the common subsequences of both halves with all heads and tails of the other text.
// The lengths say where to cut the other text. This takes time for every pair of lines, but memory only for one row of
// pairs; a part has at most some thousand lines.
#include "tools/programs/part-dump/unified_diff.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace dovetail::part_dump {

namespace {

using Lines = std::span<const std::string>;

// A line of the result: unchanged (' '), removed ('-') or added ('+').
struct Edit {
  char sign;
  std::string_view line;
};

// lengths[n]: the length of the longest common subsequence of `a` and the first n lines of `b`; read from the end if
// `backwards`.
std::vector<unsigned> commonLengths(Lines a, Lines b, bool backwards) {
  std::vector<unsigned> lengths(b.size() + 1);
  for (size_t row = 0; row < a.size(); ++row) {
    const std::string &line = a[backwards ? a.size() - 1 - row : row];
    unsigned diagonal = 0;
    for (size_t column = 1; column <= b.size(); ++column) {
      unsigned above = lengths[column];
      bool same = line == b[backwards ? b.size() - column : column - 1];
      lengths[column] = same ? diagonal + 1 : std::max(above, lengths[column - 1]);
      diagonal = above;
    }
  }
  return lengths;
}

void compare(Lines a, Lines b, std::vector<Edit> &edits) {
  std::vector<Edit> tail;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    edits.push_back({' ', a.front()});
    a = a.subspan(1), b = b.subspan(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    tail.push_back({' ', a.back()});
    a = a.first(a.size() - 1), b = b.first(b.size() - 1);
  }
  if (a.size() <= 1 || b.empty()) {
    auto match = a.empty() ? b.end() : std::ranges::find(b, a.front());
    for (const std::string &line : a)
      if (match == b.end())
        edits.push_back({'-', line});
    for (auto line = b.begin(); line != b.end(); ++line)
      edits.push_back({line == match ? ' ' : '+', *line});
  } else {
    const size_t half = a.size() / 2;
    std::vector<unsigned> heads = commonLengths(a.first(half), b, false);
    std::vector<unsigned> tails = commonLengths(a.subspan(half), b, true);
    size_t cut = 0;
    for (size_t column = 1; column <= b.size(); ++column)
      if (heads[column] + tails[b.size() - column] > heads[cut] + tails[b.size() - cut])
        cut = column;
    compare(a.first(half), b.first(cut), edits);
    compare(a.subspan(half), b.subspan(cut), edits);
  }
  edits.insert(edits.end(), tail.rbegin(), tail.rend());
}

std::string range(size_t start, size_t length) {
  // An empty range has the number of the line in front of it.
  return length == 1 ? fmt::format("{}", start + 1) : fmt::format("{},{}", length == 0 ? start : start + 1, length);
}

} // namespace

std::string unifiedDiff(const std::vector<std::string> &before, const std::vector<std::string> &after,
                        std::string_view beforeName, std::string_view afterName) {
  if (before == after)
    return "";
  std::vector<Edit> edits;
  compare(before, after, edits);

  constexpr size_t Context = 3;
  std::string text = fmt::format("--- {}\n+++ {}\n", beforeName, afterName);
  size_t beforeLine = 0, afterLine = 0; // of edits[at]
  for (size_t at = 0; at < edits.size();) {
    auto change = std::find_if(edits.begin() + at, edits.end(), [](const Edit &edit) { return edit.sign != ' '; });
    if (change == edits.end())
      break;
    size_t first = std::max(at, size_t(change - edits.begin()) - std::min(Context, size_t(change - edits.begin())));
    beforeLine += first - at;
    afterLine += first - at;
    // A hunk ends where more than 2 * Context unchanged lines follow.
    size_t end = size_t(change - edits.begin()) + 1;
    for (size_t next = end; next < edits.size() && next - end <= 2 * Context; ++next)
      if (edits[next].sign != ' ')
        end = next + 1;
    end = std::min(end + Context, edits.size());

    std::string hunk;
    size_t beforeCount = 0, afterCount = 0;
    for (size_t index = first; index < end; ++index) {
      hunk += fmt::format("{}{}\n", edits[index].sign, edits[index].line);
      beforeCount += edits[index].sign != '+';
      afterCount += edits[index].sign != '-';
    }
    text += fmt::format("@@ -{} +{} @@\n{}", range(beforeLine, beforeCount), range(afterLine, afterCount), hunk);
    beforeLine += beforeCount;
    afterLine += afterCount;
    at = end;
  }
  return text;
}

} // namespace dovetail::part_dump
