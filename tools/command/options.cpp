// SPDX-License-Identifier: MIT
#include "tools/command/options.h"
#include <charconv>
#include <cstdint>

namespace dovetail {

CLI::Validator wholeNumber() {
  return CLI::Validator(
      [](std::string &text) {
        uint64_t number = 0;
        auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        return code == std::errc() ? std::string() : "\"" + text + "\" is no whole number from 0 to 2^64 - 1";
      },
      "");
}

CLI::Validator notEmpty() {
  return CLI::Validator([](std::string &text) { return text.empty() ? std::string("is empty") : std::string(); }, "");
}

} // namespace dovetail
