// SPDX-License-Identifier: MIT
#include "tools/command/options.h"
#include "src/abi/get_target.h"
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

CLI::Option *addGpuOption(CLI::App &command, std::string &gpu, const std::string &description) {
  return command.add_option("--gpu", gpu, description)
      ->transform(CLI::Validator(
          [](std::string &name) {
            if (Result<const TargetInfo *> target = getTarget(name))
              name = (*target)->gpuName;
            return std::string();
          },
          ""));
}

} // namespace dovetail
