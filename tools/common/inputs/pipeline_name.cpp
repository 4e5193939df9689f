// SPDX-License-Identifier: MIT
#include "tools/common/inputs/pipeline_name.h"

namespace dovetail {

namespace {

constexpr std::string_view DatabaseEnding = ".foz";

} // namespace

bool namesPipeline(std::string_view name) {
  return isPipeFile(name) || splitCapturedName(name).has_value();
}

bool isPipelineDatabase(std::string_view path) {
  return path.ends_with(DatabaseEnding);
}

bool isPipeFile(std::string_view path) {
  return path.ends_with(".pipe");
}

std::optional<CapturedName> splitCapturedName(std::string_view name) {
  if (isPipelineDatabase(name))
    return CapturedName{std::string(name), ""};
  const size_t mark = name.rfind('#');
  if (mark == std::string_view::npos || !isPipelineDatabase(name.substr(0, mark)))
    return std::nullopt;
  return CapturedName{std::string(name.substr(0, mark)), std::string(name.substr(mark + 1))};
}

} // namespace dovetail
