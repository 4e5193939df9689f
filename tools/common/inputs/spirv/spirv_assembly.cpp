// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include "src/spirv/validate/validate.h"
#include <algorithm>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <sstream>

namespace dovetail {

namespace {

struct Version {
  std::string_view name;
  spv_target_env environment;
};

constexpr Version Versions[] = {
    {"1.0", SPV_ENV_UNIVERSAL_1_0}, {"1.1", SPV_ENV_UNIVERSAL_1_1}, {"1.2", SPV_ENV_UNIVERSAL_1_2},
    {"1.3", SPV_ENV_UNIVERSAL_1_3}, {"1.4", SPV_ENV_UNIVERSAL_1_4}, {"1.5", SPV_ENV_UNIVERSAL_1_5},
    {"1.6", SPV_ENV_UNIVERSAL_1_6},
};

struct Named {
  std::string version;
  size_t line; // from 1 on
};

// The version in a comment in front of the instructions.
std::optional<Named> namedVersion(const std::string &text) {
  constexpr std::string_view Label = "; Version: ";
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos)
      continue;
    if (line[begin] != ';')
      break;
    const size_t end = line.find_last_not_of(" \t\r") + 1;
    if (std::string_view(line).substr(begin).starts_with(Label))
      return Named{line.substr(begin + Label.size(), end - begin - Label.size()), number};
  }
  return std::nullopt;
}

Result<std::vector<uint32_t>> assembleFor(const Version &version, const std::string &name, const std::string &text) {
  std::string reason;
  spvtools::SpirvTools tools(version.environment);
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
    if (reason.empty())
      reason = fmt::format("{}:{}: {}", name, position.line + 1, message);
  });
  std::vector<uint32_t> words;
  if (!tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS))
    return makeError(ErrorCode::InvalidInput, "{}", reason.empty() ? name + ": it cannot be assembled" : reason);
  return words;
}

} // namespace

Result<std::vector<uint32_t>> assembleSpirv(const std::string &name, const std::string &text,
                                            spirv::Environment environment) {
  if (const std::optional<Named> named = namedVersion(text)) {
    auto version = std::ranges::find(Versions, named->version, &Version::name);
    if (version == std::end(Versions))
      return makeError(ErrorCode::InvalidInput, "{}:{}: SPIR-V version {} is not one of 1.0 to 1.6", name, named->line,
                       named->version);
    return assembleFor(*version, name, text);
  }
  for (const Version &version : Versions)
    if (Result<std::vector<uint32_t>> words = assembleFor(version, name, text);
        words && spirv::validate(*words, environment))
      return words;
  return assembleFor(std::end(Versions)[-1], name, text); // the newest version knows most, so it gives the best message
}

} // namespace dovetail
