// SPDX-License-Identifier: MIT
//
// Parses lists of numbers in pipeline files.
#pragma once

#include "tools/common/pipe-file/pipe_sections.h"
#include <cstdlib>

namespace dovetail::pipe_file {

// The bytes of a list's numbers: "1, 0x2, 3". `parse` has strtol()'s parameters.
template <typename Number, typename Parse>
Result<std::vector<uint8_t>> parseList(SectionReader &section, const std::string &path, const std::string &list,
                                       Parse parse) {
  std::vector<uint8_t> bytes;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    std::string item = list.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = item.find_first_not_of(" \t");
    if (first == std::string::npos)
      continue;
    item = item.substr(first, item.find_last_not_of(" \t") + 1 - first);
    char *stop = nullptr;
    const Number number = Number(parse(item.c_str(), &stop));
    if (*stop != '\0')
      return section.wrong(path, fmt::format("expected a list of numbers, found \"{}\"", item));
    const auto *source = reinterpret_cast<const uint8_t *>(&number);
    bytes.insert(bytes.end(), source, source + sizeof(number));
  }
  return bytes;
}

// Accepts every base of strtoll().
inline long long parseInteger(const char *text, char **end) {
  return *text == '-' ? std::strtoll(text, end, 0) : static_cast<long long>(std::strtoull(text, end, 0));
}

} // namespace dovetail::pipe_file
